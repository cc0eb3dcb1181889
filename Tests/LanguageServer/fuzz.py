"""Sends the server what no client should send, and looks whether it stands.

However broken the input: the server does not crash, hang or eat memory, each request with a readable head gets exactly
one answer, and the box is as it was unless a command was called.
"""

import json
import os
import random
import shutil
import time

import boxes
import wire

MOST_MEMORY = 500_000  # kB
TEXTS = [
    "", "x", "[[", "[[Rye", "]]", "---\n", "---\nkind: task\n---\n", "# Heading\n", "\r\n", "\r", "\n\n\n", "🙂" * 30, "e\u0301", "\ufeff",
    "\u2028", "\x00", "\x1b[31m", "- [ ] box", "#tag", "[a](b.md#c)", "![[x]]", "`[[code]]`", "<<<<<<< a\n=======\n>>>>>>> b\n",
    "[" * 3000, "> " * 2000, "*" * 5000, "| a | b |\n|--|--|\n" * 50, "[[" * 1000, "a" * 70_000, "---\n" + "x: [" * 500,
    "---\na: &a [*a]\n---\n", "---\ntags: {a: {b: {c: d}}}\n---\n", "^" * 100, "\\" * 999,
]
NUMBERS = [0, -1, 1, 2**31 - 1, 2**31, -(2**31), 2**53, 2**63 - 1, 2**63, -(2**63), 2**64, 10**30, 0.5, 1e308, -0.0, 1e-9]
METHODS = [
    "textDocument/completion", "completionItem/resolve", "textDocument/hover", "textDocument/definition",
    "textDocument/references", "textDocument/documentHighlight", "textDocument/documentSymbol", "workspace/symbol",
    "textDocument/codeAction", "codeAction/resolve", "textDocument/codeLens", "codeLens/resolve", "textDocument/inlayHint",
    "textDocument/documentLink", "textDocument/foldingRange", "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/range", "textDocument/prepareRename", "textDocument/rename", "workspace/willRenameFiles",
]
UNKNOWN = ["", "x", "$/unknown", "textDocument/Completion", "rpc.discover", "textDocument/formatting", "a" * 5000, "\u0000"]
COMMANDS = ["slip.new", "slip.list", "slip.do", "slip.undo", "slip.daily", "slip.commit", "slip.nothing", ""]


class Campaign:
    def __init__(self, slip, scratch, seed):
        self.slip, self.scratch, self.random = slip, scratch, random.Random(seed)
        self.box = boxes.sample(slip, os.path.join(scratch, "box"), scratch, records=0)
        self.paths = [self.box.path(name) for name in boxes.NOTES] + [
            self.box.path("not-there.md"), self.box.path("no-note.txt"), "/etc/passwd", self.box.path(".git/config"),
            self.box.path("deep/er/note.md"), "/", os.path.dirname(self.box.folder) + "/outside.md"]
        self.log = os.path.join(scratch, "stderr")
        self.counts = {}
        self.history = []

    # Values.

    def number(self):
        return self.random.choice(NUMBERS) if self.random.random() < 0.3 else self.random.randrange(0, 40)

    def text(self):
        text = self.random.choice(TEXTS)
        if self.random.random() < 0.2:
            text += self.random.choice(TEXTS)
        if self.random.random() < 0.02:
            text += "\ud800"  # half of a character
        return text

    def junk(self, depth=0):
        kind = self.random.randrange(9)
        if kind == 0:
            return None
        if kind == 1:
            return self.random.random() < 0.5
        if kind in (2, 3):
            return self.number()
        if kind in (4, 5):
            return self.text()
        if depth > 3:
            return []
        if kind in (6, 7):
            return [self.junk(depth + 1) for _ in range(self.random.randrange(4))]
        keys = ["uri", "position", "range", "start", "end", "line", "character", "text", "id", "kind", "x"]
        return {self.random.choice(keys): self.junk(depth + 1) for _ in range(self.random.randrange(4))}

    def uri(self):
        uri = wire.uri(self.random.choice(self.paths))
        if self.random.random() < 0.1:
            uri = self.random.choice(["", "untitled:1", "file://", "file:///%00", "file:///%ff%fe.md", "file://host/x.md", uri + "?a#b",
                                      uri.replace("/", "//"), uri + "/../" * 300, "file:///" + "a" * 5000, "http://x/y.md", "%%%"])
        return uri

    def position(self):
        return {"line": self.number(), "character": self.number()}

    def range(self):
        return {"start": self.position(), "end": self.position()}

    def params(self, method):
        document = {"uri": self.uri()}
        params = {"textDocument": document}
        if method in ("textDocument/didOpen",):
            return {"textDocument": {**document, "languageId": "markdown", "version": self.number(), "text": self.text()}}
        if method == "textDocument/didChange":
            changes = [{"text": self.text(), **({"range": self.range()} if self.random.random() < 0.8 else {})}
                       for _ in range(self.random.randrange(4))]
            return {"textDocument": {**document, "version": self.number()}, "contentChanges": changes}
        if method == "textDocument/didSave":
            return {**params, "text": self.text()}
        if method == "workspace/symbol":
            return {"query": self.random.choice(["", "kind:task", "(((", "+food", "is:", '"', "NOT " * 500, "-" * 3000, "due:9999-99-99"])}
        if method == "workspace/executeCommand":
            return {"command": self.random.choice(COMMANDS), "arguments": [self.junk() for _ in range(self.random.randrange(3))]}
        if method == "workspace/willRenameFiles":
            return {"files": [{"oldUri": self.uri(), "newUri": self.uri()} for _ in range(self.random.randrange(4))]}
        if method in ("completionItem/resolve", "codeAction/resolve", "codeLens/resolve"):
            return {"label": "x", "title": "x", "range": self.range(), "data": self.junk(), "kind": self.number()}
        params["position"] = self.position()
        params["range"] = self.range()
        params["context"] = {"diagnostics": [], "includeDeclaration": True}
        params["newName"] = self.text()
        return params

    def mutated(self, value, rate=0.08):
        """A value with some of its parts replaced or left out."""
        if self.random.random() < rate:
            return self.junk()
        if isinstance(value, dict):
            return {key: self.mutated(each, rate) for key, each in value.items() if self.random.random() > rate / 2}
        if isinstance(value, list):
            return [self.mutated(each, rate) for each in value]
        return value

    # Sessions.

    def server(self, initialized=True):
        server = wire.Server(self.slip, self.box.folder, self.box.env, errors=self.log)
        if self.random.random() < 0.5:
            for method in ("workspace/applyEdit", "window/showMessageRequest", "window/showDocument"):
                server.reply[method] = lambda params: self.junk()
        server.next_id = 5_000_000  # no other message has such an id
        if initialized:
            server.initialize(self.box.folder, wire.encoded_as(self.random.choice(["utf-8", "utf-16"])))
        return server

    def opened(self, server):
        for name in self.random.sample(list(boxes.NOTES), 3):
            server.open(self.box.path(name), boxes.NOTES[name] if self.random.random() < 0.7 else self.text())

    def send(self, server, message):
        self.history.append(json.dumps(message)[:2000])
        server.send_bytes(wire.frame(message))

    def ask(self, server, method, params, waiting):
        number = len(server.asked) + 1000
        id = self.random.choice([number, f"id-{number}"])
        server.asked.add(id)
        waiting.append(id)
        self.send(server, {"jsonrpc": "2.0", "id": id, "method": method, "params": params})

    def messages(self):
        """Messages with wrong parts, in any order."""
        server = self.server()
        self.opened(server)
        waiting = []
        changes = ["textDocument/didOpen", "textDocument/didChange", "textDocument/didSave", "textDocument/didClose",
                   "workspace/didChangeWorkspaceFolders", "workspace/didChangeWatchedFiles", "$/setTrace", "initialized"]
        calls = self.random.random() < 0.3
        for _ in range(self.random.randrange(10, 150)):
            roll = self.random.random()
            if roll < 0.45:
                method = self.random.choice(METHODS if self.random.random() < 0.95 else UNKNOWN)
                self.ask(server, method, self.mutated(self.params(method), self.random.choice([0, 0.02, 0.1])), waiting)
            elif roll < 0.5 and calls:
                method = "workspace/executeCommand"
                self.ask(server, method, self.mutated(self.params(method), 0.05), waiting)
            elif roll < 0.9:
                method = self.random.choice(changes)
                self.send(server, {"jsonrpc": "2.0", "method": method, "params": self.mutated(
                    self.params(method), self.random.choice([0, 0.05]))})
            elif roll < 0.94 and waiting:
                self.send(server, {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {
                    "id": self.random.choice(waiting + [None, -5, "none", 2**70, 1.5])}})
            elif roll < 0.97:
                # An answer to a question that was not asked.
                self.send(server, {"jsonrpc": "2.0", "id": self.random.choice([None, 5, "slip-1", -1]), "result": self.junk()})
            else:
                self.send(server, self.junk())
        return self.end(server, waiting, calls)

    def heads(self):
        """Messages whose id, method or version is none."""
        server = self.server()
        for _ in range(60):
            message = {"jsonrpc": self.random.choice(["2.0", "1.0", 2, None]), "id": self.junk(), "method": self.random.choice(
                METHODS + UNKNOWN + [5, None, [], {}]), "params": self.junk()}
            for key in list(message):
                if self.random.random() < 0.2:
                    del message[key]
            if message.get("method") == "exit":
                continue
            self.send(server, message)
        return self.end(server, [], lenient=True)

    def cancelled(self):
        """A thousand requests, taken back at once."""
        server = self.server()
        self.opened(server)
        waiting = []
        for number in range(1000):
            method = METHODS[number % len(METHODS)]
            self.ask(server, method, self.params(method), waiting)
            if self.random.random() < 0.9:
                self.send(server, {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": waiting[-1]}})
        return self.end(server, waiting)

    def order(self):
        """Requests before the beginning and after the end."""
        server = self.server(initialized=False)
        early = []
        for _ in range(20):
            method = self.random.choice(METHODS + ["workspace/executeCommand", "textDocument/didOpen"])
            self.ask(server, method, self.params(method), early)
            self.send(server, {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": self.params("textDocument/didChange")})
        for id in early:
            if "error" not in server.answer(id):
                return [f"answered before initialize: {server.answers[id]}"]
        server.initialize(self.box.folder)
        try:
            server.initialize(self.box.folder)
            return ["initialized twice"]
        except wire.Refused:
            pass
        server.request("shutdown")
        late = []
        for _ in range(20):
            method = self.random.choice(METHODS)
            self.ask(server, method, self.params(method), late)
        for id in late:
            if "error" not in server.answer(id):
                return [f"answered after shutdown: {server.answers[id]}"]
        server.notify("exit")
        code = server.wait_for_end()
        return server.surprises + ([] if code == 0 else [f"exit code {code}"])

    def framing(self):
        """Bytes that are no messages, then the end of the stream."""
        server = self.server(initialized=self.random.random() < 0.7)
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": self.params("textDocument/hover")}).encode(
            "utf-8", "surrogatepass")
        whole = wire.frame(body)
        server.asked.add(1)
        choice = self.random.randrange(9)
        if choice == 0:
            data = whole[:self.random.randrange(len(whole))]
        elif choice == 1:
            data = bytearray(whole * 3)
            for _ in range(self.random.randrange(1, 6)):
                data[self.random.randrange(len(data))] = self.random.randrange(256)
        elif choice == 2:
            length = self.random.choice(["-1", "0", "99999999999999999999", "1e3", "0x10", "", " ", "5 5", "536870912", "536870913", str(2**63)])
            data = f"Content-Length: {length}\r\n\r\n".encode() + body
        elif choice == 3:
            data = self.random.randbytes(self.random.randrange(20_000))
        elif choice == 4:
            data = b"X: " + b"y" * self.random.choice([10, 9000, 1_000_000]) + b"\r\n\r\n" + whole
        elif choice == 5:
            data = b"Content-Length: %d\n\n" % len(body) + body
        elif choice == 6:
            data = b"content-length:%d\r\nContent-Type: x; charset=utf-16\r\n\r\n" % len(body) + body
        elif choice == 7:
            data = b"Content-Length: 2\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        else:
            data = whole[:-5] + whole
        self.history.append(repr(bytes(data[:1000])))
        if self.random.random() < 0.3:
            for byte in data[:3000]:
                server.send_bytes(bytes([byte]))
        else:
            server.send_bytes(bytes(data))
        time.sleep(self.random.random() * 0.05)
        server.outgoing.put(None)
        code = server.wait_for_end(20)
        return [f"ended with {code}"] if code not in (0, 1) else []

    def bodies(self):
        """Whole messages whose bodies are no JSON, or hard to read."""
        server = self.server()
        deep = self.random.choice([100, 511, 513, 10_000, 1_000_000])
        hard = [
            b"[" * deep, b"[" * deep + b"]" * deep, b'{"a":' * deep + b"1" + b"}" * deep, b"", b"null", b"[]", b"{}", b"0", b'"', b"\xff\xfe",
            b'{"jsonrpc":"2.0","id":1,"method":"\\ud800","params":{}}', b'{"jsonrpc":"2.0","method":"x","params":"\\udfff\\ud800"}',
            b'{"id":' + b"9" * 5000 + b',"method":"x"}', b'{"id":1e400,"method":"x"}', b'{"id":1,"id":2,"method":"x"}', b"\x00" * 50,
            b'{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///x.md","version":1,"languageId":"",'
            b'"text":"' + b"\\ud83d" * 500 + b'"}}}', b"\xef\xbb\xbf{}", b"[" + b"1," * 300_000 + b"1]", b'"' + b"a" * 3_000_000 + b'"',
        ]
        for _ in range(15):
            body = self.random.choice(hard)
            self.history.append(repr(body[:200]))
            server.send_bytes(wire.frame(body))
            if not server.is_running():
                break
        return self.end(server, [], lenient=True)

    def end(self, server, waiting, calls=False, lenient=False):
        """Waits for all answers, and looks whether the server is well."""
        problems = []
        try:
            for id in waiting:
                server.answer(id)
            probe = self.box.path("rye.md")
            server.open(probe, "# One\n")
            server.request("textDocument/completion", {
                "textDocument": {"uri": wire.uri(probe)}, "position": {"line": 0, "character": 1}})
            held = server.rss()
            if held > MOST_MEMORY:
                problems.append(f"holds {held} kB")
            code = server.shut_down()
            if code != 0:
                problems.append(f"exit code {code}")
        except (wire.Gone, wire.Refused) as error:
            problems.append(str(error))
            if server.is_running():
                problems.append(self.stacks(server))
            elif server.process.returncode not in (0, None):
                problems.append(f"ended with {server.process.returncode}")
        if not lenient:
            problems += server.surprises[:3]
        strangers = set(os.listdir(self.scratch)) - {"box", "stderr", ".cache", ".config", ".local", "slip"}
        if strangers:
            problems.append(f"written outside the box: {strangers}")
        if not calls and self.box.git("status", "--porcelain"):
            problems.append(f"the box was written to: {self.box.git('status', '--porcelain')}")
        return problems

    @staticmethod
    def stacks(server):
        """In what the threads of a server hang."""
        found = []
        folder = f"/proc/{server.process.pid}/task"
        for task in os.listdir(folder):
            try:
                with open(f"{folder}/{task}/wchan") as file:
                    found.append(file.read())
            except OSError:
                pass
        return f"threads wait in: {', '.join(sorted(found))}"

    def round(self):
        session = self.random.choices(
            [self.messages, self.heads, self.cancelled, self.order, self.framing, self.bodies], [6, 2, 1, 1, 3, 2])[0]
        name = session.__name__
        self.history = []
        self.counts[name] = self.counts.get(name, 0) + 1
        try:
            problems = session()
        except (wire.Gone, wire.Refused) as error:
            problems = [str(error)]
        if self.box.git("status", "--porcelain"):
            self.box.git("stash", "-u", "--quiet")
        return name, problems


def conduct(slip, scratch, say, seconds, seed=None):
    """Runs sessions for so long; gives the problems."""
    folder = os.path.join(scratch, "fuzz")
    os.makedirs(folder)
    seed = seed if seed is not None else random.randrange(10**6)
    start = time.monotonic()
    first = seed
    found = []
    counts = {}
    campaign = Campaign(slip, folder, seed)
    while time.monotonic() - start < seconds and len(found) < 10:
        campaign.random.seed(seed)
        name, problems = campaign.round()
        counts[name] = counts.get(name, 0) + 1
        if problems:
            kept = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"slip-lsp-fuzz-{seed}.txt")
            with open(kept, "w") as file:
                file.write("\n".join(problems + [""] + campaign.history))
            found.append(f"fuzz seed {seed}, {name}: {'; '.join(problems)[:600]} (kept in {kept})")
            say(f"  {found[-1]}")
        seed += 1
    say(f"  {sum(counts.values())} sessions from seed {first}: " + ", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    if os.path.exists(campaign.log):
        with open(campaign.log, errors="replace") as file:
            written = file.read().strip()
        if written:
            found.append(f"on standard error: {written[:500]}")
    shutil.rmtree(folder, ignore_errors=True)
    return found
