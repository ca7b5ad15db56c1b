# Shared by the scripts. Sourced, not run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

jobs=$(nproc)

# A header with the time since the script began.
title() {
  printf '\n== %s  (%d:%02d)\n' "$1" $((SECONDS / 60)) $((SECONDS % 60))
}

die() {
  printf '%s: %s\n' "$(basename "$0")" "$1" >&2
  exit 1
}

# install_packages PART...: installs what these parts of scripts/packages.txt name and this machine
# lacks.
install_packages() {
  local missing=() package parts=" $* "
  command -v dpkg-query >/dev/null ||
    die "this is not a Debian system: install the equivalents of scripts/packages.txt by hand"
  while read -r package; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      missing+=("$package")
  done < <(awk -v parts="$parts" '{sub(/#.*/, "")} /^\[/ {on = index(parts, " " substr($1, 2, length($1) - 2) " ")}
    on && !/^\[/ && NF {print $1}' scripts/packages.txt)
  case $parts in *" test "*) command -v npm >/dev/null || missing+=(nodejs npm) ;; esac
  [ ${#missing[@]} -gt 0 ] || return 0

  title "Installing ${missing[*]}"
  local root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      die "missing packages, and neither root nor sudo to install them: ${missing[*]}"
    root=(sudo)
  fi
  "${root[@]}" apt-get update -qq
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# build PRESET [TARGET...]: configures when needed, builds quietly, shows all on failure.
build() {
  local preset=$1 target=()
  shift
  [ $# -eq 0 ] || target=(--target "$@")
  mkdir -p build
  cmake --preset "$preset" >"build/$preset.log" 2>&1 || { cat "build/$preset.log"; exit 1; }
  cmake --build --preset "$preset" -j "$jobs" "${target[@]}"
}

# unless_passed NAME FILE... -- COMMAND...: runs a repeatable COMMAND, except when the same files
# (folders with all they hold) have passed it before.
unless_passed() {
  local stamp=build/passed/$1 files=() state
  shift
  while [ "$1" != -- ]; do files+=("$1"); shift; done
  shift
  state=$(printf '%s ' "$@"; find "${files[@]}" -type f -print0 | sort -z | xargs -0 sha256sum)
  if [ "$(cat "$stamp" 2>/dev/null)" = "$state" ]; then
    echo "nothing has changed since this passed"
    return
  fi
  rm -f "$stamp"
  "$@" || return
  mkdir -p build/passed
  printf '%s\n' "$state" >"$stamp"
}
