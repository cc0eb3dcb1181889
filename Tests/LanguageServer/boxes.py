"""Boxes for the tests."""

import os
import subprocess

import wire


class Box:
    """A box in a folder of its own."""

    def __init__(self, slip, folder, home):
        self.slip, self.folder, self.env = slip, folder, wire.environment(home)
        os.makedirs(folder, exist_ok=True)

    def run(self, *arguments, stdin=None):
        ran = subprocess.run(
            [self.slip, *arguments], cwd=self.folder, env=self.env, capture_output=True, text=True, input=stdin, timeout=120)
        if ran.returncode:
            raise RuntimeError(f"slip {' '.join(arguments)}: {ran.stderr.strip()}")
        return ran.stdout.strip()

    def git(self, *arguments):
        ran = subprocess.run(["git", *arguments], cwd=self.folder, env=self.env, capture_output=True, text=True, timeout=120)
        if ran.returncode:
            raise RuntimeError(f"git {' '.join(arguments)}: {ran.stderr.strip()}")
        return ran.stdout.strip()

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name), newline="", encoding="utf-8") as file:
            return file.read()

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", newline="", encoding="utf-8") as file:
            file.write(text)

    def uri(self, name):
        return wire.uri(self.path(name))

    def files(self):
        """The bytes of every file that is no part of git's, by its path."""
        found = {}
        for folder, folders, names in os.walk(self.folder):
            if ".git" in folders:
                folders.remove(".git")
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    found[os.path.relpath(path, self.folder)] = file.read()
        return found

    def commits(self):
        return int(self.git("rev-list", "--count", "HEAD"))


# Notes whose every place is known; others link to them by title, alias, path and id.
NOTES = {
    "fermentation.md": (
        "---\nid: fmnbbbbb\ntitle: Fermentation basics\naliases: [Pickling]\ntags: [food/ferment, winter]\n---\n"
        "# Fermentation basics\n\nSalt, time, patience. See [[Rye bread#Starter|the starter]] #craft.\n\n"
        "## Salt\n\nTwo per cent.\n\n## Time\n\nA week. ^week\n"),
    "rye.md": (
        "---\nid: rbrccccc\ntitle: Rye bread\ntags: [food]\n---\n"
        "# Rye bread\n\nAn 🍞 old loaf 🧂, see [[Fermentation basics]] and [salt](fermentation.md#salt).\n\n"
        "## Starter\n\n- [ ] feed it\n- [x] name it\n\n[[Fermentation basics#Salt]] matters, [[Pickling]] too.\n"),
    "broken.md": (
        "---\nid: brkddddd\ntitle: Broken ends\n---\n"
        "See [[No such note]] and [[Fermentation basics#No heading]]. A [bracket] is none.\n"),
    "plan.md": (
        "---\nid: plnfffff\ntitle: Plan for the week\n---\n"
        "Do [[Feed the starter]] before all else. 🙂🙂 [[Feed the starter]] again.\n"),
    "feed.md": (
        "---\nid: fdshhhhh\ntitle: Feed the starter\nkind: task\npriority: high\ndone: false\ngroup: ktckkkkk\n---\n"
        "With rye flour.\n"),
    "kitchen.md": "---\nid: ktckkkkk\ntitle: Kitchen\nkind: group\n---\nAll that is cooked.\n",
    "odd.md": "---\nid: ddrmmmmm\ntitle: Odd record\nkind: task\npriority: enormous\ndone: false\n---\nBreaks its kind.\n",
}


def sample(slip, folder, home, records=40):
    """A box with the notes above and sample records, all committed."""
    box = Box(slip, folder, home)
    box.run("init")
    if records:
        box.run("sample", "--seed", "7", "--count", str(records), "--force", "--one-commit")
    for name, text in NOTES.items():
        box.write(name, text)
    box.run("commit")
    return box
