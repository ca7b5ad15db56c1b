"""The tree obeys docs/architecture.md; and each check finds a violation planted in a copy of it."""

import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rooms  # noqa: E402

ROOT = Path(os.environ.get("PERPEND_SOURCE_DIR", Path(__file__).resolve().parents[2]))


class Tree(unittest.TestCase):
    def quiet(self, complaints):
        self.assertEqual(complaints, [], "\n" + "\n".join(complaints))

    def test_includes_follow_the_table_of_rooms(self):
        self.quiet(rooms.check_includes(ROOT))

    def test_every_room_has_its_row(self):
        self.quiet(rooms.check_rooms_are_named(ROOT))

    def test_core_knows_no_thread_file_or_screen(self):
        self.quiet(rooms.check_core_is_quiet(ROOT))

    def test_every_solver_has_its_test(self):
        self.quiet(rooms.check_solvers_have_tests(ROOT))

    def test_every_test_source_has_a_namespace_of_its_own(self):
        self.quiet(rooms.check_tests_keep_their_names(ROOT))

    def test_no_flag_changes_bits(self):
        self.quiet(rooms.check_flags(ROOT))

    def test_the_checks_see_the_tree(self):
        # An empty tree would pass everything above.
        seen = {rooms.room_of(ROOT, p) for p in rooms.all_sources(ROOT)}
        self.assertLessEqual({"frame", "system", "measure", "formulate", "solve", "io",
                              "apps/perpend"}, seen)
        self.assertTrue((ROOT / "src" / "solve").is_dir())


class PlantedViolation(unittest.TestCase):
    """A small sound tree under the real table; every test breaks one thing in it."""

    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="perpend_rooms_"))
        self.addCleanup(shutil.rmtree, self.root)
        self.write("docs/architecture.md",
                   (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"))
        for room in rooms.read_table(self.root / "docs" / "architecture.md"):
            if room.startswith("apps/"):
                self.write(f"{room}/main.cpp", '#include "perpend/io.hpp"\n')
                continue
            if room == "record":
                self.write("include/perpend_record.h", "#include <stdint.h>\n")
                continue
            if room != "linear":
                needs = "string" if room == "base" else "Eigen/Core"
                self.write(f"include/perpend/{room}.hpp", f"#include <{needs}>\n")
            self.write(f"src/{room}/inner.hpp", "#include <vector>\n")
            self.write(f"src/{room}/{room}.cpp", f'#include "{room}/inner.hpp"\n')
        self.write("tests/solve/ncp_pgs_test.cpp", "\nnamespace ncp_pgs_test {\n}\n")
        self.write("src/solve/ncp_pgs.cpp", '#include "linear/inner.hpp"\n')

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def complains(self, check, words):
        complaints = check(self.root)
        self.assertEqual(len(complaints), 1, complaints)
        self.assertIn(words, complaints[0])

    def test_sound_tree_is_left_alone(self):
        for check in (rooms.check_includes, rooms.check_core_is_quiet, rooms.check_flags,
                      rooms.check_solvers_have_tests, rooms.check_rooms_are_named,
                      rooms.check_tests_keep_their_names):
            self.assertEqual(check(self.root), [])

    def test_lower_room_includes_higher_room(self):
        self.write("src/frame/frame.cpp", '\n#include "perpend/solve.hpp"\n')
        self.complains(rooms.check_includes,
                       "src/frame/frame.cpp:2: room frame may not include room solve")

    def test_public_header_includes_wrong_room(self):
        self.write("include/perpend/measure.hpp", '#include "perpend/formulate.hpp"\n')
        self.complains(rooms.check_includes, "room measure may not include room formulate")

    def test_public_header_includes_private_header(self):
        self.write("include/perpend/solve.hpp", '#include "solve/inner.hpp"\n')
        self.complains(rooms.check_includes, "private header")

    def test_private_header_from_outside_the_core(self):
        self.write("src/io/io.cpp", '#include "system/inner.hpp"\n')
        self.complains(rooms.check_includes, "the door of room system is its public header")

    def test_inner_room_without_permission(self):
        self.write("src/measure/measure.cpp", '#include "linear/inner.hpp"\n')
        self.complains(rooms.check_includes, "room measure may not include room linear")

    def test_application_reaches_into_a_room(self):
        self.write("apps/perpend/main.cpp", '#include "solve/inner.hpp"\n')
        self.complains(rooms.check_includes, "neither a public header")

    def test_core_includes_hdf5(self):
        self.write("src/system/system.cpp", "#include <hdf5.h>\n")
        self.complains(rooms.check_includes, "room system may not include HDF5")

    def test_unknown_library(self):
        self.write("src/io/io.cpp", "#include <boost/json.hpp>\n")
        self.complains(rooms.check_includes, "belongs to no library")

    def test_relative_include(self):
        self.write("src/io/io.cpp", '#include "inner.hpp"\n')
        self.complains(rooms.check_includes, 'write "perpend/ROOM.hpp"')

    def test_rooms_of_one_floor_are_apart(self):
        self.write("src/capture/bullet/rows.cpp", '#include "capture/bullet/inner.hpp"\n')
        self.assertEqual(rooms.check_includes(self.root), [])
        self.write("src/capture/capture.cpp", "#include <btBulletDynamicsCommon.h>\n")
        self.complains(rooms.check_includes, "room capture may not include Bullet")
        self.write("src/capture/capture.cpp", '#include "perpend/capture/bullet.hpp"\n')
        self.complains(rooms.check_includes, "room capture may not include room capture/bullet")
        self.write("src/capture/capture.cpp", "")
        self.write("src/capture/shed/shed.cpp", "")
        self.complains(rooms.check_rooms_are_named, "capture/shed: a folder without a row")

    def test_the_c_header_needs_hdf5_alone(self):
        self.write("include/perpend/record/file.h",
                   '#include <hdf5.h>\n#include <stdio.h>\n#include "perpend_record.h"\n')
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

    def test_core_includes_threads_files_or_streams(self):
        for header in ("thread", "iostream", "fstream"):
            self.write("src/solve/solve.cpp", f"#include <{header}>\n")
            self.complains(rooms.check_core_is_quiet, f"<{header}>")

    def test_core_prints(self):
        self.write("src/solve/solve.cpp", '// printf("fine");\nvoid f() { std::printf("x"); }\n')
        self.complains(rooms.check_core_is_quiet, "src/solve/solve.cpp:2: the core does not print")

    def test_solver_without_its_test(self):
        self.write("src/solve/box_pgs.cpp", "")
        self.complains(rooms.check_solvers_have_tests, "tests/solve/box_pgs_test.cpp")

    def test_test_source_without_a_namespace_of_its_own(self):
        self.write("tests/solve/ncp_pgs_test.cpp", "\nnamespace {\n}\n")
        self.complains(rooms.check_tests_keep_their_names, "namespace ncp_pgs_test")

    def test_flags_that_change_bits(self):
        # Put together here, so that this file is no finding of its own check.
        for flag in ("-march=" + "native", "-ffast" + "-math", "-O" + "fast"):
            self.write("cmake/flags.cmake", f"add_compile_options({flag})\n")
            self.complains(rooms.check_flags, flag)

    def test_broken_table_is_an_error(self):
        for broken in ("no table\n",
                       "| room | what lives there | may include | libraries |\n| --- |\n"
                       "| `a` | x | b | Eigen |\n",
                       "| room | what lives there | may include | libraries |\n| --- |\n"
                       "| `a` | x | - | Eiffel |\n"):
            self.write("docs/architecture.md", broken)
            with self.assertRaises(ValueError):
                rooms.check_includes(self.root)


if __name__ == "__main__":
    unittest.main()
