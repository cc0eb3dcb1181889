#!/usr/bin/env python3
"""Reads every version of every note of repositories with inline fields and without, and compares what slip finds.

    Tests/Corpora/inline_fields.py PATH-OF-SLIP REPOSITORY...

Fields that only the second reading has may differ; titles, tags, links, texts and all other fields may not.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path


def git(*words, place, text=None):
    return subprocess.run(["git", *words], cwd=place, input=text, capture_output=True, check=True).stdout


def versions(repository):
    """The contents of all notes that the history of a repository has."""
    log = git("log", "--all", "--raw", "--no-renames", "--no-abbrev", "--format=", "-m", place=repository).decode()
    blobs = {}
    for line in log.splitlines():
        state, _, path = line.partition("\t")
        words = state.split()
        if path.strip('"').endswith((".md", ".markdown")) and words[1].startswith("100"):
            blobs[words[3]] = None
    blobs.pop("0" * 40, None)
    batch = git("cat-file", "--batch", place=repository, text="\n".join(blobs).encode())
    place = 0
    while place < len(batch):
        end = batch.index(b"\n", place)
        size = int(batch[place:end].split()[2])
        yield batch[end + 1 : end + 1 + size]
        place = end + size + 2


def notes(slip, box, reads):
    (box / ".slipbox/config.yaml").write_text(f"layout: obsidian\ninline-fields: {reads}\n")
    git("add", "-A", place=box)
    git("commit", "-q", "-m", f"inline-fields: {reads}", place=box)
    found = subprocess.run([slip, "export", "json"], cwd=box, capture_output=True, check=True).stdout
    return {note["path"]: note for note in json.loads(found)["notes"]}


def compare(slip, repository, box):
    (box / ".slipbox").mkdir(parents=True)
    for number, text in enumerate(versions(repository)):
        folder = box / str(number // 500)
        folder.mkdir(exist_ok=True)
        (folder / f"v{number}.md").write_bytes(text)
    git("init", "-q", "-b", "main", place=box)
    without, with_fields = (notes(slip, box, reads) for reads in ("no", "yes"))
    wrong, news = [], 0
    for path, note in without.items():
        other = with_fields[path]
        news += len(other["fields"].keys() - note["fields"].keys())
        other["fields"] = {key: value for key, value in other["fields"].items() if key in note["fields"]}
        if note != other:
            wrong.append(path)
    print(f"{repository}: {len(without)} versions, {news} inline fields, {len(wrong)} that differ otherwise {wrong[:5]}")
    return not wrong


def main():
    slip = os.path.abspath(sys.argv[1])
    os.environ |= {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
                   "GIT_COMMITTER_EMAIL": "a@example.org"}
    isRight = True
    for repository in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as folder:
            os.environ |= {"HOME": folder, "XDG_CONFIG_HOME": folder + "/config"}
            isRight = compare(slip, repository, Path(folder) / "box") and isRight
    sys.exit(0 if isRight else 1)


main()
