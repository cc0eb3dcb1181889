"""A box with a home of its own, and `slip browse` on it in a terminal of tmux."""

import json
import os
import re
import shlex
import subprocess
import time


class Fault(Exception):
    pass


def until(what, holds, seconds=20):
    """Waits till something holds; polls, and tells what was seen last."""
    end = time.monotonic() + seconds
    last = None
    while True:
        try:
            if holds():
                return
            last = None
        except Fault as fault:
            last = fault
        if time.monotonic() > end:
            raise Fault(f"not within {seconds} s: {what}" + (f" ({last})" if last else ""))
        time.sleep(0.03)


def names(shown, whole):
    """Whether what a row shows is the start of an id, or the folder of a path; nothing for a note that is in none."""
    if not shown:
        return whole.endswith(".md") and "/" not in whole
    start, cut, end = shown.partition("…")
    return whole.startswith(start) and (not cut or whole.endswith(end))


def each(cases, say):
    """Runs cases by name, says a line for each, and returns the problems."""
    problems = []
    for name, case in cases.items():
        try:
            found = [f"{name}: {one}" for one in case() or []]
        except Exception as fault:
            found = [f"{name}: {str(fault)[:1500]}"]
        problems += found
        say(f"  {name}: holds" if not found else "  " + "\n  ".join(found))
    return problems


class Box:
    """A new box in a folder, and the commands on it."""

    def __init__(self, slip, folder, clone_of=None):
        self.slip, self.path, self.home = slip, os.path.join(folder, "box"), os.path.join(folder, "home")
        os.makedirs(self.home, exist_ok=True)
        kept = {name: os.environ[name] for name in ["PATH", "LD_LIBRARY_PATH"] if name in os.environ}
        self.environment = {**kept, "HOME": self.home, "LANG": "C.UTF-8", "TERM": "tmux-256color", "TMPDIR": folder}
        with open(os.path.join(self.home, ".gitconfig"), "w") as file:
            file.write("[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n")
        if clone_of:
            self.git("clone", "-q", clone_of, self.path, here=folder)
        self.run("init", self.path, boxed=False)
        self.first = self.git("rev-parse", "HEAD").strip()

    def run(self, *arguments, boxed=True, may_fail=False):
        environment = {**self.environment, **({"SLIPBOX": self.path} if boxed else {})}
        done = subprocess.run([self.slip, *arguments], env=environment, cwd=self.home, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120)
        if done.returncode and not may_fail:
            raise Fault(f"slip {shlex.join(arguments)}: {done.returncode}, {done.stderr.strip()}")
        return done.stdout

    def git(self, *arguments, here=None):
        done = subprocess.run(["git", *arguments], env=self.environment, cwd=here or self.path, capture_output=True, text=True, timeout=120)
        if done.returncode:
            raise Fault(f"git {shlex.join(arguments)}: {done.stderr.strip()}")
        return done.stdout

    def notes(self, *query):
        return json.loads(self.run("list", "--json", "--with", "body", *query))["notes"]

    def note(self, title):
        found = [note for note in self.notes() if note["title"] == title]
        if len(found) != 1:
            raise Fault(f"{len(found)} notes are titled {title}")
        return found[0]

    def commits(self):
        return int(self.git("rev-list", "--count", "HEAD"))

    def subjects(self, number=1):
        return self.git("log", f"-{number}", "--format=%s").splitlines()

    def whole(self, faces=("browse",)):
        """What is wrong with the repository; nothing uncommitted, and each commit after the first by one of the faces."""
        wrong = []
        done = subprocess.run(["git", "fsck", "--strict", "--no-dangling"], env=self.environment, cwd=self.path, capture_output=True, text=True)
        if done.returncode or done.stderr.strip():
            wrong.append(f"git fsck: {done.stdout} {done.stderr}")
        if status := self.git("status", "--porcelain"):
            wrong.append(f"git status: {status}")
        told = self.git("log", "--no-merges", f"{self.first}..HEAD", "--format=%s%x09%(trailers:key=Slip-Command,valueonly,separator=%x2C)")
        wrong += [f"made by {line.split(chr(9))[1] or 'nobody'}: {line}" for line in told.splitlines() if faces and line.split("\t")[1] not in faces]
        return wrong


class Screen:
    """`slip browse` started from an interactive shell, so that its end and its suspension are seen from outside."""

    number = 0

    def __init__(self, box, size=(160, 40), query="", environment=None):
        Screen.number += 1
        self.box, self.size = box, size
        self.socket = os.path.join(box.home, f"tmux{Screen.number}")
        self.base = ["tmux", "-S", self.socket, "-f", "/dev/null"]
        variables = {**box.environment, "PS1": "ready> ", **(environment or {})}
        shell = ["env", "-i", *[f"{name}={value}" for name, value in variables.items()], "bash", "--norc", "--noprofile", "-i"]
        self.tmux("new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), shlex.join(shell))
        self.tmux("set-option", "-g", "history-limit", "500")
        until("the shell is ready", lambda: "ready>" in self.text())
        self.before = self.modes()
        self.line = f"{shlex.quote(box.slip)} browse --box {shlex.quote(box.path)} {query}"
        self.begin()

    def begin(self):
        self.tmux("send-keys", "-l", "--", self.line)
        self.tmux("send-keys", "Enter")
        until("the alternate screen", self.open)
        until("the first rows", lambda: re.search(r"(\d+/\d+|\b0)\s*$", self.lines()[0]) or Fault(self.text()) and False)

    def tmux(self, *arguments):
        done = subprocess.run([*self.base, *arguments], env={**self.box.environment, "TERM": "xterm"}, capture_output=True, text=True)
        if done.returncode:
            raise Fault(f"tmux {arguments[0]}: {done.stderr.strip()}")
        return done.stdout

    def format(self, what):
        return self.tmux("display-message", "-p", what).strip()

    def open(self):
        return self.format("#{alternate_on}") == "1"

    def modes(self):
        terminal = self.format("#{pane_tty}")
        return subprocess.run(["stty", "-a", "-F", terminal], capture_output=True, text=True).stdout.split(";", 3)[-1]

    def process(self):
        """The process id of slip itself."""
        shell = self.format("#{pane_pid}")
        found = subprocess.run(["ps", "--ppid", shell, "-o", "pid=,args="], capture_output=True, text=True).stdout
        return next((int(line.split()[0]) for line in found.splitlines() if " browse" in line), None)

    def text(self, *options):
        # The heavy borders of the pane with the keys are borders like the others.
        return self.tmux("capture-pane", "-p", *options).replace("┃", "│")

    def lines(self):
        return self.text().split("\n")[: self.size[1]]

    def keys(self, *keys):
        """Types names of keys; what begins with = is text."""
        for key in keys:
            self.tmux("send-keys", *(["-l", "--", key[1:]] if key.startswith("=") else [key]))

    def resize(self, width, height):
        self.size = (width, height)
        self.tmux("resize-window", "-x", str(width), "-y", str(height))

    def says(self, text, seconds=20):
        def there():
            seen = self.text()
            if text in seen:
                return True
            raise Fault("the screen shows\n" + re.sub(r"\n\s*[│|\s]*(?=\n)", "", seen))
        until(f"the screen says {text!r}", there, seconds)

    def cells(self):
        """The rows of the list where three panes are shown, with room for names beside titles."""
        rows = [line.split("│")[1] for line in self.lines()[1:-1] if line.count("│") >= 2]
        return [row for row in rows if row.strip()]

    def ids(self):
        return [row[2:].split(" ")[0] for row in self.cells()]

    def marked(self):
        return [re.sub("^[● ]*", "", row).split()[0] for row in self.cells() if row.startswith("●")]

    def current(self):
        """The id of the note in the preview."""
        found = re.search(r"^.*│ id +(\w+)", self.text(), re.MULTILINE)
        return found and found[1]

    def shows(self, *query):
        """Waits till the list is what the command lists."""
        def same():
            wanted, seen = [note.get("id") or note["path"] for note in self.box.notes(*query)], self.ids()
            if len(wanted) == len(seen) and all(map(names, seen, wanted)):
                return True
            if not wanted and re.search(r"\b0\s*$", self.lines()[0]):
                return True
            raise Fault(f"the command lists {wanted}, the screen {seen}:\n" + "\n".join(line for line in self.lines() if line.replace("│", "").strip()))
        until(f"the screen lists {query or 'all'}", same)

    def find(self, title):
        """Moves the cursor to a note of the list; keys are done in their order, so what was typed before does not matter."""
        wanted = self.box.note(title)["id"]
        until(f"{title} is listed", lambda: any(wanted.startswith(one) for one in self.ids()))
        place = next(place for place, one in enumerate(self.ids()) if wanted.startswith(one))
        self.keys("g", *["j"] * place)
        until(f"the cursor is on {title}", lambda: re.search(rf" {place + 1}/\d+\s*$", self.lines()[0]) and self.current() == wanted or Fault(self.text()) and False)

    def command(self, text):
        self.keys(":", "=" + text, "Enter")

    def restored(self, what):
        """The shell is there again, on the main screen, with the terminal's modes as they were."""
        until(f"{what}: the alternate screen is left", lambda: not self.open())
        until(f"{what}: the cursor is shown", lambda: self.format("#{cursor_flag}") == "1")
        until(f"{what}: the modes are as before", lambda: self.modes() == self.before or Fault(self.modes()) and False)
        mark = f"back{Screen.number}{time.monotonic_ns()}"
        self.tmux("send-keys", "C-u")
        self.keys(f"=echo {mark[:4]}'{mark[4:]}'", "Enter")
        self.says(mark)

    def close(self):
        try:
            if self.open():
                self.keys("Escape", "Escape", "Escape", "q")
                self.restored("quit")
        finally:
            self.kill()

    def kill(self):
        subprocess.run([*self.base, "kill-server"], capture_output=True)
