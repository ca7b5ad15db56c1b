"""The pages of the site: site_pages.py PROGRAM FOLDER

Copies docs/ and the pages at the root of the repository, and adds reference pages: what the program
itself prints of every command, solver, scene and error measure, and the tables and plots of results/.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bench"))
import quotes  # noqa: E402
import results  # noqa: E402


def said(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def commands(program):
    """The help of every command."""
    names = re.findall(
        r"^  ([a-z-]+) {2,}\S", said(program, "--help").split("Subcommands:")[1], re.M
    )
    page = ["# Every command", "", "What `perpend COMMAND --help` prints.", ""]
    for name in ["", *names]:
        text = said(program, *name.split(), "--help").strip()
        page += ["## " + (f"perpend {name}").strip(), "", "```text", text, "```", ""]
    return "\n".join(page)


def cell(value):
    return str(value).replace("|", "\\|")


def solvers(program):
    page = [
        "# Every solver",
        "",
        "What `perpend solvers` lists. [Solvers](../solvers.md) says when to " "use which.",
        "",
    ]
    for solver in json.loads(said(program, "solvers", "--json"))["solvers"]:
        page += [f"## `{solver['name']}`", "", f"{solver['title']}. {solver['reference']}.", ""]
        if solver["options"]:
            page += ["| option | default | range | meaning |", "| --- | --- | --- | --- |"]
        for option in solver["options"]:
            allowed = (
                ", ".join(option["choices"])
                if "choices" in option
                else f"{option['lowest']} to {option['highest']}"
            )
            page.append(
                f"| `{option['name']}` | {cell(option['default'])} | {cell(allowed)} | "
                f"{cell(option['meaning'])} |"
            )
        page.append("")
    return "\n".join(page)


def scenes(program):
    page = [
        "# Every scene",
        "",
        "What `perpend scenes` lists. `perpend scenes NAME` prints one as JSON.",
        "",
        "| scene | moving bodies | joints | what it is |",
        "| --- | --- | --- | --- |",
    ]
    for scene in json.loads(said(program, "scenes", "--json"))["scenes"]:
        page.append(
            f"| `{scene['name']}` | {scene['moving']} | {scene['joints']} | "
            f"{cell(scene['title'])} |"
        )
    return "\n".join(page + [""])


def measures(program):
    names = re.search(r"--error NAME .*\[own_error\]: (.*)", said(program, "solve", "--help"))
    text = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    page = [
        "# Every error measure",
        "",
        "[Error measures](../errors.md) explains and defines them.",
        "",
        "| name | unit | question |",
        "| --- | --- | --- |",
    ]
    for name in names.group(1).split(", "):
        row = re.search(rf"^\| `{name}` \|([^|]*)\|([^|]*)\|", text, re.M)
        page.append(f"| `{name}` |{row.group(1)}|{row.group(2)}|")
    return "\n".join(page + [""])


def playground(program, folder):
    """The playground itself beside its document, which gets a link to it."""
    made = subprocess.run(
        [program, "playground", folder / "play.html", "--quiet"], capture_output=True, text=True
    )
    if made.returncode != 0:
        print(f"The site has no playground: {made.stderr.strip()}", file=sys.stderr)
        return
    page = folder / "playground.md"
    title, rest = page.read_text(encoding="utf-8").split("\n", 1)
    link = "**[Open the playground](play.html)**"
    page.write_text(f"{title}\n\n{link}\n{rest}", encoding="utf-8")


def papers(program, folder):
    """The page of the papers' experiments, with its plots and tables."""
    said(program, "reproduce", "--quick", "--threads", "2", "--out", str(folder))
    (folder / "index.html").unlink()  # index.md becomes it


HEADERS = """# C++ headers

[Every header, class and function](../headers/index.html), made by Doxygen.

Start with `perpend/solve.hpp` to solve problems, `perpend/sim/world.hpp` to simulate with Bullet's
interface, `perpend/io.hpp` to read and write files, and `perpend_record.h` to record an engine from C.
"""


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    shutil.copytree(ROOT / "docs", folder)
    (folder / "index.md").rename(folder / "documents.md")
    for name, there in (("README.md", "index.md"), ("CHANGELOG.md",) * 2, ("CONTRIBUTING.md",) * 2):
        text = (ROOT / name).read_text(encoding="utf-8")
        text = text.replace("[docs/index.md](docs/index.md)", "[The index](documents.md)")
        text = re.sub(r"\[([^\]]*)\]\((?:LICENSE|CITATION\.cff)\)", r"`\1`", text)
        (folder / there).write_text(text.replace("](docs/", "]("), encoding="utf-8")
    titles = {
        page.name: page.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")
        for page in folder.rglob("*.md")
        if page.parent == folder
    }
    for page in folder.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        # Links out of docs/: the README is the first page; sources are named, not linked.
        text = re.sub(r"\[([^\]]*)\]\((?:\.\./)+README\.md\)", r"[\1](index.md)", text)
        text = re.sub(r"\]\((?:\.\./)+(CHANGELOG|CONTRIBUTING)\.md", r"](\1.md", text)
        up = "../" * (len(page.relative_to(folder).parts) - 1)
        text = quotes.LINK.sub(
            lambda link, up=up: f"[{link[1]}]({up}{results.site_link(link[2], link[3])})", text
        )
        text = re.sub(r"\[([^\]]*)\]\((?:\.\./)+(?!\w+[\w-]*\.md|pictures)[^)]*\)", r"\1", text)
        # A link that shows a file's name shows the title of the page here.
        text = re.sub(
            r"\[(?:[\w-]+/)*([\w-]+\.md)\]\(((?:[\w.-]+/)*\1(?:#[^)]*)?)\)",
            lambda link: f"[{titles.get(link[1], link[1])}]({link[2]})",
            text,
        )
        page.write_text(text, encoding="utf-8")
    playground(program, folder)
    reference = folder / "reference"
    reference.mkdir()
    tables, plots = results.page(ROOT)
    for name, svg in plots.items():
        path = reference / "measurements" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(svg, encoding="utf-8")
    shutil.copytree(ROOT / "results", folder / "results")
    papers(program, reference / "papers")
    for name, made in (
        ("commands", commands(program)),
        ("solvers", solvers(program)),
        ("scenes", scenes(program)),
        ("measures", measures(program)),
        ("verification", said(program, "verify", "--refine", "3", "--markdown")),
        ("measurements", tables),
        ("headers", HEADERS),
    ):
        (reference / f"{name}.md").write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
