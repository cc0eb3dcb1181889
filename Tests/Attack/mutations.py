"""Random mutations of the files of a box; see mutations.sh."""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

PATIENCE = 10
NOTES = {
    "one.md": "---\nid: bcdfghjk\ntitle: One\ncreated: 2026-01-05T09:30:00Z\ntags: [a]\n---\nSee [[Two]].\n",
    "two.md": "---\ntitle: Two\nkind: recipe\nstars: 4\n---\nText of two.\n",
    "plain.md": "# Plain\n\nNo front-matter, [[One]] and #tag.\n",
    "deep/er/three.md": "---\ntitle: Three\nkind: issue\nstatus: open\n---\n![image](../x.png)\n",
}
# Files that hold git's objects.
OBJECTS = re.compile(r"\.git/objects/([0-9a-f]{2}/[0-9a-f]{38}|pack/pack-[0-9a-f]+\.(pack|idx))")
KIND = "fields:\n  stars:\n    type: integer\nsort: -stars\n"
COMMANDS = {
    "list": ["list", "--json"],
    "log": ["log", "--json"],
    "show": ["show", "one.md", "--json"],
    "search": ["search", "text", "--json"],
    "past": ["list", "--as-of", "HEAD", "--json"],
}


class Campaign:
    def __init__(self, slip, seed, work):
        self.slip = os.path.abspath(slip)
        self.random = random.Random(seed)
        self.work = work
        self.environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": work, "XDG_CONFIG_HOME": work,
            "GIT_CONFIG_GLOBAL": os.path.join(work, "gitconfig"), "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8",
        }
        with open(self.environment["GIT_CONFIG_GLOBAL"], "w") as file:
            file.write("[user]\n\tname = Ada\n\temail = ada@example.org\n[gc]\n\tauto = 0\n")
        self.problems = []
        self.figures = {"right": 0, "as a clean clone": 0, "warned": 0, "refused": 0, "found by doctor": 0}

    def run(self, arguments, folder):
        """The exit status (None where the patience is over), output and errors of a command."""
        try:
            ran = subprocess.run(
                arguments, cwd=folder, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                timeout=PATIENCE)
            return ran.returncode, ran.stdout, ran.stderr.decode(errors="replace")
        except subprocess.TimeoutExpired:
            return None, b"", "no answer"

    def git(self, folder, *arguments):
        return self.run(["git", *arguments], folder)

    def make(self):
        """A small box with loose objects, a pack, branches, kinds and a kept catalogue."""
        box = os.path.join(self.work, "box")
        os.makedirs(box)
        for path, text in NOTES.items():
            os.makedirs(os.path.dirname(os.path.join(box, path)) or box, exist_ok=True)
            with open(os.path.join(box, path), "w") as file:
                file.write(text)
        with open(os.path.join(box, "x.png"), "w") as file:
            file.write("x")
        self.expect(box, self.slip, "init", "-q")
        os.makedirs(os.path.join(box, ".slipbox/kinds"), exist_ok=True)
        with open(os.path.join(box, ".slipbox/kinds/recipe.yaml"), "w") as file:
            file.write(KIND)
        self.expect(box, self.slip, "commit", "-q")
        self.expect(box, "git", "gc", "-q")
        self.expect(box, "git", "branch", "other")
        self.expect(box, self.slip, "append", "one.md", "More text.")
        self.expect(box, self.slip, "set", "two.md", "stars:5")
        self.expect(box, "git", "status", "-s")
        self.expect(box, self.slip, "list")
        return box

    def expect(self, folder, *arguments):
        status, output, errors = self.run(list(arguments), folder)
        if status != 0:
            sys.exit(f"{' '.join(arguments)}: {status}\n{errors}")
        return output

    def answers(self, box):
        return {name: self.run([self.slip, *words], box) for name, words in COMMANDS.items()}

    def files(self, box):
        found = []
        for root in (".git", ".slipbox"):
            for folder, _, names in os.walk(os.path.join(box, root)):
                found += [os.path.relpath(os.path.join(folder, name), box) for name in names]
        return sorted(path for path in found if not path.endswith(".sample"))

    def mutate(self, path):
        """Changes a file and says how."""
        choose = self.random
        with open(path, "rb") as file:
            data = bytearray(file.read())
        way = choose.choice(["flip", "flip", "flip", "cut", "empty", "gone", "noise", "zeros", "longer", "twice"])
        if not data and way in ("flip", "cut", "noise", "zeros", "twice"):
            way = "longer"
        if way == "flip":
            for _ in range(choose.choice([1, 1, 2, 8])):
                data[choose.randrange(len(data))] ^= 1 << choose.randrange(8)
        elif way == "cut":
            del data[choose.randrange(len(data)):]
        elif way == "noise":
            start = choose.randrange(len(data))
            for place in range(start, min(len(data), start + choose.randrange(1, 64))):
                data[place] = choose.randrange(256)
        elif way == "zeros":
            start = choose.randrange(len(data))
            for place in range(start, min(len(data), start + choose.randrange(1, 512))):
                data[place] = 0
        elif way == "longer":
            data += bytes(choose.randrange(256) for _ in range(choose.randrange(1, 64)))
        elif way == "twice":
            data += bytes(data)
        elif way == "empty":
            data.clear()
        os.chmod(path, 0o644)
        os.remove(path)
        if way != "gone":
            with open(path, "wb") as file:
                file.write(data)
        return way

    def clean_answers(self, box, name):
        """The answer of a clean clone of the mutated repository with the same files; None where git can't clone it."""
        clone = os.path.join(self.work, "clone")
        shutil.rmtree(clone, ignore_errors=True)
        if self.git(self.work, "clone", "-q", "--no-local", box, clone)[0] != 0:
            return None
        for entry in os.listdir(clone):
            if entry != ".git":
                path = os.path.join(clone, entry)
                shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        for entry in os.listdir(box):
            if entry != ".git":
                self.run(["cp", "-a", os.path.join(box, entry), clone], self.work)
        return self.run([self.slip, *COMMANDS[name]], clone)

    def point(self, pristine, number, known):
        box = os.path.join(self.work, "point")
        shutil.rmtree(box, ignore_errors=True)
        self.run(["cp", "-a", pristine, box], self.work)
        path = self.random.choice(self.files(box))
        way = self.mutate(os.path.join(box, path))
        what = f"point {number}: {path} {way}"
        before = len(self.problems)
        is_sound = self.git(box, "fsck", "--strict")[0] == 0
        tip = self.git(box, "rev-parse", "-q", "--verify", "HEAD")[1].strip()
        for name, (status, output, errors) in self.answers(box).items():
            if self.is_broken(status, errors):
                self.problems.append(f"{what}: {name}: {status}: {errors.strip()[-300:]}")
            elif status not in (0, 1):
                if not errors.strip():
                    self.problems.append(f"{what}: {name}: refused with {status}, without a word")
                self.figures["refused"] += 1
            elif output == known[name][1]:
                self.figures["right"] += 1
            elif errors.strip():
                self.figures["warned"] += 1
            else:
                clean = self.clean_answers(box, name)
                if clean is None or clean[1] != output:
                    self.problems.append(f"{what}: {name}: another answer, without a word")
                self.figures["as a clean clone"] += 1
        self.examine(box, what, not is_sound and way != "gone" and OBJECTS.fullmatch(path) is not None)
        self.write(box, what, is_sound, tip)
        return None if len(self.problems) == before else box

    def examine(self, box, what, is_damaged):
        """The doctor looks at all of it, and finds what is damaged of git's objects."""
        status, _, errors = self.run([self.slip, "doctor"], box)
        if self.is_broken(status, errors):
            self.problems.append(f"{what}: doctor: {status}: {errors.strip()[-300:]}")
        elif status == 0 and is_damaged:
            self.problems.append(f"{what}: doctor: finds nothing where git fsck does")
        elif status == 65:
            self.figures["found by doctor"] += 1

    @staticmethod
    def is_broken(status, errors):
        return status is None or status < 0 or status >= 128 or status == 70 or "Fatal error" in errors

    def write(self, box, what, is_sound, tip):
        """A note is made, and a repository that was sound stays so, with its history below the new commit."""
        status, _, errors = self.run([self.slip, "new", "A new note"], box)
        if self.is_broken(status, errors):
            self.problems.append(f"{what}: new: {status}: {errors.strip()[-300:]}")
        if status != 0 or not is_sound:
            return
        if self.git(box, "fsck", "--strict")[0] != 0:
            self.problems.append(f"{what}: new: git fsck finds faults that were not there")
        if tip and self.git(box, "merge-base", "--is-ancestor", tip.decode(), "HEAD")[0] != 0:
            self.problems.append(f"{what}: new: the history is no longer below HEAD")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slip")
    parser.add_argument("--quick", action="store_true", help="a few points")
    parser.add_argument("--count", type=int, help="how many points (10,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="where the first box with a problem is left")
    options = parser.parse_args()
    count = options.count or (40 if options.quick else 10_000)
    work = tempfile.mkdtemp(prefix="slip-mutations-")
    try:
        campaign = Campaign(options.slip, options.seed, work)
        pristine = campaign.make()
        for name in list(COMMANDS):
            if campaign.run([campaign.slip, *COMMANDS[name]], pristine)[0] == 64:
                del COMMANDS[name]
        known = campaign.answers(pristine)
        for number in range(1, count + 1):
            bad = campaign.point(pristine, number, known)
            if bad and options.keep and not os.path.exists(options.keep):
                shutil.copytree(bad, options.keep, symlinks=True)
        for problem in campaign.problems:
            print(problem)
        figures = ", ".join(f"{value} {name}" for name, value in campaign.figures.items())
        print(f"mutations: {count} points of seed {options.seed}: {figures}; {len(campaign.problems)} problems")
        return 1 if campaign.problems else 0
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main())
