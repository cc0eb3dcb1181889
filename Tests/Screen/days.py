"""The days of four people, from an empty box, by keys alone; each change is one commit with the subject of a person."""

import datetime
import os

from screen import Box, Fault, Screen, each, until


class Day:
    def __init__(self, box, screen):
        self.box, self.screen = box, screen

    def one_commit(self, subject, *keys, said=True):
        before = self.box.commits()
        self.screen.keys(*keys)
        until(f"{subject}: a commit", lambda: self.box.commits() > before or Fault(self.screen.text()) and False)
        if self.box.subjects() != [subject] or self.box.commits() != before + 1:
            raise Fault(f"{self.box.commits() - before} commits: {self.box.subjects(3)}, not {subject!r}")
        if said:
            self.screen.says(subject[:40])

    def new(self, subject, text):
        self.one_commit(subject, ":", "=new " + text, "Enter")

    def filter(self, query):
        self.screen.keys("/", "C-u", "=" + query, "Enter")
        self.screen.shows(query)

    def has(self, title, **values):
        note = self.box.note(title)
        seen = {**note["fields"], "tags": note["tags"], "body": note.get("body")}
        if wrong := {name: seen.get(name) for name, value in values.items() if seen.get(name) != value}:
            raise Fault(f"{title} has {wrong}, not {values}")


def views(day):
    """A board and a calendar of tasks: the keys < and > move the note, the cursor goes with it."""
    screen, box = day.screen, day.box
    screen.shows()
    day.new("New task: Dig", "task Dig due:today")
    day.new("New task: Sow", "task Sow priority:high")
    box.run("view", "save", "prio", "kind:task", "--by", "priority", "--form", "board")
    box.run("view", "save", "due", "kind:task", "--form", "calendar")
    screen.keys("R")

    def open_view(name):
        screen.keys("Escape", "Escape", "h", "g")
        until("the views are in the sidebar", lambda: "Views" in screen.text())
        for _ in range(40):
            screen.keys("Enter")
            if f" {name} " in screen.text().splitlines()[0] + " ":
                return
            screen.keys("h", "j")
        raise Fault(screen.text())
    open_view("prio")
    until("a board", lambda: "none 1" in screen.text() and "high 1" in screen.text())
    before = box.commits()
    screen.keys(">")
    until("one commit", lambda: box.commits() == before + 1)
    until("it is in the next column", lambda: "none 0" in screen.text() and "low 1" in screen.text())
    day.has("Dig", priority="low")
    screen.keys("u")
    until("undone", lambda: "none 1" in screen.text())
    open_view("due")
    today = datetime.date.today()
    until("a calendar", lambda: today.isoformat()[:7] in screen.text() and "Dig" in screen.text())
    before = box.commits()
    screen.keys(">")
    until("a day later", lambda: box.commits() == before + 1)
    day.has("Dig", due=(today + datetime.timedelta(days=1)).isoformat())
    screen.keys("]")
    after = (today.replace(day=1) + datetime.timedelta(days=32)).isoformat()[:7]
    until("the next month", lambda: after in screen.text())


def issues(day):
    screen, box = day.screen, day.box
    screen.shows()
    day.new("New issue: VoiceOver reads the wrong name", 'issue "VoiceOver reads the wrong name" +ios priority:high')
    day.new("New issue: Crash on start", "issue Crash on start +ios")
    day.new("New issue: Button is too small", 'issue "Button is too small" +ui')
    screen.shows()
    day.filter("kind:issue +ios")
    screen.keys("S")
    day.one_commit("Save filter: ios-issues", "=ios-issues", "Enter")
    screen.says("ios-issues")
    screen.find("Crash on start")
    day.one_commit("Close issue: Crash on start", "E")
    screen.shows("kind:issue +ios")
    screen.keys("0")
    screen.shows()
    day.filter("is:active")
    screen.keys("C-a")
    until("both are marked", lambda: len(screen.marked()) == 2)
    screen.keys("E")
    screen.says("+status: closed")
    day.one_commit("Close 2 issues", "y")
    screen.shows("is:active")
    day.one_commit("Undo: Close 2 issues", "u")
    screen.shows("is:active")
    day.one_commit("Redo: Close 2 issues", "U")
    screen.shows("is:active")
    if box.notes("is:active"):
        raise Fault("issues are still open")


def notes(day):
    screen, box = day.screen, day.box
    with open(os.path.join(box.home, "text"), "w") as file:
        file.write("They lead to [[Permanent notes]] or to [[Nothing]].\n")
    day.new("New note: Permanent notes", '"Permanent notes"')
    day.new("New note: Fleeting notes", '"Fleeting notes"')
    screen.find("Fleeting notes")
    day.one_commit("Edit: Fleeting notes", "e", said=False)
    screen.says("They lead to")
    screen.find("Permanent notes")
    screen.says("linked from 1 note")
    screen.keys("B")
    screen.shows("links:Permanent notes")
    screen.keys("Escape")
    screen.shows()
    screen.find("Permanent notes")
    screen.keys("t")
    screen.says("retitle @")
    day.one_commit("Retitle Permanent notes to Evergreen notes", "C-a", "C-k", '=retitle @ "Evergreen notes"', "Enter")
    day.has("Fleeting notes", body="They lead to [[Evergreen notes]] or to [[Nothing]].\n")
    screen.keys("H")
    screen.says("New note: Permanent notes")
    screen.keys("Escape")
    screen.shows()
    screen.find("Evergreen notes")
    day.one_commit("Delete note: Evergreen notes", "#")
    screen.shows()
    screen.keys("D")
    screen.says("permanent-notes")
    day.one_commit("Restore note: Evergreen notes", "r")
    screen.keys("Escape")
    screen.shows()
    for subject in ["Restore note: Evergreen notes", "Delete note: Evergreen notes", "Retitle Permanent notes to Evergreen notes"]:
        day.one_commit(f"Undo: {subject}", "u")
    screen.shows()
    day.has("Fleeting notes", body="They lead to [[Permanent notes]] or to [[Nothing]].\n")
    day.one_commit("Redo: Retitle Permanent notes to Evergreen notes", "U")
    screen.keys("T", "=today", "Enter")
    screen.says("as of today")
    screen.keys("Escape")
    screen.shows()


def books(day):
    screen = day.screen
    day.new("New book: Dune", 'book Dune author:"Frank Herbert"')
    day.new("New book: Emma", 'book Emma author:"Jane Austen"')
    day.filter("kind:book")
    today = day.box.note("Emma")["fields"]["added"]
    screen.find("Dune")
    day.one_commit("Start book: Dune", "2")
    day.has("Dune", status="in-progress", started=today)
    day.one_commit("Finish book: Dune", "E")
    day.has("Dune", status="completed", completed=today)
    day.one_commit("Set rating 5: Dune", "f", "=rating:5", "Enter")
    screen.says("★★★★★")
    screen.keys("f", "=rating:9", "Enter")
    screen.says("9 is not a whole number from 1 to 5")
    screen.keys("Escape")
    day.has("Dune", rating=5)
    screen.find("Dune")
    day.one_commit("Shelve book: Dune", "1")
    day.has("Dune", started=None, completed=None)
    screen.keys(",", "=-rating", "Enter")
    screen.shows("kind:book", "sort:-rating")


def tasks(day):
    screen, box = day.screen, day.box
    day.new("New group: Garden", "group Garden")
    for title in ["Water the beans", "Buy seeds", "Call Ada"]:
        day.new(f"New task: {title}", f'task "{title}" group:Garden')
    day.filter("kind:task")
    screen.keys("C-a", "f")
    screen.says("set @")
    screen.keys("=my-day:today", "Enter")
    screen.says("+my-day: ")
    day.one_commit(f"Set my-day {datetime.date.today()}: 3 notes", "y")
    screen.keys("M")
    screen.shows("@my-day")
    screen.find("Buy seeds")
    day.one_commit("Finish task: Buy seeds", "E")
    day.has("Buy seeds", done=True)
    screen.shows("@my-day")
    screen.keys("0")
    screen.shows()
    screen.find("Call Ada")
    day.one_commit("Set priority high: Call Ada", "f", "=priority:high", "Enter")
    day.has("Call Ada", priority="high")
    day.filter("kind:task priority:high")


def conduct(slip, scratch, say):
    def lived(day):
        folder = os.path.join(scratch, day.__name__)
        os.makedirs(folder)
        box = Box(slip, folder)
        editor = os.path.join(box.home, "editor")
        with open(editor, "w") as file:
            file.write(f'#!/bin/sh\ncat "{box.home}/text" >> "$1"\n')
        os.chmod(editor, 0o755)
        screen = Screen(box, environment={"EDITOR": editor})
        try:
            day(Day(box, screen))
            screen.close()
            return box.whole(("browse", "view"))
        finally:
            screen.kill()
    return each({day.__name__: lambda day=day: lived(day) for day in [issues, notes, books, tasks, views]}, say)
