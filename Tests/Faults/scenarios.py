"""The commands that are disturbed, and the box that each of them finds."""

import os
import shutil
from dataclasses import dataclass, field

import world

ALPHA, BETA, GAMMA, OMEGA = "bcdfghjk", "cdfghjkl", "dfghjklm", "zxwvtsrq"
SENTENCE = "A line from a pipe that must not get lost."

# `edit` runs this on the note. Run again it changes nothing, so what it saved before a crash is there once.
EDITOR = 'grep -q "by the editor" "$1" || echo "Written by the editor." >> "$1"'


@dataclass
class Scenario:
    name: str
    command: list  # the arguments of slip
    stdin: str = ""
    text: str = ""  # what the user would have to type again if it got lost
    repeats: bool = False  # run again it does its work again: a second note, a second line
    deletes: bool = False  # run again it may find nothing any more
    extra_notes: dict = field(default_factory=dict)
    extra_links: dict = field(default_factory=dict)  # the targets of symbolic links, by path
    outside: object = None  # changes the box with other programs than slip
    interrupted: object = None  # (command, sign): before, this command was killed where the sign shows
    before: list = field(default_factory=list)  # commands of slip that leave something kept, undisturbed
    change: object = None  # changes the box with other programs after that
    reads: bool = False  # it changes nothing and answers whatever fails, but for a killed one
    asks: bool = False  # the answers are asked for after the fault, and after the command was run again
    is_large: bool = False  # of its many like calls only some are disturbed
    remote: object = None  # puts something into the repository that the box syncs with
    children: bool = False  # the calls of git, which slip starts, are disturbed too
    failures: tuple = (74,)  # how it may exit where a call failed


def note(name, id, tags):
    return (
        f"---\nid: {id}\ntitle: {name.title()}\ncreated: 2026-01-05T09:30:00+01:00\ntags: [{tags}]  # kept\n---\n"
        f"# {name.title()}\n\nThe text of {name}.\n"
    )


NOTES = {
    "notes/alpha.md": note("alpha", ALPHA, "greek"),
    "notes/beta.md": note("beta", BETA, "greek, first"),
    "notes/gamma.md": note("gamma", GAMMA, "greek"),
    "2026/01/omega.md": note("omega", OMEGA, "last"),  # alone in its folder, which `rm` takes away with it
    "notes/plain.md": "# No front-matter\n\nText.\n",
}

LETTERS = "bcdfghjklmnpqrstvwxz"
BATCH = {
    f"batch/n{i:02}.md": note(f"batch {i}", f"bbbbbb{LETTERS[i // 20]}{LETTERS[i % 20]}", "many") for i in range(30)
}


TORN = """---
id: bcdfghjm
title: Torn
status: open
conflicts:
  - "status: closed 2026-11-20T09:00:00Z phone Ada"
---
Text.
"""

LARGE = {
    f"large/n{i:03}.md": note(f"large {i}", f"hhhhhb{LETTERS[i // 20]}{LETTERS[i % 20]}", "many") for i in range(220)
}


# Notes that link to alpha by its title, its path and its id, and one that takes the place of a moved file.
LINKING = {
    f"links/l{i:02}.md": note(f"linking {i}", f"kkkkkb{LETTERS[i // 20]}{LETTERS[i % 20]}", "web")
    + "See [[Alpha]], [[notes/alpha|it]] and [a](../notes/alpha.md).\n"
    for i in range(3)
}


def edit_outside(folder):
    """An editor changed a note that slip is about to change."""
    world.write(folder, "notes/alpha.md", "Added in another editor.\n", mode="a")


def edit_many_outside(folder):
    """Notes changed, deleted and made by other programs."""
    edit_outside(folder)
    os.remove(os.path.join(folder, "notes/beta.md"))
    world.write(folder, "notes/delta.md", note("delta", "ghjklmnp", "greek"))


def change_rules(folder):
    """Some notes are ignored from now on, but git still tracks them; others are no notes any more."""
    edit_many_outside(folder)
    world.write(folder, "notes/draft.md", note("draft", "hjklmnpq", "greek"))
    world.write(folder, ".gitignore", "draft.md\ngamma.md\n")


def tear_log(folder):
    """What a command was adding to the log when it was killed."""
    edit_many_outside(folder)
    with open(os.path.join(folder, ".git/slipbox/catalogue.log"), "ab") as file:
        file.write(b"\x40\x00\x00\x00torn")


def lose_log(folder):
    edit_many_outside(folder)
    os.remove(os.path.join(folder, ".git/slipbox/catalogue.log"))


def theirs(hub):
    """Another device changed notes, made one, and pushed."""
    clone = hub + ".clone"
    world.git(os.path.dirname(hub), "clone", "-q", hub, clone)
    world.write(clone, "notes/alpha.md", "Added on another device.\n", mode="a")
    path = os.path.join(clone, "notes/beta.md")
    text = world.read(path).decode().replace("tags: [greek, first]", "tags: [greek, first, theirs]\nstatus: read")
    world.write(clone, "notes/beta.md", text)
    world.write(clone, "notes/delta.md", note("delta", "ghjklmnp", "greek"))
    push(clone)


def theirs_linked(hub):
    """Another device put a symbolic link in the place of a file, and a file in the place of a symbolic link."""
    clone = hub + ".clone"
    world.git(os.path.dirname(hub), "clone", "-q", hub, clone)
    world.link(clone, "pictures/plain", "elsewhere")
    os.remove(os.path.join(clone, "pictures/linked"))
    world.write(clone, "pictures/linked", "a file now\n")
    push(clone)


def push(clone):
    """Commits and pushes everything as another user."""
    world.git(clone, "add", "-A")
    world.git(clone, "-c", "user.name=Bob", "-c", "user.email=bob@example.org", "commit", "-qm", "Theirs")
    world.git(clone, "push", "-q")
    shutil.rmtree(clone)


def nothing_there(hub):
    """Nobody else has pushed."""


def one_of_three_written(folder):
    return count_done(folder) == 1


def index_locked(folder):
    return count_done(folder) == 3 and os.path.exists(os.path.join(folder, ".git/index.lock"))


def branch_locked(folder):
    return os.path.exists(os.path.join(folder, ".git/refs/heads/main.lock"))


def count_done(folder):
    return sum(b"status: done" in (world.read(folder, path) or b"") for path in NOTES)


SET_THREE = ["set", "--where", "+greek", "status:done", "--yes"]
LIST = ["list", "--json"]
UNREACHED = (69, 73, 74)  # git could not do its part, and says why in its own words
FOLD = ["fold-catalogue"]
SET_ONE = ["set", OMEGA, "status:next"]

ALL = [
    Scenario("new", ["new", "A thought", "+idea"], repeats=True),
    Scenario("new-body", ["new", "From a pipe", "-b", "-"], stdin=SENTENCE, text=SENTENCE, repeats=True),
    Scenario("set", ["set", ALPHA, "status:done", "+later"]),
    Scenario("set-three", SET_THREE),
    Scenario("set-thirty", ["set", "--where", "+many", "status:done", "--yes"], extra_notes=BATCH),
    Scenario("append", ["append", ALPHA, SENTENCE], text=SENTENCE, repeats=True),
    Scenario("daily", ["daily", "2026-11-21", "--append", SENTENCE], text=SENTENCE, repeats=True),
    Scenario("capture", ["capture", SENTENCE], text=SENTENCE, repeats=True),
    Scenario("rm", ["rm", OMEGA], deletes=True),
    Scenario("undo", ["undo"], before=[["set", ALPHA, "status:done"]], deletes=True),
    Scenario("undo-three", ["undo"], before=[SET_THREE], deletes=True),
    Scenario("undo-rm", ["undo"], before=[["rm", OMEGA]], deletes=True),
    Scenario("undo-edited", ["undo"], before=[["set", ALPHA, "status:done"]], change=edit_outside, deletes=True),
    Scenario("redo", ["redo"], before=[["rm", OMEGA], ["undo"]], deletes=True),
    Scenario("restore", ["restore", OMEGA], before=[["rm", OMEGA]], deletes=True),
    Scenario("commit", ["commit"], outside=edit_many_outside),
    Scenario("edit", ["edit", ALPHA]),
    Scenario("set-edited", ["set", ALPHA, "status:done"], outside=edit_outside),
    Scenario("set-after-kill", SET_ONE, interrupted=(SET_THREE, one_of_three_written)),
    Scenario("set-after-index-lock", SET_ONE, interrupted=(SET_THREE, index_locked)),
    Scenario("set-after-branch-lock", SET_ONE, interrupted=(SET_THREE, branch_locked)),
    Scenario("sync", ["sync"], before=[["set", ALPHA, "status:done"]], remote=theirs),
    Scenario("sync-fetched", ["sync"], remote=theirs),
    Scenario("sync-edited", ["sync"], change=edit_outside, remote=nothing_there),
    Scenario(
        "sync-git", ["sync"], before=[["set", ALPHA, "status:done"]], remote=theirs, children=True, failures=UNREACHED),
    Scenario(
        "sync-linked", ["sync"], extra_notes={"pictures/plain": "a file\n"}, extra_links={"pictures/linked": "plain"},
        remote=theirs_linked),
    Scenario("resolve", ["resolve", "bcdfghjm", "--keep", "2"], extra_notes={"notes/torn.md": TORN}, deletes=True),
    Scenario("retitle", ["retitle", ALPHA, "Aleph"], extra_notes=LINKING),
    Scenario("retitle-edited", ["retitle", ALPHA, "Aleph"], extra_notes=LINKING, outside=edit_outside),
    Scenario("mv", ["mv", ALPHA, "moved/far/"], extra_notes=LINKING),
    Scenario("mv-alone", ["mv", OMEGA, "moved/"]),
    Scenario("mv-folder", ["mv", "notes/", "moved/far"], extra_notes={**LINKING, "notes/p.txt": "a picture\n"}, deletes=True),
    # What is kept of the notes: made, added to, put together; the rest of the commands with it at hand.
    Scenario("list-first", LIST, reads=True, asks=True),
    Scenario("list-changed", LIST, before=[LIST], change=edit_many_outside, reads=True, asks=True),
    Scenario("list-rules", LIST, before=[LIST], change=change_rules, reads=True, asks=True),
    Scenario("list-torn", LIST, before=[LIST], change=tear_log, reads=True, asks=True),
    Scenario("list-logless", LIST, before=[LIST], change=lose_log, reads=True, asks=True),
    Scenario("fold", FOLD, before=[LIST], change=edit_many_outside, reads=True, asks=True),
    Scenario("new-kept", ["new", "A thought", "+idea"], before=[LIST], repeats=True, asks=True),
    Scenario("set-kept", ["set", ALPHA, "status:done", "+later"], before=[LIST], asks=True),
    Scenario("rm-kept", ["rm", OMEGA], before=[LIST], deletes=True, asks=True),
    Scenario(
        "tags-rename", ["tags", "rename", "many", "few", "--yes"], extra_notes=LARGE, before=[LIST], deletes=True,
        asks=True, is_large=True),
]


def build(scenario, folder, slip):
    """Makes the box: notes, a history, and the user's own changes to other files."""
    os.makedirs(folder)
    world.git(folder, "init", "-q", "-b", "main", "--template=")
    for key, value in {"user.name": "Ada", "user.email": "ada@example.org", "gc.auto": "0"}.items():
        world.git(folder, "config", key, value)
    for path, text in {**NOTES, **scenario.extra_notes}.items():
        world.write(folder, path, text)
    for path, target in scenario.extra_links.items():
        world.link(folder, path, target)
    for name in ["staged", "unstaged", "dropped", "quiet"]:
        world.write(folder, f"other/{name}.txt", f"{name}\n")
    world.git(folder, "add", "-A")
    world.git(folder, "commit", "-q", "-m", "Before")
    result = slip(folder, ["init"])
    if result.status != 0:
        raise SystemExit(f"slip init: {result.errors.decode(errors='replace')}")
    world.write(folder, "other/staged.txt", "staged by hand\n")
    world.write(folder, "other/added.txt", "staged, new\n")
    world.git(folder, "add", "other")
    world.git(folder, "rm", "-q", "--cached", "other/dropped.txt")
    world.write(folder, "other/staged.txt", "and changed again\n")
    world.write(folder, "other/unstaged.txt", "changed by hand\n")
    world.write(folder, "other/untracked.txt", "nobody's\n")
    if scenario.outside:
        scenario.outside(folder)
    if scenario.remote:
        hub = world.hub(folder)
        world.git(folder, "clone", "-q", "--bare", folder, hub)
        world.git(folder, "remote", "add", "origin", hub)
        world.git(folder, "fetch", "-q", "origin")
        world.git(folder, "branch", "-q", "-u", "origin/main")
        scenario.remote(hub)
