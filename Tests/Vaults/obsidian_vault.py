"""A vault that is read and changed as Obsidian does, without slip.

Sentences (`s12x ...`) and notes (`owner12`) carry numbers, by which a test recognises them under every name.
"""

import os
import re
from urllib.parse import quote, unquote

import yaml

SENTENCE = re.compile(r"\bs\d+x[^.\n]*(?:\.(?!\s|$)[^.\n]*)*\.")
NUMBER = re.compile(r"\bs\d+x")
OWNER = re.compile(r"\bowner(\d+)\b")
WIKI = re.compile(r"(!?)\[\[([^\]|#\n]*)(#[^\]|\n]*)?(\|[^\]\n]*)?\]\]")
MARKDOWN = re.compile(r"(!?)\[([^\]\n]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")


class Vault:
    """The files of a clone, read and changed without slip."""

    def __init__(self, root):
        self.root = root

    def files(self):
        found = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            found += [os.path.relpath(os.path.join(folder, name), self.root) for name in sorted(names)
                      if not name.startswith(".")]
        return found

    def notes(self):
        return [path for path in self.files() if path.endswith(".md")]

    def read(self, path):
        return (self.root / path).read_text()

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def candidates(self, target, note, files):
        """Obsidian: the whole path, else the end of one, whatever the case; a file of the same folder first."""
        target = target.strip()
        if target.startswith("."):
            target = os.path.normpath(os.path.join(os.path.dirname(note), target))
        wanted = target.lower().lstrip("/")
        ends = {wanted, wanted + ".md"}
        for path in files:
            if path.lower() in ends:
                return [path]
        found = [path for path in files if any(path.lower().endswith("/" + end) for end in ends)]
        here = os.path.dirname(note)
        return sorted(found, key=lambda path: (os.path.dirname(path) != here, len(path), path))

    def links(self, note, text):
        """The links of a text: where each is, its parts, and the paths that it may lead to, the best first."""
        files = self.files()
        for match in WIKI.finditer(text):
            if match[2]:
                yield match, self.candidates(match[2], note, files)
        for match in MARKDOWN.finditer(text):
            target = unquote(match[3])
            beside = os.path.normpath(os.path.join(os.path.dirname(note), target))
            yield match, [beside] if beside in files else self.candidates(target, note, files)

    def shortest(self, path, files):
        """The link to a file: its name, or its whole path if another has the name."""
        name = os.path.basename(path)
        isAlone = sum(os.path.basename(other).lower() == name.lower() for other in files) == 1
        return (name if isAlone else path).removesuffix(".md")

    def rename(self, moves):
        """Moves files as Obsidian does: it rewrites the links to them in its own form."""
        before = {note: list(self.links(note, self.read(note))) for note in self.notes()}
        for old, new in moves.items():
            (self.root / new).parent.mkdir(parents=True, exist_ok=True)
            (self.root / old).rename(self.root / new)
        files = self.files()
        for note, links in before.items():
            path, text, edits = moves.get(note, note), self.read(moves.get(note, note)), []
            for match, targets in links:
                target = targets[0] if targets else None
                if target not in moves and not (note in moves and match.re is MARKDOWN and target):
                    continue
                new = moves.get(target, target)
                if match.re is WIKI:
                    written = f"{match[1]}[[{self.shortest(new, files)}{match[3] or ''}{match[4] or ''}]]"
                else:
                    where = os.path.relpath(new, os.path.dirname(path) or ".")
                    written = f"{match[1]}[{match[2]}]({quote(where)}{match[4] or ''})"
                edits.append((match.span(), written))
            for (start, end), written in sorted(edits, reverse=True):
                text = text[:start] + written + text[end:]
            if edits:
                self.write(path, text)

    def sentences(self):
        """Each sentence by its number, with the notes that have it."""
        found = {}
        for note in self.notes():
            for sentence in SENTENCE.findall(self.read(note)):
                found.setdefault(NUMBER.search(sentence)[0], []).append((note, sentence))
        return found

    def identity(self, path):
        """What tells a file from all others, whatever its name is."""
        if path is None:
            return frozenset()
        return frozenset(OWNER.findall(self.read(path)) if path.endswith(".md") else [self.read(path)])

    def targets(self):
        """The files that the links of each sentence lead to; none for a link that may lead to several."""
        found = {}
        for note in self.notes():
            for sentence in SENTENCE.findall(self.read(note)):
                for match, targets in self.links(note, sentence):
                    owners = self.identity(targets[0] if len(targets) == 1 else None)
                    found.setdefault(NUMBER.search(sentence)[0], []).append((match[0], owners))
        return found

    def tags(self):
        """The tags of each note, by the numbers in it."""
        found = {}
        for note in self.notes():
            header = header_of(self.read(note))
            if header is not None:
                for owner in OWNER.findall(self.read(note)):
                    found[owner] = {str(tag) for tag in header.get("tags") or []}
        return found


def header_of(text):
    match = re.match(r"---\n(.*?\n)?---\n", text, re.S)
    if not match:
        return {}
    try:
        return yaml.safe_load(match[1] or "") or {}
    except yaml.YAMLError:
        return None


def body_start(text):
    match = re.match(r"---\n(.*?\n)?---\n", text, re.S)
    return match.end() if match else 0


def restyled(random, text, stamp, change=lambda header: None):
    """A front matter as Obsidian writes it after an edit in its properties: block lists, its own quotes, a stamp."""
    header = header_of(text)
    if header is None:
        return text
    change(header)
    if stamp or "modified" in header:
        header["modified"] = stamp
    lines = []
    for key, value in header.items():
        if isinstance(value, list):
            lines.append(f"{key}:")
            lines += [f"  - {quoted(random, one)}" for one in value]
        else:
            lines.append(f"{key}: {quoted(random, value)}")
    return "---\n" + "".join(line + "\n" for line in lines) + "---\n" + text[body_start(text):]


def quoted(random, value):
    if isinstance(value, (int, float, bool)):
        return str(value).lower()
    if value is None:
        return ""
    return f'"{value}"' if random.random() < 0.3 or not re.fullmatch(r"[A-Za-z][\w -]*", str(value)) else str(value)
