"""Two clones whose note programs rewrite front matter at each save: block lists, stamps of the change, quoted dates.

In each round both sides save the same notes. If only stamps and spellings differ there is no conflict, the later stamp stays,
no tag and no line is lost, and both clones have the same files.
"""
import datetime
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

slip = os.path.abspath(sys.argv[1])
rounds = int(sys.argv[2])
chance = random.Random(int(sys.argv[3]))
top = tempfile.mkdtemp(prefix="slip-stamps-")
with open(os.path.join(top, ".gitconfig"), "w") as file:
    file.write("[user]\n name=Ann\n email=ann@example.org\n[init]\n defaultBranch=main\n")
environment = dict(os.environ, HOME=top, PATH=os.path.dirname(slip) + ":" + os.environ["PATH"])
STAMPS = ["modified", "updated", "lastmod", "last_modified", "date modified"]
START = datetime.datetime(2026, 1, 2, 10, 11, 12)
clock = START
faults = []


def run(line, folder):
    ran = subprocess.run(
        line, cwd=os.path.join(top, folder), env=environment, shell=True, capture_output=True, text=True)
    if ran.returncode:
        sys.exit("%s in %s: exit %d\n%s%s" % (line, folder, ran.returncode, ran.stdout, ran.stderr))
    return ran.stdout


def read(folder, name):
    """The fields of a note, with values or lists of values, and its body."""
    with open(os.path.join(top, folder, name), encoding="utf-8") as file:
        text = file.read()
    head, body = re.match(r"---\n(.*?)\n---\n(.*)", text, re.S).groups()
    fields = {}
    for line in head.split("\n"):
        item = re.match(r"\s*- (.*)", line)
        if item:
            fields[key].append(item.group(1).strip("'\""))
            continue
        key, value = line.split(":", 1)
        value = value.strip()
        if value.startswith("["):
            fields[key] = [part.strip(" '\"") for part in value.strip("[]").split(",") if part.strip()]
        else:
            fields[key] = [] if not value else value.strip("'\"")
    return fields, body


def spelled(value):
    """A value as one of the programs quotes it."""
    return chance.choice(['"%s"', "'%s'", "%s"]) % value


def stamp(moment):
    return chance.choice([
        moment.strftime("%Y-%m-%dT%H:%M:%S"), moment.strftime("%Y-%m-%d %H:%M:%S"),
        moment.strftime("%Y-%m-%dT%H:%M:%S.000Z"), moment.strftime("%Y-%m-%dT%H:%M:%S+00:00")])


def save(folder, name, line=None, tag=None):
    """Saves a note as a program does that writes all of its front matter anew."""
    global clock
    clock += datetime.timedelta(seconds=chance.randint(1, 5000))
    fields, body = read(folder, name)
    lists = chance.choice(["block", "indented", "flow"])
    written = {}
    lines = []
    if tag:
        fields["tags"] = fields["tags"] + [tag]
    for key, value in fields.items():
        if key in STAMPS:
            value = stamp(clock)
            written[key] = clock
        if isinstance(value, list):
            if lists == "flow":
                lines.append("%s: [%s]" % (key, ", ".join(value)))
            else:
                lines.append(key + ":")
                lines += [("  - " if lists == "indented" else "- ") + item for item in value]
        elif key in ("id", "kind"):
            lines.append("%s: %s" % (key, value))
        else:
            lines.append("%s: %s" % (key, spelled(value)))
    if line:
        body += line + "\n"
    with open(os.path.join(top, folder, name), "w", encoding="utf-8") as file:
        file.write("---\n%s\n---\n%s" % ("\n".join(lines), body))
    return written


def moment(value):
    return datetime.datetime.fromisoformat(value.replace(" ", "T").replace(".000Z", "").replace("+00:00", ""))


run("git init -q --bare -b main hub", "")
run("slip init -q a", "")
names = ["n%d.md" % number for number in range(3)]
for number, name in enumerate(names):
    with open(os.path.join(top, "a", name), "w", encoding="utf-8") as file:
        file.write("---\nid: kqzmvtr%s\ntitle: Note %d\ntags:\n  - one\n  - two\naliases:\n  - n %d\n" % (
            "bcd"[number], number, number))
        file.write("created: \"2026-01-02T10:11:12\"\n" + "".join("%s: 2026-01-02T10:11:12\n" % key for key in STAMPS))
        file.write("---\n" + "\n\n".join("Paragraph %d." % part for part in range(6)) + "\n")
run("slip commit -q; git remote add origin ../hub; git push -qu origin main; git clone -q ../hub ../b", "a")
tags = {name: {"one", "two"} for name in names}
lineCount = 0
for number in range(rounds):
    latest = {}
    for folder in ("a", "b"):
        for name in names:
            if chance.random() < 0.2:
                continue
            # Only one side adds a line: two at one place are a conflict.
            line = "Line %d." % number if folder == "ab"[number % 2] and chance.random() < 0.1 else None
            tag = "t%d" % number + folder if chance.random() < 0.02 and len(tags[name]) < 40 else None
            if tag:
                tags[name].add(tag)
            if line:
                lineCount += 1
            for key, value in save(folder, name, line, tag).items():
                latest[name, key] = max(value, latest.get((name, key), START))
    for folder in ("a", "b", "a"):
        run("slip sync -q --yes", folder)
    for name in names:
        both = []
        for folder in ("a", "b"):
            with open(os.path.join(top, folder, name), encoding="utf-8") as file:
                both.append(file.read())
        if both[0] != both[1]:
            faults.append("round %d: %s differs" % (number, name))
        if "conflicts:" in both[0] or "<!-- slip" in both[0]:
            faults.append("round %d: %s is in conflict:\n%s" % (number, name, both[0]))
            continue
        fields, body = read("a", name)
        for key in STAMPS:
            if (name, key) in latest and moment(fields[key]) != latest[name, key]:
                faults.append("round %d: %s: %s is %s, not %s" % (number, name, key, fields[key], latest[name, key]))
        if set(fields["tags"]) != tags[name]:
            faults.append("round %d: %s: tags %s, not %s" % (number, name, fields["tags"], tags[name]))
    if faults:
        break
kept = sum(read("a", name)[1].count("Line ") for name in names)
if kept != lineCount:
    faults.append("%d lines of %d are left" % (kept, lineCount))
for line in faults:
    print("  FAULT:", line)
print("%d rounds, %d lines, %d faults" % (number + 1, lineCount, len(faults)))
if faults:
    print("  see " + top)
else:
    shutil.rmtree(top)
sys.exit(1 if faults else 0)
