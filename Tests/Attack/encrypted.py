"""Notes behind a real git-crypt or age: random changes on two devices, syncs, edits of other programs, pulls of plain git that
slip finishes, and a clone without the key. Each round has new boxes, because every step takes longer with more notes.

age encrypts the same text to other bytes each time. Its clean filter therefore keeps the stored form of the index if that is
the same text, as agenix, git-agecrypt and the like do.

No object, log or ref may hold a word of a note; no line is lost that nobody removed; both devices end alike; status and fsck
are clean.
"""
import os
import random
import re
import shutil
import subprocess
import sys
import time

import scratch

slip = os.path.abspath(sys.argv[1])
steps = int(sys.argv[2])
seed = int(sys.argv[3])
program, armor = sys.argv[4].removesuffix("-armor"), sys.argv[4].endswith("-armor")
# Changes of a round.
LONGEST = int(os.environ.get("ROUND", "250"))
top = scratch.folder("slip-encrypted-")
environment = scratch.environment(top, slip)


class Failure(Exception):
    pass


def run(line, folder, accepted=None):
    ran = subprocess.run(
        line, cwd=folder, env=environment, shell=True, capture_output=True, text=True, errors="replace")
    if accepted is not None and ran.returncode not in accepted:
        raise Failure("%s in %s: exit %d\n%s%s" % (line, folder, ran.returncode, ran.stdout[-500:], ran.stderr[-800:]))
    return ran


CLEAN = """#!/bin/sh
text={top}/clean-$$ && trap 'rm -f "$text" "$text.stored"' EXIT && cat > "$text"
if git cat-file blob ":$1" > "$text.stored" 2>/dev/null && age -d -i {top}/key "$text.stored" 2>/dev/null | cmp -s - "$text"
then cat "$text.stored"
else age{armor} -r {recipient} < "$text"
fi
"""


class Round:
    """Two devices and their changes."""

    def __init__(self, number, steps):
        self.chance = random.Random(number)
        self.mark = "marker%dx" % number
        self.steps = steps
        self.words = 0
        # The words of lines, and those that somebody removed who had seen them.
        self.lines, self.removed = set(), set()
        self.top = os.path.join(top, str(number))
        os.mkdir(self.top)
        self.devices = [os.path.join(self.top, name) for name in ("a", "b")]
        self.make_boxes()

    def make_boxes(self):
        first, second = self.devices
        run("git init -q --bare -b main hub.git && slip init -q a", self.top, [0])
        if program == "age":
            recipient = run("age-keygen -o key 2>&1 | sed 's/.*: //'", self.top, [0]).stdout.strip()
            with open(os.path.join(self.top, "clean"), "w") as file:
                file.write(CLEAN.format(top=self.top, recipient=recipient, armor=" -a" if armor else ""))
            os.chmod(os.path.join(self.top, "clean"), 0o755)
            self.configure_age(first)
        else:
            run("git-crypt init && git-crypt export-key ../key", first, [0])
        run("echo 'secret/** filter=%s diff=%s' > .gitattributes && git add -A && git commit -qm attributes" % (
            program, program), first, [0])
        run("slip config -q path 'secret/{slug}-{id}.md' && git remote add origin ../hub.git && slip sync", first, [0])
        if program == "age":
            run("git clone -q --no-checkout hub.git b", self.top, [0])
            self.configure_age(second)
            run("git checkout -q main", second, [0])
        else:
            run("git clone -q hub.git b && cd b && git-crypt unlock ../key", self.top, [0])

    def configure_age(self, folder):
        run("git config filter.age.clean '%s/clean %%f' && git config filter.age.smudge 'age -d -i %s/key'"
            " && git config filter.age.required true" % (self.top, self.top), folder, [0])

    def word(self):
        self.words += 1
        return self.mark + str(self.words)

    def line(self):
        """A word of a line, which stays until somebody removes it."""
        made = self.word()
        self.lines.add(made)
        return made

    def texts(self, folder):
        """The notes of a device by path."""
        found = {}
        secret = os.path.join(folder, "secret")
        for name in sorted(os.listdir(secret)) if os.path.isdir(secret) else []:
            with open(os.path.join(secret, name), errors="replace") as file:
                found["secret/" + name] = file.read()
        return found

    def present(self, folder):
        """The words in the notes of a device."""
        return set(re.findall(self.mark + r"\d+", "\n".join(self.texts(folder).values())))

    def ids(self, folder):
        """The ids of the notes of a device with their paths."""
        found = {}
        for path, text in self.texts(folder).items():
            id = re.search(r"^id: (\w+)$", text, re.MULTILINE)
            if id:
                found.setdefault(id.group(1), path)
        return found

    def change(self, folder):
        """One change of a device, as a user or another program makes it."""
        chance = self.chance
        action = chance.randrange(14)
        ids = self.ids(folder)
        if action < 3 or not ids:
            run("slip new -q 'Title %s' -b 'Body %s.'" % (self.word(), self.line()), folder, [0])
            return
        note = chance.choice(sorted(ids))
        if action < 5:
            run("slip append -q %s 'Line %s.'" % (note, self.line()), folder, [0])
        elif action == 5:
            run("slip set -q %s mood:%s +%s" % (note, self.word(), self.word()), folder, [0])
        elif action == 6:
            run("slip retitle -q %s 'New %s'" % (note, self.word()), folder, [0])
        elif action in (7, 9):
            before = self.present(folder)
            if action == 7:
                run("slip undo -q", folder, [0, 65, 66])
            else:
                run("slip rm -q --yes %s" % note, folder, [0])
            self.removed.update(before - self.present(folder))
        elif action == 8:
            with open(os.path.join(folder, ids[note]), "a") as file:
                file.write("Edit %s.\n" % self.line())
        elif action == 10:
            run("slip sync --yes", folder, [0, 65, 75])
        elif action > 11:
            # Half of the pulls merge line by line, as in a clone without slip's merge driver.
            driver = chance.choice(["", "-c merge.slipbox.driver='git merge-file --marker-size=%L %A %O %B' "])
            run("git commit -qam 'By hand'; git %spull -q --%s" % (driver, chance.choice(["rebase", "no-rebase"])), folder)
            # The lines of an armored cipher merge to one that no filter can read, and git stops halfway.
            if run("slip sync --yes", folder, [0, 65, 75, 77]).returncode >= 75:
                run("git rebase --abort || git merge --abort", folder)
        else:
            run("slip commit -q", folder, [0])

    def faults_of(self, folder):
        found = []
        status = run("git status --porcelain", folder, [0]).stdout
        if status:
            found.append("git status in %s: %s" % (folder, status[:300]))
        if run("git fsck --strict", folder).returncode != 0:
            found.append("git fsck finds errors in " + folder)
        objects = subprocess.run(
            ["git", "cat-file", "--batch-all-objects", "--batch"], cwd=folder, env=environment, capture_output=True).stdout
        if self.mark.encode() in objects:
            place = objects.index(self.mark.encode())
            found.append("an object holds %r" % objects[max(0, place - 80):place + 60])
        if run("grep -rqs %s .git/logs .git/refs .git/packed-refs" % self.mark, folder).returncode == 0:
            found.append("a log or a ref holds a word of a note")
        listed = sorted(run("slip list --format '{id}'", folder, [0]).stdout.split())
        if listed != sorted(self.ids(folder)):
            found.append("slip list in %s lists %s" % (folder, listed))
        return found

    def faults(self):
        for _ in range(self.steps):
            self.change(self.chance.choice(self.devices))
        for device in self.devices * 4:
            run("slip commit -q", device, [0])
            run("slip sync --yes", device, [0])
        found = [line for device in self.devices for line in self.faults_of(device)]
        trees = {run("git rev-parse HEAD^{tree}", device, [0]).stdout for device in self.devices}
        if len(trees) != 1:
            found.append("the devices differ")
        lost = self.lines - self.removed - self.present(self.devices[0])
        if lost:
            found.append("lines are lost: " + " ".join(sorted(lost)[:5]))
        return found + self.faults_without_key() + self.faults_of_sync()

    def faults_without_key(self):
        """A clone without the key refuses to write, and nothing changes."""
        found = []
        locked = os.path.join(self.top, "locked")
        run("git clone -q hub.git locked", self.top, [0])
        state = "git status --porcelain; git rev-parse HEAD; cat secret/* | cksum"
        before = run(state, locked).stdout
        code = run("slip new 'Title %s'" % self.word(), locked).returncode
        if code not in (77, 78) or run(state, locked).stdout != before:
            found.append("a clone without the key: exit %d" % code)
        shown = run("slip list --format '{title}'; slip list --as-of HEAD --format '{title}'", locked).stdout
        if shown:
            found.append("a clone without the key lists %r" % shown[:100])
        encrypted = run("slip status --json; slip doctor", locked).stdout
        if run("ls secret", locked).stdout and "encrypted by " + program not in encrypted:
            found.append("doctor does not name the encrypted notes: " + encrypted[:300])
        return found

    def faults_of_sync(self):
        """A sync without news makes no commit."""
        heads = [run("git rev-parse HEAD", device).stdout for device in self.devices]
        for device in self.devices:
            run("slip sync --yes", device, [0])
        if [run("git rev-parse HEAD", device).stdout for device in self.devices] != heads:
            return ["a sync without news made a commit"]
        return []


started = time.monotonic()
done = notes = commits = failed = 0
while done < steps and failed < int(os.environ.get("MOST_FAULTS", "5")):
    number, length = seed + done // LONGEST, min(LONGEST, steps - done)
    folder = os.path.join(top, str(number))
    try:
        round = Round(number, length)
        faults = round.faults()
        notes += len(round.ids(round.devices[0]))
        commits += int(run("git rev-list --count HEAD", round.devices[0], [0]).stdout)
    except Failure as failure:
        faults = [str(failure)]
    done += length
    for line in faults:
        print("  FAULT: seed %d: %s" % (number, line), flush=True)
    if faults:
        failed += 1
        print("  boxes: " + folder, flush=True)
    else:
        shutil.rmtree(folder)
    if done % (LONGEST * 4) == 0:
        scratch.report("%d changes" % done, failed, started)
print(sys.argv[4] + ": %d changes, %d notes, %d commits, %d faults" % (done, notes, commits, failed))
if not failed:
    shutil.rmtree(top)
sys.exit(1 if failed else 0)
