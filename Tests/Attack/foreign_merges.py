"""Random histories of clones that are merged by slip, by libgit2 and dulwich (no merge driver), by `-s ours`, `-X theirs`,
squash, and with committed markers of all styles.

After `slip heal` and `slip sync` on all clones no sentence is lost that nobody deleted, no marker is left, ids are unique,
all clones end with the same files, and `git fsck --strict` is clean.
"""
import io
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
import time

import scratch

try:
    import pygit2
except ImportError:
    pygit2 = None
try:
    import dulwich.porcelain
except ImportError:
    dulwich = None

slip = os.path.abspath(sys.argv[1])
histories = int(sys.argv[2])
first = int(sys.argv[3])
top = scratch.folder("slip-foreign-")
environment = scratch.environment(top, slip)
os.environ["HOME"] = top
if pygit2:
    pygit2.settings.search_path[pygit2.enums.ConfigLevel.GLOBAL] = top
WITHOUT_DRIVER = "-c 'merge.slipbox.driver=git merge-file -q %A %O %B'"
# Lines of conflicts, which people leave alone until they resolve them.
MARKS = ("<!--", "<<<<<<<", "|||||||", "=======", ">>>>>>>")
WORD = re.compile(r"v\d+v")


class History:
    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.folder = os.path.join(top, str(seed))
        self.words = 0
        # The words that somebody removed who had seen them.
        self.removed = set()
        self.log = []
        os.mkdir(self.folder)
        self.devices = ["d%d" % number for number in range(self.chance.choice([2, 2, 3]))]
        for name in ("hub", "d0"):
            shutil.copytree(os.path.join(top, "empty", name), os.path.join(self.folder, name), symlinks=True)
        for number in range(3):
            paragraphs = "\n\n".join("Paragraph %s." % self.word() for _ in range(self.chance.randint(1, 4)))
            head = "id: kqzmvtr%s\ntitle: Note %d\nstatus: s\ntags: [t]\n" % ("bcd"[number], number)
            self.write("d0", "n%d.md" % number, "---\n%s---\n%s\n" % (head, paragraphs))
        self.run("slip commit -q; git push -qu origin main", "d0")
        for device in self.devices[1:]:
            self.run("git clone -q hub " + device, "")
        for device in self.devices:
            # Markers with the base, into which people write too.
            style = self.chance.choice(["merge", "merge", "diff3", "zdiff3"])
            with open(os.path.join(self.folder, device, ".git", "config"), "a") as file:
                file.write("[merge]\n\tconflictStyle = %s\n" % style)

    def run(self, line, device):
        ran = subprocess.run(
            line, cwd=os.path.join(self.folder, device), env=environment, shell=True, capture_output=True, text=True,
            errors="replace")
        self.log.append("%s$ %s\n? %d\n%s%s" % (device, line, ran.returncode, ran.stdout, ran.stderr))
        return ran

    def word(self):
        self.words += 1
        return "v%dv" % self.words

    def read(self, device, path):
        with open(os.path.join(self.folder, device, path), encoding="utf-8", errors="replace") as file:
            return file.read()

    def write(self, device, path, text):
        with open(os.path.join(self.folder, device, path), "w", encoding="utf-8") as file:
            file.write(text)
        self.log.append("%s/%s:\n%s" % (device, path, text))

    def head(self, device):
        """The commit of HEAD, read without a process."""
        git = os.path.join(self.folder, device, ".git")
        with open(os.path.join(git, "HEAD")) as file:
            name = file.read().strip()
        try:
            with open(os.path.join(git, name.removeprefix("ref: "))) as file:
                return file.read().strip()
        except OSError:
            return self.run("git rev-parse HEAD", device).stdout.strip()

    def notes(self, device):
        found = []
        start = os.path.join(self.folder, device)
        for folder, folders, files in os.walk(start):
            folders[:] = [name for name in folders if not name.startswith(".")]
            found += [os.path.relpath(os.path.join(folder, name), start) for name in files if name.endswith(".md")]
        return sorted(found)

    # Changes

    def change(self, device):
        notes = self.notes(device)
        if not notes or self.chance.random() < 0.1:
            self.run("slip new -q 'Note %s' -b 'Body %s.'" % (self.word(), self.word()), device)
            return
        path = self.chance.choice(notes)
        action = self.chance.randrange(12)
        if action < 2:
            self.run("slip append -q '%s' 'Line %s.'" % (path, self.word()), device)
        elif action == 2:
            text = self.read(device, path)
            for line in text.split("\n"):
                if "status:" in line:
                    self.removed.update(WORD.findall(line))
            self.run("slip set -q '%s' status:%s" % (path, self.word()), device)
        elif action == 3:
            self.run("slip set -q '%s' +%s" % (path, self.word()), device)
        elif action == 4:
            # With a note goes all that its history has.
            name = os.path.basename(path)
            patch = self.run("git log -m -p --format= HEAD -- ':(glob)**/%s'" % name, device).stdout
            self.removed.update(WORD.findall(self.read(device, path) + patch))
            self.run("slip rm -q --yes '%s'" % path, device)
        elif action == 5:
            folder = self.chance.choice(["one", "two"])
            name = os.path.basename(path)
            self.run("mkdir -p %s; [ -e '%s/%s' ] || { git mv '%s' %s/ && git commit -qam moved; }" % (
                folder, folder, name, path, folder), device)
        else:
            self.edit(device, path)
        if self.chance.random() < 0.5:
            self.run("git add -A; git commit -qm edited", device)

    def edit(self, device, path):
        lines = self.read(device, path).rstrip("\n").split("\n")
        start = lines.index("---", 1) + 1 if lines[0] == "---" and "---" in lines[1:] else 0
        place = self.chance.randint(start, len(lines))
        way = self.chance.randrange(4)
        if place == len(lines) or lines[place].startswith(MARKS) or way == 0:
            lines[place:place] = ["", "New %s." % self.word(), ""]
        elif way == 1:
            self.removed.update(WORD.findall(lines[place]))
            del lines[place]
        elif way == 2:
            self.removed.update(WORD.findall(lines[place]))
            lines[place] = "Other %s." % self.word()
        else:
            lines[place] += " More %s." % self.word()
        self.write(device, path, "\n".join(lines) + "\n")

    # Merges

    def step(self):
        device = self.chance.choice(self.devices)
        action = self.chance.randrange(6)
        if action == 0:
            self.exchange(device)
        elif action == 1:
            self.branch(device)
        else:
            self.change(device)

    def exchange(self, device):
        if self.chance.random() < 0.3:
            self.run("slip sync --yes -q", device)
            return
        self.run("git add -A; git commit -qm edited; git fetch -q", device)
        self.merge(device, "origin/main", self.chance.choice(["libgit2", "dulwich", "ours", "theirs", "own", "plain"]))
        self.run("git push -q", device)

    def branch(self, device):
        """Two branches of one clone, of which one is merged into the other and deleted."""
        self.run("git add -A; git commit -qm edited; git switch -qc side", device)
        for name in ("side", "main"):
            self.run("git switch -q " + name, device)
            for _ in range(self.chance.randint(1, 2)):
                self.change(device)
            self.run("git add -A; git commit -qm edited", device)
        ways = ["libgit2", "dulwich", "ours", "theirs", "own", "plain", "squash", "squash", "squash-own"]
        self.merge(device, "side", self.chance.choice(ways))
        self.run("git branch -qD side", device)

    def merge(self, device, other, way):
        ahead, behind = self.run("git rev-list --left-right --count HEAD...%s" % other, device).stdout.split()
        if behind == "0":
            return
        if ahead == "0":
            self.run("git merge -q --ff-only " + other, device)
            return
        is_forced = way in ("theirs", "own", "squash-own")
        conflicts = self.conflicts(device, other) if is_forced else []
        sides = [self.files(device, commit) for commit in ("HEAD", other)] if conflicts else []
        self.log.append("%s: merge of %s by %s" % (device, other, way))
        if way == "libgit2" and pygit2:
            self.merge_by_libgit2(device, other)
        elif way == "dulwich" and dulwich:
            self.merge_by_dulwich(device, other)
        elif way == "ours":
            self.run("git merge -q -s ours -m ours %s" % other, device)
        elif way in ("theirs", "own"):
            choice = "theirs" if way == "theirs" else "ours"
            self.run("git %s merge -q -X %s -m %s %s; git add -A; git commit -qm markers" % (
                WITHOUT_DRIVER, choice, choice, other), device)
        elif way.startswith("squash"):
            option = "-X ours" if way == "squash-own" else ""
            self.run("git %s merge -q --squash %s %s; git add -A; git commit -q --no-edit" % (
                WITHOUT_DRIVER, option, other), device)
        else:
            self.run("git %s merge -q -m plain %s; git add -A; git commit -qm markers" % (WITHOUT_DRIVER, other), device)
        # Who forces a side decides on the passages in conflict.
        merged = self.files(device, "HEAD") if conflicts else {}
        for path in conflicts:
            before = set(WORD.findall("\n".join(side.get(path, "") for side in sides)))
            self.removed.update(before - set(WORD.findall(merged.get(path, ""))))

    def files(self, device, commit):
        archive = subprocess.run(
            ["git", "archive", commit], cwd=os.path.join(self.folder, device), env=environment, capture_output=True,
            check=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            return {file.name: files.extractfile(file).read().decode("utf-8", "replace")
                    for file in files if file.isfile() and file.name.endswith(".md")}

    def conflicts(self, device, other):
        ran = self.run("git %s merge-tree --write-tree --name-only --no-messages HEAD %s" % (WITHOUT_DRIVER, other), device)
        return [line for line in ran.stdout.splitlines()[1:] if line.endswith(".md")] if ran.returncode == 1 else []

    def merge_by_libgit2(self, device, other):
        """Merges as a phone's program does, which commits the markers."""
        repository = pygit2.Repository(os.path.join(self.folder, device))
        theirs = repository.revparse_single(other).peel(pygit2.Commit)
        index = repository.merge_commits(repository.head.target, theirs.id)
        for ancestor, ours, their in list(index.conflicts or []):
            sides = [side for side in (ours, their) if side]
            if ours and their:
                merged = repository.merge_file_from_index(ancestor, ours, their)
                blob = repository.create_blob(getattr(merged, "contents", merged).encode())
                entry = pygit2.IndexEntry(ours.path, blob, ours.mode)
            else:
                entry = sides[0] if sides else None
            for path in {side.path for side in (ancestor, ours, their) if side}:
                if path in index.conflicts:
                    del index.conflicts[path]
            if entry:
                index.add(entry)
        tree = index.write_tree(repository)
        author = pygit2.Signature("Ann", "ann@example.org")
        commit = repository.create_commit(
            None, author, author, "Merge by libgit2", tree, [repository.head.target, theirs.id])
        repository.free()
        self.run("git reset -q --hard %s" % commit, device)

    def merge_by_dulwich(self, device, other):
        path = os.path.join(self.folder, device)
        before = self.run("git rev-parse HEAD", device).stdout.strip()
        try:
            dulwich.porcelain.merge(path, other.encode(), author=b"Ann <ann@example.org>",
                                    committer=b"Ann <ann@example.org>", message=b"Merge by dulwich")
        except Exception as error:
            # What it can't merge, git merges.
            self.log.append("dulwich: %r" % error)
            self.run("git merge --abort; git reset -q --hard; git %s merge -q -m plain %s" % (
                WITHOUT_DRIVER, other), device)
        self.run("git add -A; git commit -qm 'Merge by dulwich'", device)
        if self.run("git fsck --strict --no-dangling", device).returncode != 0:
            # It writes damaged trees where both sides made a folder.
            self.run("git update-ref HEAD %s; rm .git/index; git reset -q --hard; git clean -qfd" % before, device)
            self.run("git reflog expire --expire=now --all; git prune --expire=now", device)
        if self.run("git merge-base --is-ancestor %s HEAD" % other, device).returncode != 0:
            self.run("git %s merge -q -m again %s; git add -A; git commit -qm markers" % (WITHOUT_DRIVER, other), device)

    # The end

    def settle(self):
        for device in self.devices:
            self.run("git add -A; git commit -qm edited", device)
        for device in self.devices:
            # Damage that the clone alone can tell, as its reflog has the other side.
            self.heal(device)
            self.run("slip sync --yes -q", device)
        for _ in range(3):
            if self.are_equal():
                break
            for device in self.devices:
                self.run("slip sync --yes -q", device)
        self.heal("d0")
        # Syncs of equal clones follow in `problem`.
        for device in self.devices * (0 if self.are_equal() else 2):
            self.run("slip sync --yes -q", device)

    def are_equal(self):
        if len({self.head(device) for device in self.devices}) != 1:
            return False
        return not any(self.run("git status --porcelain", device).stdout for device in self.devices)

    def heal(self, device):
        said = self.run("slip heal", device).stdout
        for _ in range(12):
            found = re.search(r"slip heal (.*) (?:restores (?:them|it)|merges them)", said)
            if not found:
                return
            self.run("slip heal -q -- %s" % found.group(1), device)
            said = self.run("slip heal --dry-run", device).stdout

    def problem(self):
        heads = [self.head(device) for device in self.devices]
        for device in self.devices:
            self.run("slip sync --yes -q", device)
        if [self.head(device) for device in self.devices] != heads:
            return "a further sync made commits"
        if len({self.run("git rev-parse HEAD^{tree}", device).stdout for device in self.devices}) != 1:
            return "the clones differ"
        for device in self.devices:
            for check in ("git fsck --strict --no-dangling 2>&1", "git status --porcelain"):
                said = self.run(check, device).stdout
                if said:
                    return "%s: %s: %s" % (device, check, said)
            for path in self.notes(device):
                if re.search(r"^(<<<<<<<|>>>>>>>)", self.read(device, path), re.MULTILINE):
                    return "%s: %s has a marker" % (device, path)
        texts = {path: self.read("d0", path) for path in self.notes("d0")}
        ids = [line for text in texts.values() for line in text.split("\n")[:8] if line.startswith("id: ")]
        if len(ids) != len(set(ids)):
            return "two files have one id: %s" % ids
        kept = set(WORD.findall("\n".join(texts.values()) + "\n".join(texts)))
        lost = [word for word in ("v%dv" % (number + 1) for number in range(self.words))
                if word not in kept and word not in self.removed]
        # A change that was refused never wrote its word.
        committed = self.committed() if lost else set()
        lost = [word for word in lost if word in committed]
        return "lost: %s" % lost if lost else None

    def committed(self):
        """The words that a commit of any clone added."""
        return {word for device in self.devices
                for word in WORD.findall(self.run("git log --all --reflog -p --format=", device).stdout)}


subprocess.run(
    "mkdir empty && cd empty && git init -q --bare -b main hub && git init -q -b main d0 && slip init -q d0"
    " && git -C d0 remote add origin ../hub", cwd=top, env=environment, shell=True, check=True)
started = time.monotonic()
failed = 0
for seed in range(first, first + histories):
    history = History(seed)
    for _ in range(4 + seed % 12):
        history.step()
    history.settle()
    problem = history.problem()
    if problem:
        failed += 1
        print("  FAULT: seed %d: %s" % (seed, problem), flush=True)
        with open(os.path.join(history.folder, "log"), "w") as file:
            file.write("\n".join(history.log))
        print("  log: %s/log" % history.folder, flush=True)
        if failed == int(os.environ.get("MOST_FAULTS", "5")):
            break
    else:
        shutil.rmtree(history.folder)
    if (seed - first) % 100 == 99:
        scratch.report("%d histories" % (seed - first + 1), failed, started)
print("%d histories, %d faults" % (seed - first + 1, failed))
if not failed:
    shutil.rmtree(top)
sys.exit(1 if failed else 0)
