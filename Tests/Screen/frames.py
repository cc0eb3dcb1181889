"""What a terminal shows of hostile, wide, combining and right-to-left text, without colour, in ASCII, and on small screens."""

import os
import re
import unicodedata

from screen import Box, Fault, Screen, each, until

TITLES = ["漢字の長い題名をここに書いてみるとどうなるか見てみましょう", "שלום עולם - כותרת מימין לשמאל", "e\u0301 combining e\u0323\u0301 z\u0307o\u0301łw", "plain"]
HOSTILE = '---\nid: bbbbbbbb\ntitle: "evil \\e[31mred\\e]0;pwned\\a bell"\n---\nraw \x1b[2J\x1b]2;pwned\x07\x1b]52;c;aGk=\x07 \u009b31m \x01 text\ttab\r\n'


def width(text):
    return sum(0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


def aligned(screen, border):
    """The borders of the panes stand below each other, and no line is wider than the screen."""
    lines = screen.lines()[1:-1]
    places = {tuple(width(line[: hit.start()]) for hit in re.finditer(re.escape(border), line)) for line in lines if line.strip()}
    if len(places) > 1:
        raise Fault(f"borders stand at {places}:\n{screen.text()}")
    if wide := [line for line in screen.lines() if width(line) > screen.size[0]]:
        raise Fault(f"wider than {screen.size[0]}: {wide}")


def looked_at(box, size, environment, check):
    screen = Screen(box, size, environment=environment)
    try:
        for _ in range(len(TITLES) + 1):
            check(screen)
            screen.keys("j")
        screen.keys("?")
        screen.says("Notes")
        screen.close()
        if "pwned" in screen_title(screen):
            raise Fault("a note changed the terminal's title")
    finally:
        screen.kill()


def screen_title(screen):
    try:
        return screen.format("#{pane_title} #{window_name}")
    except Fault:
        return ""


def full(screen):
    until("a bad byte is shown as text", lambda: "\\x1b[31mred" in screen.text())
    if "pwned" in screen_title(screen):
        raise Fault("a note changed the terminal's title")
    aligned(screen, "│")


def plain(screen):
    colours = set(re.findall(r"\x1b\[([\d;]*)m", screen.text("-e")))
    if coloured := [one for one in colours if any(part in one.split(";") for part in [*map(str, range(30, 38)), *map(str, range(40, 48)), *map(str, range(90, 98)), "38", "48"])]:
        raise Fault(f"colours in spite of NO_COLOR: {coloured}")


def ascii(screen):
    if found := set(screen.text()) & set("│─●○◐★☐☑…·→"):
        raise Fault(f"not in ASCII: {found}")
    aligned(screen, "|")


def narrow(screen):
    if wide := [line for line in screen.lines() if width(line) > screen.size[0]]:
        raise Fault(f"wider than {screen.size[0]}: {wide}")


def conduct(slip, scratch, say):
    box = Box(slip, scratch)
    for title in TITLES:
        box.run("new", title, "+日本")
    with open(os.path.join(box.path, "evil.md"), "w", newline="") as file:
        file.write(HOSTILE)
    with open(os.path.join(box.path, "broken.md"), "wb") as file:
        file.write(b"---\ntitle: [broken\n---\nab\xff\xfecd\n")
    return each({
        "hostile and wide": lambda: looked_at(box, (120, 40), {}, full), "NO_COLOR": lambda: looked_at(box, (120, 40), {"NO_COLOR": "1"}, plain),
        "ASCII": lambda: looked_at(box, (120, 40), {"LANG": "C"}, ascii), "200x60": lambda: looked_at(box, (200, 60), {}, full),
        "80x24": lambda: looked_at(box, (80, 24), {}, narrow), "40x10": lambda: looked_at(box, (40, 10), {}, narrow), "20x5": lambda: looked_at(box, (20, 5), {}, narrow),
    }, say)
