"""How long the first frame, the first rows and a key take, and how many bytes a key writes; measured at a pseudo terminal."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

END = b"\x1b[?2026l"  # Ends a synchronized update: a frame is whole.
ROWS = rb"(?<!\d)1/\d"  # The place of the cursor among the rows; escape codes may stand before it.
KEYS = [("j", b"j", 200), ("k", b"k", 100), ("half a page", b"\x04", 30), ("to the last", b"G", 5), ("to the first", b"g", 5), ("filter", b"/a", 1), ("leave it", b"\x1b", 1)]


def heard(terminal, fits, seconds):
    """What is written till it fits, or till nothing comes; and when its last part came."""
    text, at, end = b"", time.monotonic(), time.monotonic() + seconds
    while not fits(text) and (left := end - time.monotonic()) > 0:
        if select.select([terminal], [], [], left)[0]:
            text += os.read(terminal, 1 << 16)
            at = time.monotonic()
    return text, at


def started(slip, box):
    begun = time.monotonic()
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        os.execve(slip, [slip, "browse", "--box", box], {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8"})
    frame, first = heard(terminal, lambda text: END in text, 30)
    rows, shown = (frame, first) if re.search(ROWS, frame) else heard(terminal, lambda text: re.search(ROWS, text) and END in text, 60)
    return process, terminal, (first - begun) * 1000, (shown - begun) * 1000, bool(re.search(ROWS, rows))


def ended(process, terminal):
    os.write(terminal, b"\x1b")
    heard(terminal, lambda _: False, 0.3)
    os.write(terminal, b"q")
    heard_till = time.monotonic() + 5
    while time.monotonic() < heard_till:
        if os.waitpid(process, os.WNOHANG)[0]:
            return True
        try:
            heard(terminal, lambda _: False, 0.05)
        except OSError:
            pass
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return False


def conduct(slip, scratch, say, box):
    problems, firsts, rows = [], [], []
    for _ in range(5):
        process, terminal, first, shown, there = started(slip, box)
        firsts.append(first)
        rows.append(shown)
        if not there:
            problems.append("no rows within a minute")
        if not ended(process, terminal):
            problems.append("q does not end it")
        os.close(terminal)
    say(f"  first frame {sorted(firsts)[2]:.0f} ms, first rows {sorted(rows)[2]:.0f} ms (the middle of five starts)")
    process, terminal, *_ = started(slip, box)
    heard(terminal, lambda _: False, 1)
    for name, key, number in KEYS:
        times, sizes = [], []
        for _ in range(number):
            begun = time.monotonic()
            os.write(terminal, key)
            text, at = heard(terminal, lambda text: END in text, 0.3)
            rest, _ = heard(terminal, lambda _: False, 0.03)
            if text:
                times.append((at - begun) * 1000)
                sizes.append(len(text) + len(rest))
        if times:
            times.sort()
            say(f"  {name}: {times[len(times) // 2]:.2f} ms, at most {times[-1]:.2f} ms to its frame, {sum(sizes) // len(sizes)} bytes with what follows ({len(times)} of {number} drew)")
        elif name != "leave it":
            problems.append(f"{name}: nothing is drawn")
    if not ended(process, terminal):
        problems.append("q does not end it")
    os.close(terminal)
    return problems
