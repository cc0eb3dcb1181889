"""Ten tasks of a working day, with the keyboard alone and by touch alone: each ends as it should in few steps.

A step is a key, a tap or a text that is typed. No task needs a command line, a mouse or words of the query language.
"""

import base64
import datetime
import os
import subprocess

from browser import Box, Fault, Page, until
from care import made, message, wanted
from writing import PNG

PICTURE = [{"name": "bread.png", "mimeType": "image/png", "buffer": base64.b64decode(PNG)}]
CAPTURED = ["Call Ada due:tomorrow +home !!", "task Buy milk", "Water the roses +garden", "Fix the gate due:friday", "Pay the rent due:today !!!"]


class Keys:
    """A keyboard, and how often it was used."""
    name = "keyboard"
    options = {}

    def __init__(self, page):
        self.page, self.tab, self.steps = page, page.tab, 0

    def press(self, *keys):
        for key in keys:
            self.steps += 1
            self.tab.keyboard.press(key)

    def type(self, text):
        self.steps += 1
        self.tab.keyboard.type(text)

    def dialog(self):
        until("a dialog is open", lambda: self.tab.locator("dialog[open] input").count())

    def take(self, words, text):
        """Types into a chooser, and takes what it offers."""
        self.dialog()
        if words:
            self.type(words)
        until(f"{text} is offered", lambda: self.tab.locator("dialog .active", has_text=text).count())
        self.press("Enter")

    def palette(self, words, text):
        self.press("Control+k")
        self.take(words, text)

    def new(self, line):
        self.press("c")
        self.dialog()
        self.type(line)
        self.tab.wait_for_timeout(250)
        self.press("Enter")

    def leave_text(self):
        until("the caret is in the text", lambda: self.tab.evaluate("document.activeElement.className") == "body-text")
        self.press("Escape")

    def write(self, text):
        until("the caret is in the text", lambda: self.tab.evaluate("document.activeElement.className") == "body-text")
        self.type(text)

    def picture(self):
        with self.tab.expect_file_chooser() as chosen:
            self.palette("picture", "Attach a picture")
        chosen.value.set_files(PICTURE)

    def act(self, key, words, text, palette):
        self.press(key)
        self.take(words, text)

    def delete(self):
        self.press("#")

    def undo(self):
        self.press("z")

    def my_day(self):
        self.press("m")

    def view(self, filter):
        self.palette(filter, filter)

    def retitle(self, title):
        self.press("t")
        until("the title has the focus", lambda: self.tab.evaluate("document.activeElement.classList.contains('note-title')"))
        self.type(title)
        self.press("Enter")

    def keep(self, value):
        """Goes to the button of a version, as the Tab key does."""
        for _ in range(30):
            self.press("Tab")
            if value in (self.tab.evaluate("document.activeElement.closest('.side') ? document.activeElement.textContent : ''")):
                return self.press("Enter")
        raise Fault(f"Tab does not reach {value}")

    def select_all(self):
        self.press("Escape", "Control+a")

    def confirm(self):
        self.press("Enter")

    def tick_first(self):
        self.press("Tab", "Space")

    def back(self):
        self.press("Escape")


class Taps(Keys):
    """A finger on a phone, and the keys that a phone shows for a text."""
    name = "touch"
    options = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}

    def tap(self, *where, **has):
        self.steps += 1
        found = self.tab.locator(*where, **has).first if isinstance(where[0], str) else where[0]
        self.page.tap(found)

    def finish(self):
        """The action of the selection, which may be behind More… where letters are wide."""
        shown = lambda text: self.tab.locator(".selection-bar button", has_text=text).count()
        until("the selection can be finished", lambda: shown("Finish") or shown("More…"))
        if shown("Finish"):
            return self.tap(".selection-bar button", has_text="Finish")
        self.tap(".selection-bar button", has_text="More…")
        self.tap("dialog [role=option]", has_text="Finish")

    def take(self, words, text):
        self.dialog()
        if words:
            self.type(words)
        until(f"{text} is offered", lambda: self.tab.locator("dialog [role=option]", has_text=text).count())
        # A finger waits till the list stands still.
        self.tab.wait_for_timeout(400)
        self.tap("dialog [role=option]", has_text=text)

    def palette(self, words, text):
        self.tap(".top [data-action=palette]")
        self.take(words, text)

    def new(self, line):
        self.tap(".new-button")
        self.dialog()
        self.type(line)
        self.tab.wait_for_timeout(250)
        self.tap("dialog button[type=submit]")

    def leave_text(self):
        until("the caret is in the text", lambda: self.tab.evaluate("document.activeElement.className") == "body-text")

    def picture(self):
        with self.tab.expect_file_chooser() as chosen:
            self.tap(".body .picture")
        chosen.value.set_files(PICTURE)

    def act(self, key, words, text, palette):
        self.palette(palette, palette)
        self.take(words, text)

    def delete(self):
        self.tap(".note-actions .danger")

    def undo(self):
        self.tap(".top [data-action=undo]")

    def my_day(self):
        self.tap(".note-actions [data-action=today]")

    def view(self, filter):
        self.tap(".top .menu")
        self.tap(".sidebar a", has_text=filter)
        until("the sidebar is closed", lambda: not self.tab.evaluate("document.body.classList.contains('side-open')"))

    def retitle(self, title):
        self.tap(".note-title")
        self.tab.evaluate("document.querySelector('.note-title').select()")
        self.type(title)
        self.tap(".meta")

    def keep(self, value):
        self.tap(self.tab.locator(".conflict .side button", has_text=value).first)

    def select_all(self):
        self.tap(".select-box")
        self.tap(".selection-bar button", has_text="More")
        self.tap("dialog [role=option]", has_text="Select all")

    def confirm(self):
        self.tap("dialog .primary")

    def tick_first(self):
        self.tap(".todo-list input")

    def back(self):
        self.tap(".note-top .back")


def day(ahead):
    return (datetime.date.today() + datetime.timedelta(ahead)).isoformat()


def capture(box, hands):
    """Five things are captured."""
    for count, line in enumerate(CAPTURED, 1):
        hands.new(line)
        until(f"{count} are there", lambda: len(box.titles()) == count)
        hands.leave_text()
    note = box.note("Call Ada")
    wanted("with tag and day", note["tags"] == ["home"] and note["fields"].get("due") == day(1), note)


def plan(box, hands):
    """A task is put into My Day, and another one to tomorrow."""
    made(box, "task", "Buy milk")
    made(box, "task", "Call Ada")
    until("both are listed", lambda: len(hands.page.rows()) == 2)
    hands.palette("buy milk", "Buy milk")
    until("it is open", lambda: hands.page.title() == "Buy milk")
    hands.my_day()
    until("it is in My Day", lambda: box.note("Buy milk")["fields"].get("my-day") == day(0))
    hands.palette("call ada", "Call Ada")
    until("it is open", lambda: hands.page.title() == "Call Ada")
    hands.act("d", "tom", "tomorrow", "Set the date")
    until("it is due tomorrow", lambda: box.note("Call Ada")["fields"].get("due") == day(1))


def long_note(box, hands):
    """A long note with a list and a picture is written."""
    hands.new("note Bread")
    hands.write("# Flour\n\n- wheat\nrye\n\n\nKnead it.\n\n")
    hands.picture()
    until("the picture is in the text", lambda: ".png" in box.note("Bread")["body"])
    body = box.note("Bread")["body"]
    wanted("the list went on", "- wheat\n- rye\n" in body, body)
    wanted("the picture is a file", any(name.endswith(".png") for _, _, names in os.walk(box.path) for name in names))


def rename(box, hands):
    """A note gets another title, and the link to it follows."""
    made(box, "note", "Gardn", "-b", "Roses.\n")
    made(box, "note", "Plan", "-b", "See [[Gardn]].\n")
    until("both are listed", lambda: len(hands.page.rows()) == 2)
    hands.palette("gardn", "Gardn")
    until("it is open", lambda: hands.page.title() == "Gardn")
    hands.retitle("Garden")
    until("the link follows", lambda: "[[Garden]]" in box.note("Plan")["body"])


def conflict(box, hands):
    """A conflict of two devices is settled."""
    made(box, "task", "Gate")
    hub, other = (os.path.join(os.path.dirname(box.path), name) for name in ["hub.git", "other"])
    git = lambda *words: subprocess.run(["git", *words], check=True, capture_output=True, env=box.environment)
    git("clone", "-q", "--bare", box.path, hub)
    git("-C", box.path, "remote", "add", "origin", hub)
    git("-C", box.path, "fetch", "-q", "origin")
    git("-C", box.path, "branch", "-q", "-u", "origin/main")
    git("clone", "-q", hub, other)
    for words in [["set", "Gate", "priority:low"], ["sync"]]:
        subprocess.run([box.slip, *words], cwd=other, env={**box.environment, "SLIPBOX": other}, check=True, capture_output=True)
    box.run("set", "Gate", "priority:high")
    until("the page knows the remote", lambda: hands.tab.evaluate("import('/assets/store.js').then(store => store.state.box.remote)") == "origin")
    hands.palette("sync", "Sync now")
    until("it says that there is a conflict", lambda: "1 conflict" in message(hands.page))
    hands.palette("conflicts", "Conflicts")
    until("the note is listed", lambda: hands.page.rows() == ["Gate"])
    hands.palette("gate", "Gate")
    until("both values are shown", lambda: hands.tab.locator(".conflict .side pre").count() == 2)
    hands.keep("low")
    until("one is kept", lambda: box.note("Gate")["fields"]["priority"] == "low" and not box.titles("is:conflicted"))


def clean_up(box, hands):
    """Twenty tasks are finished at once, and the change is seen first."""
    for number in range(20):
        made(box, "task", f"Chore {number:02}")
    until("they are listed", lambda: len(hands.page.rows()) > 8)
    hands.view("Tasks")
    until("tasks are listed", lambda: hands.tab.inner_text(".list-head .muted").startswith("20"))
    hands.select_all()
    until("20 are selected", lambda: "20 selected" in hands.tab.inner_text(".selection-bar"))
    if hands.name == "touch":
        hands.finish()
    else:
        hands.act("a", "fin", "Finish", "")
    until("the change is shown", lambda: hands.tab.locator("dialog .summary").count())
    hands.confirm()
    until("all are done", lambda: not box.titles("kind:task", "is:active"))


def find(box, hands):
    """A note of last month is found by two words of its title, in any order."""
    for title in ["Minutes of the board", "Offer for the south wall", "Recipe"]:
        made(box, "note", title)
    until("they are listed", lambda: len(hands.page.rows()) == 3)
    hands.palette("wall offer", "Offer for the south wall")
    until("it is open", lambda: hands.page.title() == "Offer for the south wall")


def tick(box, hands):
    """The check box of a note is ticked in the list of all check boxes."""
    made(box, "note", "Trip", "-b", "- [ ] tickets\n- [ ] tent\n")
    until("it is listed", lambda: hands.page.rows() == ["Trip"])
    hands.palette("check boxes", "Open check boxes")
    until("both are listed", lambda: hands.tab.locator(".todo-list input").count() == 2)
    hands.tick_first()
    until("it is ticked", lambda: "- [x] tickets" in box.note("Trip")["body"])


def mistake(box, hands):
    """A note that was deleted by mistake is back."""
    made(box, "note", "Precious", "-b", "Text.\n")
    until("it is listed", lambda: hands.page.rows() == ["Precious"])
    hands.palette("precious", "Precious")
    until("it is open", lambda: hands.page.title() == "Precious")
    hands.delete()
    until("it is gone", lambda: box.titles() == [])
    hands.undo()
    until("it is back", lambda: box.titles() == ["Precious"])


def past(box, hands):
    """The box of the first day is looked at, and one returns."""
    made(box, "note", "One")
    until("it is listed", lambda: hands.page.rows() == ["One"])
    hands.palette("history", "History of the box")
    until("its day is a heading", lambda: hands.tab.locator(".day-part h2").count() >= 1)
    hands.palette("box as of", "Show the box as of a day")
    until("the slider is there", lambda: hands.tab.locator(".past-bar").first.is_visible())
    hands.palette("return", "Return to the present") if hands.tab.evaluate("location.hash.includes('@')") else hands.press("Escape")
    until("it is now", lambda: not hands.tab.evaluate("location.hash.includes('@')"))


# The most steps that each takes; more is a way that one would have to ask for.
TASKS = {capture: 20, plan: 14, long_note: 8, rename: 8, conflict: 20, clean_up: 10, find: 4, tick: 6, mistake: 6, past: 9}


def conduct(browser, slip, scratch, say, only=""):
    problems = []
    for kind in [Keys, Taps]:
        for task, most in TASKS.items():
            name = f"{task.__name__.replace('_', ' ')} by {kind.name}"
            if only.replace("_", " ") not in name:
                continue
            folder = os.path.join(scratch, f"{task.__name__}-{kind.name}")
            os.makedirs(folder)
            box = Box(slip, folder)
            page = hands = None
            try:
                box.start()
                page = Page(browser, box, **kind.options)
                hands = kind(page)
                task(box, hands)
                found = [f"{name}: {one}" for one in page.close()]
                if hands.steps > most:
                    found.append(f"{name}: {hands.steps} steps, more than {most}")
            except Exception as fault:
                found = [f"{name}: {str(fault)[:400]}"]
                if page:
                    page.tab.screenshot(path=os.path.join(os.environ.get("SLIP_PAGE_SHOTS", folder), f"{task.__name__}-{kind.name}.png"))
                    page.close()
            finally:
                box.stop()
            problems += found
            say(f"  {name}: {f'{hands.steps} steps' if not found else found}")
    return problems
