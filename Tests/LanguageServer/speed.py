"""Measures the server on boxes of many notes: start, completion, news from outside, memory."""

import os
import shutil
import statistics
import subprocess
import threading
import time

import wire

GOALS = {  # notes: ms to the first completion, p99 of completion, ms until news are seen, MB
    10_000: (80, 10, 100, 60),
    100_000: (300, 25, 100, 200),
}


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))]


class Bench:
    def __init__(self, slip, box, env, size):
        self.slip, self.box, self.env, self.size = slip, box, env, size
        self.path = os.path.join(box, "measured-here.md")
        self.version = 1
        self.text = "---\ntitle: Measured here\n---\nA link: [["

    def start(self):
        """Milliseconds from the start of the process to its first completion."""
        start = time.monotonic()
        server = wire.Server(self.slip, self.box, self.env)
        server.initialize(self.box)
        server.open(self.path, self.text)
        self.version = 1
        self.complete(server)
        return server, (time.monotonic() - start) * 1000

    def complete(self, server, line=None, character=None):
        lines = self.text.split("\n")
        line = len(lines) - 1 if line is None else line
        place = {"line": line, "character": len(lines[line].encode()) if character is None else character}
        return server.request("textDocument/completion", {"textDocument": {"uri": wire.uri(self.path)}, "position": place})

    def type(self, server, letters):
        """Appends letters to the last line."""
        lines = self.text.split("\n")
        place = {"line": len(lines) - 1, "character": len(lines[-1].encode())}
        self.version += 1
        self.text += letters
        server.notify("textDocument/didChange", {
            "textDocument": {"uri": wire.uri(self.path), "version": self.version},
            "contentChanges": [{"range": {"start": place, "end": place}, "text": letters}]})

    def erase(self, server, count):
        lines = self.text.split("\n")
        end = len(lines[-1].encode())
        self.version += 1
        self.text = self.text[:-count]
        server.notify("textDocument/didChange", {
            "textDocument": {"uri": wire.uri(self.path), "version": self.version},
            "contentChanges": [{"range": {"start": {"line": len(lines) - 1, "character": end - count},
                                          "end": {"line": len(lines) - 1, "character": end}}, "text": ""}]})

    def keystrokes(self, server, count):
        """Milliseconds of the completion after each of many typed letters."""
        words = ["fermen", "the ", "no", "garden", "a", "kitchen", "q", "zzxq", "light", "ber"]
        times = []
        number = 0
        while len(times) < count:
            word = words[number % len(words)]
            number += 1
            for letter in word:
                self.type(server, letter)
                start = time.monotonic()
                self.complete(server)
                times.append((time.monotonic() - start) * 1000)
            self.erase(server, len(word))
        return times[:count]

    def others(self, server, count):
        """Milliseconds of each other request that editors ask after a keystroke, by its name."""
        document = {"textDocument": {"uri": wire.uri(self.path)}}
        title = self.complete(server)["items"][0]["label"]
        self.type(server, f"{title}]] and #tag\n\n# Heading\n\nmore ")
        lines = self.text.split("\n")
        link = {"line": len(lines) - 5, "character": len("A link: [[") + 1}
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": len(lines), "character": 0}}
        times = {}
        for method, more in (
            ("hover", {"position": link}), ("definition", {"position": link}), ("documentHighlight", {"position": link}),
            ("references", {"position": link, "context": {"includeDeclaration": False}}), ("documentSymbol", {}), ("codeLens", {}),
            ("inlayHint", {"range": whole}), ("documentLink", {}), ("foldingRange", {}), ("semanticTokens/full", {}),
            ("codeAction", {"range": {"start": link, "end": link}, "context": {"diagnostics": []}})):
            begin = time.monotonic()
            for _ in range(count):
                if time.monotonic() - begin > 5:
                    break  # what is slow is seen soon
                self.type(server, "x")
                start = time.monotonic()
                try:
                    server.request(f"textDocument/{method}", {**document, **more})
                except wire.Refused:
                    break
                times.setdefault(method, []).append((time.monotonic() - start) * 1000)
        for _ in range(count):
            start = time.monotonic()
            server.request("workspace/symbol", {"query": "ferm"})
            times.setdefault("workspace/symbol", []).append((time.monotonic() - start) * 1000)
        return times

    def news(self, server, number):
        """Milliseconds until a note that another program wrote is offered."""
        title = f"Zyxomma{number}"
        word = title.lower()
        self.type(server, word)
        path = os.path.join(self.box, f"{word}.md")
        with open(path + ".part", "w") as file:
            file.write(f"---\ntitle: {title}\n---\ntext\n")
        start = time.monotonic()
        os.rename(path + ".part", path)
        try:
            while not any(item["label"] == title for item in self.complete(server)["items"]):
                if time.monotonic() - start > 10:
                    return float("inf")
                time.sleep(0.002)
            return (time.monotonic() - start) * 1000
        finally:
            self.erase(server, len(word))
            os.remove(path)

    def throughput(self, server, count):
        """Changes a second, with a request at the end that shows that all were taken."""
        start = time.monotonic()
        for number in range(count // 2):
            self.type(server, "abcdefghij"[number % 10])
            self.erase(server, 1)
            if number % 500 == 499:
                self.complete(server)
        self.complete(server)
        return count / (time.monotonic() - start)


def copies(boxes, size, scratch):
    source = next((place for place in (os.path.join(boxes, f"notes-{size}"),) if os.path.isdir(place)), None)
    if source is None:
        return None
    target = os.path.join(scratch, f"notes-{size}")
    if shutil.which("cp"):
        subprocess.run(["cp", "-a", "--reflink=auto", source, target], check=True)
    else:
        shutil.copytree(source, target)
    return target


def measure(slip, box, env, size, quick, say):
    bench = Bench(slip, box, env, size)
    first, server_time = bench.start()
    say(f"  first start, nothing kept: {server_time:.0f} ms")
    # The kept snapshot is written after it.
    time.sleep(1)
    first.shut_down()
    starts = []
    for _ in range(3 if quick else 7):
        server, took = bench.start()
        starts.append(took)
        server.shut_down()
    server, took = bench.start()
    starts.append(took)
    time.sleep(0.5)
    settled = server.rss()
    times = bench.keystrokes(server, 200 if quick else 500)
    news = [bench.news(server, number) for number in range(5 if quick else 15)]
    strokes = 10_000 if quick else 100_000
    before = server.rss()
    rate = bench.throughput(server, strokes)
    after = server.rss()
    # Work that was put off while keys came may be done now, and its memory is free for what comes.
    time.sleep(2)
    rate_of_growth = after - before
    after_more = None
    if not quick:
        bench.throughput(server, strokes)
        after_more = server.rss()
    others = bench.others(server, 10 if quick else 30)
    if server.surprises:
        say(f"  surprises: {server.surprises[:3]}")
    server.shut_down()
    start, p50, p99, new = statistics.median(starts), percentile(times, 0.5), percentile(times, 0.99), statistics.median(news)
    most_start, most_p99, most_new, most_rss = GOALS.get(size, (None,) * 4)

    def held(value, most):
        return "" if most is None else f" (goal {most}: {'held' if value <= most else 'MISSED'})"

    say(f"  start to first completion: {start:.0f} ms of {len(starts)}{held(start, most_start)}, worst {max(starts):.0f}")
    say(f"  completion: p50 {p50:.1f} ms, p99 {p99:.1f} ms{held(p99, most_p99)}, worst {max(times):.1f}, {len(times)} keystrokes")
    say("  other answers after a keystroke, p50 and worst: " + ", ".join(
        f"{name} {percentile(all, 0.5):.1f} {max(all):.0f}" for name, all in others.items()))
    say(f"  a note from outside: {new:.0f} ms{held(new, most_new)}, worst {max(news):.0f}, {len(news)} notes")
    say(f"  memory: {settled / 1024:.0f} MB after the start{held(settled / 1024, most_rss)}, "
        f"{before / 1024:.0f} MB before and {after / 1024:.0f} MB after {strokes} changes"
        + (f", {after_more / 1024:.0f} MB after as many again" if after_more else ""))
    say(f"  changes of text: {rate:.0f} a second")
    problems = []
    if rate_of_growth > 20 * 1024 and (after_more is None or after_more - after > 5 * 1024):
        problems.append(f"memory grows with typing: {rate_of_growth} kB after {strokes} changes")
    missed = [name for name, value, most in (
        ("start", start, most_start), ("completion", p99, most_p99), ("news", new, most_new),
        ("memory", settled / 1024, most_rss)) if most is not None and value > most]
    return problems, missed


def conduct(slip, scratch, boxes, say, quick=False):
    """Gives the problems, and what missed its goal."""
    if not boxes or not os.path.isdir(boxes):
        say("  skipped: --boxes matches no folder with notes-10000 and notes-100000")
        return [], []
    env = wire.environment(scratch)
    problems, missed = [], []
    for size in (10_000,) if quick else (10_000, 100_000):
        box = copies(boxes, size, scratch)
        if not box:
            say(f"  skipped: no notes-{size} in {boxes}")
            continue
        say(f" {size} notes:")
        more, late = measure(slip, box, env, size, quick, say)
        problems += more
        missed += [f"{name} at {size} notes" for name in late]
        shutil.rmtree(box)
    return problems, missed
