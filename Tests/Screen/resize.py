"""A storm of sizes while keys are typed; afterwards the screen is the one of a fresh start."""

import os
import random

from screen import Box, Fault, Screen, each, until

KEYS = ["j", "k", "g", "G", "h", "l", "Tab", "C-d", "C-u", "J", "K", "+", "-", "/", "=kind:", "?", "Escape", "Escape", ":", "=sh", "H", "B", "Escape", "space", "v", "C-l"]
SIZES = [(1, 1), (2, 1), (1, 40), (5, 3), (20, 5), (39, 10), (40, 10), (79, 24), (80, 24), (119, 40), (120, 40), (200, 60), (300, 2)]


def calm(screen, size):
    """All views left and nothing marked, at the last note of all, in panes as wide as at the start."""
    screen.resize(*size)
    for _ in range(6):
        screen.keys("Escape")
    screen.keys("0", "h", "h", "h", "Right", "g", "G", "g")


def storm(slip, folder, seed):
    os.makedirs(folder)
    chance = random.Random(seed)
    box = Box(slip, folder)
    for number in range(30):
        box.run("new", f"Note {number} 漢字 e\u0301 שלום", "-b", f"Text {number}, see [[Note 1 漢字 e\u0301 שלום]].\n")
    before = box.commits()
    screen, fresh = Screen(box), None
    try:
        for _ in range(120):
            if chance.random() < 0.5:
                screen.resize(*chance.choice(SIZES))
            screen.keys(*[chance.choice(KEYS) for _ in range(chance.randrange(4))])
        if not screen.open():
            raise Fault("it has ended:\n" + screen.text())
        # What + and _ did to the widths is taken back by starting anew beside it, so the sizes without borders moved are compared.
        calm(screen, (39, 20))
        fresh = Screen(box, (39, 20))
        calm(fresh, (39, 20))
        until("the screen equals a fresh one", lambda: screen.text() == fresh.text() or Fault(f"\n{screen.text()}\nfresh:\n{fresh.text()}") and False)
        calm(screen, (120, 40))
        screen.shows()
        if box.commits() != before:
            raise Fault(f"commits were made: {box.subjects(3)}")
        screen.close()
        fresh.close()
        return box.whole(())
    finally:
        screen.kill()
        if fresh:
            fresh.kill()


def conduct(slip, scratch, say):
    return each({f"storm {seed}": lambda seed=seed: storm(slip, os.path.join(scratch, str(seed)), seed) for seed in range(2)}, say)
