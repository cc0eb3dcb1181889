"""Notes behind a real git-crypt or age: random changes on two devices, syncs, edits of other programs, pulls of plain git that
slip finishes, and a clone without the key.

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
import tempfile

slip = os.path.abspath(sys.argv[1])
steps = int(sys.argv[2])
seed = int(sys.argv[3])
program, armor = sys.argv[4].removesuffix("-armor"), sys.argv[4].endswith("-armor")
chance = random.Random(seed)
top = tempfile.mkdtemp(prefix="slip-encrypted-")
with open(os.path.join(top, ".gitconfig"), "w") as file:
    file.write("[user]\n name=Ann\n email=ann@example.org\n[init]\n defaultBranch=main\n")
environment = dict(os.environ, HOME=top, PATH=os.path.dirname(slip) + ":" + os.environ["PATH"])
MARK = "marker%dx" % seed
words = 0
# The words of lines, and those that somebody removed who had seen them.
lines, removed = set(), set()


def run(line, folder, accepted=None):
    ran = subprocess.run(
        line, cwd=folder, env=environment, shell=True, capture_output=True, text=True, errors="replace")
    if accepted is not None and ran.returncode not in accepted:
        sys.exit("%s in %s: exit %d\n%s%s" % (line, folder, ran.returncode, ran.stdout[-500:], ran.stderr[-800:]))
    return ran


def word():
    global words
    words += 1
    return MARK + str(words)


def line():
    """A word of a line, which stays until somebody removes it."""
    made = word()
    lines.add(made)
    return made


def present(folder):
    """The words in the notes of a device."""
    found = set()
    for name in os.listdir(os.path.join(folder, "secret")) if os.path.isdir(os.path.join(folder, "secret")) else []:
        with open(os.path.join(folder, "secret", name), errors="replace") as file:
            found |= set(re.findall(MARK + r"\d+", file.read()))
    return found


def change(folder):
    """One change of a device, as a user or another program makes it."""
    before = present(folder)
    action = take(folder)
    if action in (7, 9):
        removed.update(before - present(folder))


def take(folder):
    action = chance.randrange(14)
    ids = run("slip list --format '{id}'", folder, [0]).stdout.split()
    if action < 3 or not ids:
        run("slip new -q 'Title %s' -b 'Body %s.'" % (word(), line()), folder, [0])
        return 0
    note = chance.choice(ids)
    if action < 5:
        run("slip append -q %s 'Line %s.'" % (note, line()), folder, [0])
    elif action == 5:
        run("slip set -q %s mood:%s +%s" % (note, word(), word()), folder, [0])
    elif action == 6:
        run("slip retitle -q %s 'New %s'" % (note, word()), folder, [0])
    elif action == 7:
        run("slip undo -q", folder, [0, 65, 66])
    elif action == 8:
        run("echo 'Edit %s.' >> \"$(slip list --format '{path}' id:%s)\"" % (line(), note), folder, [0])
    elif action == 9:
        run("slip rm -q --yes %s" % note, folder, [0])
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
    return action


def faults_of(folder):
    found = []
    status = run("git status --porcelain", folder, [0]).stdout
    if status:
        found.append("git status in %s: %s" % (folder, status[:300]))
    if run("git fsck --strict", folder).returncode != 0:
        found.append("git fsck finds errors in " + folder)
    objects = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"], cwd=folder, env=environment, capture_output=True).stdout
    if MARK.encode() in objects:
        place = objects.index(MARK.encode())
        found.append("an object holds %r" % objects[max(0, place - 80):place + 60])
    if run("grep -rqs %s .git/logs .git/refs .git/packed-refs" % MARK, folder).returncode == 0:
        found.append("a log or a ref holds a word of a note")
    return found


CLEAN = """#!/bin/sh
text=$(mktemp) && trap 'rm "$text"' EXIT && cat > "$text"
if git cat-file blob ":$1" 2>/dev/null | age -d -i {top}/key 2>/dev/null | cmp -s - "$text"
then git cat-file blob ":$1"
else age{armor} -r {recipient} < "$text"
fi
"""


def configure_age(folder):
    run("git config filter.age.clean '%s/clean %%f' && git config filter.age.smudge 'age -d -i %s/key'"
        " && git config filter.age.required true" % (top, top), folder, [0])


run("git init -q --bare -b main hub.git", top, [0])
devices = [os.path.join(top, name) for name in ("a", "b")]
run("slip init -q a", top, [0])
if program == "age":
    recipient = run("age-keygen -o key 2>&1 | sed 's/.*: //'", top, [0]).stdout.strip()
    with open(os.path.join(top, "clean"), "w") as file:
        file.write(CLEAN.format(top=top, recipient=recipient, armor=" -a" if armor else ""))
    os.chmod(os.path.join(top, "clean"), 0o755)
    configure_age(devices[0])
else:
    run("git-crypt init && git-crypt export-key ../key", devices[0], [0])
run("echo 'secret/** filter=%s diff=%s' > .gitattributes && git add -A && git commit -qm attributes" % (program, program),
    devices[0], [0])
run("slip config -q path 'secret/{slug}-{id}.md' && git remote add origin ../hub.git && slip sync", devices[0], [0])
if program == "age":
    run("git clone -q --no-checkout hub.git b", top, [0])
    configure_age(devices[1])
    run("git checkout -q main", devices[1], [0])
else:
    run("git clone -q hub.git b && cd b && git-crypt unlock ../key", top, [0])
for step in range(steps):
    change(chance.choice(devices))
for device in devices * 4:
    run("slip commit -q", device, [0])
    run("slip sync --yes", device, [0])
faults = [line for device in devices for line in faults_of(device)]
trees = {run("git rev-parse HEAD^{tree}", device, [0]).stdout for device in devices}
if len(trees) != 1:
    faults.append("the devices differ")
lost = lines - removed - present(devices[0])
if lost:
    faults.append("lines are lost: " + " ".join(sorted(lost)[:5]))
# A clone without the key refuses to write, and nothing changes.
locked = os.path.join(top, "locked")
run("git clone -q hub.git locked", top, [0])
state = "git status --porcelain; git rev-parse HEAD; cat secret/* | cksum"
before = run(state, locked).stdout
code = run("slip new 'Title %s'" % word(), locked).returncode
if code not in (77, 78) or run(state, locked).stdout != before:
    faults.append("a clone without the key: exit %d" % code)
shown = run("slip list --format '{title}'; slip list --as-of HEAD --format '{title}'", locked).stdout
if shown:
    faults.append("a clone without the key lists %r" % shown[:100])
encrypted = run("slip status --json; slip doctor", locked).stdout
if run("ls secret", locked).stdout and "encrypted by " + program not in encrypted:
    faults.append("doctor does not name the encrypted notes: " + encrypted[:300])
# A sync without news makes no commit.
heads = [run("git rev-parse HEAD", device).stdout for device in devices]
for device in devices * 2:
    run("slip sync --yes", device, [0])
if [run("git rev-parse HEAD", device).stdout for device in devices] != heads:
    faults.append("a sync without news made a commit")
for line in faults:
    print("  FAULT:", line)
print(program + ": %d changes, %d notes, %d commits, %d faults" % (
    steps, len(run("slip list --format '{id}'", devices[0]).stdout.split()),
    int(run("git rev-list --count HEAD", devices[0]).stdout), len(faults)))
if not faults:
    shutil.rmtree(top)
sys.exit(1 if faults else 0)
