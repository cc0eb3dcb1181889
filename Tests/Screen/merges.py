"""What a merge left open is settled by keys; a note of the past comes back from its history; links, palette, clipboard."""

import os

from screen import Box, Fault, Screen, each, until


def two(slip, scratch):
    """Two clones that changed one field and one line each in their own way, merged into the first."""
    os.makedirs(scratch)
    box = Box(slip, scratch)
    box.run("new", "issue", "Both sides", "priority:low", "-b", "One.\nTwo.\nThree.\n")
    bare, folder = os.path.join(scratch, "bare.git"), os.path.join(scratch, "other")
    box.git("clone", "-q", "--bare", box.path, bare)
    box.git("remote", "add", "origin", bare)
    box.git("fetch", "-q")
    box.git("branch", "--set-upstream-to=origin/main", "main")
    os.makedirs(folder)
    other = Box(slip, folder, clone_of=bare)
    for side, priority, line in ((other, "high", "Two of them."), (box, "medium", "Two of mine.")):
        path = os.path.join(side.path, side.note("Both sides")["path"])
        with open(path) as file:
            text = file.read()
        with open(path, "w") as file:
            file.write(text.replace("priority: low", f"priority: {priority}").replace("Two.", line))
        side.run("commit", "-m", "by hand")
        side.run("sync")
    return box


def settled(box):
    if len(box.notes("is:conflicted")) != 1:
        raise Fault("the merge left nothing open")
    screen = Screen(box)
    try:
        screen.keys("C")
        screen.shows("is:conflicted")
        screen.keys("!")
        screen.says("priority")
        screen.says("more conflicts")
        before, first = box.commits(), box.note("Both sides")["fields"]["priority"]
        screen.keys("2")
        until("the field is settled", lambda: box.commits() == before + 1)
        second = box.note("Both sides")["fields"]["priority"]
        if {first, second} != {"high", "medium"}:
            raise Fault(f"{first} became {second}")
        screen.says("Resolve priority: Both sides")
        screen.keys("!")
        screen.says("keep all")
        screen.keys("a")
        until("the text is settled", lambda: box.commits() == before + 2)
        body = box.note("Both sides")["body"]
        if "Two of mine.\n" not in body or "Two of them.\n" not in body or "<!--" in body:
            raise Fault(body)
        screen.shows("is:conflicted")
        screen.keys("0")
        screen.shows()
        screen.find("Both sides")
        screen.keys("!")
        screen.says("this note has no conflict")
        screen.close()
    finally:
        screen.kill()
    return box.whole(())


def places(slip, scratch):
    os.makedirs(scratch)
    box = Box(slip, scratch)
    box.run("new", "Salt", "-b", "See [[Brine]].\n", "+food")
    box.run("new", "Brine", "-b", "Water.\n")
    box.run("set", "Salt", "+sea")
    box.run("append", "Salt", "Of the sea.")
    screen = Screen(box)
    try:
        screen.tmux("set-option", "-s", "set-clipboard", "on")
        screen.find("Salt")
        first = box.git("log", "--format=%s").splitlines()
        screen.keys("H")
        screen.says("restore this version")
        screen.keys("G")
        screen.keys("r")
        until("it is as it was made", lambda: box.commits() == len(first) + 1)
        note = box.note("Salt")
        if note["tags"] != ["food"] or "sea" in note["body"]:
            raise Fault(str(note))
        screen.shows()
        screen.keys("u")
        until("undone", lambda: "Of the sea." in box.note("Salt")["body"])
        screen.shows()
        screen.find("Salt")
        screen.keys("L")
        screen.shows("linked-by:Salt")
        screen.keys("Escape")
        screen.shows()
        screen.find("Salt")
        screen.keys("y", "l")
        screen.says("copied: [[Salt]]")
        until("the clipboard has it", lambda: screen.tmux("show-buffer") == "[[Salt]]")
        screen.keys("C-p", "=backlinks", "Enter")
        until("none links to it", lambda: screen.lines()[0].rstrip().endswith(" 0") or Fault(screen.text()) and False)
        screen.close()
    finally:
        screen.kill()


def conduct(slip, scratch, say):
    return each({"what a merge left open": lambda: settled(two(slip, os.path.join(scratch, "settled"))), "history, links, clipboard, palette": lambda: places(slip, os.path.join(scratch, "places"))}, say)
