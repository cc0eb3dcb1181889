#!/usr/bin/env python3
"""Measures how high `slip search` ranks what people look for, beside SQLite's FTS5 with bm25.

Usage: search_quality.py SLIP BUNDLE [QUESTIONS]
Prints the rank of the answer for each question by either, and the mean reciprocal rank of both. Every word of a
question has to occur, in both; FTS5 has title and body in two columns, its own tokenizer and equal weights.
"""

import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile


def questions(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                number, text = line.rstrip("\n").split("\t")
                yield f"EIPS/eip-{number}.md", text


def slip_ranking(slip, box, text):
    run = subprocess.run(
        [slip, "search", "--box", box, "--json", text], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        sys.exit(run.stderr)
    return [note["path"] for note in json.loads(run.stdout)["notes"]] if run.returncode == 0 else []


def fts_table(slip, box):
    run = subprocess.run(
        [slip, "list", "--box", box, "--jsonl", "--with", "body"], capture_output=True, text=True, check=True)
    table = sqlite3.connect(":memory:")
    table.execute("create virtual table notes using fts5(path unindexed, title, body)")
    for line in run.stdout.splitlines():
        note = json.loads(line)
        table.execute("insert into notes values (?, ?, ?)", (note["path"], note["title"], note["body"]))
    return table


def fts_ranking(table, text):
    words = " ".join(f'"{word}"' for word in re.findall(r"\S+", text))
    return [row[0] for row in table.execute("select path from notes where notes match ? order by rank", (words,))]


def rank(ranking, answer):
    return ranking.index(answer) + 1 if answer in ranking else 0


def main():
    slip, bundle = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    here = os.path.dirname(os.path.abspath(__file__))
    path = sys.argv[3] if len(sys.argv) > 3 else os.path.join(here, "eip-questions.txt")
    with tempfile.TemporaryDirectory() as box:
        subprocess.run(["git", "clone", "-q", bundle, box], check=True)
        subprocess.run([slip, "init", "-q", box], capture_output=True, check=True)
        table = fts_table(slip, box)
        sums, count = [0.0, 0.0], 0
        print("slip  fts5  question")
        for answer, text in questions(path):
            ranks = [rank(slip_ranking(slip, box, text), answer), rank(fts_ranking(table, text), answer)]
            sums = [total + (1 / one if one else 0) for total, one in zip(sums, ranks)]
            count += 1
            print(f"{ranks[0] or '-':>4}  {ranks[1] or '-':>4}  {text} ({answer})")
        print(f"mean reciprocal rank: slip {sums[0] / count:.3f}, fts5 {sums[1] / count:.3f}")


main()
