#!/bin/bash
# Builds the documents into a static site: build/site/html/index.html.
#
#   scripts/site.sh [--program PERPEND]    installs mkdocs and Doxygen if they are missing. The program
#                                          prints the reference pages; it is built if you name none.
#                                          Search works if a server shows the site:
#                                          python3 -m http.server -d build/site/html
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
program=build/release/bin/perpend
case "${1-}" in
  --program) program=${2:?--program needs a name} ;;
  "") ;;
  *) sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"; [ "$1" = --help ] && exit 0; exit 2 ;;
esac

install_packages site
[ -x "$program" ] || build release perpend

rm -rf build/site
/usr/bin/python3 -B scripts/site_pages.py "$program" build/site/pages
mkdir -p build/site/pages/katex/contrib
cp -rL /usr/share/javascript/katex/{katex.min.css,katex.min.js,fonts} build/site/pages/katex/
cp -L /usr/share/javascript/katex/contrib/auto-render.js build/site/pages/katex/contrib/
echo 'document.addEventListener("DOMContentLoaded", () => document.querySelectorAll(".arithmatex").forEach((formula) => renderMathInElement(formula, {delimiters: [{left: "\\[", right: "\\]", display: true}, {left: "\\(", right: "\\)", display: false}]})));' \
  >build/site/pages/katex/start.js
echo '.md-typeset table:not([class]) code { white-space: nowrap; } tr:target { background: #ffd54f66; } [data-md-color-scheme=slate] { --md-typeset-a-color: #9fa8da; }' >build/site/pages/katex/start.css
doxygen - <<END
PROJECT_NAME = Perpend
PROJECT_BRIEF = "C++ headers"
INPUT = include
FILE_PATTERNS = *.hpp *.h
INPUT_FILTER = "sed -E -f scripts/doxygen.sed"
JAVADOC_AUTOBRIEF = YES
QT_AUTOBRIEF = YES
RECURSIVE = YES
OUTPUT_DIRECTORY = build/site/pages
HTML_OUTPUT = headers
GENERATE_LATEX = NO
EXTRACT_ALL = YES
HAVE_DOT = NO
QUIET = YES
WARNINGS = NO
SEARCHENGINE = YES
HTML_TIMESTAMP = NO
STRIP_FROM_PATH = include
END
mkdocs build --quiet --strict
# The theme would fetch diagrams and stars from elsewhere if a page had any.
sed -i -E 's#https://(unpkg\.com|api\.github\.com)/##g' build/site/html/assets/javascripts/bundle.*.js*
echo "build/site/html/index.html"
