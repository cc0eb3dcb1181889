#!/usr/bin/env python3
"""Holds the fields that slip reads against those of PyYAML, in a folder of notes or in random ones.

  slip list --jsonl | Tests/Corpora/front_matter.py FOLDER
  Tests/Corpora/front_matter.py --random FOLDER [SEED]     makes 1,500 notes in FOLDER, for slip init and the line above

Every scalar is text to both. The random notes have anchors, aliases and block scalars with tabs. Each field that differs
is named with both values; what PyYAML can't read is counted. Exits 1 where a field differs.
"""

import json
import pathlib
import random
import re
import sys

import yaml

OWN = {"id", "title", "kind", "created", "tags", "tag", "aliases", "alias"}
BLOCK = re.compile(r"---[ \t]*\n(.*?\n)?---[ \t]*(\n|$)", re.S)
EMPTY = ("", "~", "null", [])


def plain(value):
    """A value without null in lists, all scalars as text."""
    if isinstance(value, list):
        return [plain(element) for element in value if element not in ("", "~", "null", None)]
    if isinstance(value, dict):
        return {str(key): plain(element) for key, element in value.items()}
    return str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)


def compare(folder):
    notes = differing = unreadable = 0
    for line in sys.stdin:
        note = json.loads(line)
        raw = (folder / note["path"]).read_bytes().decode("utf-8", "replace")
        block = BLOCK.match(raw.lstrip("\ufeff").replace("\r\n", "\n"))
        if not block or not block.group(1):
            continue
        try:
            fields = yaml.load(block.group(1), Loader=yaml.BaseLoader) or {}
        except yaml.YAMLError:
            unreadable += 1
            continue
        if not isinstance(fields, dict):
            continue
        notes += 1
        for name, value in fields.items():
            theirs, ours = plain(value), plain(note.get("fields", {}).get(name, ""))
            if str(name).lower() in OWN or theirs == ours or (theirs in EMPTY and ours in EMPTY):
                continue
            differing += 1
            print(f"{note['path']}: {name}: {theirs!r} by PyYAML, {ours!r} by slip")
    print(f"{notes} notes, {unreadable} that PyYAML can't read, {differing} fields differ")
    return 1 if differing else 0


def value(rng, names):
    """A random value; the names of the anchors so far may be used and grow."""
    choice = rng.randrange(9)
    if choice == 0 and names:
        return "*" + rng.choice(names)
    if choice == 1:
        names.append(f"x{rng.randrange(6)}")
        return f"&{names[-1]} " + rng.choice(["one", '"two"', "'3'", "[a, b]"])
    if choice == 2:
        known = "*" + rng.choice(names) if names else "c"
        return "[" + ", ".join(rng.choice(["a", '"b"', known, "&y z"]) for _ in range(rng.randrange(4))) + "]"
    if choice in (3, 4, 5):
        indent = " " * rng.choice([1, 2, 4])
        lines = ["", indent + "text", indent + "\tTab", indent + "  more", indent + "a\tb", indent + "# no", indent]
        header = rng.choice("|>") + rng.choice(["", "-", "+"])
        return "\n".join([header] + [rng.choice(lines) for _ in range(rng.randrange(1, 5))])
    if choice == 6:
        return "{k: v, l: " + ("*" + rng.choice(names) if names else "w") + "}"
    return rng.choice(["plain", '"q\\tq"', "~", "12:30", "no"])


def make(folder, seed):
    rng = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(1500):
        names = []
        fields = "".join(f"k{place}: {value(rng, names)}\n" for place in range(rng.randrange(1, 6)))
        (folder / f"n{number}.md").write_text(f"---\n{fields}---\nText\n")
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--random"] and len(sys.argv) > 2:
        sys.exit(make(pathlib.Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1))
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(compare(pathlib.Path(sys.argv[1])))
