"""A list of many notes: the first rows, scrolling to anywhere, and a keystroke in the filter."""

import os
import statistics
import subprocess
import time

import browser as waits
from browser import Box, Page, until

FRAMES = """async () => {
  const grid = document.querySelector('.grid'), times = [];
  let last = performance.now(), waits = 0;
  for (let step = 0; step < 180; step++) {
    grid.scrollTop += 900;
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    times.push(now - last);
    last = now;
    if (document.querySelector('.row.waiting')) waits++;
  }
  return { times, waits, rows: document.querySelectorAll('.row').length };
}"""

# Two answers may look alike: what counts is that the list of the text came, and the frame in which it was drawn.
KEYSTROKE = """async (text) => {
  performance.setResourceTimingBufferSize(5000);
  const input = document.querySelector('.filter-input');
  // The last word counts as the beginning of one while one types.
  const isOf = (query) => query === text || query === `${text}*`;
  const came = () => performance.getEntriesByType('resource').some((one) => one.startTime >= start && isOf(new URL(one.name).searchParams.get('q')) && one.name.includes('/api/list'));
  input.focus();
  const start = performance.now();
  input.value = text;
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  while (!came() && performance.now() - start < 5000) await new Promise((done) => setTimeout(done, 2));
  await new Promise(requestAnimationFrame);
  return performance.now() - start;
}"""


class Found(Box):
    """A box that is there: it is looked at and not changed."""

    def __init__(self, slip, path):
        self.slip, self.path, self.server = slip, path, None
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "SLIPBOX"))}
        self.environment["SLIPBOX"] = path


def conduct(browser, slip, scratch, say, folder):
    if not folder:
        say("  skipped: --box DIR names a box of many notes")
        return []
    waits.WAIT = 60
    box = Found(slip, os.path.abspath(folder))
    problems = []
    try:
        box.start()
        start = time.monotonic()
        page = Page(browser, box)
        until("rows are there", page.rows)
        say(f"  first rows {1000 * (time.monotonic() - start):.0f} ms after the tab was opened (the server was just started)")
        start = time.monotonic()
        page.tab.reload()
        until("rows are there", page.rows)
        say(f"  first rows {1000 * (time.monotonic() - start):.0f} ms after a reload")
        found = page.tab.evaluate(FRAMES)
        times = sorted(found["times"])
        say(f"  {len(times)} frames of scrolling: median {statistics.median(times):.0f} ms, 99th {times[int(len(times) * 0.99)]:.0f} ms; {found['waits']} showed rows that were not there yet; {found['rows']} rows are made")
        if found["rows"] > 120:
            problems.append(f"{found['rows']} rows are made at once")
        page.tab.keyboard.press("End")
        until("the last row is shown", lambda: page.tab.locator(".row.current:not(.waiting) .row-title").count())
        texts = ["k", "ki", "kin", "kind:book", "kind:book c", "kind:book ch", "the", "the g", "the ga", "ki*"]
        strokes = [page.tab.evaluate(KEYSTROKE, text) for text in texts]
        say("  keystroke to list: " + ", ".join(f"{text!r} {stroke:.0f}" for text, stroke in zip(texts, strokes)) + " ms")
        memory = page.tab.evaluate("performance.memory ? performance.memory.usedJSHeapSize / 1e6 : 0")
        resident = subprocess.run(["ps", "-o", "rss=", "--pid", str(box.server.pid)], text=True, capture_output=True).stdout.strip()
        say(f"  memory: scripts of the tab {memory:.0f} MB, server {int(resident or 0) / 1000:.0f} MB")
        problems += page.close()
    except Exception as fault:
        problems.append(str(fault)[:500])
        say(f"  {problems[-1]}")
    finally:
        box.stop()
    return problems
