"""A box of its own, the page's server on it, and a browser that looks at it."""

import contextlib
import functools
import http.client
import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = {"chromium": ["chromium", "chromium-browser", "google-chrome"], "firefox": ["firefox-esr", "firefox"]}
WAIT = 12
# How many times as long a busy machine is waited for.
PATIENCE = 1
# The folder that the page's files are read from, in place of those in the program.
ASSETS = os.environ.get("SLIPBOX_PAGE_ASSETS")
if ASSETS:
    ASSETS = os.environ["SLIPBOX_PAGE_ASSETS"] = os.path.abspath(ASSETS)


def program(name):
    """The path of a browser of this machine; None where there is none."""
    return next((path for path in map(shutil.which, PROGRAMS[name]) if path), None)


COARSE = 1
# Milliseconds between two taps of one person: the page takes a quicker one for the same.
BETWEEN_TAPS = 400


def launch(engine, resolved=(), touch=False):
    """Starts the machine's browser of an engine of playwright. The names `resolved` are this machine, without a name server."""
    path = program(engine.name)
    if engine.name == "firefox":
        preferences = {"network.dns.localDomains": ",".join(resolved)}
        if touch:
            preferences |= {"ui.primaryPointerCapabilities": COARSE, "ui.allPointerCapabilities": COARSE}
        return engine.launch(channel="moz-firefox", executable_path=path, firefox_user_prefs=preferences, timeout=180_000 * PATIENCE)
    rules = ", ".join(f"MAP {name} 127.0.0.1" for name in resolved)
    return engine.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage", *([f"--host-resolver-rules={rules}"] if rules else [])])


@contextlib.contextmanager
def touched(browser):
    """A browser whose contexts can be those of a phone: Firefox has the pointer of the whole browser only."""
    engine = browser.browser_type
    if engine.name != "firefox":
        yield browser
        return
    other = launch(engine, touch=True)
    try:
        yield other
    finally:
        other.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Fault(Exception):
    """The page does not show what it should."""


class Skip(Exception):
    """A browser can't be made to do what a case needs."""


def until(what, check, seconds=None):
    """Waits for a check to hold, and says what did not come about. A fault does not hold, whether it is raised or returned."""
    end = time.monotonic() + (seconds or WAIT) * PATIENCE
    last = None
    while time.monotonic() < end:
        try:
            last = check()
            if last and not isinstance(last, Fault):
                return last
        except Fault as fault:
            last = fault
        time.sleep(0.05)
    raise Fault(f"{what}: {last!r}")


class Box:
    """A new box with a home of its own."""

    def __init__(self, slip, folder):
        self.slip = slip
        self.path = os.path.join(folder, "box")
        home = os.path.join(folder, "home")
        os.makedirs(home)
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "SLIP", "XDG_")) or name == "SLIPBOX_PAGE_ASSETS"},
            "HOME": home, "LC_ALL": "C.UTF-8", "TZ": "UTC", "XDG_STATE_HOME": os.path.join(home, "state"),
        }
        with open(os.path.join(home, ".gitconfig"), "w") as config:
            config.write("[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n")
        subprocess.run([slip, "init", self.path], env=self.environment, check=True, capture_output=True)
        self.environment["SLIPBOX"] = self.path
        self.server = None

    def run(self, *words, stdin=None):
        done = subprocess.run([self.slip, *words], cwd=self.path, env=self.environment, text=True, capture_output=True, input=stdin)
        if done.returncode not in (0, 1):
            raise Fault(f"slip {' '.join(words)}: {done.stderr.strip()}")
        return done.stdout

    def list(self, *query):
        return json.loads(self.run("list", *query, "--json") or '{"notes":[]}')["notes"]

    def titles(self, *query):
        return [note["title"] for note in self.list(*query)]

    def note(self, title):
        found = [note for note in self.list() if note["title"] == title]
        if len(found) != 1:
            raise Fault(f"{len(found)} notes are titled {title!r}")
        return json.loads(self.run("show", found[0]["id"], "--json"))["notes"][0]

    def commits(self):
        return int(subprocess.run(["git", "-C", self.path, "rev-list", "--count", "HEAD"], text=True, capture_output=True).stdout)

    def subjects(self, count=1):
        return subprocess.run(["git", "-C", self.path, "log", f"-{count}", "--format=%s"], text=True, capture_output=True).stdout.splitlines()

    def start(self, port=None):
        """Starts the server; the address with its key."""
        self.port = port or free_port()
        self.server = subprocess.Popen(
            [self.slip, "page", "--port", str(self.port), "--no-open"], cwd=self.path, env=self.environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
        ready, _, _ = select.select([self.server.stdout], [], [], WAIT * PATIENCE)
        line = self.server.stdout.readline() if ready else ""
        found = re.search(r"http://\S+", line)
        if not found:
            raise Fault(f"slip page says {line!r}")
        self.address = found[0]

        def listens():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port)) == 0
        until("the server listens", listens)
        return self.address

    def stop(self):
        if self.server:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.server.pid, signal.SIGKILL)
            self.server.wait()
            self.server.stdout.close()
            self.server = None


@functools.cache
def is_older(port):
    """Whether the server does not know all files of the folder that it reads the page from: it is older than one of them."""
    def is_missing(name):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT)
        with contextlib.closing(connection):
            connection.request("GET", f"/assets/{name}")
            return connection.getresponse().status == 404
    return any(is_missing(name) for name in os.listdir(ASSETS))


def served_from_folder(route):
    """The page's files as they are in a folder, for a server that does not know all of them; headers are the server's."""
    path = route.request.url.split("#")[0].split("?")[0].split("/", 3)[3]
    name = path.removeprefix("assets/") or "index.html"
    with open(os.path.join(ASSETS, name), "rb") as file:
        body = file.read()
    types = {"html": "text/html; charset=utf-8", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
    headers = {"Content-Type": types[name.rsplit(".", 1)[1]]}
    if name == "index.html":
        headers["Content-Security-Policy"] = route.fetch().headers["content-security-policy"]
    route.fulfill(status=200, headers=headers, body=body)


LOSE = """part => {
  const real = window.lostFetch ??= window.fetch.bind(window);
  window.fetch = async (address, options) => {
    const answer = await real(address, options);
    if (part !== null && String(address).includes(part)) throw new TypeError("the answer is lost");
    return answer;
  };
}"""

DOUBLE_CLICK = """({ x, y }) => {
  const at = document.caretPositionFromPoint(x, y), selection = getSelection();
  if (at?.offsetNode.nodeType === Node.TEXT_NODE) {
    selection.collapse(at.offsetNode, at.offset);
    selection.modify("move", "backward", "word");
    selection.modify("extend", "forward", "word");
  }
  document.elementFromPoint(x, y).dispatchEvent(new MouseEvent("dblclick", { bubbles: true, cancelable: true, detail: 2 }));
}"""


class Page:
    """A tab. What the page's scripts complain about is a fault at the end."""

    def __init__(self, browser, box, width=1440, height=900, context=None, **options):
        self.box = box
        self.context = context or browser.new_context(viewport={"width": width, "height": height}, locale="en-GB", timezone_id="UTC", **options)
        self.context.set_default_timeout(30_000 * PATIENCE)
        self.tab = self.context.new_page()
        self.complaints = []
        self.tab.on("pageerror", lambda error: self.complaints.append(f"script: {error}"))
        self.tab.on("console", lambda message: self.heard(message))
        # A tab that a link opens in the background of Firefox is not loaded while requests are intercepted.
        if ASSETS and is_older(box.port):
            self.context.route(re.compile(r"^http://[^/]+/(assets/.*)?$"), served_from_folder)
        self.tab.goto(box.address)
        self.tab.wait_for_selector(".list-head", timeout=WAIT * PATIENCE * 1000)

    def heard(self, message):
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.complaints.append(f"console: {message.text}")

    def lose(self, part):
        """Requests whose address has `part` are done, but their answers do not arrive; None ends that."""
        self.tab.evaluate(LOSE, part)

    def tap(self, found):
        """Taps what a locator finds, not as the second of two quick taps. Playwright has no fingers in Firefox, where it is clicked."""
        if not self.is_firefox:
            self.tab.wait_for_timeout(BETWEEN_TAPS)
        (found.click if self.is_firefox else found.tap)()

    @property
    def is_firefox(self):
        return self.context.browser.browser_type.name == "firefox"

    def double_click(self, place):
        """Clicks twice on a place of the window. Firefox takes the clicks of playwright for two single ones, without a selection."""
        self.tab.mouse.dblclick(place["x"], place["y"])
        if self.is_firefox:
            self.tab.evaluate(DOUBLE_CLICK, place)

    def rows(self):
        return self.tab.evaluate("[...document.querySelectorAll('.grid:not([hidden]) .row-title')].map(n => n.textContent)")

    def title(self):
        return self.tab.evaluate("document.querySelector('.note:not([hidden]) .note-title')?.value ?? null")

    def badge(self, section, name):
        return self.tab.evaluate("""([section, name]) => {
          const part = [...document.querySelectorAll('.sidebar section')].find(n => n.querySelector('h2').textContent === section);
          const link = part && [...part.querySelectorAll('a')].find(n => n.querySelector('.grow').textContent === name);
          return link ? Number(link.querySelector('.badge')?.textContent ?? 0) : null;
        }""", [section, name])

    def saved(self):
        return self.tab.evaluate("document.querySelector('.saved').textContent")

    def shows(self, *query):
        """The list is what the command lists."""
        def same():
            here, there = self.rows(), self.box.titles(*query)
            return here == there[:len(here)] and (len(here) == len(there) or len(here) > 12) or Fault(f"page {here}, command {there}")
        until(f"the page lists {' '.join(query)}", lambda: same() is True)

    def settled(self):
        def said():
            if self.saved() == "Saved":
                return True
            why = self.tab.evaluate("[...document.querySelectorAll('.alerts, .message')].map(node => node.innerText).join(' | ')")
            raise Fault(f"{self.saved()}: {why[:300]}")
        until("the page says Saved", said)

    def focused(self):
        return self.tab.evaluate("document.activeElement !== null && document.activeElement !== document.body")

    def close(self):
        self.context.close()
        return self.complaints
