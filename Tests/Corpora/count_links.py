#!/usr/bin/env python3
"""Counts the links of a folder of notes by way of cmark-gfm, and holds the counts against slip's.

  slip list --json --with links | Tests/Corpora/count_links.py FOLDER

Nothing is shared with slip: the blocks of a text and its Markdown links are what libcmark-gfm makes of it; wiki links are
looked for in the lines of its paragraphs, headings and blocks of HTML, around code and comments; front-matter is read by
PyYAML. Each file whose counts differ is named with both. Links to a heading of the same note are left out.
"""

import collections
import ctypes
import json
import pathlib
import re
import sys

import yaml

NODES = {"code_block", "html_block", "paragraph", "heading"}
WIKI = re.compile(r"(!?)\[\[[ \t]*([^\[\]\n|]*[^\[\]\n|\s\\])[ \t]*\\?(?:\|[^\[\]\n]*)?\]\]")
DEFINITION = re.compile(r"^[ >]{0,8}\[(?!\^)(?:[^\[\]\\]|\\.)+\]:[ \t]*(<[^<>\n]*>|\S+)(?:[ \t]+[\"'(].*)?[ \t]*$", re.M)
AUTOLINK = re.compile(r"(?<!\]\()(?<!\]: )<(?:[a-zA-Z][a-zA-Z0-9.+-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>")
INLINE = re.compile(r"(!?)\[((?:[^\[\]]|!\[[^\]]*\]\([^)]*\))*)\]\((<[^>\n]*>|(?:[^\s()]|\([^\s()]*\))*)(?:\s+[\"'(][^\n]*?[\"')])?\s*\)")


def library():
    lib = ctypes.CDLL("libcmark-gfm.so.0.29.0.gfm.6")
    for name in ("cmark_parse_document", "cmark_iter_new", "cmark_iter_get_node"):
        getattr(lib, name).restype = ctypes.c_void_p
    for name in ("cmark_node_get_type_string", "cmark_node_get_url"):
        getattr(lib, name).restype = ctypes.c_char_p
    return lib


CMARK = library()


def nodes(text):
    """The nodes that cmark makes of a text: type, address, first and last line."""
    data = text.encode()
    root = ctypes.c_void_p(CMARK.cmark_parse_document(data, ctypes.c_size_t(len(data)), 0))
    walk = ctypes.c_void_p(CMARK.cmark_iter_new(root))
    found = []
    while (event := CMARK.cmark_iter_next(walk)) != 1:
        node = ctypes.c_void_p(CMARK.cmark_iter_get_node(walk))
        if event == 2:
            kind = CMARK.cmark_node_get_type_string(node).decode()
            url = (CMARK.cmark_node_get_url(node) or b"").decode() if kind in ("link", "image") else None
            lines = CMARK.cmark_node_get_start_line(node), CMARK.cmark_node_get_end_line(node)
            found.append((kind, url, *lines))
    CMARK.cmark_iter_free(walk)
    CMARK.cmark_node_free(root)
    return found


def without_code(text):
    """The text of a paragraph with blanks in the place of code and comments."""
    out, at = [], 0
    for part in re.finditer(r"\\.|(`+)|<!--.*?-->", text, re.S):
        if part.start() < at:
            continue
        end = part.end()
        if part.group(1):
            close = re.compile(r"(?<!`)%s(?!`)" % part.group(1)).search(text, end)
            if not close:
                continue
            end = close.end()
        elif part.group().startswith("\\"):
            continue
        out += [text[at : part.start()], " " * (end - part.start())]
        at = end
    return "".join(out) + text[at:]


def in_text(text):
    """The wiki links and embeds of a text."""
    counts = collections.Counter()
    for link in WIKI.finditer(text):
        if re.match(r"\([^)\s]*[:/.#]", text[link.end() :]) or link.group(2).startswith("#"):
            continue
        counts["embed" if link.group(1) else "wiki"] += 1
    return counts


def in_body(body):
    counts = collections.Counter()
    lines = body.split("\n")
    # Addresses by themselves are no links to notes, and cmark takes footnotes for links or drops those that nothing names.
    plain = AUTOLINK.sub(lambda link: " " * len(link.group()), body).replace("[^", "(^")
    blocks = [node for node in nodes(plain) if node[0] in NODES]
    in_code = set()
    for kind, _, first, last in blocks:
        if kind == "code_block":
            in_code.update(range(first, last + 1))
        else:
            text = re.sub(r"^[ \t]*(>[ \t]?)+", "", "\n".join(lines[first - 1 : last]), flags=re.M)
            counts += in_text(without_code(text)) if kind != "html_block" else collections.Counter()
            if kind == "html_block" and not re.match(r"\s*<(script|pre|style|!--)", text):
                counts += in_text(text)
                for link in INLINE.finditer(text):
                    counts["image" if link.group(1) else "markdown"] += not link.group(3).startswith("#")
    outside = [("" if number in in_code else line) for number, line in enumerate(plain.split("\n"), 1)]
    definitions = [d for d in DEFINITION.finditer("\n".join(outside)) if not d.group(1).startswith("#")]
    counts["reference"] += len(definitions)
    # Without their definitions only those links are left that hold their own address.
    for kind, url, _, _ in nodes(DEFINITION.sub("", plain)):
        if url is not None and url and url[0] not in "#?":
            counts["image" if kind == "image" else "markdown"] += 1
    return counts


def in_fields(head):
    counts = collections.Counter()
    head = re.sub(r"^(\s*(?:-\s+|[^\s:#][^:\n]*:\s+))(\[\[[^\[\]\n]*\]\])\s*$", r'\1"\2"', head, flags=re.M)

    def read(value):
        if isinstance(value, dict):
            for inner in value.values():
                read(inner)
        elif isinstance(value, list):
            for inner in value:
                read(inner)
        elif isinstance(value, str):
            counts.update(in_text(value))
            counts.update("image" if link.group(1) else "markdown" for link in INLINE.finditer(value))

    try:
        read(yaml.load(head, yaml.BaseLoader))
    except yaml.YAMLError:
        for line in head.split("\n"):
            read(line)
    return counts


def count(path):
    text = path.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
    head = re.match(r"---[ \t]*\n(.*?\n)?---[ \t]*(\n|$)", text, re.S)
    if not head:
        return in_body(text)
    return in_body(text[head.end() :]) + in_fields(head.group(1) or "")


def main():
    folder = pathlib.Path(sys.argv[1])
    sums = collections.Counter(), collections.Counter()
    different = 0
    for note in json.load(sys.stdin)["notes"]:
        ours = collections.Counter(link["form"] for link in note["links"])
        theirs = +count(folder / note["path"])
        sums[0].update(ours)
        sums[1].update(theirs)
        if ours != theirs:
            different += 1
            forms = sorted(form for form in ours | theirs if ours[form] != theirs[form])
            print(note["path"], *(f"{form}: slip {ours[form]}, cmark {theirs[form]}" for form in forms), sep="; ")
    for form in sorted(sums[0] | sums[1]):
        print(f"{form:10} slip {sums[0][form]:6} cmark {sums[1][form]:6}")
    print(f"{different} files differ")


if __name__ == "__main__":
    main()
