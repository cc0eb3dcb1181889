"""Disturbs one command at every mutating system call, in every way, and checks what is left."""

import concurrent.futures
import itertools
import os
import shlex
import shutil
import time
from dataclasses import dataclass

import scenarios
import world
from answers import Answers
from checks import Expectation, is_index_lost, is_kept, locks

LARGE_POINTS = 30, 60, 29  # the first calls, the last ones, and every so many between them
RECOVERED = b"finished an interrupted change"


@dataclass
class Violation:
    """A point at which something did not hold."""

    scenario: str
    mode: str
    at: object  # a number, or "end"
    problems: list


class Campaign:
    """One scenario: its box, what is expected, and the points to try."""

    def __init__(self, scenario, slip, shim, scratch):
        self.scenario, self.program, self.shim = scenario, slip, shim
        self.folder = os.path.join(scratch, scenario.name)
        self.home = os.path.join(self.folder, "home")
        os.makedirs(self.home)
        self.old = os.path.join(self.folder, "old")
        scenarios.build(scenario, self.old, self.slip)
        if scenario.interrupted:
            self.interrupt(*scenario.interrupted)
        self.measure()

    def slip(self, folder, arguments, stdin="", fault=None):
        """Runs slip, disturbed or not. Its editor, the user's own program, is never disturbed."""
        editor = {"EDITOR": f"sh -c {shlex.quote(scenarios.EDITOR)} editor"}
        more = {**editor, **(self.shim.environment(folder, *fault, self.scenario.children) if fault else {})}
        return world.run([self.program, *arguments], folder, world.environment(self.home, **more), stdin.encode())

    def run(self, folder, fault=None):
        return self.slip(folder, self.scenario.command, self.scenario.stdin, fault)

    def prepare(self, folder, source=None):
        """A fresh copy of the box, with what undisturbed commands keep there."""
        world.copy(source or self.old, folder)
        for command in self.scenario.before:
            result = self.slip(folder, command)
            if result.status != 0:
                raise SystemExit(f"{self.scenario.name}: slip {command[0]}: {result.errors.decode()}")
        if self.scenario.change:
            self.scenario.change(folder)

    def interrupt(self, command, sign):
        """Makes the box one in which another command was killed, at the first call where the sign shows."""
        before = self.old + ".before"
        os.rename(self.old, before)
        for at in range(1, 1000):
            world.copy(before, self.old)
            if self.slip(self.old, command, fault=("kill", at)).status == 0:
                break
            if sign(self.old):
                return
            shutil.rmtree(self.old)
        raise SystemExit(f"{self.scenario.name}: nowhere to be killed so that {sign.__name__}")

    def measure(self):
        """An undisturbed run, once and twice; which calls there are to disturb."""
        once, twice = os.path.join(self.folder, "new"), os.path.join(self.folder, "twice")
        runs = []
        for _ in range(3):  # random names need more or fewer folders
            for place in [once, world.hub(once)]:
                shutil.rmtree(place, ignore_errors=True)
            self.prepare(once)
            result = self.run(once, fault=("count", 0))
            if result.status != 0:
                raise SystemExit(f"{self.scenario.name}, undisturbed: exit {result.status}: {result.errors.decode()}")
            runs.append(self.shim.calls(once))
        self.calls = [set(names) for names in itertools.zip_longest(*runs)]
        if not self.calls:
            raise SystemExit("the library that disturbs slip sees nothing of it: is slip linked statically?")
        world.copy(once, twice)
        self.run(twice)
        ready = os.path.join(self.folder, "ready")
        self.prepare(ready)
        self.expected = Expectation(self.scenario, ready, once, twice)

    def points(self, mode):
        """The calls to disturb: every one, except that only writes can be short. The power can also fail at the end."""
        numbers = range(1, len(self.calls) + 1)
        if self.scenario.is_large:  # the files one after another are all alike, what comes before and after is not
            first, last, step = LARGE_POINTS
            numbers = [n for n in numbers if n <= first or n > len(self.calls) - last or n % step == 0]
        if mode == "short":  # or beside one, since the numbers vary
            return [n for n in numbers if any(names & {"write", "pwrite"} for names in self.calls[max(0, n - 2):n + 1])]
        return [*numbers, *(["end"] if mode.startswith("power") else [])]

    def attempt(self, mode, at, keep=None):
        """Disturbs one call in a fresh copy of the box, checks, runs the command again, checks."""
        folder = keep or os.path.join(self.folder, f"{mode}-{at}")
        self.prepare(folder)
        first = self.run(folder, fault=(mode, at))
        problems = [f"then: {problem}" for problem in self.judge_first(folder, mode, first)]
        index_was_lost = is_index_lost(folder)
        was_committed = world.git(folder, "rev-parse", "HEAD") != world.git(self.old, "rev-parse", "HEAD")
        asked, differences = self.ask(folder, first)
        problems += [f"asked: {problem}" for problem in differences]
        second = self.run(folder)
        second.errors += asked
        problems += [f"again: {problem}" for problem in self.judge_second(folder, second, was_committed, index_was_lost)]
        problems += [f"asked again: {problem}" for problem in self.ask(folder, second)[1]]
        if keep:
            print(f"first: {first}\nsecond: {second}")
        else:
            shutil.rmtree(folder)
            shutil.rmtree(world.hub(folder), ignore_errors=True)
            self.shim.forget(folder)
        return Violation(self.scenario.name, mode, at, problems), index_was_lost

    def ask(self, folder, result):
        """What slip says on standard error while it is asked, and which answers are not right."""
        if not self.scenario.asks:
            return b"", []
        read = self.scenario.command if self.scenario.reads else None
        kept = Answers(self.slip, folder, read)
        anew = Answers.anew(self.slip, folder, read)
        problems = kept.differences(anew)
        if read and result.status == 0 and result.output != anew.read.output:
            problems.append(f"it answered {result.output!r}, not {anew.read.output!r}"[:480])
        return kept.errors, problems

    def judge_first(self, folder, mode, result):
        problems = self.expected.after_fault(folder)
        is_killed = mode == "kill" or mode.startswith("power")
        allowed = (-9,) if is_killed else () if self.scenario.reads else self.scenario.failures
        if result.status not in (0, *allowed):
            problems.append(f"exit {result.status}: {result.errors.decode(errors='replace').strip()}"[:240])
        if result.status == 0 and not is_index_lost(folder):
            problems += [f"exit 0, but {problem}" for problem in self.expected.done(folder, is_last=False)]
        if not is_killed:
            problems += [f"not imported: {lock}" for lock in locks(folder) if lock not in locks(self.old)]
            if result.status != 0 and not is_kept(folder, self.scenario.text, result.errors):
                problems.append("the text that was typed is nowhere")
        return problems

    def judge_second(self, folder, result, was_committed, index_was_lost):
        problems = []
        is_gone = self.scenario.deletes and result.status == 66
        if result.status != 0 and not is_gone:
            problems.append(f"exit {result.status}: {result.errors.decode(errors='replace').strip()}"[:240])
        if index_was_lost and result.status == 0 and not result.errors:
            problems.append("git's index was lost and not a word is said of it")
        may_be_twice = self.scenario.repeats and (was_committed or RECOVERED in result.errors)
        return problems + self.expected.done(folder, may_be_twice, index_was_lost, is_last=not is_gone)


def sampled(points, share):
    """An even share of the points, the last one always among them."""
    points = list(points)
    step = max(1, round(1 / share))
    return points[::-1][::step][::-1]


def conduct(names, modes, slip, shim, scratch, share=1.0, jobs=2):
    """Runs scenarios, prints a line for each, returns the violations."""
    violations, total = [], 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for scenario in scenarios.ALL:
            if scenario.name not in names:
                continue
            start = time.monotonic()
            campaign = Campaign(scenario, slip, shim, scratch)
            tried = {mode: sampled(campaign.points(mode), share) for mode in modes}
            points = [(mode, at) for mode in modes for at in tried[mode]]

            def attempt(point):
                violation, index_was_lost = campaign.attempt(*point)
                # Said at once: a run of an hour may be cut off before its report.
                if violation.problems:
                    print(f"{scenario.name}, {violation.mode} at {violation.at}: {'; '.join(violation.problems)}", flush=True)
                return violation, index_was_lost

            results = list(pool.map(attempt, points))
            found = [violation for violation, _ in results if violation.problems]
            counts = ", ".join(f"{mode} {len(tried[mode])}" for mode in modes)
            lost = sum(index_was_lost for _, index_was_lost in results)
            print(
                f"{scenario.name}: {len(campaign.calls)} calls; {counts}: {len(points)} points, {len(found)} violations"
                + (f", git's index lost {lost} times" if lost else "") + f", {time.monotonic() - start:.0f} s",
                flush=True)
            violations += found
            total += len(points)
            shutil.rmtree(campaign.folder)
    print(f"{total} points, {len(violations)} violations")
    return violations
