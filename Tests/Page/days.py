"""The days of four people, from an empty box: with the mouse, and again with the keyboard alone."""

import os

from browser import Box, Fault, Page, until
from hands import Keyboard, Mouse


class Day:
    def __init__(self, box, page, hands):
        self.box, self.page, self.hands = box, page, hands

    def one_commit(self, what, act):
        """Does something that is one commit with a subject that a person would write."""
        before = self.box.commits()
        act()
        self.page.settled()
        until(f"{what}: a commit", lambda: self.box.commits() > before)
        self.page.settled()
        if self.box.commits() != before + 1:
            raise Fault(f"{what}: {self.box.commits() - before} commits: {self.box.subjects(3)}")
        subject = self.box.subjects()[0]
        if not subject[:1].isupper() or len(subject) > 120:
            raise Fault(f"{what}: the subject is {subject!r}")

    def has(self, title, **values):
        def same():
            note = self.box.note(title)
            all_ = {**note["fields"], "tags": note["tags"], "body": note["body"]}
            wrong = {name: all_.get(name.replace("_", "-")) for name, value in values.items() if all_.get(name.replace("_", "-")) != value}
            if wrong:
                raise Fault(f"{title}: {wrong}, not {values}")
            return True
        until(f"the command shows {title}", same)

    def badge(self, section, name, number):
        until(f"the badge of {name} is {number}", lambda: self.page.badge(section, name) == number or Fault(self.page.badge(section, name)) and False)


def issues(day):
    hands, box, page = day.hands, day.box, day.page
    until("an empty box says how to begin", lambda: page.tab.locator(".empty h2", has_text="No notes yet").count())
    day.one_commit("new issue", lambda: hands.new("issue", "VoiceOver reads the wrong name"))
    day.one_commit("priority", lambda: hands.choose("priority", "high"))
    day.one_commit("a tag", lambda: hands.tag("ios"))
    day.one_commit("the text", lambda: hands.write("Steps to **reproduce** it.\n"))
    day.has("VoiceOver reads the wrong name", priority="high", status="open", tags=["ios"], body="Steps to **reproduce** it.\n")
    for title in ["Crash on start", "Button is too small"]:
        day.one_commit("new issue", lambda: hands.new("issue", title))
    day.one_commit("a tag", lambda: hands.tag("ios"))
    day.badge("Tags", "ios", 2)
    hands.go("Issues")
    page.shows("@issues")
    hands.open("VoiceOver reads the wrong name")
    day.one_commit("close", lambda: hands.act("close"))
    day.badge("Tags", "ios", 2)
    day.has("VoiceOver reads the wrong name", status="closed", closed=box.run("show", "VoiceOver reads the wrong name", "--json") and box.note("VoiceOver reads the wrong name")["fields"]["closed"])
    until("the row says CLOSED", lambda: page.tab.locator(".row.inactive .state").count() == 1)
    day.one_commit("undo", hands.undo)
    day.badge("Tags", "ios", 2)
    day.one_commit("redo", hands.redo)
    hands.search("kind:issue is:active")
    page.shows("kind:issue is:active")
    hands.search("reproduce")
    until("a snippet with its hit", lambda: page.tab.locator(".snippet mark").count())
    hands.go("Issues")
    page.shows("@issues")
    hands.open("Crash on start")
    day.one_commit("delete", hands.remove)
    page.shows("@issues")
    day.one_commit("undo", hands.undo)
    page.shows("@issues")
    hands.select("Button is too small", "Crash on start")
    patch = []
    day.one_commit("close many", lambda: patch.append(hands.many("Close")))
    if patch[0].count("+status: closed") != 2:
        raise Fault(f"the patch shows {patch[0]}")
    if box.titles("kind:issue", "is:active"):
        raise Fault("many were not closed")


def notes(day):
    hands, page, box = day.hands, day.page, day.box
    day.one_commit("new note", lambda: hands.new("note", "Permanent notes"))
    day.one_commit("the text", lambda: hands.write("They are written for [[Later]].\n\n- [ ] one\n"))
    day.one_commit("new note", lambda: hands.new("note", "Fleeting notes"))
    day.one_commit("the text", lambda: hands.write("They lead to [[Permanent notes]] or to nothing.\n"))
    hands.go("All")
    page.shows()
    hands.open("Permanent notes")
    until("a backlink with its sentence", lambda: page.tab.locator(".backlinks p", has_text="They lead to").count())
    until("a missing link", lambda: page.tab.locator(".markup a.missing").count() == 1)
    day.one_commit("tags", lambda: hands.tag("method"))
    day.one_commit("the title", lambda: hands.retitle("Evergreen notes"))
    day.has("Evergreen notes", tags=["method"])
    hands.search("sort:title")
    page.shows("sort:title")
    hands.open("Fleeting notes")
    page.tab.locator(".markup a", has_text="notes").first.click() if hands.name == "mouse" else None
    if hands.name == "mouse":
        until("the link opens", lambda: page.title() == "Evergreen notes")
        hands.back()
        until("Back goes back", lambda: page.title() == "Fleeting notes")
    day.one_commit("delete", hands.remove)
    hands.search("")
    page.shows()


def books(day):
    hands, page = day.hands, day.page
    day.one_commit("new book", lambda: hands.new("book", "Dune", {"Author": "Frank Herbert"}))
    day.one_commit("new book", lambda: hands.new("book", "Emma", {"Author": "Jane Austen"}))
    today = day.box.note("Emma")["fields"]["added"]
    hands.go("Books")
    page.shows("@books")
    hands.open("Dune")
    day.one_commit("start", lambda: hands.act("start"))
    day.has("Dune", status="in-progress", started=today)
    day.one_commit("finish", lambda: hands.act("finish"))
    day.has("Dune", status="completed", started=today, completed=today)
    day.one_commit("stars", lambda: hands.stars(5))
    day.has("Dune", rating=5)
    until("stars in the row", lambda: page.tab.locator(".row .stars", has_text="★★★★★").count() == 1)
    day.one_commit("summary", lambda: hands.write("Spice.\n"))
    day.one_commit("shelve", lambda: hands.act("shelve"))
    note = day.box.note("Dune")["fields"]
    if "started" in note or "completed" in note:
        raise Fault(f"dates do not follow the status: {note}")
    page.shows("@books")


def tasks(day):
    hands, page, box = day.hands, day.page, day.box
    day.one_commit("new group", lambda: hands.new("group", "Garden"))
    day.one_commit("new task", lambda: hands.new("task", "Water the beans"))
    day.one_commit("its group", lambda: hands.refer("group", "Garden"))
    group = box.note("Garden")["id"]
    day.has("Water the beans", group=group)
    day.one_commit("new task", lambda: hands.new("task", "Buy seeds"))
    day.one_commit("priority", lambda: hands.choose("priority", "high"))
    day.one_commit("due", lambda: hands.date("due", "2030-01-02"))
    day.has("Buy seeds", priority="high", due="2030-01-02")
    day.badge("Groups", "Garden", 1)
    hands.go("Tasks")
    page.shows("@tasks")
    day.one_commit("My Day", lambda: hands.day("Water the beans"))
    hands.go("My day")
    page.shows("@my-day")
    day.badge("Filters", "My day", 1)
    day.one_commit("done", lambda: hands.tick("Water the beans"))
    day.has("Water the beans", done=True)
    day.badge("Groups", "Garden", 1)
    hands.go("Tasks")
    page.shows("@tasks")
    if box.titles("@tasks") != ["Buy seeds", "Water the beans"]:
        raise Fault(f"open ones come first: {box.titles('@tasks')}")


def own(day):
    """A kind of the user's own works by its declaration alone."""
    hands, page = day.hands, day.page
    folder = os.path.join(day.box.path, ".slipbox", "kinds")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "recipe.yaml"), "w") as file:
        file.write("comment: something to cook\nactive: NOT status:cooked\nsort: -rating,title\nfields:\n  title: {type: text, required: true}\n"
                   "  minutes: {type: integer, min: 1}\n  rating: {type: integer, min: 1, max: 5}\n  vegan: {type: boolean, default: false}\n"
                   "  status: {type: choice, values: [planned, cooked], default: planned}\n  cooked: {type: date, looks: back}\n"
                   "transitions:\n  - {field: status, to: cooked, set: {cooked: today}}\nactions:\n  cook: \"status:cooked\"\n"
                   "row:\n  - {field: status, as: {planned: [○, \"-\"], cooked: [●, x]}}\n  - title\n  - minutes\n  - {field: rating, stars: true}\n")
    until("the kind is there", lambda: page.tab.locator(".sidebar a", has_text="Recipe").count() or page.tab.locator(".empty button", has_text="recipe").count())
    day.one_commit("new recipe", lambda: hands.new("recipe", "Rye bread"))
    day.one_commit("stars", lambda: hands.stars(4))
    day.one_commit("cook", lambda: hands.act("cook"))
    day.has("Rye bread", rating=4, status="cooked")
    hands.search("kind:recipe")
    page.shows("kind:recipe")


DAYS = [issues, notes, books, tasks, own]


def conduct(browser, slip, scratch, say):
    problems = []
    for hands in [Mouse, Keyboard]:
        for day in DAYS:
            folder = os.path.join(scratch, f"{day.__name__}-{hands.name}")
            os.makedirs(folder)
            box = Box(slip, folder)
            page = None
            try:
                box.start()
                page = Page(browser, box)
                day(Day(box, page, hands(page)))
                said = page.close()
                problems += [f"{day.__name__} by {hands.name}: {one}" for one in said]
                say(f"  {day.__name__} by {hands.name}: {'holds' if not said else said}")
            except Exception as fault:
                if page:
                    page.tab.screenshot(path=os.path.join(os.environ.get("SLIP_PAGE_SHOTS", folder), f"{day.__name__}-{hands.name}.png"))
                    page.close()
                problems.append(f"{day.__name__} by {hands.name}: {str(fault)[:700]}")
                say(f"  {problems[-1]}")
            finally:
                box.stop()
    return problems
