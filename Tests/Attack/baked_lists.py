"""Clones that bake lists into notes at different times, edit around the lists, and merge by slip and by plain `git pull`, with
slip's merge driver and without.

After `slip sync` on all clones they have the same files, no list is in conflict or has git's markers, and every line outside
of the lists is there. After `slip bake` on one of them and another sync all lists are up to date. The queries have no relative
dates.
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

slip = os.path.abspath(sys.argv[1])
histories = int(sys.argv[2])
first = int(sys.argv[3])
top = tempfile.mkdtemp(prefix="slip-baked-")
with open(os.path.join(top, ".gitconfig"), "w") as file:
    file.write("[user]\n name=Ann\n email=ann@example.org\n[init]\n defaultBranch=main\n[gc]\n auto=0\n")
environment = dict(os.environ, HOME=top, PATH=os.path.dirname(slip) + ":" + os.environ["PATH"], LC_ALL="C.UTF-8")
WITHOUT_DRIVER = "-c 'merge.slipbox.driver=git merge-file -q %A %O %B' "
REPORTS = {
    "report.md": ["table kind:issue --by status --total", "list kind:issue sort:title"],
    "notes/shelf.md": ["list +read sort:title", "todos kind:note", "table kind:issue --by tags"],
}
BLOCK = re.compile(r"<!-- slip: .*?<!-- /slip -->\n", re.S)


class History:
    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.folder = os.path.join(top, str(seed))
        self.count = 0
        self.log = []
        self.lines = set()
        os.mkdir(self.folder)
        self.devices = ["d%d" % number for number in range(self.chance.choice([2, 3]))]
        self.own = {device: [] for device in self.devices}
        self.run("git init -q --bare hub && slip init -q d0", "")
        for path, queries in REPORTS.items():
            parts = ["# %s\n" % path]
            for query in queries:
                parts.append("Above.\n\n<!-- slip: %s -->\n<!-- /slip -->\n" % query)
            parts += ["## %s\n\nHere.\n" % device for device in self.devices]
            self.write("d0", path, "\n".join(parts) + "\nEnd.\n")
        if self.chance.random() < 0.4:
            self.run("slip config bake commit", "d0")
        self.run("slip commit -q; git remote add origin ../hub; git push -qu origin main", "d0")
        for device in self.devices[1:]:
            self.run("git clone -q hub " + device, "")

    def run(self, line, device, accepted=(0,)):
        ran = subprocess.run(
            line, cwd=os.path.join(self.folder, device), env=environment, shell=True, capture_output=True, text=True)
        self.log.append("%s$ %s\n? %d\n%s%s" % (device, line, ran.returncode, ran.stdout, ran.stderr))
        if ran.returncode not in accepted:
            raise RuntimeError("%s in %s: exit %d: %s" % (line, device, ran.returncode, ran.stderr[-400:]))
        return ran.stdout

    def read(self, device, path):
        with open(os.path.join(self.folder, device, path), encoding="utf-8") as file:
            return file.read()

    def write(self, device, path, text):
        path = os.path.join(self.folder, device, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def number(self):
        self.count += 1
        return self.count

    def step(self):
        """A change of a device; each device changes the records that it made and the lines of its own section."""
        device = self.chance.choice(self.devices)
        if os.path.exists(os.path.join(self.folder, device, ".git/MERGE_HEAD")):
            return self.run("slip sync -q --yes", device)
        own = self.own[device]
        action = self.chance.randrange(10)
        if action < 2 or not own:
            words = self.chance.choice(["issue 'Fault %d'", "issue 'Fault [%d]' +read", "note 'Text %d' +read -b '- [ ] box'"])
            own.append(self.run("slip new " + words % self.number(), device).split()[0])
        elif action == 2:
            change = self.chance.choice(["+read", "-read", "+t%d" % self.number(), "priority:high"])
            self.run("slip set -q %s %s" % (self.chance.choice(own), change), device, (0, 64, 65))
        elif action == 3:
            self.run("slip retitle -q %s 'Other %d'" % (self.chance.choice(own), self.number()), device)
        elif action == 4:
            self.run("slip close -q %s" % self.chance.choice(own), device, (0, 65))
        elif action == 5:
            self.run("slip rm -q --yes %s" % own.pop(self.chance.randrange(len(own))), device)
        elif action == 6:
            self.run("slip bake -q", device)
        elif action == 7:
            path = self.chance.choice(list(REPORTS))
            line = "Line %d of %s." % (self.number(), device)
            self.lines.add(line)
            text = self.read(device, path).replace("## %s\n\n" % device, "## %s\n\n%s\n" % (device, line))
            self.write(device, path, text)
            if self.chance.random() < 0.5:
                self.run(self.chance.choice(["slip commit -q", "git commit -qam Backup"]), device)
        else:
            self.exchange(device)

    def exchange(self, device):
        if self.chance.random() < 0.5:
            return self.run("slip sync -q --yes", device)
        driver = self.chance.choice(["", WITHOUT_DRIVER])
        self.run("slip commit -q; git %spull -q --no-rebase --no-edit origin main; git push -q origin main" % driver,
                 device, (0, 1, 128))

    def sync(self, rounds):
        for device in self.devices * rounds:
            self.run("slip sync -q --yes", device)

    def differs(self):
        return len({self.run("git rev-parse HEAD^{tree}", device) for device in self.devices}) > 1

    def faults(self):
        found = []
        self.sync(rounds=3)
        if self.differs():
            found.append("the clones have different files")
        self.run("slip bake -q", self.devices[0])
        self.sync(rounds=2)
        if self.differs():
            found.append("the clones have different files after bake")
        for device in self.devices:
            if left := self.run("git status --porcelain", device):
                found.append("git status of %s: %s" % (device, left))
            if ids := self.run("slip list is:conflicted --paths", device, (0, 1)):
                found.append("conflicts on %s: %s" % (device, ids))
            stale = self.run("slip bake --check", device, (0, 1))
            if stale:
                found.append("lists that are not up to date on %s: %s" % (device, stale))
            if self.run("git fsck --strict --no-dangling 2>&1", device):
                found.append("fsck")
        texts = [BLOCK.sub("", self.read(self.devices[0], path)) for path in REPORTS]
        for line in sorted(self.lines):
            if sum(text.count(line + "\n") for text in texts) != 1:
                found.append("a line outside of the lists: %s" % line)
        for path in REPORTS:
            text = self.read(self.devices[0], path)
            if re.search("^(<<<<<<<|=======|>>>>>>>)", text, re.M):
                found.append("markers in " + path)
            if len(BLOCK.findall(text)) != len(REPORTS[path]):
                found.append("%s has %d lists" % (path, len(BLOCK.findall(text))))
        return found


bad = 0
for seed in range(first, first + histories):
    history = History(seed)
    try:
        for _ in range(12 + seed % 20):
            history.step()
        faults = history.faults()
    except RuntimeError as error:
        faults = [str(error)]
    if faults:
        bad += 1
        print("seed %d: %s" % (seed, "; ".join(faults)))
        with open(os.path.join(history.folder, "log"), "w", encoding="utf-8") as file:
            file.write("\n".join(history.log))
        print("  see " + history.folder)
        sys.stdout.flush()
    else:
        shutil.rmtree(history.folder)
print("%d histories, %d with faults" % (histories, bad))
if not bad:
    shutil.rmtree(top)
sys.exit(1 if bad else 0)
