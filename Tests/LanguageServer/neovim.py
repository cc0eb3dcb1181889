"""Drives a real neovim: keys are typed, and its own functions ask the server."""

import os
import shutil
import subprocess
import time

import boxes

WAIT = 15  # seconds


class Failed(Exception):
    pass


class Neovim:
    def __init__(self, box, scratch):
        self.box, self.socket = box, os.path.join(scratch, "nvim.sock")
        self.env = {**box.env, "SLIP": box.slip, "NVIM_LOG_FILE": os.path.join(scratch, "nvim.log"), "TERM": "dumb"}
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "neovim.lua")
        self.process = subprocess.Popen(
            ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "--listen", self.socket, "-S", script],
            cwd=box.folder, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + WAIT
        while not os.path.exists(self.socket):
            if time.monotonic() > end:
                raise Failed("neovim did not start")
            time.sleep(0.02)

    def remote(self, *arguments):
        ran = subprocess.run(["nvim", "--headless", "--server", self.socket, *arguments], env=self.env, capture_output=True, text=True, timeout=30)
        return (ran.stdout + ran.stderr).strip()

    def type(self, keys):
        self.remote("--remote-send", keys)

    def lua(self, code):
        return self.remote("--remote-expr", "luaeval('" + code.replace("'", "''") + "')")

    def command(self, command):
        self.type("<C-\\><C-n>:" + command.replace("<", "<lt>") + "<CR>")

    def wait(self, code, wanted, what):
        """Waits until some Lua gives a wanted value, or one that fulfils a test."""
        end = time.monotonic() + WAIT
        while True:
            found = self.lua(code)
            if wanted(found) if callable(wanted) else found == wanted:
                return found
            if time.monotonic() > end:
                raise Failed(f"{what}: {found!r}; messages: {self.lua('Messages()')[-600:]!r}")
            time.sleep(0.05)

    def edit(self, name):
        self.command(f"edit {name}")
        self.wait('vim.fn.expand("%:.")', name, f"{name} is open")
        self.wait("tostring(IsReady())", "true", "the server runs")

    def find(self, text):
        """Puts the cursor on the first place of a text."""
        self.command(f"call cursor(1, 1) \\| call search('\\V{text}', 'cW')".replace("\\|", "|"))

    def act(self, word, done, what):
        """Runs an action; `done` is Lua that is true once it has come about."""
        self.lua(f'Act("{word}")')
        try:
            self.wait(f"tostring({done})", "true", what)
        except Failed as failed:
            titles = self.lua('table.concat(Titles, ", ")')
            raise Failed(f"{failed}; actions were: {titles}") from None

    def stop(self):
        try:
            self.command("qall!")
            self.process.wait(WAIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def disk(box, name):
    return box.read(name) if os.path.exists(box.path(name)) else ""


def wait_for(holds, what):
    end = time.monotonic() + WAIT
    while not holds():
        if time.monotonic() > end:
            raise Failed(what)
        time.sleep(0.05)


class Session:
    """Steps that one after another make a day with the editor; each is told apart."""

    def __init__(self, box, editor):
        self.box, self.editor = box, editor

    def completes_a_link(self):
        self.editor.edit("plan.md")
        self.editor.type("GoAlso 🙂 [[Ferm<C-x><C-o>")
        self.editor.wait("vim.fn.pumvisible()", "1", "the list is shown")
        self.editor.type("<C-y><Esc>")
        self.editor.wait("vim.fn.getline('.')", "Also 🙂 [[Fermentation basics]]", "the link is whole")
        self.editor.command("write")
        wait_for(lambda: "Also 🙂 [[Fermentation basics]]\n" in disk(self.box, "plan.md"), "the note is saved")

    def follows_it(self):
        self.editor.edit("plan.md")
        self.editor.find("Fermentation")
        self.editor.command("lua vim.lsp.buf.definition()")
        self.editor.wait('vim.fn.expand("%:t")', "fermentation.md", "the linked note is open")

    def shows_the_backlinks(self):
        self.editor.edit("fermentation.md")
        self.editor.find("Fermentation basics")
        self.editor.command("lua vim.lsp.buf.references()")
        found = self.editor.wait("Quickfix()", lambda found: found.count("\n") >= 5, "the backlinks are listed")
        for name in ("plan.md", "rye.md", "broken.md"):
            if name not in found:
                raise Failed(f"{name} is not among the backlinks: {found}")
        self.editor.command("cclose")

    def renames_the_note(self):
        self.editor.edit("plan.md")
        self.editor.find("Feed the starter")
        self.editor.command('lua vim.lsp.buf.rename("Feed the sourdough")')
        self.editor.wait('tostring(Text("plan.md"):find("starter", 1, true) == nil)', "true", "the links have the new title")
        self.editor.command("wall")
        wait_for(lambda: disk(self.box, "plan.md").count("[[Feed the sourdough]]") == 2, "the links are saved")
        wait_for(lambda: "title: Feed the sourdough\n" in disk(self.box, "feed.md"), "the note has its title on disk")

    def makes_the_missing_note(self):
        self.editor.edit("broken.md")
        self.editor.wait("Diagnostics()", "2", "two links are broken")
        self.editor.find("No such note")
        self.editor.act("No such note", "true", "the action is there")
        made = lambda: [name for name in self.box.files() if "no-such-note" in name.lower() or name == "No such note.md"]  # noqa: E731
        end = time.monotonic() + WAIT
        while not made():
            self.editor.command("wall")
            time.sleep(0.3)
            if time.monotonic() > end:
                titles = self.editor.lua('table.concat(Titles, ", ")')
                raise Failed(f"there is no file of the new note; actions were: {titles}; {self.editor.lua('Messages()')[-300:]!r}")
        self.editor.edit("broken.md")
        self.editor.wait("Diagnostics()", "1", "one link is still broken")

    def finishes_the_linked_task(self):
        self.editor.command("wall")
        self.box.run("commit")
        # The editor does not have the task open: the server changes it, by a commit.
        self.editor.command("silent! bwipeout feed.md")
        before = self.box.commits()
        self.editor.edit("plan.md")
        self.editor.find("Feed the")
        self.editor.lua('Act("finish")')
        try:
            wait_for(lambda: "done: true\n" in disk(self.box, "feed.md"), "the task is not done on disk")
        except Failed as failed:
            titles = self.editor.lua('table.concat(Titles, ", ")')
            raise Failed(f"{failed}; actions were: {titles}; {self.editor.lua('Messages()')[-300:]!r}") from None
        if "finished: " not in disk(self.box, "feed.md"):
            raise Failed("the day on which it was finished is missing")
        wait_for(lambda: self.box.commits() == before + 1, "it is one commit")

    def undoes_it(self):
        before = self.box.commits()
        if "done: true\n" not in disk(self.box, "feed.md"):
            raise Failed("it was not done")
        self.editor.lua('Run("slip.undo")')
        wait_for(lambda: "done: false\n" in disk(self.box, "feed.md"), "the task is open again")
        wait_for(lambda: self.box.commits() == before + 1, "the undo is a commit")
        if self.box.git("status", "--porcelain"):
            raise Failed(f"not committed: {self.box.git('status', '--porcelain')}")

    def leaves_all_in_order(self):
        self.editor.command("wall")
        time.sleep(0.3)
        self.box.git("fsck", "--strict")
        failures = self.editor.lua('table.concat(Failures, ", ")')
        if failures:
            raise Failed(failures)
        log = self.box.git("log", "--format=%s%n%b")
        if "Slip-Command: lsp" not in log:
            raise Failed(f"no commit says that the editor made it:\n{log[:600]}")
        rest = disk(self.box, "rye.md")
        if rest != boxes.NOTES["rye.md"]:
            raise Failed("a note that nothing was done to has changed")


STEPS = ["completes_a_link", "follows_it", "shows_the_backlinks", "renames_the_note", "makes_the_missing_note",
         "finishes_the_linked_task", "undoes_it", "leaves_all_in_order"]


def conduct(slip, scratch, say):
    if not shutil.which("nvim"):
        say("  skipped: neovim is not installed (Debian: neovim)")
        return []
    version = subprocess.run(["nvim", "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    say(f"  {version}")
    folder = os.path.join(scratch, "neovim")
    os.makedirs(folder)
    box = boxes.sample(slip, os.path.join(folder, "box"), folder, records=10)
    editor = Neovim(box, folder)
    session = Session(box, editor)
    problems = []
    try:
        for step in STEPS:
            try:
                getattr(session, step)()
                say(f"  {step.replace('_', ' ')}: yes")
            except (Failed, RuntimeError, subprocess.TimeoutExpired) as failed:
                problems.append(f"neovim, {step.replace('_', ' ')}: {failed}")
                say(f"  {problems[-1][:900]}")
                editor.type("<C-\\><C-n>")
    finally:
        editor.stop()
    return problems
