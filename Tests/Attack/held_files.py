"""Other programs that hold notes open while slip replaces them. See held-files.sh."""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter

slip = os.path.abspath(sys.argv[1])
quick = "--quick" in sys.argv
ROUNDS = {1: 6, 10: 6, 100: 3, 400: 2} if quick else {1: 120, 10: 120, 100: 60, 400: 15}
NOTES = 20
random.seed(int(os.environ.get("SEED", "1")))

# The other program: how it opens the note, how long it holds it, and what it writes at the end.
WRITER = """
import os, sys, time
habit, path, hold, text = sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4].encode()
print('ready', flush=True)
sys.stdin.readline()
if habit == 'append':
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT); time.sleep(hold); os.write(file, text + b'\\n')
elif habit == 'truncate':
    file = os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_CREAT); time.sleep(hold)
    os.write(file, b'---\\ntitle: T\\ntags: [old]\\n---\\nbody\\n' + text + b'\\n')
elif habit == 'update':
    file = os.open(path, os.O_RDWR | os.O_CREAT); time.sleep(hold)
    os.lseek(file, 0, os.SEEK_END); os.write(file, text + b'\\n')
else:
    file = os.open(path + '.new', os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.write(file, b'---\\ntitle: T\\ntags: [old]\\n---\\nbody\\n' + text + b'\\n'); os.close(file); time.sleep(hold)
    os.rename(path + '.new', path)
"""


class Box:
    def __init__(self, folder):
        self.folder = folder
        config = os.path.join(folder, "gitconfig")
        with open(config, "w") as file:
            file.write("[user]\nname = A\nemail = a@b\n[init]\ndefaultBranch = main\n[gc]\nauto = 0\n")
        editor = os.path.join(folder, "editor")
        with open(editor, "w") as file:
            file.write('#!/bin/sh\nfor f; do :; done\necho "$EDITED" >> "$f"\n')
        os.chmod(editor, 0o755)
        self.root = os.path.join(folder, "box")
        self.environment = dict(
            os.environ, GIT_CONFIG_GLOBAL=config, GIT_CONFIG_NOSYSTEM="1", EDITOR=editor, VISUAL=editor,
            HOME=folder, XDG_CONFIG_HOME=folder, SLIPBOX=self.root)
        os.mkdir(self.root)
        for number in range(NOTES):
            self.write(number)
        self.run(slip, "init", self.root)
        self.run("git", "add", "-A")
        self.run("git", "commit", "-qm", "notes")

    def path(self, number):
        return os.path.join(self.root, "n%02d.md" % number)

    def write(self, number):
        with open(self.path(number), "w") as file:
            file.write("---\ntitle: T\ntags: [old]\n---\nbody %d\n" % number)

    def run(self, *words, **variables):
        return subprocess.run(
            words, cwd=self.root, env=dict(self.environment, **variables), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def start(self, *words, **variables):
        return subprocess.Popen(
            words, cwd=self.root, env=dict(self.environment, **variables), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def place(self, text, errors):
        """Where a text is: in the file, in history, in a file that was named, or nowhere (None)."""
        needle = text.encode()
        for name in os.listdir(self.root):
            if name.endswith(".md") and needle in self.read(os.path.join(self.root, name)):
                return "file"
        if needle in self.run("git", "log", "-p", "-n", "8").stdout:
            return "history"
        for named in re.findall(rb"kept at (\S+)", errors):
            if os.path.exists(named) and needle in self.read(named.decode()):
                return "named"
        return None

    @staticmethod
    def read(path):
        try:
            with open(path, "rb") as file:
                return file.read()
        except OSError:
            return b""


def command(kind, number, text):
    note = "n%02d.md" % number
    if kind == "append":
        return (slip, "append", note, text), {}
    if kind == "set":
        return (slip, "set", note, "word:" + text), {}
    if kind == "edit":
        return (slip, "edit", note), {"EDITED": text}
    if kind == "rm":
        return (slip, "rm", note, "--yes"), {}
    return (slip, "tags", "rename", "old", text.lower(), "--yes"), {}


def one(box, habit, hold, kind, round):
    number = random.randrange(NOTES)
    theirs, ours = "THEIRS%s%d%d" % (habit, hold, round), "OURS%s%s%d%d" % (kind, habit, hold, round)
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, habit, box.path(number), str(hold / 1000), theirs], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE)
    writer.stdout.readline()
    words, variables = command(kind, number, ours)
    # Slip takes some time to come to the file: the two meet at every stage of each other.
    lead = random.uniform(-START, hold / 1000)
    if lead < 0:
        process = box.start(*words, **variables)
        time.sleep(-lead)
    writer.stdin.write(b"go\n")
    writer.stdin.flush()
    if lead >= 0:
        time.sleep(lead)
        process = box.start(*words, **variables)
    output, errors = process.communicate()
    writer.wait()
    place = box.place(theirs, errors)
    # A program that empties the file, or renames its own over it, may do away with what is in it; not with history.
    wrote = process.returncode == 0
    lost = []
    if place is None:
        lost.append("the other program's")
    # The editor of `slip edit` writes to the note itself: a program that empties or renames may do so after it, before
    # slip has seen anything.
    overwritten = kind == "edit" and habit in ("truncate", "rename")
    if wrote and kind != "rm" and not overwritten:
        own = ours.lower() if kind == "tags" else ours
        if box.place(own, errors) is None:
            lost.append("slip's own")
    if process.returncode not in (0, 65, 66, 75):
        lost.append("nothing, but the code is %d;" % process.returncode)
    for left in os.listdir(box.root):
        if left.startswith(".slip-") and left.encode() not in errors:
            lost.append("nothing, but %s is left;" % left)
    if lost:
        print("  LOST: %s text: %s %s ms %s round %d\n  %s" % (
            " and ".join(lost), habit, hold, kind, round, errors.decode()))
        with open(box.path(number), "rb") as file:
            print("  file:", file.read()[-200:])
    for again in range(NOTES):
        box.write(again)
    box.run("git", "add", "-A")
    box.run("git", "commit", "-qm", "again")
    return place, process.returncode, bool(lost)


def main():
    global START
    folder = tempfile.mkdtemp(prefix="slip-held-")
    failed = 0
    try:
        box = Box(folder)
        began = time.monotonic()
        box.run(slip, "append", "n00.md", "x")
        START = time.monotonic() - began
        box.run("git", "checkout", "-q", ".")
        for habit in ("append", "update", "truncate", "rename"):
            for hold, rounds in ROUNDS.items():
                places, codes, lost = Counter(), Counter(), 0
                for round in range(rounds):
                    kind = ("append", "set", "edit", "rm", "tags")[round % 5]
                    place, code, was_lost = one(box, habit, hold, kind, round)
                    places[place or "nowhere"] += 1
                    codes[code] += 1
                    lost += was_lost
                failed += lost
                print("%-9s %4d ms: %4d rounds, %s; exit %s; lost %d" % (
                    habit, hold, rounds, dict(sorted(places.items())), dict(sorted(codes.items())), lost), flush=True)
        fsck = box.run("git", "fsck", "--strict")
        if fsck.returncode != 0:
            print("git fsck:", fsck.stderr.decode())
            failed += 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("held files: %s" % ("FAILED" if failed else "ok"))
    sys.exit(1 if failed else 0)


main()
