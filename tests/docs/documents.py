"""Checks that the documents point at things that exist.

Links `[text](target)` must resolve, anchors included; files named in `code` that look like paths
of this repository must be there; the solvers told must be those the program has.
"""

import json
import re
import subprocess
from pathlib import Path

LINK = re.compile(r"(?<!\!)\[[^\]\n]*\]\(([^)\s]+)\)|!\[[^\]\n]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
# A path of ours: begins with one of our folders, or is a file at the root.
OURS = re.compile(
    r"(?:\.ci|apps|bench|cmake|docs|examples|fuzz|include|results|scripts|src|tests)/[\w./*+-]*"
    r"|(?:CMakeLists\.txt|CMakePresets\.json|LICENSE|README\.md|CHANGELOG\.md"
    r"|CITATION\.cff|\.clang-format|\.clang-tidy)"
)
# Words that stand for a name of the reader's choosing.
PLACEHOLDER = re.compile(r"[A-Z]{3,}(?:_[A-Z]+)*")


def documents(root):
    root = Path(root)
    return sorted(
        [
            *root.glob("*.md"),
            *(root / "docs").rglob("*.md"),
            *(root / "examples").rglob("*.md"),
            *(root / "fuzz").rglob("*.md"),
        ]
    )


def lines_outside_code(text):
    """(number, line) outside fenced code blocks."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def anchors(path):
    """The anchors of a document's headings, as GitHub makes them."""
    found = set()
    for _, line in lines_outside_code(path.read_text(encoding="utf-8")):
        if line.startswith("#"):
            words = re.sub(r"[`*]", "", line.lstrip("#").strip().lower())
            found.add(re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", words)))
    return found


def check_links(root):
    root = Path(root)
    complaints = []
    for path in documents(root):
        for number, line in lines_outside_code(path.read_text(encoding="utf-8")):
            for match in LINK.finditer(CODE.sub("", line)):
                target = match.group(1) or match.group(2)
                why = broken(path, target)
                if why:
                    complaints.append(f"{path.relative_to(root)}:{number}: {target}: {why}")
    return complaints


def broken(path, target):
    if re.match(r"[a-z]+://|mailto:", target):
        return ""  # the tests do not use the network
    name, _, anchor = target.partition("#")
    file = (path.parent / name) if name else path
    if not file.exists():
        return "there is no such file"
    if anchor and file.suffix == ".md" and anchor not in anchors(file):
        return "there is no such heading"
    return ""


def check_mentioned_files(root):
    """Paths of ours in `code`."""
    root = Path(root)
    complaints = []
    for path in documents(root):
        for number, line in lines_outside_code(path.read_text(encoding="utf-8")):
            for code in CODE.findall(line):
                for word in code.split():
                    word = word.rstrip(".,;:")
                    if not OURS.fullmatch(word) or PLACEHOLDER.search(word):
                        continue
                    if not (any(root.glob(word)) if "*" in word else (root / word).exists()):
                        complaints.append(f"{path.relative_to(root)}:{number}: there is no {word}")
    return complaints


def words(root):
    """How many words docs/ has, as wc -w counts them."""
    return sum(
        len(path.read_text(encoding="utf-8").split()) for path in Path(root, "docs").rglob("*.md")
    )


PICTURE = re.compile(
    r"(perpend simulate [^`\n]*--(?:picture|plot|animate) (\S+?\.(?:png|svg|gif)))(?=`|$)", re.M
)


def check_pictures(root):
    """Every picture of docs/pictures is shown; a command that draws one is that of the gallery, which
    scripts/pictures.sh runs."""
    root = Path(root)
    texts = {path: path.read_text(encoding="utf-8") for path in documents(root)}
    complaints = [
        f"docs/pictures/{picture.name} is in no document"
        for picture in sorted((root / "docs" / "pictures").iterdir())
        if not any(f"pictures/{picture.name})" in text for text in texts.values())
    ]
    gallery = {
        match[2]: match[1] for match in PICTURE.finditer(texts.get(root / "docs/gallery.md", ""))
    }
    for path, text in texts.items():
        for match in PICTURE.finditer(text):
            if match[2] in gallery and gallery[match[2]] != match[1]:
                complaints.append(
                    f"{path.relative_to(root)}: {match[1]}: not as in docs/gallery.md"
                )
    return complaints


def check_index(root):
    """docs/index.md links every document of docs/."""
    root = Path(root)
    index = (root / "docs" / "index.md").read_text(encoding="utf-8")
    linked = {m.group(1).split("#")[0] for m in LINK.finditer(index) if m.group(1)}
    names = [p.relative_to(root / "docs").as_posix() for p in sorted((root / "docs").rglob("*.md"))]
    return [
        f"docs/index.md does not link {name}"
        for name in names
        if name != "index.md" and name not in linked
    ]


# "000, eq. 11", "(002)", "003's": a paper by a number that only its first readers know.
NUMBERED = re.compile(r"(?<![\w.,'/#:-])00[0-4](?=, (?:eqs?|Figs?|Table|sec|Algorithm)|\)|'s|;)")


def check_citations(root):
    """Papers are cited by author and year, in comments and documents alike."""
    root = Path(root)
    complaints = []
    for folder in ("apps", "bench", "docs", "doors", "examples", "include", "scripts", "src"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".cpp", ".hpp", ".h", ".md", ".py", ".sh"):
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if NUMBERED.search(line):
                    complaints.append(f"{path.relative_to(root)}:{number}: {line.strip()}")
    return complaints


def check_snippets(root):
    """Every line of C++ and C in the documents is in examples/, which is compiled and run."""
    root = Path(root)
    plain = lambda text: re.sub(r"\s+", "", re.sub(r"//[^\n]*", "", text))
    compiled = plain(
        "".join(
            path.read_text(encoding="utf-8")
            for path in sorted((root / "examples").rglob("*"))
            if path.suffix in (".cpp", ".hpp", ".c")
        )
    )
    complaints = []
    for path in documents(root):
        text = path.read_text(encoding="utf-8")
        for kind, block in re.findall(r"^```(cpp|c|diff)\n(.*?)^```$", text, re.S | re.M):
            for line in block.splitlines():
                code = plain(line.lstrip("+-") if kind == "diff" else line)
                if code != "..." and code not in compiled:
                    complaints.append(f"{path.relative_to(root)}: not in examples/: {line}")
    return complaints


def example_in_readme(root):
    """The C++ block of the README, and the part of the consumer it is taken from."""
    root = Path(root)
    readme = (root / "README.md").read_text(encoding="utf-8")
    block = re.search(r"```cpp\n(.*?)```", readme, re.S)
    source = (root / "examples" / "consumer" / "box_on_floor.cpp").read_text(encoding="utf-8")
    part = re.search(r"// \[README\]\n(.*?)\n\s*// \[README\]", source, re.S)
    strip = lambda text: [re.sub(r"\s+", " ", line).strip() for line in text.strip().splitlines()]
    return strip(block.group(1)) if block else None, strip(part.group(1)) if part else None


def check_solvers(root, program):
    """docs/solvers.md has a section for every solver of the program, with each of its options;
    docs/peers.md names those of other projects."""
    listed = subprocess.run([program, "solvers", "--json"], check=True, capture_output=True)
    text = (Path(root) / "docs" / "solvers.md").read_text(encoding="utf-8")
    sections = {part.split("`")[1]: part for part in re.split(r"^## (?=`)", text, flags=re.M)[1:]}
    complaints = []
    every = json.loads(listed.stdout)["solvers"]
    known = [solver for solver in every if solver["origin"] == "perpend"]
    peers = (Path(root) / "docs" / "peers.md").read_text(encoding="utf-8")
    for solver in every:
        if solver["origin"] == "perpend":
            continue
        for word in [solver["name"], *(option["name"] for option in solver["options"])]:
            if f"`{word}`" not in peers:
                complaints.append(f"docs/peers.md: {solver['name']}: there is no `{word}`")
    for solver in known:
        section = sections.get(solver["name"], "")
        if not section:
            complaints.append(f"docs/solvers.md: there is no section {solver['name']}")
        for option in solver["options"]:
            for word in [option["name"], *option.get("choices", [])]:
                if section and f"`{word}`" not in section:
                    complaints.append(f"docs/solvers.md: {solver['name']} does not tell {word}")
    names = {solver["name"] for solver in known}
    readme = (Path(root) / "README.md").read_text(encoding="utf-8")
    counted = [len(known)] + ([len(every) - len(known)] if len(every) > len(known) else [])
    told = re.search(r"(\d+) of our own, and (\d+) of Bullet, ODE and Siconos", readme)
    for here, there in zip(told.groups(), counted):
        if int(here) != there:
            complaints.append(f"README.md: {here} solvers, the program has {there}")
    return complaints + [
        f"docs/solvers.md: the program has no solver {name}"
        for name in sections
        if name not in names
    ]
