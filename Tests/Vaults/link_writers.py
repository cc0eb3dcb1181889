#!/usr/bin/env python3
"""Writes links in each layout with each command that writes one, and checks their form.

    Tests/Vaults/link_writers.py PATH-OF-SLIP [LAYOUT...]

The form is that of the layout's program, written here without slip. Prints a table of layouts and writers.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

WIKI = r"\[\[[^\]|/]+(\|[^\]]+)?\]\]"
FORMS = {
    "slipbox": WIKI,
    "obsidian": WIKI,
    "zk": r"\[[^\]]+\]\((?!.*\.md\))[^):]+\)",
    "hugo": r"\[[^\]]+\]\([^):]+\.md\)",
    "jekyll": r"\[[^\]]+\]\([^):]+\.md\)",
    "dendron": WIKI,
    "denote": r"\[[^\]]+\]\(denote:\d{8}T\d{6}\)",
    "logseq": WIKI,
}
ANY = re.compile(r"!?\[\[[^\]]+\]\]|\[[^\]]+\]\([^)]+\)")


class Box:
    def __init__(self, slip, layout, root):
        self.slip, self.root = slip, root
        subprocess.run(["git", "init", "-q", "-b", "main"], cwd=root, check=True)
        self.run("init")
        self.run("config", "layout", layout)

    def run(self, *words):
        ran = subprocess.run([self.slip, *words], cwd=self.root, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if ran.returncode:
            raise AssertionError(f"slip {' '.join(words)}: {ran.stderr.strip()}")
        return ran.stdout.strip()

    def path(self, title):
        return self.run("list", f"title:={title}", "--paths").splitlines()[0]

    def text(self, title):
        return (self.root / self.path(title)).read_text()

    def broken(self):
        return self.run("links", "--broken") if self.has_broken() else ""

    def has_broken(self):
        return subprocess.run([self.slip, "links", "--broken"], cwd=self.root, capture_output=True).returncode == 0


def split(box):
    box.run("new", "Garden plan", "-b", "One.\n\n## Cold frame\n\nOld windows.\n")
    box.run("split", f"{box.path('Garden plan')}#Cold frame")
    return box.text("Garden plan")


def promote(box):
    box.run("new", "Chores", "-b", "- [ ] Order seeds\n")
    box.run("promote", box.path("Chores"), "Order seeds")
    return box.text("Chores")


def merge(box):
    """The link to a note that is merged leads to the other one, in the form that it had."""
    box.run("new", "Bean", "-b", "Climbs.")
    box.run("new", "Runner bean", "-b", "Climbs too.")
    link = completed(box, "Bean")
    box.run("new", "Index", "-b", f"See {link} today.")
    box.run("merge", box.path("Bean"), box.path("Runner bean"))
    return box.text("Index")


def capture(box):
    """A captured link stays as it is written, and a new title of its note rewrites it in its form."""
    box.run("new", "Twine", "-b", "Green.")
    box.run("capture", f"Buy {completed(box, 'Twine')}")
    box.run("retitle", box.path("Twine"), "Garden twine")
    return (box.root / box.run("list", "Buy", "--paths").splitlines()[0]).read_text()


def complete(box):
    box.run("new", "Compost heap", "-b", "Warm.")
    return completed(box, "Compost heap")


def completed(box, title):
    """The link to a note that the language server completes."""
    server = subprocess.Popen([box.slip, "lsp"], cwd=box.root, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
    count = 0

    def send(method, params, is_request):
        nonlocal count
        count += is_request
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        body = json.dumps(message | ({"id": count} if is_request else {})).encode()
        server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        server.stdin.flush()
        while is_request:
            size = 0
            while (line := server.stdout.readline()) not in (b"\r\n", b""):
                size = int(line.split(b":")[1]) if line.lower().startswith(b"content-length") else size
            answer = json.loads(server.stdout.read(size))
            if answer.get("id") == count and "method" not in answer:
                return answer.get("result")

    uri = (box.root / "Draft.md").as_uri()
    start = "[[" if FORMS[box.run("config", "layout")] is WIKI else "["
    text = f"See {start}{title}"
    send("initialize", {"processId": None, "rootUri": box.root.as_uri(), "capabilities": {}}, True)
    send("initialized", {}, False)
    send("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "markdown", "version": 1, "text": text}}, False)
    place = {"line": 0, "character": len(text)}
    answer = send("textDocument/completion", {"textDocument": {"uri": uri}, "position": place}, True)
    send("shutdown", None, True)
    send("exit", None, False)
    server.wait(timeout=10)
    items = answer["items"] if isinstance(answer, dict) else answer
    if not items:
        raise AssertionError(f"nothing completes {text}")
    edit = items[0]["textEdit"]
    return text[4 : edit["range"]["start"]["character"]] + edit["newText"]


WRITERS = [split, promote, complete, merge, capture]


def main():
    slip = os.path.abspath(sys.argv[1])
    os.environ |= {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
                   "GIT_COMMITTER_EMAIL": "a@example.org"}
    bad = []
    print("layout    " + "  ".join(f"{writer.__name__:8}" for writer in WRITERS))
    for layout in sys.argv[2:] or FORMS:
        results = []
        for writer in WRITERS:
            with tempfile.TemporaryDirectory() as folder:
                os.environ |= {"HOME": folder, "XDG_CONFIG_HOME": folder + "/config"}
                root = Path(folder) / "box"
                root.mkdir()
                try:
                    box = Box(slip, layout, root)
                    text = writer(box)
                    links = [match[0] for match in ANY.finditer(re.sub(r"^---\n.*?^---\n", "", text, flags=re.M | re.S))]
                    isRight = links and all(re.fullmatch(FORMS[layout], link) for link in links) and not box.broken()
                    if not isRight:
                        bad.append(f"{layout}, {writer.__name__}: {links} {box.broken()}")
                except AssertionError as error:
                    isRight = False
                    bad.append(f"{layout}, {writer.__name__}: {error}")
            results.append("yes" if isRight else "NO")
        print(f"{layout:8}  " + "  ".join(f"{result:8}" for result in results))
    print("\n".join(bad))
    sys.exit(1 if bad else 0)


main()
