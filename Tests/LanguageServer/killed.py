#!/usr/bin/env python3
"""Kills slip lsp at random moments of a rename over 400 notes, and holds the box against what it may be.

Usage: killed.py SLIP [ROUNDS]. After each kill the next command finishes what was begun or reverses it: every note has
the old title or every note has the new one, nothing is lost, and one undo leads back to the beginning.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

NOTES = 400
CAPABILITIES = {
    "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}},
    "textDocument": {"rename": {"prepareSupport": True}},
    "window": {"showMessage": {}},
}


class Editor:
    """An editor that says yes to what the server asks."""

    def __init__(self, slip, folder, environment):
        self.process = subprocess.Popen(
            [slip, "lsp"], cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.asked = threading.Event()
        self.done = threading.Event()
        self.root = "file://" + folder
        threading.Thread(target=self.read, daemon=True).start()
        self.send({"id": 1, "method": "initialize", "params": {
            "processId": None, "rootUri": self.root, "capabilities": CAPABILITIES}})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        try:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def read(self):
        stream = self.process.stdout
        while True:
            length = 0
            while True:
                line = stream.readline()
                if not line:
                    return
                if not line.strip():
                    break
                length = int(line.split(b":")[1])
            message = json.loads(stream.read(length))
            if message.get("method") == "window/showMessageRequest":
                self.asked.set()
                self.send({"id": message["id"], "result": message["params"]["actions"][0]})
            elif message.get("method") == "workspace/applyEdit":
                self.send({"id": message["id"], "result": {"applied": True}})
            elif message.get("id") == 2:
                self.done.set()

    def rename(self, path, name):
        with open(path) as file:
            text = file.read()
        uri = "file://" + path
        self.send({"method": "initialized", "params": {}})
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": {
            "uri": uri, "languageId": "markdown", "version": 1, "text": text}}})
        self.send({"id": 2, "method": "textDocument/rename", "params": {
            "textDocument": {"uri": uri}, "position": {"line": 1, "character": 4}, "newName": name}})


def contents(folder):
    """The notes of a box by their paths."""
    found = {}
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


def main():
    slip, rounds = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20
    base = tempfile.mkdtemp(prefix="slip-killed-")
    environment = {**os.environ, "HOME": base, "XDG_CONFIG_HOME": base + "/config", "GIT_CONFIG_NOSYSTEM": "1"}
    for who in ("AUTHOR", "COMMITTER"):
        environment[f"GIT_{who}_NAME"], environment[f"GIT_{who}_EMAIL"] = "Ada", "ada@example.org"
    master = base + "/master"
    os.mkdir(master)

    def run(folder, *command):
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)

    run(master, "git", "init", "-q", "-b", "main")
    with open(master + "/ada.md", "w") as file:
        file.write("---\ntitle: Ada Lovelace\n---\nText.\n")
    for number in range(NOTES):
        with open(f"{master}/n{number}.md", "w") as file:
            file.write(f"# N{number}\nSee [[Ada Lovelace]].\n")
    run(master, slip, "init", "-q")
    run(master, slip, "commit", "-q")
    before = contents(master)
    after = {path: text.replace(b"[[Ada Lovelace]]", b"[[Ada King]]") for path, text in before.items()}
    after["ada.md"] = before["ada.md"]
    random.seed(int(os.environ.get("SEED", "1")))
    counts, failures, longest = {"before": 0, "after": 0}, 0, 3.0
    for number in range(rounds):
        folder = f"{base}/round{number}"
        shutil.copytree(master, folder)
        editor = Editor(slip, folder, environment)
        editor.rename(folder + "/ada.md", "Ada King")
        editor.asked.wait(20)
        begin = time.time()
        editor.done.wait(random.uniform(0, longest))
        if editor.done.is_set():
            longest = max(0.02, time.time() - begin)
        editor.process.kill()
        editor.process.wait()
        first = run(folder, slip, "new", "After the crash")
        found = {path: text for path, text in contents(folder).items() if path in before}
        state = "before" if found == before else "after" if found == after else None
        clean = run(folder, "git", "status", "--porcelain").stdout
        whole = run(folder, "git", "fsck", "--strict")
        if state == "after":
            run(folder, slip, "undo")
            undone = run(folder, slip, "undo")
            back = {path: text for path, text in contents(folder).items() if path in before} == before
        else:
            undone, back = None, True
        if state is None or first.returncode or clean or whole.returncode or not back:
            failures += 1
            print(f"round {number}: {state} {first.stderr} {clean} {whole.stderr} {undone}")
            continue
        counts[state] += 1
        shutil.rmtree(folder)
    print(f"{rounds} kills: {counts['before']} taken back or not begun, {counts['after']} finished, {failures} wrong")
    if not failures:
        shutil.rmtree(base)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
