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


def unanswered(slip, folder, home):
    """A question to the user that stays open holds up neither other answers nor the end."""
    box = prepared(slip, folder, home)
    server = wire.Server(box.slip, box.folder, box.env)
    server.ignored = {"window/showMessageRequest"}
    server.initialize(box.folder)
    text = note(0, "old")
    server.open(box.path("note-0.md"), text)
    place = {"textDocument": {"uri": box.uri("note-0.md")}, "position": {"line": 2, "character": 8}}
    id = server.begin("textDocument/rename", {**place, "newName": "new"})
    problems = []
    try:
        if not server.wait(lambda: server.requests or id in server.answers, 20) or not server.requests:
            return ["there was no question"]
        for what, method, params in (("a completion", "textDocument/completion", place), ("the end", "shutdown", None)):
            if method == "shutdown":
                server.notify("$/cancelRequest", {"id": id})
            try:
                server.request(method, params, timeout=10)
            except wire.Gone:
                problems.append(f"{what} waits for a question to the user that is not answered")
        server.notify("exit")
        try:
            server.wait_for_end(10)
        except wire.Gone:
            problems.append("the server does not end while a question is open")
        if box.git("status", "--porcelain") or state(box) != (NOTES, 0):
            problems.append("something was changed without an answer")
    finally:
        if server.is_running():
            server.kill()
    return problems


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
        problems += unanswered(slip, os.path.join(folder, "unanswered"), folder)
        for problem in problems:
            say(f"  {problem}")
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
                    # Where some notes bear the new tag already, the two are merged.
                    box.run("tags", *(["merge", "old", "new"] if new else ["rename", "old", "new"]), "--yes")
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
