"""Types into open notes at random while the disk changes and programs die, and holds the server's text against the client's.

One server gets every change as an edit of a part, in its client's encoding; a second one gets the whole text each time.
Their answers about a document must be the same at every look, and at each save the first must not have had to correct
its text. Nothing but this test writes: no file and no commit may come from the server.
"""

import os
import random
import shutil
import time

import boxes
import wire
from texts import Text

PIECES = [
    "a", "word ", "é", "e\u0301", "🙂", "👩‍👩‍👧", "\u2028", "日本語", "\t", "x" * 40, "# Heading 🙂\n", "## Zwei\r\n", "\n", "\r\n", "\n\n", "\r\n\r\n",
    "[[Rye bread]]", "[[Rye bread#Starter|🍞]]", "[[", "]]", "![[", "[link](rye.md)", "#tag ", "#größe ", "- [ ] box\n", "- [x] done\r\n",
    "```\n", "> quote\n", "---\n", "title: 🍞 new\n", "tags: [a, b]\n", "^block\n", "<https://example.org>", "\ud83d\ude42", "|", "\\", "`", "ﬀ", "\u00a0",
]
ASKED = [  # method, parameters besides the document
    ("textDocument/documentSymbol", {}), ("textDocument/foldingRange", {}), ("textDocument/documentLink", {}),
    ("textDocument/codeLens", {}), ("textDocument/semanticTokens/full", {}),
]


class Fault(Exception):
    pass


def comparable(answer):
    """An answer without the order of completion: notes that have no commit yet are as old as the server's news of them."""
    if isinstance(answer, dict) and "items" in answer:
        items = [{**item, "sortText": None} for item in answer["items"]]
        return {**answer, "items": sorted(items, key=lambda item: str(sorted(item.items(), key=str)))}
    return answer


def parts(answer):
    """An answer as a list, for a message that shows where two differ."""
    if isinstance(answer, dict) and "items" in answer:
        return [f"{item['label']} {item.get('detail')}" for item in answer["items"]]
    return answer if isinstance(answer, list) else [answer]


class Typist:
    """A client with one server under test and one beside it."""

    def __init__(self, campaign, encoding):
        self.campaign, self.random, self.encoding = campaign, campaign.random, encoding
        self.texts = {}  # name: Text
        self.versions = {}
        self.start()

    def start(self):
        box, slip = self.campaign.box, self.campaign.box.slip
        self.server = wire.Server(slip, box.folder, box.env, errors=self.campaign.log)
        self.server.initialize(box.folder, wire.encoded_as(self.encoding))
        self.beside = wire.Server(slip, box.folder, box.env, errors=self.campaign.log)
        self.beside.initialize(box.folder, wire.encoded_as(self.encoding), {"sync": "full"})
        for name in self.texts:
            self.say_open(name)

    def say_open(self, name):
        for server in (self.server, self.beside):
            server.open(self.campaign.box.path(name), self.texts[name].text, self.versions[name])

    def open(self, name):
        try:
            text = self.campaign.box.read(name)
        except FileNotFoundError:
            text = ""
        self.texts[name] = Text(text, self.encoding)
        self.versions[name] = 1
        self.say_open(name)

    def close(self, name):
        del self.texts[name]
        for server in (self.server, self.beside):
            server.notify("textDocument/didClose", self.document(name))

    def document(self, name):
        return {"textDocument": {"uri": self.campaign.box.uri(name)}}

    def edit(self, name):
        """Some changes in one message, each on the result of the one before."""
        text = self.texts[name]
        changes = []
        for _ in range(self.random.choice([1, 1, 1, 2, 5])):
            length = len(text.text)
            start = self.random.randint(0, length)
            roll = self.random.random()
            if roll < 0.55:
                end = start
            elif roll < 0.85:
                end = min(length, start + self.random.randint(0, 6))
            else:
                end = min(length, start + self.random.randint(0, 200))  # across lines
            while text.is_between(start):
                start -= 1
            while text.is_between(end):
                end += 1
            new = "" if end > start and self.random.random() < 0.6 else "".join(
                self.random.choice(PIECES) for _ in range(self.random.choice([1, 1, 2, 6])))
            new = new.encode("utf-16", "surrogatepass").decode("utf-16")
            if self.random.random() < 0.02:
                changes.append({"text": new})
                text.text = new
                continue
            first, last = text.position(start), text.position(end)
            is_end = end == length or text.text[end] in "\r\n"
            if is_end and self.random.random() < 0.3:
                last["character"] += self.random.choice([1, 5, 10_000, 2**31 - 1 - last["character"]])  # beyond the line
            if end == length and self.random.random() < 0.3:
                last = {"line": last["line"] + self.random.randint(1, 3), "character": self.random.choice([0, 0, 7])}
            change = {"range": {"start": first, "end": last}, "text": new}
            if self.random.random() < 0.3:
                change["rangeLength"] = end - start
            changes.append(change)
            text.text = text.text[:start] + new + text.text[end:]
        self.versions[name] += 1
        version = {"uri": self.campaign.box.uri(name), "version": self.versions[name]}
        self.server.notify("textDocument/didChange", {"textDocument": version, "contentChanges": changes})
        self.beside.notify("textDocument/didChange", {"textDocument": version, "contentChanges": [{"text": text.text}]})

    def save(self, name):
        """Writes the file as editors do, says so, and looks whether the server had another text."""
        text = self.texts[name].text
        self.campaign.write(name, text)
        since = len(self.server.notifications)
        for server in (self.server, self.beside):
            server.notify("textDocument/didSave", {**self.document(name), "text": text})
        self.look(name)
        corrections = [said["message"] for said in self.server.said("window/logMessage", since) if "read anew" in said["message"]]
        if corrections:
            raise Fault(f"{name}: the server had another text at the save: {corrections}")

    def look(self, name):
        """Holds the answers of both servers against each other."""
        asked = list(ASKED)
        position = self.texts[name].position(self.random.randint(0, len(self.texts[name].text)))
        asked.append(("textDocument/completion", {"position": position}))
        asked.append(("textDocument/hover", {"position": position}))
        asked.append(("textDocument/documentHighlight", {"position": position}))
        answered = 0
        for method, more in asked:
            params = {**self.document(name), **more}
            found = []
            for server in (self.server, self.beside):
                try:
                    found.append(comparable(server.request(method, params)))
                    answered += 1
                except wire.Refused as error:
                    if error.code != -32601:
                        raise Fault(f"{method} of {name}: {error}") from None
                    found.append(None)
            if found[0] != found[1]:
                # The disk may have changed between the two; then both come to one answer.
                time.sleep(0.3)
                found = [comparable(server.request(method, params)) for server in (self.server, self.beside)]
            if found[0] != found[1]:
                only = [[each for each in parts(found[one]) if each not in parts(found[1 - one])] or parts(found[one]) for one in (0, 1)]
                raise Fault(f"{method} of {name} at {more}: {str(only[0])[:600]} for changes, {str(only[1])[:600]} for the whole text "
                            f"{self.texts[name].text[:2000]!r}")
            if method == "textDocument/documentSymbol" and found[0] is not None:
                self.check_headings(name, found[0])
        self.campaign.looks += 1
        self.campaign.answered += answered

    def check_headings(self, name, symbols):
        """The headings of an easy text are known without any server."""
        text = self.texts[name]
        lines = text.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        selections = []

        def walk(symbols):
            for symbol in symbols:
                selections.append((symbol["name"], symbol["selectionRange"]))
                walk(symbol.get("children") or [])

        walk(symbols)
        for title, place in selections:
            line = place["start"]["line"]
            if line >= len(lines):
                raise Fault(f"{name}: the heading {title!r} is at line {line} of {len(lines)}")
            if place["end"]["line"] == line and place["end"]["character"] > text.units(lines[line]):
                raise Fault(f"{name}: the heading {title!r} ends at {place['end']} beyond {lines[line]!r}")

    def die(self):
        """The server, or all of the client, is killed; both start again, the client with what was saved."""
        self.server.kill()
        self.beside.kill()
        if self.random.random() < 0.5:  # the client died too
            names = list(self.texts)
            self.texts = {}
            self.versions = {}
            self.start()
            for name in names:
                self.open(name)
        else:  # editors start the server again and tell it their texts
            self.start()

    def stop(self):
        problems = list(self.server.surprises) + list(self.beside.surprises)
        for server in (self.server, self.beside):
            if server.shut_down() != 0:
                problems.append("the server did not end in order")
        if problems:
            raise Fault("; ".join(problems[:3]))


class Campaign:
    def __init__(self, slip, folder, home, seed):
        self.random = random.Random(seed)
        self.box = boxes.sample(slip, folder, home, records=10)
        self.log = os.path.join(home, "sync-stderr")
        self.expected = self.box.files()
        self.looks = self.answered = 0

    def write(self, name, text):
        data = text.encode()
        path = self.box.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if self.random.random() < 0.5:
            with open(path, "wb") as file:
                file.write(data)
        else:  # in one step, as vim does
            with open(path + "~", "wb") as file:
                file.write(data)
            os.replace(path + "~", path)
        self.expected[name] = data

    def outside(self, open_names):
        """Another program changes, makes, deletes or renames a file."""
        notes = [name for name in self.expected if name.endswith(".md")]
        name = self.random.choice(notes)
        roll = self.random.random()
        if roll < 0.4:
            old = self.expected[name].decode(errors="replace")
            self.write(name, old + self.random.choice(["\nAdded outside 🙂 [[Rye bread]].\n", "# More\n", ""]))
        elif roll < 0.6:
            self.write(f"out/side-{self.random.randrange(20)}.md", "---\ntitle: Outside\n---\n# 🙂 New\n")
        elif roll < 0.8 and len(notes) > 5:
            os.remove(self.box.path(name))
            del self.expected[name]
        elif len(notes) > 5:
            to = f"moved-{self.random.randrange(1000)}.md"
            os.rename(self.box.path(name), self.box.path(to))
            self.expected[to] = self.expected.pop(name)
        if self.random.random() < 0.1:
            self.box.run("commit")

    def check_disk(self):
        found = self.box.files()
        if found != self.expected:
            different = [name for name in {**found, **self.expected} if found.get(name) != self.expected.get(name)]
            raise Fault(f"the server wrote files: {different}")
        self.box.git("fsck", "--strict")
        commands = set(self.box.git("log", "--format=%(trailers:key=Slip-Command,valueonly,separator=)").split())
        if not commands <= {"init", "sample", "commit"}:
            raise Fault(f"commits that nobody asked for: {commands}")

    def run(self, steps):
        typist = Typist(self, self.random.choice(["utf-8", "utf-16", "utf-16", "utf-32"]))
        try:
            for name in self.random.sample(list(boxes.NOTES), 2):
                typist.open(name)
            for _ in range(steps):
                name = self.random.choice(list(typist.texts))
                roll = self.random.random()
                if roll < 0.75:
                    typist.edit(name)
                elif roll < 0.82:
                    typist.look(name)
                elif roll < 0.89:
                    typist.save(name)
                elif roll < 0.95:
                    self.outside(list(typist.texts))
                elif roll < 0.97:
                    typist.die()
                elif len(typist.texts) > 1:
                    typist.close(name)
                else:
                    typist.open(self.random.choice([each for each in boxes.NOTES if each not in typist.texts]))
            for name in list(typist.texts):
                typist.save(name)
            self.check_disk()
            typist.stop()
        except wire.Gone as error:
            raise Fault(f"{error}") from None
        finally:
            for server in (typist.server, typist.beside):
                if server.is_running():
                    server.kill()


def heals(slip, folder, home):
    """A client that told a wrong change: its save puts the server's text right."""
    box = boxes.sample(slip, folder, home, records=0)
    server = wire.Server(slip, box.folder, box.env)
    server.initialize(box.folder)
    server.open(box.path("rye.md"), "# One\n\n[[Rye\n")
    server.notify("textDocument/didChange", {"textDocument": {"uri": box.uri("rye.md"), "version": 2}, "contentChanges": [
        {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}, "text": "lost\n"}]})
    text = "# One\n\n[[Ferm\n"
    box.write("rye.md", text)
    server.notify("textDocument/didSave", {"textDocument": {"uri": box.uri("rye.md")}, "text": text})
    found = server.request("textDocument/completion", {
        "textDocument": {"uri": box.uri("rye.md")}, "position": {"line": 2, "character": 6}})
    problems = [] if any(item["label"] == "Fermentation basics" for item in found["items"]) else [
        "a text that was wrong is wrong after its save"]
    if not server.wait(lambda: server.said("window/logMessage"), 5):
        problems.append("a text that was corrected at its save is not in the client's log")
    server.shut_down()
    return problems


def conduct(slip, scratch, say, rounds, steps=150, seed=None):
    seed = seed if seed is not None else random.randrange(10**6)
    first = seed
    folder = os.path.join(scratch, "sync")
    os.makedirs(folder)
    problems = heals(slip, os.path.join(folder, "heals"), folder)
    looks = answered = 0
    for seed in range(first, first + rounds):
        box = os.path.join(folder, "box")
        campaign = Campaign(slip, box, folder, seed)
        try:
            campaign.run(steps)
        except Fault as fault:
            problems.append(f"sync seed {seed}: {fault}")
            say(f"  {problems[-1]}")
        looks += campaign.looks
        answered += campaign.answered
        shutil.rmtree(box)
        if len(problems) >= 5:
            break
    say(f"  {rounds} rounds of {steps} steps from seed {first}: {looks} looks, {answered} answers compared")
    shutil.rmtree(folder, ignore_errors=True)
    return problems
