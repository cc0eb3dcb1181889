"""How long the first frame, the first rows and a key take, how many bytes a key writes, and the memory; measured at a pseudo terminal."""

import fcntl
import os
import pty
import random
import re
import select
import signal
import struct
import subprocess
import termios
import time

END = b"\x1b[?2026l"  # Ends a synchronized update: a frame is whole.
ROWS = rb"(?<!\d)1/\d"  # The place of the cursor among the rows; escape codes may stand before it.
# Keys that are pressed in turn, so that each of them changes the screen.
KEYS = [[("j", b"j", 200)], [("k", b"k", 100)], [("half a page", b"\x04", 30)], [("to the last", b"G", 5), ("to the first", b"g", 5)], [("filter", b"/a", 1)], [("leave it", b"\x1b", 1)]]
STARTS = 5
MOST_SECONDS = 5


def heard(terminal, fits, seconds):
    """What is written till it fits, till nothing comes, or till the program has ended; and when its last part came."""
    text, at, end = b"", time.monotonic(), time.monotonic() + seconds
    while not fits(text) and (left := end - time.monotonic()) > 0:
        if not select.select([terminal], [], [], left)[0]:
            break
        try:
            part = os.read(terminal, 1 << 16)
        except OSError:
            break
        if not part:
            break
        text += part
        at = time.monotonic()
    return text, at


def started(slip, box, environment):
    """The process, its terminal, milliseconds to the first frame and to the first rows, whether there are rows, and what is shown."""
    begun = time.monotonic()
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        os.execve(slip, [slip, "browse", "--box", box], {**environment, "TERM": "xterm-256color", "LANG": "C.UTF-8"})
    frame, first = heard(terminal, lambda text: END in text, 30)
    rows, shown = (frame, first) if re.search(ROWS, frame) else heard(terminal, lambda text: re.search(ROWS, text) and END in text, 60)
    return process, terminal, (first - begun) * 1000, (shown - begun) * 1000, bool(re.search(ROWS, rows)), frame + rows


def ended(process, terminal):
    try:
        os.write(terminal, b"\x1b")
        heard(terminal, lambda _: False, 0.3)
        os.write(terminal, b"q")
    except OSError:
        pass
    end = time.monotonic() + 5
    while time.monotonic() < end:
        if os.waitpid(process, os.WNOHANG)[0]:
            return True
        heard(terminal, lambda _: False, 0.05)
        time.sleep(0.01)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return False


def memory(process):
    """The most megabytes that a process had, and those that are not of files."""
    with open(f"/proc/{process}/status") as file:
        sizes = dict(line.split(":", 1) for line in file)
    return [int(sizes[name].split()[0]) / 1024 for name in ("VmHWM", "RssAnon")]


def pressed(terminal, key):
    """Milliseconds to the frame of a key, and the bytes with what follows; None if nothing is drawn."""
    heard(terminal, lambda _: False, 0)
    begun = time.monotonic()
    os.write(terminal, key)
    text, at = heard(terminal, lambda text: END in text, MOST_SECONDS)
    rest, _ = heard(terminal, lambda _: False, 0.03)
    return ((at - begun) * 1000, len(text) + len(rest)) if END in text else None


def box_of(slip, scratch, count, say):
    """A new box of so many notes, the same each time, and the environment of its programs."""
    box, home = os.path.join(scratch, "box"), os.path.join(scratch, "home")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "SLIP", "XDG_"))} | {"HOME": home}
    chance = random.Random(1)
    words = ["".join(chance.choice("bdfgklmnprstvw") + chance.choice("aeiou") for _ in range(chance.randint(1, 4))) for _ in range(4000)]
    text = lambda least, most: " ".join(chance.choices(words, k=chance.randint(least, most)))
    os.makedirs(home)
    with open(os.path.join(home, ".gitconfig"), "w") as config:
        config.write("[user]\n\tname = Ada\n\temail = ada@example.org\n[gc]\n\tauto = 0\n")
    begun = time.monotonic()
    for number in range(count):
        year, month, day = 2016 + number * 10 // count, number % 12 + 1, number % 28 + 1
        folder = os.path.join(box, f"{year}/{month:02}")
        if number < 120 or not os.path.isdir(folder):
            os.makedirs(folder, exist_ok=True)
        kind = f"kind: task\nstatus: {chance.choice(['open', 'done'])}\n" if number % 5 == 0 else ""
        with open(os.path.join(folder, f"{number}.md"), "w") as file:
            file.write(f"---\ntitle: {text(2, 6)}\n{kind}tags: [{chance.choice(words)}, {chance.choice(words)}]\ncreated: {year}-{month:02}-{day:02}T08:00:00Z\n---\n{text(60, 240)}\n")
    for command in (["git", "init", "-q", "-b", "main", box], ["git", "-C", box, "add", "-A"], ["git", "-C", box, "commit", "-q", "-m", "Add notes"], [slip, "init", box]):
        subprocess.run(command, env=environment, check=True, capture_output=True)
    say(f"  a box of {count:,} notes is made in {time.monotonic() - begun:.0f} s")
    return box, environment


def conduct(slip, scratch, say, box=None, count=100_000):
    box, environment = (box, dict(os.environ)) if box else box_of(slip, scratch, count, say)
    problems, firsts, rows = [], [], []
    for _ in range(STARTS):
        process, terminal, first, shown, there, screen = started(slip, box, environment)
        firsts.append(first)
        rows.append(shown)
        if not ended(process, terminal):
            problems.append("q does not end it")
        os.close(terminal)
        if not there:
            said = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b" ", screen).decode(errors="replace").split()
            return problems + [f"no rows within a minute: {' '.join(said)[:200]}"]
    say(f"  first frame {sorted(firsts)[STARTS // 2]:.0f} ms, first rows {sorted(rows)[STARTS // 2]:.0f} ms (the middle of {STARTS} starts; the first one {rows[0]:.0f} ms)")
    process, terminal, *_ = started(slip, box, environment)
    heard(terminal, lambda _: False, 1)
    slowest = (0, "")
    for turn in KEYS:
        found = {name: [] for name, _, _ in turn}
        for number in range(turn[0][2]):
            for name, key, _ in turn:
                found[name].append(pressed(terminal, key))
        for name, _, number in turn:
            drawn = sorted(one for one in found[name] if one)
            if len(drawn) < number:
                problems.append(f"{name}: {number - len(drawn)} of {number} drew nothing within {MOST_SECONDS} s")
            if not drawn:
                continue
            slowest = max(slowest, (drawn[-1][0], name))
            sizes = [size for _, size in drawn]
            say(f"  {name}: {drawn[len(drawn) // 2][0]:.2f} ms, at most {drawn[-1][0]:.2f} ms to its frame, {sum(sizes) // len(sizes)} bytes with what follows")
    most, own = memory(process)
    say(f"  slowest key: {slowest[1]}, {slowest[0]:.2f} ms; memory {most:.0f} MB at most (VmHWM), {own:.0f} MB at the end without files")
    if not ended(process, terminal):
        problems.append("q does not end it")
    os.close(terminal)
    return problems
