"""Eight writers at once, and a person with git beside them: nothing that was acknowledged may be lost."""

import collections
import os
import re
import shutil
import threading
import time

import scenarios
import world
from checks import fsck, locks

RETRIED = 75  # busy: a writer tries again
SAVED = b"saved, not committed"  # but not then: another command commits it
FIRST_PARAGRAPH = "---\nid: {id}\ntitle: {title}\ncreated: 2026-01-05T09:30:00+01:00\n---\n"


def id_of(writer):
    return "ccccccc" + scenarios.LETTERS[writer]


SHARED = "dddddddd"


class Races:
    def __init__(self, slip, scratch, writers=8, rounds=20):
        self.slip, self.writers, self.rounds = slip, writers, rounds
        self.folder = os.path.join(scratch, "races")
        home = os.path.join(scratch, "races-home")
        os.makedirs(home)
        self.env = world.environment(home)
        self.acknowledged, self.problems, self.busy = [], [], 0
        self.staged_rounds = self.collections = self.hand_commits = 0
        self.over = threading.Event()
        self.build()

    def build(self):
        notes = {f"own/{id_of(w)}.md": FIRST_PARAGRAPH.format(id=id_of(w), title=f"Own {w}") for w in range(self.writers)}
        notes[f"shared/{SHARED}.md"] = FIRST_PARAGRAPH.format(id=SHARED, title="Shared")
        more = {**notes, "other/turning.txt": "0\n"}
        plain = scenarios.Scenario("races", [], extra_notes=more)
        scenarios.build(plain, self.folder, lambda folder, arguments: self.run(self.slip, *arguments))
        self.own = {path: world.read(self.folder, path) for path in world.files(self.folder, "other")}
        self.staged = self.entries()

    def run(self, *command):
        return world.run(list(command), self.folder, self.env)

    def entries(self):
        """The user's own index entries, but for the one that is staged and unstaged all the time."""
        lines = world.git(self.folder, "ls-files", "-s", "-z", "--", "other").split(b"\0")
        return [line for line in lines if not line.endswith(b"turning.txt")]

    def write(self, writer):
        """One writer: notes of its own, changes to its note and to one that all change."""
        for round in range(self.rounds):
            word = f"w{writer}r{round}x"
            commands = [
                ("new", f"Note {word}new"), ("set", id_of(writer), f"step:{word}set"),
                ("append", id_of(writer), f"{word}own"), ("append", SHARED, f"{word}shared"),
                ("set", SHARED, f"by-{writer}:{word}field"),
            ]
            self.acknowledge(*commands[round % len(commands)])

    def acknowledge(self, *arguments):
        for _ in range(50):
            result = self.run(self.slip, *arguments)
            if result.status != RETRIED or SAVED in result.errors:
                break
            self.busy += 1
        if result.status == 0 or SAVED in result.errors:
            self.acknowledged.append(re.search(r"w\d+r\d+x\w+", arguments[-1]).group())
        else:
            self.problems.append(f"slip {' '.join(arguments)}: exit {result.status}: {result.errors.decode()}")

    def stage(self):
        """A person stages a change and reverses it, and looks each time whether git still knows."""
        number = 0
        while not self.over.is_set():
            number += 1
            content = f"{number}\n"
            world.write(self.folder, "other/turning.txt", content)
            for command, wanted in [("add", content), ("reset", "0\n")]:
                arguments = ["add", "--"] if command == "add" else ["reset", "-q", "--"]
                if not self.git_insisting(*arguments, "other/turning.txt"):
                    return
                for _ in range(3):
                    time.sleep(0.02)
                    entry = world.git(self.folder, "ls-files", "-s", "other/turning.txt").decode().split()[1]
                    if entry != world.blob_id(wanted.encode()):
                        self.problems.append(f"git {command} number {number} was lost")
                        return
            self.staged_rounds += 1

    def git_insisting(self, *arguments):
        """git, again and again while slip holds the index."""
        for _ in range(500):
            result = self.run("git", *arguments)
            if result.status == 0:
                return True
            if b".lock" not in result.errors:
                break
            time.sleep(0.005)
        self.problems.append(f"git {' '.join(arguments)}: {result.errors.decode()}")
        return False

    def collect(self):
        while not self.over.is_set():
            result = self.run("git", "gc", "-q")
            self.collections += 1
            # It waits a tenth of a second for the lock of a branch, and slip may hold that for longer on a slow disk.
            if result.status != 0 and b"main.lock': File exists" not in result.errors:
                self.problems.append(f"git gc: {result.errors.decode()}")

    def conduct(self):
        start = time.monotonic()
        beside = [threading.Thread(target=work) for work in (self.stage, self.collect)]
        writers = [threading.Thread(target=self.write, args=(number,)) for number in range(self.writers)]
        for thread in beside + writers:
            thread.start()
        for thread in writers:
            thread.join()
        self.over.set()
        for thread in beside:
            thread.join()
        self.run(self.slip, "list")
        self.check()
        print(
            f"races: {self.writers} writers, {len(self.acknowledged)} changes acknowledged ({self.busy} times busy), "
            f"{self.staged_rounds} rounds of git add and reset, {self.collections} of git gc: "
            f"{len(self.problems)} violations, {time.monotonic() - start:.0f} s", flush=True)
        return self.problems

    def check(self):
        world.write(self.folder, "other/turning.txt", "0\n")
        world.git(self.folder, "reset", "-q", "--", "other/turning.txt")
        self.problems += fsck(self.folder) + [f"not imported: {lock}" for lock in locks(self.folder)]
        self.check_history()
        self.check_files()
        if self.entries() != self.staged:
            self.problems.append(f"staged by the user: {self.entries()} instead of {self.staged}")
        for path, content in self.own.items():
            if world.read(self.folder, path) != content:
                self.problems.append(f"{path} has changed")
        dirt = world.git(self.folder, "status", "--porcelain", "-uall").decode().splitlines()
        self.problems += [f"git status: {line}" for line in dirt if not line[3:].startswith("other/")]

    def check_history(self):
        """Each acknowledged change is added by one commit, no more, no less."""
        patch = world.git(self.folder, "log", "-p", "--no-renames", "--format=").decode()
        added = collections.Counter()
        for line in patch.splitlines():
            if line.startswith("+") and not line.startswith("+++"):
                added.update(re.findall(r"w\d+r\d+x\w+", line))
        for word in self.acknowledged:
            if added[word] != 1:
                self.problems.append(f"{word} was added {added[word]} times in history")
        for word in added.keys() - set(self.acknowledged):
            self.problems.append(f"{word} is in history, but was not acknowledged")

    def check_files(self):
        """What was appended and never replaced still stands in the notes."""
        texts = [world.read(self.folder, path).decode() for path in world.files(self.folder) if path.endswith(".md")]
        text = "\n".join(texts)
        for word in self.acknowledged:
            if word.endswith(("new", "own", "shared")) and word not in text:
                self.problems.append(f"{word} is in no note")


def conduct(slip, scratch, rounds):
    races = Races(slip, scratch, rounds=rounds)
    problems = races.conduct()
    if problems:
        kept = os.path.join(os.path.dirname(scratch), "slip-races-kept")
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(races.folder, kept, symlinks=True)
        print(f"the box is kept at {kept}")
    return problems
