"""The program is ended or stopped at random moments, also while a change runs: the terminal is as it was, nothing is lost."""

import os
import random
import signal
import time

from screen import Box, Fault, Screen, each, until


def settled(box, titles):
    """Every note that a commit made is there, and the next command finds nothing half done."""
    box.run("new", "After")
    there = {note["title"] for note in box.notes()}
    if missing := set(titles) - there:
        raise Fault(f"lost: {missing}")
    box.run("rm", "After")
    return box.whole(("browse", "new", "rm"))


def ended(slip, folder, kind, rounds=6):
    os.makedirs(folder)
    chance = random.Random(kind)
    box = Box(slip, folder)
    for number in range(5):
        box.run("new", f"Note {number}")
    screen = Screen(box)
    problems = []
    try:
        for turn in range(rounds):
            if turn:
                screen.begin()
            process = screen.process()
            if turn % 2:
                screen.command(f'new "Made in turn {turn}"')
            else:
                screen.keys(*[chance.choice(["j", "k", "/", "?", ":", "H", "Escape"]) for _ in range(3)])
            time.sleep(chance.random() * 0.15)
            os.kill(process, kind)
            screen.restored(f"turn {turn}")
            titles = [line.split(": ", 1)[1] for line in box.subjects(turn + 6) if line.startswith("New note: ") and "After" not in line]
            problems += [f"turn {turn}: {one}" for one in settled(box, titles)]
        return problems
    finally:
        screen.kill()


def stopped(slip, folder):
    """STOP and CONT, and ctrl-z and fg: the screen is drawn again and takes keys."""
    os.makedirs(folder)
    box = Box(slip, folder)
    for number in range(5):
        box.run("new", f"Note {number}")
    screen = Screen(box)
    try:
        for turn in range(4):
            process = screen.process()
            if turn % 2:
                os.kill(process, signal.SIGSTOP)
                until("it is stopped", lambda: open(f"/proc/{process}/stat").read().rsplit(") ", 1)[1][0] == "T")
                until("the shell has it back", lambda: "Stopped" in screen.text())
                screen.keys("=fg", "Enter")
            else:
                screen.keys("C-z") if turn == 0 else os.kill(process, signal.SIGTSTP)
                screen.restored("suspended")
                screen.keys("=fg", "Enter")
            until("the alternate screen is back", screen.open)
            screen.keys("C-l", "Escape", "Escape")
            screen.shows()
            screen.command(f'new "Turn {turn}"')
            screen.says(f"New note: Turn {turn}")
            screen.shows()
        screen.close()
        return box.whole(("browse", "new"))
    finally:
        screen.kill()


def conduct(slip, scratch, say):
    kinds = [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGINT]
    cases = {kind.name: lambda kind=kind: ended(slip, os.path.join(scratch, kind.name), kind) for kind in kinds}
    return each({**cases, "stopped": lambda: stopped(slip, os.path.join(scratch, "stopped"))}, say)
