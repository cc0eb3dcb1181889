#!/usr/bin/env python3
"""Resolves the links of a folder of notes by itself, and holds the results against slip's.

  slip list --paths | slip links - --json | Tests/Corpora/resolve_links.py FOLDER

Nothing is shared with slip: links are found as count_links.py finds them, and each is held against the names of all notes,
one after the other. Notes whose links came to something else are named with both results. Exits 1 where any are.
"""

import collections
import json
import os
import pathlib
import re
import sys
import unicodedata
import urllib.parse

import yaml

import count_links as cmark

HEAD = re.compile(r"---[ \t]*\n(.*?\n)?---[ \t]*(\n|$)", re.S)
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9.+-]*:")
STRONG = re.compile(r"[A-Za-z][A-Za-z0-9.+-]*://|//|mailto:")


def folded(text):
    text = unicodedata.normalize("NFD", text).replace("ł", "l").replace("Ł", "L").replace("ø", "o").replace("Ø", "O")
    return unicodedata.normalize("NFC", "".join(c for c in text if not unicodedata.combining(c)).casefold())


def bare(path):
    return re.sub(r"\.(md|markdown)$", "", path)


class Note:
    def __init__(self, folder, path):
        self.path = path
        text = (folder / path).read_bytes().decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
        head = HEAD.match(text)
        self.body = text[head.end() :] if head else text
        self.head = (head.group(1) or "") if head else ""
        self.head = re.sub(r"^(\s*(?:-\s+|[^\s:#][^:\n]*:\s+))(\[\[[^\[\]\n]*\]\])\s*$", r'\1"\2"', self.head, flags=re.M)
        try:
            self.fields = yaml.load(self.head, yaml.BaseLoader) or {}
        except yaml.YAMLError:
            # What a template fills in is no YAML to every reader: links stand in its lines all the same.
            self.fields = {"lines": self.head.split("\n")}
        if not isinstance(self.fields, dict):
            self.fields = {}
        aliases = self.fields.get("aliases") or self.fields.get("alias") or []
        aliases = aliases if isinstance(aliases, list) else [part.strip() for part in aliases.split(",")]
        # A heading below the first level names a part of the note; the name of the file goes before it.
        heading = re.search(r"^#[ \t]+(.*?)[ \t#]*$", self.body, re.M)
        own = self.fields.get("title")
        title = own if isinstance(own, str) and own else heading.group(1) if heading else bare(os.path.basename(path))
        self.titles = [title] + [alias for alias in aliases if isinstance(alias, str) and alias]

    def links(self):
        """The links of a note as pairs: whether it is a wiki link, and the target."""
        found = []

        def text(part):
            for link in cmark.WIKI.finditer(part):
                if not re.match(r"\([^)\s]*[:/.#]", part[link.end() :]):
                    found.append((True, link.group(2)))

        def values(value):
            if isinstance(value, dict):
                for inner in value.values():
                    values(inner)
            elif isinstance(value, list):
                for inner in value:
                    values(inner)
            elif isinstance(value, str):
                text(value)
                found.extend((False, link.group(3).strip("<>")) for link in cmark.INLINE.finditer(value))

        values(self.fields)
        plain = cmark.AUTOLINK.sub(lambda link: " " * len(link.group()), self.body).replace("[^", "(^")
        lines = self.body.split("\n")
        in_code = set()
        for kind, _, first, last in cmark.nodes(plain):
            if kind == "code_block":
                in_code.update(range(first, last + 1))
            if kind not in cmark.NODES or kind == "code_block":
                continue
            block = re.sub(r"^[ \t]*(>[ \t]?)+", "", "\n".join(lines[first - 1 : last]), flags=re.M)
            if kind != "html_block":
                text(cmark.without_code(block))
            elif not re.match(r"\s*<(script|pre|style|!--)", block):
                text(block)
                found.extend((False, link.group(3).strip("<>")) for link in cmark.INLINE.finditer(block))
        # A definition is one link, however often it is used: without it those that use it are none.
        outside = "\n".join("" if number in in_code else line for number, line in enumerate(plain.split("\n"), 1))
        found.extend((False, definition.group(1).strip("<>")) for definition in cmark.DEFINITION.finditer(outside))
        for kind, url, _, _ in cmark.nodes(cmark.DEFINITION.sub("", plain)):
            if url:
                found.append((False, url))
        return found


class Box:
    def __init__(self, folder):
        self.files = set()
        for root, folders, files in os.walk(folder):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in files:
                if not name.startswith("."):
                    self.files.add(os.path.relpath(os.path.join(root, name), folder))
        notes = sorted(path for path in self.files if re.search(r"\.(md|markdown)$", path))
        self.notes = [Note(folder, path) for path in notes]
        self.others = self.files - set(notes)
        self.folders = {""} | {str(parent) for path in self.files for parent in pathlib.PurePath(path).parents}
        self.ways = [collections.defaultdict(set) for _ in range(5)]
        for number, note in enumerate(self.notes):
            parts = note.path.split("/")
            for ending in (note.path, bare(note.path)):
                self.ways[0][ending].add(number)
                parts = ending.split("/")
                for start in range(len(parts)):
                    self.ways[1]["/".join(parts[start:])].add(number)
                    self.ways[2][folded("/".join(parts[start:]))].add(number)
            for title in note.titles:
                self.ways[3][title].add(number)
                self.ways[4][folded(title)].add(number)

    def named(self, name):
        keys = [name, name, folded(name), name, folded(name)]
        for step, key in enumerate(keys):
            fits = self.ways[step].get(key, set())
            if not fits:
                continue
            for later in range(step + 1, 5):
                both = fits & self.ways[later].get(keys[later], set())
                if len(fits) > 1 and len(both) == 1:
                    return both
            return fits
        return set()

    def resolve(self, note, is_wiki, target):
        """What a link comes to, in a word, and the path of a note."""
        if is_wiki:
            path = target.split("#")[0].rstrip()
            if not path:
                return "itself", None
            if STRONG.match(target):
                return "url", None
            readings = [target.rstrip(), path] if "#" in target else [path]
        else:
            path = target.split("#")[0]
            file = path.split("?")[0]
            if not file:
                return "itself", None
            if SCHEME.match(path) or path.startswith("//"):
                return "url", None
            readings = [urllib.parse.unquote(path)] + ([urllib.parse.unquote(file)] if file != path else [])
        here = os.path.dirname(note.path)
        for reading in readings:
            name = reading.lstrip("/")
            local = os.path.normpath(os.path.join(here, name))
            is_path = reading.startswith(("./", "../"))
            fits = set()
            if is_path or (not is_wiki and not reading.startswith("/")):
                fits = self.ways[0].get(local, set())
            if not fits and is_path:
                fits = self.ways[0].get(os.path.normpath(name), set())
            elif not fits:
                fits = self.named(name)
            if len(fits) == 1:
                return "note", self.notes[next(iter(fits))].path
            if fits:
                return "ambiguous", None
        for reading in readings:
            name = reading.lstrip("/")
            for path in (os.path.normpath(os.path.join(here, name)), os.path.normpath(name)):
                if path in self.others or path in self.folders:
                    return "file", None
            if any(os.path.basename(other) == os.path.basename(name) for other in self.others):
                return "file", None
        if target.startswith("{{") or (not is_wiki and target.startswith("/")):
            return "url", None
        return "broken", None


def main():
    folder = pathlib.Path(sys.argv[1])
    box = Box(folder)
    notes = {note.path: note for note in box.notes}
    sums = collections.Counter(), collections.Counter()
    different = 0
    for theirs in json.load(sys.stdin)["notes"]:
        note = notes[theirs["path"]]
        counts = collections.Counter(), collections.Counter()
        for link in theirs["links"]:
            # The links of HTML and the paths in fields are not read here, nor headings.
            if link["form"] in ("html", "path"):
                continue
            sort = next((sort for sort in ("ambiguous", "file", "url") if sort in link), "broken" if "dangling" in link else "note")
            counts[0][sort, link["path"] if sort == "note" else None] += 1
        for is_wiki, target in note.links():
            sort, path = box.resolve(note, is_wiki, target)
            if sort != "itself" and path != note.path:
                counts[1][sort, path] += 1
        for side in (0, 1):
            for (sort, _), number in counts[side].items():
                sums[side][sort] += number
        if counts[0] != counts[1]:
            different += 1
            print(note.path, "slip", dict(counts[0] - counts[1]), "here", dict(counts[1] - counts[0]))
    for sort in sorted(sums[0] | sums[1]):
        print(f"{sort:10} slip {sums[0][sort]:6} here {sums[1][sort]:6}")
    print(f"{different} notes differ")
    sys.exit(1 if different else 0)


main()
