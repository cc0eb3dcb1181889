"""A box and a folder without git that two Syncthing instances keep alike. Both change while they can't reach each other.

After each meeting `slip` merges the copies: no sentence is lost, each id has one file, lists name each note once before it
too, and `git status` is clean.
"""
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import xml.etree.ElementTree as xml

slip = os.path.abspath(sys.argv[1])
rounds = int(sys.argv[2])
chance = random.Random(int(sys.argv[3]))
top = tempfile.mkdtemp(prefix="slip-syncthing-")
with open(os.path.join(top, ".gitconfig"), "w") as file:
    file.write("[user]\n name=Ann\n email=ann@example.org\n[init]\n defaultBranch=main\n")
environment = dict(os.environ, HOME=top, PATH=os.path.dirname(slip) + ":" + os.environ["PATH"], STNOUPGRADE="1")
words = 0
removed = set()
faults = []


def run(line, folder):
    return subprocess.run(
        line, cwd=folder, env=environment, shell=True, capture_output=True, text=True, errors="replace")


def word():
    global words
    words += 1
    return "v%dv" % words


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Instance:
    """A Syncthing of its own, on loopback alone."""

    def __init__(self, name):
        self.home = os.path.join(top, name + "-home")
        self.folder = os.path.join(top, name)
        self.gui, self.port, self.key = free_port(), free_port(), name * 20
        made = run("syncthing generate --home='%s' --no-default-folder --skip-port-probing" % self.home, top)
        self.id = run("syncthing --home='%s' --device-id" % self.home, top).stdout.strip()
        if not self.id:
            sys.exit("syncthing generate: " + made.stdout + made.stderr)

    def configure(self, other):
        path = os.path.join(self.home, "config.xml")
        tree = xml.parse(path)
        root = tree.getroot()
        for old in root.findall("folder") + root.findall("device"):
            root.remove(old)
        folder = xml.SubElement(root, "folder", {
            "id": "notes", "path": self.folder, "type": "sendreceive", "rescanIntervalS": "3600",
            "fsWatcherEnabled": "false"})
        xml.SubElement(folder, "maxConflicts").text = "-1"
        for device in (self, other):
            xml.SubElement(folder, "device", {"id": device.id})
            entry = xml.SubElement(root, "device", {"id": device.id, "name": "x", "compression": "never"})
            xml.SubElement(entry, "address").text = "tcp://127.0.0.1:%d" % device.port
        options = root.find("options")
        for option in list(options):
            if option.tag in ("listenAddress", "globalAnnounceEnabled", "localAnnounceEnabled", "relaysEnabled",
                              "natEnabled", "urAccepted", "reconnectionIntervalS", "crashReportingEnabled",
                              "startBrowser"):
                options.remove(option)
        for name, value in (("listenAddress", "tcp://127.0.0.1:%d" % self.port), ("globalAnnounceEnabled", "false"),
                            ("localAnnounceEnabled", "false"), ("relaysEnabled", "false"), ("natEnabled", "false"),
                            ("urAccepted", "-1"), ("reconnectionIntervalS", "1"), ("crashReportingEnabled", "false"),
                            ("startBrowser", "false")):
            xml.SubElement(options, name).text = value
        gui = root.find("gui")
        gui.find("address").text = "127.0.0.1:%d" % self.gui
        gui.find("apikey").text = self.key
        tree.write(path)

    def start(self):
        self.log = open(os.path.join(self.home, "log"), "a")
        self.process = subprocess.Popen(
            ["syncthing", "serve", "--home=" + self.home, "--no-browser", "--no-restart"], env=environment,
            stdout=self.log, stderr=self.log)
        for _ in range(300):
            try:
                self.ask("system/ping")
                return
            except OSError:
                time.sleep(0.2)
        raise TimeoutError("syncthing did not start; see %s/log" % self.home)

    def stop(self):
        self.process.terminate()
        self.process.wait(60)

    def ask(self, call, post=False):
        request = urllib.request.Request(
            "http://127.0.0.1:%d/rest/%s" % (self.gui, call), method="POST" if post else "GET",
            headers={"X-API-Key": self.key})
        with urllib.request.urlopen(request, timeout=60) as answer:
            body = answer.read()
        return json.loads(body) if body.strip() else None


def meet(instances):
    """Starts both, waits until their folders are alike, and stops them."""
    for instance in instances:
        instance.start()
    try:
        end = time.time() + 180
        alike = 0
        while alike < 3:
            if time.time() > end:
                raise TimeoutError("the folders did not become alike; see " + top)
            for instance in instances:
                instance.ask("db/scan?folder=notes", post=True)
            states = [instance.ask("db/status?folder=notes") for instance in instances]
            isIdle = all(state["state"] == "idle" and state["needTotalItems"] == 0 for state in states)
            alike = alike + 1 if isIdle and files(instances[0].folder) == files(instances[1].folder) else 0
            time.sleep(0.3)
    finally:
        for instance in instances:
            instance.stop()


def files(folder):
    """The files that Syncthing sends, with their contents."""
    found = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".git", ".st"))]
        for name in names:
            path = os.path.join(place, name)
            if not name.startswith((".git", ".st", ".syncthing")):
                with open(path, "rb") as file:
                    found[os.path.relpath(path, folder)] = file.read()
    return found


def notes(folder):
    return sorted(path for path in files(folder) if path.endswith(".md") and "sync-conflict" not in path)


def edit(folder, name):
    """Changes a note as an editor on a phone does it."""
    path = os.path.join(folder, name)
    with open(path, encoding="utf-8") as file:
        lines = file.read().rstrip("\n").split("\n")
    start = lines.index("---", 1) + 1
    place = chance.randint(start, len(lines))
    way = chance.randrange(3)
    if place < len(lines) and not lines[place].startswith("<!--") and way == 0:
        removed.update(re.findall(r"v\d+v", lines[place]))
        lines[place] = "Other %s." % word()
    elif place < len(lines) and lines[place] and not lines[place].startswith("<!--") and way == 1:
        lines[place] += " More %s." % word()
    else:
        lines[place:place] = ["", "New %s." % word(), ""]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def check(box, phone):
    status = run("git status --porcelain", box).stdout
    if status:
        faults.append("git status: " + status)
    texts = {path: text.decode() for path, text in files(box).items() if path.endswith(".md")}
    ids = [line for text in texts.values() for line in text.split("\n")[:8] if line.startswith("id: ")]
    if len(ids) != len(set(ids)):
        faults.append("two files have one id: %s" % ids)
    copies = [path for path in texts if "sync-conflict" in path]
    if copies:
        faults.append("copies are left: %s" % copies)
    kept = set(re.findall(r"v\d+v", "\n".join(texts.values())))
    lost = [name for name in ("v%dv" % (number + 1) for number in range(words)) if name not in kept | removed]
    if lost:
        faults.append("lost: %s" % lost)


box, phone = (Instance(name) for name in ("box", "phone"))
run("slip init -q box && cd box && printf '.git\n' > .stignore && echo .st* > .gitignore && git add -A && git commit -qm ignore", top)
os.mkdir(phone.folder)
with open(os.path.join(phone.folder, ".stignore"), "w") as file:
    file.write(".git\n")
for _ in range(4):
    run("slip new -q 'Note %s' -b 'Body %s.'" % (word(), word()), box.folder)
box.configure(phone)
phone.configure(box)
copyCount = 0
meet([box, phone])
for number in range(rounds):
    for _ in range(chance.randint(2, 5)):
        name = chance.choice(notes(box.folder))
        if chance.random() < 0.5:
            edit(box.folder, name)
        else:
            run("slip append -q '%s' 'Line %s.'" % (name, word()), box.folder)
    for _ in range(chance.randint(2, 5)):
        edit(phone.folder, chance.choice(notes(phone.folder)))
    if chance.random() < 0.5:
        run("slip new -q 'Note %s' -b 'Body %s.'" % (word(), word()), box.folder)
    meet([box, phone])
    copies = [path for path in files(box.folder) if "sync-conflict" in path]
    copyCount += len(copies)
    ids = run("slip list --format '{id}'", box.folder).stdout.split()
    if len(ids) != len(set(ids)):
        faults.append("a list names a note twice: %s" % ids)
    run("slip append -q %s 'Line %s.'" % (chance.choice(ids), word()), box.folder)
    run("slip commit -q", box.folder)
    healed = run("slip heal -q", box.folder)
    if healed.returncode:
        faults.append("slip heal: " + healed.stderr)
    check(box.folder, phone.folder)
    meet([box, phone])
    if faults:
        break
for line in faults:
    print("  FAULT:", line)
print("%d meetings, %d copies merged, %d faults" % (number + 1, copyCount, len(faults)))
if faults:
    print("  see " + top)
else:
    shutil.rmtree(top)
sys.exit(1 if faults else 0)
