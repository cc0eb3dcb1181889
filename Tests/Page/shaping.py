"""Moving, splitting and merging notes, sync and export from the palette; filters edited in the sidebar; history by day."""

import os
import subprocess

from browser import until
from care import each, go, listed, made, message, opened, wanted


def palette(page, words, title):
    """Runs an action of the palette."""
    page.tab.focus(".detail, .grid")
    page.tab.keyboard.press("Control+k")
    page.tab.keyboard.type(words)
    until(f"{title} is offered", lambda: page.tab.locator("dialog .active", has_text=title).count())
    page.tab.keyboard.press("Enter")


def take(page, words, text):
    """Takes an item of a chooser."""
    until("it is asked for", lambda: page.tab.locator("dialog[open] input").count())
    page.tab.fill("dialog input", words)
    until(f"{text} is offered", lambda: page.tab.locator("dialog .active", has_text=text).count())
    page.tab.keyboard.press("Enter")


def moved(box, page):
    """A note moves to a new folder, and back by the message; links to it hold."""
    made(box, "note", "Other", "-b", "[[Plan]]\n")
    opened(page, made(box, "note", "Plan", "-b", "Text\n"))
    folder = lambda: box.note("Plan")["path"].rpartition("/")[0]
    before = folder()
    palette(page, "move to", "Move to a folder")
    take(page, "projects", "New folder “projects”")
    until("it is there", lambda: folder() == "projects")
    until("it is said", lambda: "Moved Plan to projects/" in message(page), 5)
    until("the note stays open", lambda: page.title() == "Plan")
    until("the folder is in the sidebar", lambda: page.badge("Folders", "projects") == 1)
    page.tab.locator(".messages button", has_text="Undo").click()
    until("it is back", lambda: folder() == before)
    palette(page, "move to", "Move to a folder")
    take(page, "the top", "The top folder")
    until("it is at the top", lambda: folder() == "")


def split(box, page):
    """A section becomes a note of its own, with a link in its place."""
    opened(page, made(box, "note", "Plan", "-b", "Text\n\n## Sources\n\nOne.\n"))
    palette(page, "split a section", "Split a section into a new note")
    take(page, "sour", "Sources")
    until("the note is there", lambda: sorted(box.titles()) == ["Plan", "Sources"])
    until("the link is in its place", lambda: page.tab.locator(".markup a.note-link", has_text="Sources").count() == 1)
    wanted("one commit", "Split Sources from Plan" in box.subjects()[0], box.subjects())


def merged(box, page):
    """A note is merged into another one, which is opened; the change is seen first."""
    made(box, "note", "Garden", "-b", "Roses.\n")
    opened(page, made(box, "note", "Gardening", "+green", "-b", "Tulips.\n"))
    palette(page, "merge into", "Merge into another note")
    take(page, "Garden", "Garden")
    until("the change is seen first", lambda: page.tab.locator("dialog .summary").count())
    wanted("it names the note that stays", "Merge into Garden" in page.tab.inner_text("dialog h2"), page.tab.inner_text("dialog h2"))
    page.tab.click("dialog .primary")
    until("one note is left", lambda: box.titles() == ["Garden"])
    until("it is open with both texts", lambda: page.title() == "Garden" and "Tulips" in page.tab.inner_text(".markup") and "Roses" in page.tab.inner_text(".markup"))
    wanted("nothing says that it was deleted elsewhere", "elsewhere" not in page.tab.inner_text(".detail"))


def synced(box, page):
    """Sync is offered where there is a remote; it says what it did, and what was received is listed."""
    made(box, "note", "One")
    page.tab.focus(".grid")
    page.tab.keyboard.press("Control+k")
    page.tab.keyboard.type("sync now")
    page.tab.wait_for_timeout(300)
    # The palette offers to make a note of what is typed, which is no sync.
    offered = page.tab.locator("dialog [role=option]").all_inner_texts()
    wanted("no sync without a remote", not any(text.startswith("Sync now") for text in offered), offered)
    page.tab.keyboard.press("Escape")
    remote = os.path.join(os.path.dirname(box.path), "remote.git")
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", remote], check=True)
    subprocess.run(["git", "-C", box.path, "remote", "add", "origin", remote], check=True)
    made(box, "note", "Two")
    listed(page, 2)
    until("the page knows the remote", lambda: page.tab.evaluate("import('/assets/store.js').then(store => store.state.box.remote)") == "origin")
    palette(page, "sync now", "Sync now")
    until("it is said", lambda: "Synced with origin: sent" in message(page))
    there = os.path.join(os.path.dirname(box.path), "there")
    subprocess.run(["git", "clone", "-q", remote, there], check=True)
    box_there = {**box.environment, "SLIPBOX": there}
    subprocess.run([box.slip, "new", "Three"], cwd=there, env=box_there, check=True, capture_output=True)
    subprocess.run([box.slip, "sync"], cwd=there, env=box_there, check=True, capture_output=True)
    palette(page, "sync now", "Sync now")
    until("what came is listed", lambda: "Three" in page.rows())
    until("it is said", lambda: "received 1 file" in message(page))


def exported(box, page):
    """Export names the commands for what the list shows."""
    made(box, "task", "One")
    go(page, "#/q/kind:task")
    listed(page, 1)
    palette(page, "export", "Export…")
    until("the forms are listed", lambda: page.tab.locator("dialog .export-form").count() == 7)
    commands = page.tab.locator("dialog .export-form code").all_inner_texts()
    wanted("the command has the query", "slip export csv 'kind:task' > ../notes.csv" in commands, commands)
    page.tab.keyboard.press("Escape")


def filters_edited(box, page):
    """A kept filter is renamed, changed and removed in the sidebar; each is one commit."""
    made(box, "task", "One", "+home")
    made(box, "task", "Two", "+work")
    box.run("filter", "save", "house", "kind:task +home")
    until("it is in the sidebar", lambda: page.badge("Filters", "House") == 1)
    edit = lambda name: page.tab.get_by_role("button", name=f"Edit {name}", exact=True).click()
    before = box.commits()
    edit("House")
    take(page, "rename", "Rename")
    take(page, "office", "office")
    until("it has the new name", lambda: page.badge("Filters", "Office") == 1 and page.badge("Filters", "House") is None)
    wanted("in one commit", box.commits() == before + 1)
    edit("Office")
    take(page, "change", "Change the query")
    take(page, "kind:task +work", "Save “kind:task +work”")
    until("it has the new query", lambda: "kind:task +work" in box.run("filter", "list"))
    edit("Office")
    take(page, "remove", "Remove")
    until("it is gone", lambda: page.badge("Filters", "Office") is None)
    page.tab.locator(".messages button", has_text="Undo").click()
    until("undo brings it back", lambda: page.badge("Filters", "Office") == 1)


def history_by_day(box, page):
    """History is by days, changes that follow each other are one line, and words find a change."""
    ref = made(box, "note", "Plan")
    for tag in ["a", "b", "c"]:
        box.run("set", ref, f"+{tag}")
    made(box, "note", "Other")
    go(page, "#/history")
    until("days are headings", lambda: page.tab.locator(".day-part h2").count() >= 1)
    until("changes of one note are one line", lambda: page.tab.locator(".day-part summary", has_text="4 changes").count() == 1)
    page.tab.locator(".day-part summary").first.click()
    until("it unfolds", lambda: page.tab.locator(".day-part details li").count() == 4)
    page.tab.fill(".past-search", "add tag b")
    until("one is found", lambda: page.tab.locator(".day-part .entry").count() == 1)
    page.tab.fill(".past-search", "nothing like it")
    until("it says that there is none", lambda: "No change has these words" in page.tab.inner_text(".box-past"))
    page.tab.press(".past-search", "Escape")
    until("all are there again", lambda: page.tab.locator(".day-part .entry").count() > 1)


CASES = [moved, split, merged, synced, exported, filters_edited, history_by_day]


def conduct(browser, slip, scratch, say, only=""):
    cases = [case for case in CASES if only in case.__name__]
    return each(cases, browser, slip, scratch, say)
