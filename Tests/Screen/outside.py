"""Another process adds, edits, deletes and pulls while keys are typed: the screen comes to what the command lists."""

import os
import random

from screen import Box, Fault, Screen, each, until


def both(slip, scratch):
    os.makedirs(scratch)
    box = Box(slip, scratch)
    for number in range(8):
        box.run("new", f"Note {number}", "-b", f"Text {number}.\n")
    bare, other = os.path.join(scratch, "bare.git"), os.path.join(scratch, "other")
    box.git("clone", "-q", "--bare", box.path, bare)
    box.git("remote", "add", "origin", bare)
    box.git("fetch", "-q")
    box.git("branch", "--set-upstream-to=origin/main", "main")
    os.makedirs(other)
    return box, Box(slip, other, clone_of=bare)


def kept(box, other):
    """The marked notes and the note under the cursor stay, whatever comes in around them."""
    screen = Screen(box)
    try:
        screen.find("Note 5")
        screen.keys("space")
        screen.find("Note 2")
        screen.keys("space")
        until("two are marked", lambda: len(screen.marked()) == 2)
        screen.find("Note 3")
        wanted, marked = screen.current(), screen.marked()
        box.run("new", "From the command")
        screen.shows()
        box.run("rm", "Note 7")
        screen.shows()
        with open(os.path.join(box.path, box.note("Note 3")["path"]), "a") as file:
            file.write("Appended by an editor.\n")
        until("the text of the note is new", lambda: "Appended by an editor" in screen.text() or Fault(screen.text()) and False)
        other.run("new", "From the other clone")
        other.run("set", "Note 2", "+pulled")
        other.run("sync")
        box.run("sync")
        screen.shows()
        until("the cursor's note stays", lambda: screen.current() == wanted)
        full = [next(note["id"] for note in box.notes() if note["id"].startswith(prefix)) for prefix in screen.marked()]
        if len(full) != 2 or not all(one.startswith(old) for one, old in zip(full, marked)):
            raise Fault(f"the marked notes are {full}, were {marked}")
        box.run("rm", "Note 3")
        screen.shows()
        screen.close()
    finally:
        screen.kill()


def typed(box, other, turns=40):
    """Keys and another program at once; what was done on the screen and beside it is all there in the end."""
    chance = random.Random(7)
    screen = Screen(box)
    made = set()
    try:
        for turn in range(turns):
            screen.keys(*[chance.choice(["j", "k", "g", "G", "J", "K", "Tab", "space", "C-d"]) for _ in range(3)])
            kind = turn % 5
            if kind == 0:
                box.run("new", f"Beside {turn}")
                made.add(f"Beside {turn}")
            elif kind == 1:
                screen.keys("Escape", "Escape", "Escape")
                screen.command(f'new "Here {turn}"')
                until("it is made", lambda: any(note["title"] == f"Here {turn}" for note in box.notes()))
                made.add(f"Here {turn}")
            elif kind == 2:
                gone = chance.choice(sorted(made))
                box.run("rm", gone)
                made.discard(gone)
            elif kind == 3:
                with open(os.path.join(box.path, f"editor{turn}.md"), "w") as file:
                    file.write(f"---\ntitle: Editor {turn}\n---\nText.\n")
                made.add(f"Editor {turn}")
            else:
                other.run("new", f"Other {turn}")
                made.add(f"Other {turn}")
                other.run("sync")
                box.run("sync")
        screen.keys("Escape", "Escape", "Escape", "0", "g")
        screen.shows()
        if missing := made - {note["title"] for note in box.notes()}:
            raise Fault(f"lost: {missing}")
        screen.close()
    finally:
        screen.kill()
    box.run("commit", may_fail=True)
    return box.whole(())


def conduct(slip, scratch, say):
    return each({"marks and cursor stay": lambda: kept(*both(slip, os.path.join(scratch, "kept"))), "all at once": lambda: typed(*both(slip, os.path.join(scratch, "typed")))}, say)
