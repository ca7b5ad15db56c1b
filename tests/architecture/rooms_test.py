"""The tree obeys docs/architecture.md; and each check finds a violation planted in a copy of it."""

import os
import shutil
import sys
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "support")]
import rooms  # noqa: E402
from planted import ROOT, Planted, Sound  # noqa: E402

CHECKS = {
    "includes follow the table of rooms": rooms.check_includes,
    "every room has its row": rooms.check_rooms_are_named,
    "the core knows no thread, file or screen": rooms.check_core_is_quiet,
    "every solver has its test": rooms.check_solvers_have_tests,
    "every test source has a namespace of its own": rooms.check_tests_keep_their_names,
    "every engine has a namespace of its own": rooms.check_engines_have_namespaces,
    "no flag changes bits": rooms.check_flags,
}


class Tree(Sound):
    def test_obeys_every_check(self):
        for rule, check in CHECKS.items():
            with self.subTest(rule):
                self.quiet(check(ROOT))

    def test_the_checks_see_the_tree(self):
        # An empty tree would pass everything above.
        seen = {rooms.room_of(ROOT, p) for p in rooms.all_sources(ROOT)}
        self.assertLessEqual(
            {"frame", "system", "measure", "formulate", "solve", "io", "apps/perpend"}, seen
        )
        self.assertTrue((ROOT / "src" / "solve").is_dir())


class PlantedViolation(Planted):
    """A small sound tree under the real table; every test breaks one thing in it."""

    def setUp(self):
        super().setUp()
        self.write(
            "docs/architecture.md", (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
        )
        for room in rooms.read_table(self.root / "docs" / "architecture.md"):
            if room.startswith("apps/"):
                self.write(f"{room}/main.cpp", '#include "perpend/io.hpp"\n')
                continue
            if room in rooms.BESIDE:
                self.write(f"{room}/{room}.cpp", '#include "perpend/io.hpp"\n')
                continue
            if room in rooms.HEADERS_ALONE:
                self.write(f"doors/perpend/{room}.hpp", "#include <string>\n")
                continue
            if room == "record":
                self.write("include/perpend_record.h", "#include <stdint.h>\n")
                continue
            if room != "linear":
                needs = "string" if room in ("base", "host") else "Eigen/Core"
                self.write(f"include/perpend/{room}.hpp", f"#include <{needs}>\n")
            self.write(f"src/{room}/inner.hpp", "#include <vector>\n")
            self.write(f"src/{room}/{room}.cpp", f'#include "{room}/inner.hpp"\n')
        self.write("tests/solve/ncp_pgs_test.cpp", "\nnamespace ncp_pgs_test {\n}\n")
        self.write("src/solve/ncp_pgs.cpp", '#include "linear/inner.hpp"\n')

    def test_sound_tree_is_left_alone(self):
        for check in CHECKS.values():
            self.assertEqual(check(self.root), [])

    def test_forbidden_includes(self):
        self.finds(
            rooms.check_includes,
            {
                "a lower room includes a higher one": (
                    "src/frame/frame.cpp",
                    '\n#include "perpend/solve.hpp"\n',
                    "src/frame/frame.cpp:2: room frame may not include room solve",
                ),
                "a public header includes the wrong room": (
                    "include/perpend/measure.hpp",
                    '#include "perpend/formulate.hpp"\n',
                    "room measure may not include room formulate",
                ),
                "a public header includes a private one": (
                    "include/perpend/solve.hpp",
                    '#include "solve/inner.hpp"\n',
                    "private header",
                ),
                "an installed header includes one that is not": (
                    "include/perpend/sim.hpp",
                    '#include "perpend/cli.hpp"\n',
                    "which is not installed",
                ),
                "a door includes a private header": (
                    "doors/perpend/bench.hpp",
                    '#include "bench/inner.hpp"\n',
                    "private header",
                ),
                "a private header from outside the core": (
                    "src/io/io.cpp",
                    '#include "system/inner.hpp"\n',
                    "the door of room system is its public header",
                ),
                "an inner room without permission": (
                    "src/measure/measure.cpp",
                    '#include "linear/inner.hpp"\n',
                    "room measure may not include room linear",
                ),
                "an application reaches into a room": (
                    "apps/perpend/main.cpp",
                    '#include "solve/inner.hpp"\n',
                    "neither a public header",
                ),
                "the core includes HDF5": (
                    "src/system/system.cpp",
                    "#include <hdf5.h>\n",
                    "room system may not include HDF5",
                ),
                "an unknown library": (
                    "src/io/io.cpp",
                    "#include <boost/json.hpp>\n",
                    "belongs to no library",
                ),
                "a relative include": (
                    "src/io/io.cpp",
                    '#include "inner.hpp"\n',
                    'write "perpend/ROOM.hpp"',
                ),
            },
        )

    def test_rooms_of_one_floor_are_apart(self):
        self.write("src/capture/bullet/rows.cpp", '#include "capture/bullet/inner.hpp"\n')
        self.assertEqual(rooms.check_includes(self.root), [])
        self.write("src/capture/bullet/rows.cpp", '#include "capture/inner.hpp"\n')
        self.assertEqual(rooms.check_includes(self.root), [])
        self.write("src/capture/bullet/rows.cpp", '#include "capture/ode/inner.hpp"\n')
        self.complains(rooms.check_includes, "room capture/bullet may not include room capture/ode")
        self.write("src/capture/bullet/rows.cpp", "")
        self.write("src/capture/capture.cpp", "#include <btBulletDynamicsCommon.h>\n")
        self.complains(rooms.check_includes, "room capture may not include Bullet")
        self.write("src/capture/capture.cpp", '#include "perpend/capture/bullet.hpp"\n')
        self.complains(rooms.check_includes, "room capture may not include room capture/bullet")
        self.write("src/capture/capture.cpp", "")
        self.write("src/capture/shed/shed.cpp", "")
        self.complains(rooms.check_rooms_are_named, "capture/shed: a folder without a row")

    def test_the_c_header_needs_hdf5_alone(self):
        self.write(
            "include/perpend/record/file.h",
            '#include <hdf5.h>\n#include <stdio.h>\n#include "perpend_record.h"\n',
        )
        self.assertEqual(rooms.check_includes(self.root), [])
        self.write("include/perpend/record/file.h", "#include <zlib.h>\n")
        self.complains(rooms.check_includes, "room record may not include zlib")
        self.write("include/perpend/record/file.h", '#include "perpend/frame.hpp"\n')
        self.complains(rooms.check_includes, "room record may not include room frame")

    def test_room_without_a_row(self):
        self.write("src/shed/shed.cpp", "")
        self.complains(rooms.check_includes, "room shed has no row")
        self.complains(rooms.check_rooms_are_named, "shed: a folder without a row")

    def test_row_without_a_folder(self):
        shutil.rmtree(self.root / "src" / "io")
        self.complains(rooms.check_rooms_are_named, "io: a row")

    def test_a_core_that_is_not_quiet(self):
        self.finds(
            rooms.check_core_is_quiet,
            {
                **{
                    f"it includes {header}": (
                        "src/solve/solve.cpp",
                        f"#include <{header}>\n",
                        f"<{header}>",
                    )
                    for header in ("thread", "iostream", "fstream")
                },
                "it prints": (
                    "src/solve/solve.cpp",
                    '// printf("fine");\nvoid f() { std::printf("x"); }\n',
                    "src/solve/solve.cpp:2: the core does not print",
                ),
            },
        )

    def test_solver_without_its_test(self):
        self.write("src/solve/box_pgs.cpp", "")
        self.complains(rooms.check_solvers_have_tests, "tests/solve/box_pgs_test.cpp")

    def test_test_source_without_a_namespace_of_its_own(self):
        self.write("tests/solve/ncp_pgs_test.cpp", "\nnamespace {\n}\n")
        self.complains(rooms.check_tests_keep_their_names, "namespace ncp_pgs_test")

    def test_engines_that_share_a_namespace(self):
        for file, text in (
            ("rows.hpp", "\nnamespace perpend::capture {\n}\n"),
            ("rows.cpp", "\nnamespace perpend::capture::from_ode {\n}\n"),
        ):
            self.write(f"src/capture/bullet/{file}", text)
            self.complains(rooms.check_engines_have_namespaces, "capture::from_bullet")
            self.write(
                f"src/capture/bullet/{file}", "\nnamespace perpend::capture::from_bullet {\n}\n"
            )
        self.assertEqual(rooms.check_engines_have_namespaces(self.root), [])

    def test_flags_that_change_bits(self):
        # Put together here, so that this file is no finding of its own check.
        for flag in ("-march=" + "native", "-ffast" + "-math", "-O" + "fast"):
            self.write("cmake/flags.cmake", f"add_compile_options({flag})\n")
            self.complains(rooms.check_flags, flag)

    def test_broken_table_is_an_error(self):
        for broken in (
            "no table\n",
            "| room | what lives there | may include | libraries |\n| --- |\n"
            "| `a` | x | b | Eigen |\n",
            "| room | what lives there | may include | libraries |\n| --- |\n"
            "| `a` | x | - | Eiffel |\n",
        ):
            self.write("docs/architecture.md", broken)
            with self.assertRaises(ValueError):
                rooms.check_includes(self.root)


if __name__ == "__main__":
    unittest.main()
