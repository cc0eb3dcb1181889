#!/usr/bin/env python3
"""Spends a day in a vault of each layout and counts broken links by the rules of the program, after each step.

    Tests/Vaults/vault_days.py PATH-OF-SLIP [LAYOUT...]

The rules are those that each program documents, written here without slip. A step fails if the program would find more
broken links than before, if a note is lost, or if slip or git reports an error.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote

FENCE = re.compile(r"^(```|~~~).*?^\1", re.M | re.S)
CODE = re.compile(r"`[^`\n]*`")
WIKI = re.compile(r"(!?)\[\[([^\]\n]+)\]\]")
MARKDOWN = re.compile(r"!?\[[^\]\n]*\]\(<?([^)>\s]+)>?[^)]*\)")
HEADING = re.compile(r"^#+\s+(.*?)\s*#*$", re.M)


def text_of(file):
    return CODE.sub("", FENCE.sub("", file.read_text()))


def files_of(root):
    """All files below a folder but hidden ones, by their paths from it."""
    found = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if not name.startswith("."):
                file = Path(folder) / name
                found[str(file.relative_to(root))] = file
    return found


def is_address(target):
    return re.match(r"[a-z][a-z0-9+.-]*:", target) is not None


def relative(note, target):
    """A path from the folder of a note, or None if it leads out of the vault."""
    path = os.path.normpath(os.path.join(os.path.dirname(note), target))
    return None if path.startswith("..") else path


def has_heading(file, heading):
    """Whether a note has a heading, by its letters alone as Obsidian compares them."""
    plain = lambda text: re.sub(r"[^\w]+", " ", text).strip().lower()
    return any(plain(one) == plain(heading) for one in HEADING.findall(text_of(file)))


def by_name(target, files):
    """Obsidian: the whole path, else the end of one, whatever the case, with .md or without."""
    wanted = target.lower().lstrip("/")
    for path in files:
        for name in (path.lower(), path.lower().removesuffix(".md")):
            if name == wanted or name.endswith("/" + wanted):
                return path
    return None


def obsidian(note, files):
    text = text_of(files[note])
    for _, inside in WIKI.findall(text):
        target, _, heading = inside.split("|")[0].rstrip("\\").partition("#")
        found = note if not target else by_name(target.strip(), files)
        if target.startswith("."):
            found = by_name(relative(note, target) or "", files)
        part = heading.split("#")[-1]
        if found is None or (part and not part.startswith("^") and not has_heading(files[found], part)):
            yield inside
    for target in MARKDOWN.findall(text):
        name = unquote(target.partition("#")[0])
        if not name or is_address(target):
            continue
        path = relative(note, name)
        if path not in files and by_name(name, files) is None:
            yield target


def zk(note, files):
    """zk: a path from the folder of the note, whose ending may be missing; a wiki link is the beginning of a path."""
    text = text_of(files[note])
    for target in MARKDOWN.findall(text):
        name = unquote(target.partition("#")[0])
        if not name or is_address(target):
            continue
        path = relative(note, name)
        if path not in files and f"{path}.md" not in files:
            yield target
    for _, inside in WIKI.findall(text):
        target = inside.split("|")[0].partition("#")[0]
        if target and by_name(target, files) is None and not any(path.startswith(target) for path in files):
            yield inside


def hugo(note, files):
    """Hugo: a path from the folder of the page or from content/; files of static/ from the root of the site."""
    for target in MARKDOWN.findall(text_of(files[note])):
        name = unquote(target.partition("#")[0])
        if not name or is_address(target):
            continue
        places = [f"static{name}", f"content{name}"] if name.startswith("/") else [
            relative(note, name), f"content/{name}"]
        if not any(place in files for place in places):
            yield target


def jekyll(note, files):
    """Jekyll with relative links: a path from the folder of the file, or from the root of the site."""
    for target in MARKDOWN.findall(text_of(files[note])):
        name = unquote(target.partition("#")[0])
        if name and not is_address(target):
            place = name.lstrip("/") if name.startswith("/") else relative(note, name)
            if place not in files:
                yield target


def dendron(note, files):
    """Dendron: the name of a file, behind the bar; pictures by relative paths."""
    names = {Path(path).stem for path in files if path.endswith(".md")}
    text = text_of(files[note])
    for _, inside in WIKI.findall(text):
        target = inside.split("|")[-1].partition("#")[0]
        if target and target not in names:
            yield inside
    yield from jekyll(note, files)


def denote(note, files):
    """Denote: the identifier at the beginning of a file's name."""
    for target in MARKDOWN.findall(text_of(files[note])):
        if target.startswith("denote:"):
            if not any(Path(path).name.startswith(target[7:]) for path in files):
                yield target
        elif not is_address(target) and relative(note, unquote(target.partition("#")[0])) not in files:
            yield target


def logseq(note, files):
    """Logseq: the title of a page, which is the name of its file, whatever the case."""
    names = {Path(path).stem.lower() for path in files if path.endswith(".md")}
    text = text_of(files[note])
    for _, inside in WIKI.findall(text):
        target = inside.split("|")[0].partition("#")[0]
        if target and target.lower() not in names:
            yield inside
    yield from jekyll(note, files)


def broken(rules, root):
    files = files_of(root)
    notes = [path for path in files if path.endswith(".md")]
    return [f"{note}: {link}" for note in sorted(notes) for link in rules(note, files)]


SECTION = "\n## Cold frame\n\nBuilt of old windows.\n\n## Compost\n\nTurn it in May.\n"

VAULTS = {
    "obsidian": (obsidian, {
        ".obsidian/app.json": '{"attachmentFolderPath": "Files", "alwaysUpdateLinks": true}',
        ".obsidian/daily-notes.json": '{"folder": "Daily", "format": "YYYY-MM-DD dddd"}',
        "Garden.md": "# Garden\n\nWith [[Ann]] and [[Projects/Seeds|the seeds]]. ![[plan.png]]\n" + SECTION,
        "Ann.md": "season:: spring\n\nOwns the [[garden]], see [[Garden#Compost]].\n",
        "Projects/Seeds.md": "[[Ann]] ordered them. ![plan](../Files/plan.png)\n",
        "Projects/Tools.md": "Shovel. [[Garden#Cold frame|frame]] [[Seeds]]\n",
        "Files/plan.png": "x",
    }, "Garden.md", "Ann.md", "Projects/Seeds.md", "Projects/Tools.md", "Files"),
    "zk": (zk, {
        ".zk/config.toml": '[note]\nfilename = "{{id}}-{{slug title}}"\n[format.markdown]\nlink-format = "markdown"\n',
        "ab12-garden.md": "# Garden\n\nWith [Ann](cd34-ann) and [seeds](log/ef56-seeds). ![p](files/plan.png)\n" + SECTION,
        "cd34-ann.md": "# Ann\n\nOwns the [garden](ab12-garden), see [compost](ab12-garden.md#compost).\n",
        "log/ef56-seeds.md": "# Seeds\n\n[Ann](../cd34-ann) ordered them. ![p](../files/plan.png)\n",
        "log/gh78-tools.md": "# Tools\n\nShovel. [frame](../ab12-garden#cold-frame) [seeds](ef56-seeds)\n",
        "files/plan.png": "x",
    }, "ab12-garden.md", "cd34-ann.md", "log/ef56-seeds.md", "log/gh78-tools.md", "files"),
    "hugo": (hugo, {
        "hugo.toml": 'title = "Garden"\n',
        "content/posts/garden.md": "---\ntitle: Garden\ndate: 2026-01-02\n---\nWith [Ann](ann.md) and [seeds](more/seeds.md). ![p](/images/plan.png)\n" + SECTION,
        "content/posts/ann.md": "---\ntitle: Ann\n---\nOwns the [garden](garden.md), see [compost](garden.md#compost).\n",
        "content/posts/more/seeds.md": "---\ntitle: Seeds\n---\n[Ann](../ann.md) ordered them.\n",
        "content/posts/more/tools.md": "---\ntitle: Tools\n---\nShovel. [frame](../garden.md#cold-frame) [seeds](seeds.md)\n",
        "static/images/plan.png": "x",
    }, "content/posts/garden.md", "content/posts/ann.md", "content/posts/more/seeds.md",
        "content/posts/more/tools.md", None),
    "jekyll": (jekyll, {
        "_config.yml": "title: Garden\n",
        "_posts/2026-01-02-garden.md": "---\ntitle: Garden\n---\nWith [Ann](2026-01-03-ann.md) and [seeds](2026-01-04-seeds.md).\n" + SECTION,
        "_posts/2026-01-03-ann.md": "---\ntitle: Ann\n---\nOwns the [garden](2026-01-02-garden.md). ![p](../files/plan.png)\n",
        "_posts/2026-01-04-seeds.md": "---\ntitle: Seeds\n---\n[Ann](2026-01-03-ann.md) ordered them.\n",
        "_posts/2026-01-05-tools.md": "---\ntitle: Tools\n---\n[frame](2026-01-02-garden.md#cold-frame) [seeds](2026-01-04-seeds.md)\n",
        "files/plan.png": "x",
    }, "_posts/2026-01-02-garden.md", "_posts/2026-01-03-ann.md", "_posts/2026-01-04-seeds.md",
        "_posts/2026-01-05-tools.md", "files"),
    "dendron": (dendron, {
        "dendron.yml": "version: 5\nworkspace:\n  vaults:\n  - fsPath: vault\n",
        "vault/garden.md": "---\nid: g1\ntitle: Garden\n---\nWith [[Ann|people.ann]] and [[seeds]]. ![p](assets/plan.png)\n" + SECTION,
        "vault/people.ann.md": "---\nid: a1\ntitle: Ann\n---\nOwns the [[garden]], see [[compost|garden#compost]].\n",
        "vault/seeds.md": "---\nid: s1\ntitle: Seeds\n---\n[[people.ann]] ordered them.\n",
        "vault/tools.md": "---\nid: t1\ntitle: Tools\n---\n[[frame|garden#cold-frame]] [[seeds]]\n",
        "vault/assets/plan.png": "x",
    }, "vault/garden.md", "vault/people.ann.md", "vault/seeds.md", "vault/tools.md", "vault/assets"),
    "denote": (denote, {
        "20260102T080000--garden__home.md": "---\ntitle: Garden\nidentifier: 20260102T080000\n---\nWith [Ann](denote:20260103T080000) and [seeds](denote:20260104T080000). ![p](files/plan.png)\n" + SECTION,
        "20260103T080000--ann.md": "---\ntitle: Ann\nidentifier: 20260103T080000\n---\nOwns the [garden](denote:20260102T080000).\n",
        "20260104T080000--seeds.md": "---\ntitle: Seeds\nidentifier: 20260104T080000\n---\n[Ann](denote:20260103T080000) ordered them.\n",
        "20260105T080000--tools.md": "---\ntitle: Tools\nidentifier: 20260105T080000\n---\n[garden](denote:20260102T080000) [seeds](denote:20260104T080000)\n",
        "files/plan.png": "x",
    }, "20260102T080000--garden__home.md", "20260103T080000--ann.md", "20260104T080000--seeds.md",
        "20260105T080000--tools.md", "files"),
    "logseq": (logseq, {
        "logseq/config.edn": "{:file/name-format :triple-lowbar}\n",
        "pages/Garden.md": "With [[Ann]] and [[Seeds]]. ![p](../assets/plan.png)\n" + SECTION,
        "pages/Ann.md": "- season:: spring\n- Owns the [[garden]].\n",
        "pages/Seeds.md": "- [[Ann]] ordered them.\n",
        "pages/Tools.md": "- [[Garden]] [[Seeds]]\n",
        "assets/plan.png": "x",
    }, "pages/Garden.md", "pages/Ann.md", "pages/Seeds.md", "pages/Tools.md", "assets"),
}


class Day:
    def __init__(self, slip, layout, root):
        self.slip, self.root, self.failures = slip, root, []
        self.rules, files, *self.names = VAULTS[layout]
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        self.broken = broken(self.rules, root)

    def run(self, *words, may_fail=False):
        ran = subprocess.run([self.slip, *words], cwd=self.root, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        now = broken(self.rules, self.root)
        new = [link for link in now if link not in self.broken]
        if len(now) > len(self.broken):
            self.failures.append(f"{' '.join(words)}: {len(now)} broken links, {len(self.broken)} before: {new}")
        if ran.returncode and not may_fail:
            self.failures.append(f"{' '.join(words)}: exit {ran.returncode}: {ran.stderr.strip()}")
        self.broken = now
        return ran.stdout.strip()

    def path(self, title):
        return self.run("list", f"title:={title}", "--paths").split("\n")[0]

    def spend(self, layout):
        main, ann, seeds, tools, folder = self.names
        self.run("init")
        got = self.run("config", "layout")
        if got != layout:
            self.failures.append(f"recognised as {got}")
        made = self.run("new", "What is C/C++: a plan?", "-b", "A text.")
        if not (self.root / made).is_file() and layout not in ("dendron",):
            self.failures.append(f"new printed {made}")
        self.run("daily", "--append", "Watered the garden")
        self.run("capture", "Buy twine")
        self.run("split", f"{main}#Cold frame")
        self.run("split", f"{main}#Compost")
        self.run("retitle", ann, "Anna Maria")
        renamed = self.path("Anna Maria")
        if folder:
            self.run("mv", f"{folder}/plan.png", f"{folder}/beds.png")
            self.run("mv", f"{folder}/", "media/")
        self.run("mv", seeds, os.path.join(os.path.dirname(seeds), "old/"))
        self.run("merge", tools, self.path("Compost"))
        self.run("undo")
        self.run("undo")
        self.run("log", renamed)
        if self.run("list", "--deleted", "--count") not in ("0", ""):
            self.failures.append("a note that was renamed is listed as deleted: " + self.run("list", "--deleted"))
        lost = subprocess.run(["git", "fsck", "--strict"], cwd=self.root, capture_output=True, text=True)
        if lost.returncode:
            self.failures.append(lost.stderr)


def main():
    slip = os.path.abspath(sys.argv[1])
    os.environ |= {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
                   "GIT_COMMITTER_EMAIL": "a@example.org"}
    isRight = True
    for layout in sys.argv[2:] or VAULTS:
        with tempfile.TemporaryDirectory() as folder:
            os.environ |= {"HOME": folder, "XDG_CONFIG_HOME": folder + "/config"}
            root = Path(folder) / "vault"
            root.mkdir()
            day = Day(slip, layout, root)
            before = len(day.broken)
            day.spend(layout)
            print(f"{layout}: {before} broken links before, {len(day.broken)} after, {len(day.failures)} failures")
            for failure in day.failures:
                print(f"  {failure}")
            isRight = isRight and not day.failures
    sys.exit(0 if isRight else 1)


main()
