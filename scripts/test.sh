#!/bin/bash
# Builds Perpend and runs every test, installing missing Debian packages first.
#
#   scripts/test.sh          release build, sanitizers over the core, short fuzzing, all tests
#   scripts/test.sh --full   adds: the core alone, clang 14, thread sanitizer, clang-tidy,
#                            long fuzzing, a Debian package
#
# Ends with ctest's own summary over the release build.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

full=no
case "${1-}" in
  "") ;;
  --full) full=yes ;;
  *) sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"; [ "$1" = --help ] && exit 0; exit 2 ;;
esac

# The small set: the core's rooms and every solver on the sample frames. The recorded problems and
# the tests that count thousands of sweeps are left to the release build.
small_rooms='^(frame|linear|system|measure|formulate|solve|conformance)$'
large_tests='Properties/|NoTwoNames|HardInputEndsHonestly.(lcp_(minmap|interior|fischer)|ncp_minres)|GainsNothingOverNncg|SweepsLessThanGaussSeidel|NearlyEverySolver|SolversOfOneFriction|AKeptSolver|TwentyThousand|FewerSweeps|SameInputSameBits|WallStands|SweepsHelp|PyramidOf210|RunningBond'

install_packages demo test site

title "Release build"
build check all perpend_tests perpend_benches

title "Core under address and undefined-behaviour sanitizers"
build asan perpend_small_tests
unless_passed asan build/asan/bin examples/frames -- env PERPEND_SHARED=/nonexistent \
  ctest --preset asan -L "$small_rooms" -E "$large_tests" -j "$jobs" --no-label-summary --progress

title "Fuzzing the readers"
build fuzz perpend_fuzz
unless_passed fuzz build/fuzz/bin fuzz -- \
  fuzz/run.sh build/fuzz --fresh --hdf5-runs 2000 -runs=20000 -seed=1

if [ $full = yes ]; then
  title "The core alone, with Eigen and nothing else"
  cmake -S . -B build/core -G Ninja -DPERPEND_IO=OFF -DPERPEND_WERROR=ON \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_DISABLE_FIND_PACKAGE_HDF5=ON \
    -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON \
    -DCMAKE_DISABLE_FIND_PACKAGE_PNG=ON -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON
  cmake --build build/core -j "$jobs" --target all perpend_tests
  ctest --test-dir build/core -j "$jobs" --output-on-failure --no-label-summary --progress

  title "clang 14"
  build clang all perpend_tests perpend_benches
  ctest --preset clang -j "$jobs" --no-label-summary --progress

  title "Files, simulator, recorders and command line under address and undefined-behaviour sanitizers"
  build asan all perpend_tests
  # FCL, which Gazebo's physics uses, frees what it made by new[]; sanitized libraries cannot be put
  # before those of programs that are not (Plain).
  ASAN_OPTIONS=detect_leaks=0:alloc_dealloc_mismatch=0 ctest --preset asan -L '^(io|record|sim|capture|cli)$' \
    -E 'CommandLine.Memory|Plain' -j "$jobs" --no-label-summary --progress

  title "Thread sanitizer"
  build tsan all perpend_tests
  ctest --preset tsan -j "$jobs" --no-label-summary --progress

  title "clang-tidy"
  run-clang-tidy-14 -quiet -p build/clang -j "$jobs" "^$PWD/(src|apps|fuzz)/" >build/tidy.log 2>&1 ||
    { grep -E '(warning|error):' build/tidy.log | sort -u; die "clang-tidy: see build/tidy.log"; }

  title "Long fuzzing: 100,000 inputs a target"
  fuzz/run.sh build/fuzz -runs=100000

  title "Attacks"
  scripts/attack.sh --minutes 10

  title "Debian package"
  (cd build/release && rm -f ./*.deb && cpack -G DEB >cpack.log) || { cat build/release/cpack.log; exit 1; }
  rm -rf build/package
  # has PACKAGE FILE...: the package is made and has these files.
  has() {
    local package
    package=$(echo build/release/"$1"_*.deb)
    dpkg -c "$package" >build/package.list
    for file in "${@:2}"; do
      grep -q "$file" build/package.list || die "$(basename "$package") lacks $file"
    done
    dpkg -x "$package" build/package
  }
  has perpend bin/perpend man1/perpend.1 doc/perpend/LICENSE doc/perpend/docs/index.md \
    doc/perpend/examples/bullet/stock.cpp
  has libperpend-dev include/perpend/solve.hpp libperpend_core.a libperpend_io.a perpendConfig.cmake \
    pkgconfig/perpend.pc
  has perpend-engines bin/perpend-peers bin/perpend-capture-bullet
  has python3-perpend dist-packages/perpend/_perpend dist-packages/perpend/worker.py
  PYTHONPATH=build/package/usr/lib/python3/dist-packages /usr/bin/python3 -B -c \
    'import perpend; print(perpend.__version__)'
  build/package/usr/bin/perpend --version
  # Links between the installed documents resolve.
  /usr/bin/python3 -B -c 'import sys; sys.path.insert(0, "tests/docs"); import documents
wrong = documents.check_links(sys.argv[1]); sys.exit("\n".join(wrong) or 0)' build/package/usr/share/doc/perpend
fi

title "All tests of the release build"
ctest --preset release -j "$jobs" --no-label-summary
