"""The merge driver, disturbed at every mutating system call: git takes its file, so that must be the old or the merged one."""

import os
import shutil

import scenarios
import world
from shim import MODES

BASE = scenarios.note("alpha", scenarios.ALPHA, "greek")
OURS = BASE.replace("[greek]", "[greek, ours]") + "Ours.\n"
THEIRS = BASE.replace("Text", "Words").replace("title: Alpha", "title: First letter")
TEMPORARY = {".merge_file_o": BASE, ".merge_file_a": OURS, ".merge_file_b": THEIRS}
COMMAND = ["merge-driver", *TEMPORARY, "notes/alpha.md"]


class Driver:
    def __init__(self, slip, shim, scratch):
        self.program, self.shim = slip, shim
        self.folder = os.path.join(scratch, "driver")
        self.home = os.path.join(self.folder, "home")
        os.makedirs(self.home)
        self.box = os.path.join(self.folder, "box")
        scenarios.build(scenarios.Scenario("driver", []), self.box, self.slip)
        self.calls, self.merged = self.undisturbed()

    def slip(self, folder, arguments, **more):
        return world.run([self.program, *arguments], folder, world.environment(self.home, **more))

    def undisturbed(self):
        result, texts = self.run("count", 0)
        if result.status != 0 or texts[".merge_file_a"] == OURS:
            raise SystemExit(f"driver, undisturbed: exit {result.status}: {result.errors.decode(errors='replace')}")
        return len(self.shim.calls(self.box)), texts[".merge_file_a"]

    def run(self, mode, at):
        """The driver on fresh files, and what they hold then."""
        for name, text in TEMPORARY.items():
            world.write(self.box, name, text)
        result = self.slip(self.box, COMMAND, **self.shim.environment(self.box, mode, at))
        return result, {name: (world.read(self.box, name) or b"").decode(errors="replace") for name in TEMPORARY}

    def attempt(self, mode, at):
        result, texts = self.run(mode, at)
        problems = []
        if texts[".merge_file_a"] not in (OURS, self.merged):
            problems.append(f"what git takes is {texts['.merge_file_a']!r}")
        if result.status == 0 and texts[".merge_file_a"] != self.merged:
            problems.append("exit 0, but nothing was merged")
        if (texts[".merge_file_o"], texts[".merge_file_b"]) != (BASE, THEIRS):
            problems.append("the other files were changed")
        return [f"driver, {mode} at {at}: {problem}" for problem in problems]


def conduct(slip, shim, scratch):
    """Every point in every mode; prints a line, returns what did not hold."""
    driver = Driver(slip, shim, scratch)
    # A power cut ends git's merge as well, and its temporary files mean nothing then.
    points = [(mode, at) for mode in MODES if not mode.startswith("power") for at in range(1, driver.calls + 1)]
    problems = [problem for point in points for problem in driver.attempt(*point)]
    shutil.rmtree(driver.folder)
    print(f"driver: {driver.calls} calls, {len(points)} points, {len(problems)} violations", flush=True)
    return problems
