"""Checks a source tree against the table of rooms in docs/architecture.md.

Every check returns complaints, one line each, that name file and line. The table in the document
is the only copy: this file knows how to read it, not what it says.
"""

import re
from pathlib import Path
from typing import NamedTuple

CORE = ("base", "frame", "linear", "system", "measure", "formulate", "solve")
SOURCES = (".hpp", ".cpp", ".h", ".c")
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')

# Which library an angle-bracket include belongs to, by how it begins.
LIBRARIES = {
    "Eigen": ("Eigen/", "unsupported/Eigen/"),
    "HDF5": ("hdf5.h", "hdf5_hl.h", "H5"),
    "nlohmann": ("nlohmann/",),
    "CLI11": ("CLI/",),
    "libpng": ("png.h",),
    "tinygltf": ("tiny_gltf.h",),
    "zlib": ("zlib.h",),
    "Bullet": ("btBullet", "Bullet", "LinearMath/", "HACD/"),
    "DART": ("dart/", "urdf_model/", "urdf_parser/"),
    "Gazebo": ("ignition/", "sdf/"),
    "ODE": ("ode/",),
    "MuJoCo": ("mujoco/",),
    "Siconos": ("siconos/",),
    "Boost": ("boost/asio/", "boost/beast/"),
    "pybind11": ("pybind11/",),
    "tinyxml2": ("tinyxml2.h",),
    "sysconf": ("unistd.h",),
    "POSIX": (
        "unistd.h",
        "fcntl.h",
        "signal.h",
        "poll.h",
        "sys/",
        "dlfcn.h",
        "link.h",
        "spawn.h",
        "fnmatch.h",
    ),
}
C_STANDARD = {
    "errno.h",
    "math.h",
    "stdarg.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "time.h",
}
# What is installed, and the doors of rooms that only this project enters.
HEADER_FOLDERS = ("include", "doors")
# Headers of ours beside include/perpend, for programs that are not C++: their room is their name.
C_DOORS = {"perpend_record.h"}
# The core knows no thread, no screen and no file.
CLOSED_TO_CORE = {
    "thread",
    "mutex",
    "shared_mutex",
    "condition_variable",
    "future",
    "semaphore",
    "latch",
    "barrier",
    "stop_token",
    "execution",
    "pthread.h",
    "omp.h",
    "iostream",
    "fstream",
    "syncstream",
    "print",
    "filesystem",
}
PRINTING = re.compile(r"\bstd::(?:cout|cerr|clog)\b|\b(?:f?printf|f?puts|fopen|fwrite)\s*\(")
UNREPRODUCIBLE = re.compile(
    r"-march=native|-mtune=native|-mcpu=native|-ffast-math|-Ofast|-funsafe-math-optimizations"
    r"|-fassociative-math|-ffp-contract=(?:fast|on)"
)
WITHOUT_OWN_TEST = {"registry", "progress", "solve"}


class Room(NamedTuple):
    rooms: frozenset
    libraries: frozenset


def read_table(document):
    """The rows of the table whose header begins with `room`: {room: Room}."""
    rooms = {}
    inside = False
    for line in Path(document).read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|"):
            inside = False
        elif cells[0] == "room":
            if cells != ["room", "what lives there", "may include", "libraries"]:
                raise ValueError(f"{document}: unexpected columns {cells}")
            inside = True
        elif inside and not set(cells[0]) <= set("-: "):
            if len(cells) != 4:
                raise ValueError(f"{document}: a row of {len(cells)} cells: {line}")
            name = cells[0].strip("`")
            rooms[name] = Room(words(cells[2]), words(cells[3]))
    if not rooms:
        raise ValueError(f"{document}: no table of rooms")
    for name, room in rooms.items():
        for other in room.rooms - rooms.keys():
            raise ValueError(f"{document}: room {name} may include {other}, which has no row")
        for library in room.libraries - LIBRARIES.keys():
            raise ValueError(f"{document}: room {name} names an unknown library {library}")
    return rooms


def words(cell):
    return frozenset(w.strip(" `") for w in cell.split(",")) - {"-", ""}


def source_files(root, folder):
    return sorted(p for p in (root / folder).rglob("*") if p.suffix in SOURCES)


# Rooms that are a header and nothing else.
HEADERS_ALONE = ("cli",)

# Rooms beside src/: bindings of other rooms, in one folder.
BESIDE = ("python",)

# Rooms whose folders are rooms of their own: capture/bullet is not capture.
FLOORS = ("capture",)


def room_of_header(parts):
    """The room of a public header: ROOM.hpp, ROOM/PART.hpp, FLOOR/ROOM.hpp."""
    floor = parts[0] in FLOORS and len(parts) > 1
    return parts[0] + "/" + Path(parts[1]).stem if floor else Path(parts[0]).stem


def room_of_source(parts):
    """The room of ROOM/file or FLOOR/ROOM/file."""
    return "/".join(parts[:2]) if parts[0] in FLOORS and len(parts) > 2 else parts[0]


def room_of(root, path):
    """The room a source file belongs to."""
    parts = path.relative_to(root).parts
    if parts[0] in HEADER_FOLDERS:
        return room_of_header(parts[2:]) if len(parts) > 2 else path.stem.removeprefix("perpend_")
    if parts[0] in BESIDE:
        return parts[0]
    return room_of_source(parts[1:]) if parts[0] == "src" else "/".join(parts[:2])


def all_sources(root):
    for folder in (*HEADER_FOLDERS, *BESIDE, "src", "apps"):
        yield from source_files(root, folder)


def without_comments(text):
    """The text with comments blanked and line numbers kept."""
    blank = lambda m: re.sub(r"[^\n]", " ", m.group(0))
    return re.sub(r"//[^\n]*|/\*.*?\*/", blank, text, flags=re.S)


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def check_includes(root):
    """Every include against the table."""
    root = Path(root)
    table = read_table(root / "docs" / "architecture.md")
    complaints = []
    for path in all_sources(root):
        room = room_of(root, path)
        where = path.relative_to(root)
        if room not in table:
            complaints.append(f"{where}: room {room} has no row in docs/architecture.md")
            continue
        for number, quoted, angled in includes(path):
            why = wrong_include(root, table, room, path, quoted or angled, quoted is None)
            if why:
                complaints.append(f"{where}:{number}: {why}")
    return complaints


def wrong_include(root, table, room, path, target, angled):
    """Why this include is not allowed in this room; empty when it is."""
    if target in C_DOORS:
        return wrong_room(table, room, Path(target).stem.removeprefix("perpend_"))
    if target.startswith("perpend/"):
        other = room_of_header(target.split("/")[1:])
        if not any((root / folder / target).is_file() for folder in HEADER_FOLDERS):
            return f"there is no public header {target}"
        if path.is_relative_to(root / "include") and not (root / "include" / target).is_file():
            return f"an installed header includes {target}, which is not installed"
        return wrong_room(table, room, other)
    if angled:
        return wrong_library(table, room, target)
    if room.startswith("apps/") or room in BESIDE:
        if (path.parent / target).is_file():
            return ""
        return f'"{target}" is neither a public header nor a file of {room}'
    other = room_of_source(target.split("/"))
    if "/" not in target or not (root / "src" / target).is_file():
        return f'"{target}": write "perpend/ROOM.hpp" or "{room}/file.hpp"'
    if any(path.is_relative_to(root / folder) for folder in HEADER_FOLDERS):
        return f"a public header includes the private header {target}"
    if other != room and room not in CORE and not on_one_floor(room, other):
        return f"{target} is inside the core: the door of room {other} is its public header"
    return wrong_room(table, room, other)


def on_one_floor(room, other):
    """Rooms of one floor may open each other's private headers, where the table lets them."""
    return room.split("/")[0] == other.split("/")[0] and room.split("/")[0] in FLOORS


def wrong_room(table, room, other):
    if other == room or other in table[room].rooms:
        return ""
    return f"room {room} may not include room {other}"


def wrong_library(table, room, target):
    found = [name for name, beginnings in LIBRARIES.items() if target.startswith(beginnings)]
    if found:
        return (
            ""
            if table[room].libraries.intersection(found)
            else (f"room {room} may not include {found[0]} (<{target}>)")
        )
    if re.fullmatch(r"[a-z0-9_]+", target) or target in C_STANDARD:
        return ""  # the C++ standard library; what C headers of ours need
    return f"<{target}> belongs to no library of docs/architecture.md"


def check_core_is_quiet(root):
    """The core includes no threads, files or streams, and does not print."""
    root = Path(root)
    complaints = []
    for path in all_sources(root):
        if room_of(root, path) not in CORE:
            continue
        where = path.relative_to(root)
        for number, _, angled in includes(path):
            if angled in CLOSED_TO_CORE:
                complaints.append(f"{where}:{number}: the core may not include <{angled}>")
        code = without_comments(path.read_text(encoding="utf-8"))
        for number, line in enumerate(code.splitlines(), 1):
            if PRINTING.search(line):
                complaints.append(f"{where}:{number}: the core does not print: {line.strip()}")
    return complaints


def check_solvers_have_tests(root):
    """Every src/solve/NAME.cpp has tests/solve/NAME_test.cpp, and so in its folders."""
    root = Path(root)
    sources = [p.relative_to(root / "src") for p in sorted((root / "src" / "solve").rglob("*.cpp"))]
    return [
        f"src/{p}: there is no tests/{p.with_suffix('')}_test.cpp"
        for p in sources
        if p.stem not in WITHOUT_OWN_TEST
        and not (root / "tests" / f"{p.with_suffix('')}_test.cpp").is_file()
    ]


def check_tests_keep_their_names(root):
    """Several test sources are compiled as one: each has a namespace of its own."""
    complaints = []
    for path in sorted((root / "tests").rglob("*_test.cpp")):
        text = path.read_text(encoding="utf-8")
        if f"\nnamespace {path.stem} {{\n" not in text or "\nnamespace {\n" in text:
            complaints.append(
                f"{path.relative_to(root)}: its names belong into "
                f"namespace {path.stem}, not into an unnamed one"
            )
    return complaints


def check_engines_have_namespaces(root):
    """A program may record two engines: what is of one engine is in a namespace of its own."""
    complaints = []
    for app in sorted((root / "apps").glob("capture-*")):
        engine = app.name.removeprefix("capture-")
        own = f"namespace perpend::capture::from_{engine}"
        files = source_files(root, f"src/capture/{engine}")
        files += [
            p for p in (root / "include" / "perpend" / "capture").glob(f"{engine}*") if p.is_file()
        ]
        for path in files:
            opened = re.findall(
                r"^namespace perpend::capture[\w:]*", path.read_text(encoding="utf-8"), flags=re.M
            )
            strange = [name for name in opened if not name.startswith(own)]
            private = path.suffix == ".hpp" and path.is_relative_to(root / "src")
            if strange and (private or strange == opened):
                complaints.append(f"{path.relative_to(root)}: its names belong into {own}")
    return complaints


def check_flags(root):
    """No flag that makes results depend on the compiler's mood or on the build machine."""
    root = Path(root)
    files = list(all_sources(root))
    files += [p for p in root.glob("CMake*") if p.is_file()]
    for folder in ("cmake", "scripts", "tests", "fuzz", "examples", "apps", ".ci"):
        files += [
            p
            for p in (root / folder).rglob("*")
            if p.is_file() and (p.suffix in (".cmake", ".txt", ".sh", ".in") or folder == ".ci")
        ]
    complaints = []
    for path in files:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = UNREPRODUCIBLE.search(line)
            if match:
                complaints.append(f"{path.relative_to(root)}:{number}: {match.group(0)}")
    return complaints


def check_rooms_are_named(root):
    """Every folder of src/ and apps/ has a row, and every row has a folder and, in the core, a door."""
    root = Path(root)
    table = read_table(root / "docs" / "architecture.md")
    there = {p.name for p in (root / "src").iterdir() if p.is_dir()}
    for floor in FLOORS:
        there |= {f"{floor}/{p.name}" for p in (root / "src" / floor).iterdir() if p.is_dir()}
    there |= {f"apps/{p.name}" for p in (root / "apps").iterdir() if p.is_dir()}
    there |= {
        Path(name).stem.removeprefix("perpend_")
        for name in C_DOORS
        if (root / "include" / name).is_file()
    }
    there |= {room for room in BESIDE if source_files(root, room)}
    there |= {room for room in HEADERS_ALONE if (root / "doors/perpend" / f"{room}.hpp").is_file()}
    return [
        f"{room}: a folder without a row in docs/architecture.md"
        for room in sorted(there - table.keys())
    ] + [
        f"{room}: a row in docs/architecture.md without a folder"
        for room in sorted(table.keys() - there)
    ]
