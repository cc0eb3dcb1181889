"""Kills the server while it renames a tag in many notes: the box is whole, and the same rename can be done again."""

import os
import random
import shutil
import time

import boxes
import wire

NOTES = 60  # so many that the server writes them itself, in one commit


def note(number, tag):
    return f"---\ntitle: Note {number}\ntags: [{tag}, other]\n---\n# Note {number}\r\n\r\nText 🙂 {number}, #{tag} too.\n"


def prepared(slip, folder, home):
    box = boxes.Box(slip, folder, home)
    box.run("init")
    for number in range(NOTES):
        box.write(f"note-{number}.md", note(number, "old"))
    box.run("commit")
    return box


def begin(box, log):
    """A server that is asked to rename the tag, and the id of the question."""
    server = wire.Server(box.slip, box.folder, box.env, errors=log)
    asked = []

    def choose(params):
        asked.append(params)
        return params["actions"][0]

    server.reply["window/showMessageRequest"] = choose
    server.reply["workspace/applyEdit"] = lambda params: {"applied": True}
    server.initialize(box.folder)
    text = note(0, "old")
    server.open(box.path("note-0.md"), text)
    line = text.replace("\r\n", "\n").split("\n").index("tags: [old, other]")
    place = {"textDocument": {"uri": box.uri("note-0.md")}, "position": {"line": line, "character": 8}}
    return server, server.begin("textDocument/rename", {**place, "newName": "new"}), asked


def state(box):
    """How many notes bear the old and the new tag; fails where a note is neither as it was nor as it is to be."""
    old = new = 0
    for number in range(NOTES):
        text = box.read(f"note-{number}.md")
        if text == note(number, "old"):
            old += 1
        elif text == note(number, "new"):
            new += 1
        else:
            raise RuntimeError(f"note-{number}.md is half changed: {text!r}")
    return old, new


def conduct(slip, scratch, say, rounds, seed=None):
    seed = seed if seed is not None else random.randrange(10**6)
    dice = random.Random(seed)
    folder = os.path.join(scratch, "deaths")
    os.makedirs(folder)
    log = os.path.join(folder, "stderr")
    problems = []
    try:
        original = prepared(slip, os.path.join(folder, "original"), folder)
        box = boxes.Box(slip, os.path.join(folder, "whole"), folder)
        shutil.copytree(original.folder, box.folder, dirs_exist_ok=True)
        server, id, asked = begin(box, log)
        start = time.monotonic()
        answer = server.answer(id)
        took = time.monotonic() - start
        server.shut_down()
        if "error" in answer:
            word = "not there yet" if answer["error"]["code"] == -32601 else "refused"
            return [f"{word}: textDocument/rename: {answer['error']['message']}"]
        if not asked:
            problems.append(f"{NOTES} notes were changed without a question")
        # The note that is open is the editor's to change.
        old, new = state(box)
        if new < NOTES - 1:
            problems.append(f"after the rename {old} notes bear the old tag and {new} the new one")
        if box.commits() != original.commits() + 1:
            problems.append(f"{box.commits() - original.commits()} commits for one rename")
        before = after = 0
        for round in range(rounds):
            box = boxes.Box(slip, os.path.join(folder, f"box-{round}"), folder)
            shutil.copytree(original.folder, box.folder, dirs_exist_ok=True)
            server, id, _ = begin(box, log)
            time.sleep(dice.random() * took * 1.2)
            server.kill()
            try:
                box.git("fsck", "--strict")
                box.run("list", "--count")
                old, new = state(box)
                before, after = before + (new == 0), after + (new > 0)
                if box.commits() > original.commits() + 1:
                    raise RuntimeError(f"{box.commits() - original.commits()} commits for one rename")
                if old:
                    box.run("tags", "rename", "old", "new", "--yes")
                if state(box) != (0, NOTES):
                    raise RuntimeError(f"done again, the rename leaves {state(box)}")
                if box.git("status", "--porcelain"):
                    raise RuntimeError(f"not committed: {box.git('status', '--porcelain')}")
            except (RuntimeError, OSError) as error:
                problems.append(f"killed in round {round} of seed {seed}: {error}")
                say(f"  {problems[-1][:600]}")
            shutil.rmtree(box.folder)
        say(f"  {rounds} deaths from seed {seed}: {before} before the first note was written, {after} later")
    except (wire.Gone, RuntimeError) as error:
        problems.append(str(error))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return problems
