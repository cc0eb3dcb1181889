#!/usr/bin/env python3
"""Changes two clones of an Obsidian vault, one with slip and one as Obsidian does, and compares them after each sync.

    Tests/Vaults/two_clones.py PATH-OF-SLIP [ROUNDS] [SEED]

A vault lasts ten rounds. After each round both clones must have the same files, every sentence that nobody deleted, the
tags of both sides, and links that lead to the same notes and files as before, by Obsidian's rules, written here without
slip. Sentences and notes carry numbers, by which the script recognises them.
"""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

from obsidian_vault import OWNER, SENTENCE, Vault, body_start, header_of, restyled

ROUNDS_OF_A_VAULT = 10
WORDS = "rye bread starter garden shed beans seeds ladder compost frame twine kettle oven plum river".split()


class Story:
    """One vault, its two clones and what was written in them."""

    def __init__(self, slip, folder, seed):
        self.slip, self.random, self.folder = slip, random.Random(seed), folder
        self.count, self.log, self.failures = 0, [], []
        self.clones = {"slip": Vault(folder / "slip"), "app": Vault(folder / "app")}
        vault = self.clones["slip"]
        vault.root.mkdir()
        vault.write(".obsidian/app.json", '{"attachmentFolderPath": "Files", "alwaysUpdateLinks": true}')
        vault.write("Files/plan.png", "png1")
        vault.write("Files/old/bed.png", "png2")
        for number in range(12):
            self.make(vault, self.random.choice(["", "", "Projects/", "Projects/old/", "Log/"]))
        for note in vault.notes():
            self.add(vault, note)
        self.git("init", "-q", "--bare", "-b", "main", "there", place=folder)
        self.run(vault, "init")
        self.git("add", "-A", place=vault.root)
        self.git("commit", "-q", "-m", "Settings of the app and files", place=vault.root)
        self.git("remote", "add", "origin", "../there", place=vault.root)
        self.run(vault, "sync", "-y")
        self.git("clone", "-q", "there", "app", place=folder)

    def git(self, *words, place):
        ran = subprocess.run(["git", *words], cwd=place, capture_output=True, text=True)
        if ran.returncode:
            self.failures.append(f"git {' '.join(words)}: {ran.stderr.strip()}")
        return ran.stdout

    def run(self, vault, *words, may_fail=False):
        ran = subprocess.run([self.slip, *words], cwd=vault.root, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.log.append(f"slip {' '.join(words)}: exit {ran.returncode} {ran.stderr.strip()[:300]}")
        if ran.returncode and not may_fail:
            self.failures.append(self.log[-1])
        return ran

    def number(self):
        self.count += 1
        return self.count

    def sentence(self, vault, note):
        """A new sentence, perhaps with a link in a form that Obsidian writes."""
        files, words = vault.files(), " ".join(self.random.sample(WORDS, self.random.randint(1, 5)))
        start = f"s{self.number()}x {words}"
        if not files or self.random.random() < 0.4:
            return f"{start}."
        target = self.random.choice(files)
        kind = self.random.random()
        mark = "" if target.endswith(".md") else "!"
        if kind < 0.5:
            return f"{start} {mark}[[{vault.shortest(target, files)}]]."
        if kind < 0.7 and not mark:
            return f"{start} [[{vault.shortest(target, files)}|so]]."
        if kind < 0.8:
            return f"{start} {mark}[[{target.removesuffix('.md')}]]."
        return f"{start} {mark}[so]({quote(os.path.relpath(target, os.path.dirname(note) or '.'))})."

    def name(self, vault, folder):
        taken = {path.lower() for path in vault.files()}
        while True:
            words = self.random.sample(WORDS, self.random.randint(1, 3))
            name = " ".join(words).capitalize() if self.random.random() < 0.8 else words[0]
            path = f"{folder}{name}.md"
            if path.lower() not in taken:
                return path

    def make(self, vault, folder):
        path = self.name(vault, folder)
        text = ""
        if self.random.random() < 0.6:
            tags = self.random.sample(["food", "home", "later", "idea", "2026"], self.random.randint(0, 3))
            text = f"---\ntags: [{', '.join(tags)}]\nrating: {self.random.randint(1, 5)}\n---\n"
        if self.random.random() < 0.4:
            text += f"# {os.path.basename(path)[:-3]}\n\n"
        text += f"s{self.number()}x owner{self.number()}.\n"
        for _ in range(self.random.choice([0, 0, 1, 2, 4])):
            text += ("\n" if self.random.random() < 0.5 else "") + self.sentence(vault, path) + "\n"
        if self.random.random() < 0.3:
            text += f"\n## Part {self.number()}\n\n{self.sentence(vault, path)}\n{self.sentence(vault, path)}\n"
        vault.write(path, text)
        return path

    # MARK: Changes that both make

    def any_note(self, vault):
        return self.random.choice(vault.notes())

    def add(self, vault, note=None):
        note = note or self.any_note(vault)
        text = vault.read(note)
        lines = text[body_start(text):].split("\n")
        lines.insert(self.random.randint(0, len(lines) - 1), self.sentence(vault, note))
        vault.write(note, text[:body_start(text)] + "\n".join(lines))

    def edit(self, vault):
        """Replaces a sentence, or deletes it; those that tell a note from others stay."""
        note = self.any_note(vault)
        text = vault.read(note)
        found = [one for one in SENTENCE.findall(text) if "owner" not in one]
        if found:
            new = self.sentence(vault, note) if self.random.random() < 0.7 else ""
            vault.write(note, text.replace(self.random.choice(found), new))

    # MARK: Changes of Obsidian

    def app_rename(self, vault):
        note = self.any_note(vault)
        new = self.name(vault, os.path.dirname(note) + "/" if "/" in note else "")
        vault.rename({note: new})

    def app_case(self, vault):
        note = self.any_note(vault)
        folder, name = os.path.split(note)
        new = os.path.join(folder, name.swapcase()[:-3] + ".md")
        if new.lower() == note.lower() and new != note:
            vault.rename({note: new})

    def app_move(self, vault):
        note = self.any_note(vault)
        new = self.random.choice(["", "Projects/", "Log/", "Archive/"]) + os.path.basename(note)
        if new.lower() not in {path.lower() for path in vault.files()}:
            vault.rename({note: new})

    def app_folder(self, vault):
        folders = sorted({os.path.dirname(path) for path in vault.files()} - {""})
        if folders:
            old = self.random.choice(folders)
            new = f"{self.random.choice(WORDS).capitalize()} {self.number()}"
            vault.rename({path: new + path[len(old):] for path in vault.files() if path.startswith(old + "/")})

    def app_attachment(self, vault):
        files = [path for path in vault.files() if not path.endswith(".md")]
        if files:
            file = self.random.choice(files)
            new = f"{self.random.choice(['Files/', 'Files/old/', 'Media/', ''])}{self.random.choice(WORDS)}{self.number()}.png"
            vault.rename({file: new})

    def app_trash(self, vault):
        if len(vault.notes()) > 8:
            note = self.any_note(vault)
            (vault.root / ".trash").mkdir(exist_ok=True)
            (vault.root / note).rename(vault.root / ".trash" / f"{self.number()}.md")

    def app_properties(self, vault):
        note = self.any_note(vault)
        stamp = f"2026-11-{self.random.randint(10, 28)}T09:{self.random.randint(10, 59)}"
        vault.write(note, restyled(self.random, vault.read(note), stamp, self.change_tags))

    def change_tags(self, header):
        tags = [str(tag) for tag in header.get("tags") or []]
        if tags and self.random.random() < 0.4:
            tags.remove(self.random.choice(tags))
        else:
            tags.append(f"tag{self.number()}")
        header["tags"] = tags

    def app_new(self, vault):
        self.make(vault, self.random.choice(["", "Log/", "Projects/"]))

    def app_daily(self, vault):
        note = f"Daily/2026-11-{self.random.randint(10, 28)}.md"
        text = vault.read(note) if (vault.root / note).exists() else f"s{self.number()}x owner{self.number()}.\n"
        vault.write(note, text + f"{self.sentence(vault, note)}\n")

    # MARK: Changes of slip

    def slip_append(self, vault):
        note = self.any_note(vault)
        self.run(vault, "append", note, self.sentence(vault, note))

    def slip_retitle(self, vault):
        note = self.any_note(vault)
        # A link that fits two notes would fit one.
        self.run(vault, "retitle", note, os.path.basename(self.name(vault, ""))[:-3], may_fail=True)

    @staticmethod
    def is_taken(vault, path):
        """Whether a file has the path, whatever its case: other systems have one file for the two."""
        return path.lower() in {file.lower() for file in vault.files()}

    def slip_move(self, vault):
        note = self.any_note(vault)
        folder = self.random.choice(["Projects/", "Log/", "Done/"])
        self.run(vault, "mv", note, folder, may_fail=self.is_taken(vault, folder + os.path.basename(note)))

    def slip_name(self, vault):
        note = self.any_note(vault)
        self.run(vault, "mv", note, self.name(vault, self.random.choice(["", "Done/"])))

    def slip_folder(self, vault):
        folders = sorted({os.path.dirname(path) for path in vault.files()} - {""})
        if folders:
            self.run(vault, "mv", self.random.choice(folders) + "/", f"{self.random.choice(WORDS)}{self.number()}/")

    def slip_attachment(self, vault):
        files = [path for path in vault.files() if not path.endswith(".md")]
        if files:
            self.run(vault, "mv", self.random.choice(files), f"Media/{self.random.choice(WORDS)}{self.number()}.png")

    def slip_remove(self, vault):
        if len(vault.notes()) > 8:
            self.run(vault, "rm", self.any_note(vault), "-y")

    def slip_tag(self, vault):
        note = self.any_note(vault)
        tags = header_of(vault.read(note)).get("tags") or []
        if tags and self.random.random() < 0.4:
            self.run(vault, "set", note, f"-{self.random.choice(tags)}")
        else:
            self.run(vault, "set", note, f"+tag{self.number()}")

    def slip_rating(self, vault):
        self.run(vault, "set", self.any_note(vault), f"rating:{self.random.randint(1, 5)}")

    def slip_new(self, vault):
        name = os.path.basename(self.name(vault, ""))[:-3]
        self.run(vault, "new", name, "-b", f"s{self.number()}x owner{self.number()}. {self.sentence(vault, 'a.md')}")

    def slip_split(self, vault):
        parts = [(note, part) for note in vault.notes() for part in re.findall(r"^## (.*)$", vault.read(note), re.M)]
        if parts:
            note, part = self.random.choice(parts)
            self.run(vault, "split", f"{note}#{part}", may_fail=True)

    def slip_merge(self, vault):
        notes = vault.notes()
        if len(notes) > 8:
            one, other = self.random.sample(notes, 2)
            self.run(vault, "merge", one, other)

    def slip_undo(self, vault):
        self.run(vault, "undo", may_fail=True)

    APP = [add] * 5 + [edit] * 3 + [app_rename] * 3 + [app_case, app_move, app_move, app_folder, app_attachment,
                                                     app_trash] + [app_properties] * 3 + [app_new, app_daily]
    SLIP = [add] * 2 + [edit] * 2 + [slip_append] * 3 + [slip_retitle] * 3 + [
        slip_move, slip_move, slip_name, slip_folder, slip_attachment, slip_remove, slip_tag, slip_tag, slip_rating,
        slip_new, slip_split, slip_merge, slip_undo, app_daily]

    # MARK: A round

    def round(self):
        self.log = []
        before = self.state(self.clones["slip"])
        for name, changes in (("slip", self.SLIP), ("app", self.APP)):
            vault = self.clones[name]
            for _ in range(self.random.randint(1, 4)):
                change = self.random.choice(changes)
                self.log.append(f"{name}: {change.__name__}")
                change(self, vault)
                if name == "app" and self.random.random() < 0.15:
                    self.git("add", "-A", place=vault.root)
                    self.git("commit", "-q", "--allow-empty", "-m", "vault backup", place=vault.root)
        sides = {name: self.state(vault) for name, vault in self.clones.items()}
        order = ["slip", "app", "slip"] if self.random.random() < 0.5 else ["app", "slip", "app"]
        for name in order:
            self.run(self.clones[name], "sync", "-y")
        self.check(before, sides)

    def state(self, vault):
        return {"sentences": vault.sentences(), "targets": vault.targets(), "tags": vault.tags()}

    def check(self, before, sides):
        vault = self.clones["slip"]
        trees = {self.git("rev-parse", "HEAD^{tree}", place=clone.root) for clone in self.clones.values()}
        if len(trees) > 1:
            self.failures.append("the clones have different files")
        for clone in self.clones.values():
            left = self.git("status", "--porcelain", "--", "*.md", place=clone.root)
            left = [line for line in left.splitlines() if ".trash" not in line]
            if left:
                self.failures.append(f"git status: {left}")
        after = self.state(vault)
        self.check_sentences(before, sides, after)
        self.check_targets(before, sides, after)
        self.check_tags(before, sides, after)
        for note in vault.notes():
            if re.search(r"^(<<<<<<<|>>>>>>>)", vault.read(note), re.M):
                self.failures.append(f"{note}: markers of git")

    def check_sentences(self, before, sides, after):
        old = before["sentences"].keys()
        one, other = (side["sentences"].keys() for side in sides.values())
        for number in ((one | other) - old) | (old & one & other):
            if number not in after["sentences"]:
                self.failures.append(f"lost: {number}")
        # What one side moved to another note and the other side changed is in both.
        isMoved = any("slip_merge" in line or "slip_split" in line or "undo" in line for line in self.log)
        for number, places in after["sentences"].items() if not isMoved else []:
            notes = {note for note, _ in places}
            most = max(len({note for note, _ in side["sentences"].get(number, [])}) for side in sides.values())
            if len(notes) > max(most, 1):
                self.failures.append(f"in several notes: {number} {sorted(notes)}")

    def check_targets(self, before, sides, after):
        one, other = (side["targets"] for side in sides.values())
        vault = self.clones["slip"]
        exists = {owner for path in vault.files() for owner in vault.identity(path)}
        for number, links in after["targets"].items():
            wanted = [sorted(targets[number], key=str) for targets in (one, other) if number in targets]
            wanted = [[owners for _, owners in links] for links in wanted]
            if not wanted or any(each != wanted[0] for each in wanted):
                continue
            for written, owners in links:
                isRight = any(owners & right for right in wanted[0])
                if not isRight and any(right & exists for right in wanted[0]) and all(wanted[0]):
                    self.failures.append(
                        f"link of {number}: {written} leads to {sorted(owners)}, before to {[sorted(o) for o in wanted[0]]}")

    def check_tags(self, before, sides, after):
        old, one, other = before["tags"], *(side["tags"] for side in sides.values())
        isMerged = any("slip_merge" in line or "undo" in line for line in self.log)
        for owner, tags in after["tags"].items() if not isMerged else []:
            if owner in one and owner in other and owner in old:
                added = (one[owner] - old[owner]) | (other[owner] - old[owner])
                removed = (old[owner] - one[owner]) | (old[owner] - other[owner])
                if (old[owner] | added) - removed != tags:
                    self.failures.append(
                        f"tags of owner{owner}: {sorted(map(str, tags))}, not "
                        f"{sorted(map(str, (old[owner] | added) - removed))}")


def main():
    slip = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    os.environ |= {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
                   "GIT_COMMITTER_EMAIL": "a@example.org"}
    bad = 0
    for seed in range(first, first + -(-rounds // ROUNDS_OF_A_VAULT)):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            os.environ |= {"HOME": name, "XDG_CONFIG_HOME": name + "/config"}
            story = Story(slip, folder, seed)
            for number in range(min(ROUNDS_OF_A_VAULT, rounds)):
                story.round()
                if story.failures:
                    bad += 1
                    print(f"seed {seed}, round {number + 1}")
                    for line in story.log + [f"FAILED {failure}" for failure in story.failures]:
                        print(f"  {line}")
                    keep = os.environ.get("KEEP")
                    if keep:
                        shutil.copytree(folder, f"{keep}/{seed}", symlinks=True, dirs_exist_ok=True)
                    break
            sys.stdout.flush()
    print(f"{rounds} rounds, {bad} vaults with failures")
    sys.exit(1 if bad else 0)


main()
