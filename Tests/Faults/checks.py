"""What must hold after a fault, and after the command was run again."""

import os
import re
from dataclasses import dataclass

import world

KEPT_LOCK = ".git/slipbox/catalogue.lock"  # a file that stays; who holds it is known to the system
ID = "[bcdfghjklmnpqrstvwxz]{8}"


@dataclass
class State:
    """What a box holds. New notes, whose names and ids are random, stand under names that are always the same."""

    notes: dict  # path -> bytes, on disk
    head: dict  # path -> blob id, in the last commit
    commits: int
    status: list  # the lines of git status: what is staged, and what is not, with blob ids
    own: dict  # path -> bytes of the user's own files

    @classmethod
    def of(cls, folder, known):
        notes = {}
        for path in world.files(folder):
            if path.endswith(".md"):
                add(notes, *canonical(path, known, world.read(folder, path)))
        head, commits = committed(folder, known)
        own = {path: world.read(folder, path) for path in world.files(folder, "other")}
        return cls(notes, head, commits, status(folder), own)


def committed(folder, known):
    """The blob id of each path of the last commit, and the number of commits."""
    head = {}
    for path, blob in world.tree(folder).items():
        if path not in known:
            path, text = canonical(path, known, world.git(folder, "cat-file", "blob", blob))
            blob = world.blob_id(text)
        add(head, path, blob)
    return head, int(world.git(folder, "rev-list", "--count", "HEAD"))


def canonical(path, known, text):
    """A note that was made by the command under a name, id and date that do not change from run to run."""
    if path in known:
        return path, text
    text = re.sub(rb"(?m)^(id|created): .*$", rb"\1: -", text)
    path = re.sub(r"^\d{4}/\d\d/", "YYYY/MM/", path)
    return re.sub(f"{ID}\\.md$", "ID.md", path), text


def add(entries, path, value):
    while path in entries:
        path += "+"
    entries[path] = value


def status(folder):
    """What git status says, a line a file. A damaged index makes it fail."""
    arguments = ["-c", "status.renames=false", "status", "--porcelain=v2", "-z", "-uall"]
    return sorted(world.git(folder, *arguments).decode(errors="replace").split("\0")[:-1])


def is_own(line):
    """Whether a line of git status is about one of the user's own files."""
    return line.split(" ")[-1].startswith("other/")


def is_index_lost(folder):
    """Whether a power cut took git's index: then what the user had staged is gone, and nothing else."""
    return (world.read(folder, ".git/index") or b"")[:4] != b"DIRC"


def fsck(folder):
    result = world.run(["git", "fsck", "--strict", "--no-dangling", "--no-progress"], folder, world.environment(folder))
    complaints = [line for line in result.errors.decode(errors="replace").splitlines() if "notice:" not in line]
    if result.status != 0 or complaints:
        return [f"git fsck: exit {result.status}: {'; '.join(complaints)[:200]}"]
    return []


def locks(folder):
    found = []
    for place, _, names in os.walk(os.path.join(folder, ".git")):
        found += [os.path.relpath(os.path.join(place, name), folder) for name in names if name.endswith(".lock")]
    return [lock for lock in found if lock != KEPT_LOCK]


class Expectation:
    """What a scenario may leave, from a run that nothing disturbed."""

    def __init__(self, scenario, old_folder, new_folder, twice_folder):
        self.scenario = scenario
        self.known = set(world.files(old_folder)) | set(world.tree(old_folder))
        self.old = State.of(old_folder, self.known)
        self.new = State.of(new_folder, self.known)
        self.twice = State.of(twice_folder, self.known) if scenario.repeats else None
        self.heads = [self.old.head, self.new.head]
        if scenario.interrupted:  # the commit of the recovery stands for itself
            self.heads.append(world.tree(new_folder, "HEAD^"))
        self.own_status = [line for line in self.old.status if is_own(line)]
        self.other_status = [line for line in self.old.status if not is_own(line)] if scenario.reads else []
        if sorted(self.own_status + self.other_status) != self.new.status:
            raise SystemExit(f"{scenario.name}, undisturbed: git status: {self.new.status}")

    def after_fault(self, folder):
        """Whatever happened: nothing is lost and nothing is half done."""
        problems = fsck(folder)
        try:
            head = State.of(folder, self.known) if not is_index_lost(folder) else None
        except world.GitFailed as error:
            return problems + [str(error)]
        if head is None:
            return problems
        for path in sorted(head.notes.keys() | self.old.notes.keys() | self.new.notes.keys()):
            if head.notes.get(path) not in (self.old.notes.get(path), self.new.notes.get(path)):
                problems.append(f"{path} is neither the old nor the new version: {head.notes.get(path)!r}"[:240])
        if head.head not in self.heads:
            problems.append(f"HEAD holds neither the old nor the new notes: {difference(head.head, self.new.head)}")
        return problems + self.own_changes(head)

    def at_the_remote(self, folder):
        """What the box syncs with is whole and has what is here."""
        hub = world.hub(folder)
        if not os.path.exists(hub):
            return []
        tips = [world.git(place, "rev-parse", "main") for place in (folder, hub)]
        return fsck(hub) + (["the remote is not level"] if tips[0] != tips[1] else [])

    def own_changes(self, state):
        problems = []
        if state.own != self.old.own:
            problems.append(f"files of the user: {difference(state.own, self.old.own)}")
        lines = [line for line in state.status if is_own(line)]
        if lines != self.own_status:
            problems.append(f"the user's changes: {sorted(set(lines) ^ set(self.own_status))}"[:240])
        return problems

    def done(self, folder, may_be_twice=False, index_was_lost=False, is_last=True):
        """The command did its work: notes new, committed, nothing left over, the user's own changes in place.

        A temporary file that could not be removed, or that a power cut brought back, may wait for the next command.
        """
        problems = fsck(folder)
        try:
            state = State.of(folder, self.known)
        except world.GitFailed as error:
            return problems + [str(error)]
        new = self.twice if may_be_twice and state.notes == self.twice.notes else self.new
        if state.notes != new.notes:
            problems.append(f"notes: {difference(state.notes, new.notes)}")
        if state.head != new.head:
            problems.append(f"HEAD: {difference(state.head, new.head)}")
        if state.commits != new.commits:
            problems.append(f"{state.commits} commits instead of {new.commits}")
        problems += [f"not imported: {lock}" for lock in locks(folder)] + self.at_the_remote(folder)
        dirt = [line for line in state.status if not is_own(line) and line not in self.other_status]
        problems += [f"git status: {line}" for line in dirt if is_last or not re.search(r"\.slip-\w+\.tmp$", line)]
        return problems if index_was_lost else problems + self.own_changes(state)


def difference(found, wanted):
    parts = []
    for path in sorted(found.keys() | wanted.keys()):
        if found.get(path) != wanted.get(path):
            parts.append(f"{path} is {found.get(path)!r}, not {wanted.get(path)!r}")
    return "; ".join(parts)[:240]


def is_kept(folder, text, errors):
    """Whether what the user typed is in a file, or was at least printed."""
    if text.encode() in errors:
        return True
    kept = world.files(folder) + [path for path in state_files(folder)]
    return any(text.encode() in (world.read(folder, path) or b"") for path in kept)


def state_files(folder):
    return [os.path.join(".git/slipbox", path) for path in world.files(os.path.join(folder, ".git/slipbox"))]
