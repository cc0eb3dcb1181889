"""Moving, splitting and merging notes, sync and export from the palette; filters edited in the sidebar; history by day."""

import os
import subprocess

from browser import Page, Skip, until
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


def renamed_with_its_views(box, page):
    """A view and a filter that use a filter follow it to its new name."""
    made(box, "task", "Ann")
    box.run("filter", "save", "work", "kind:task")
    box.run("filter", "save", "soon", "@work is:active")
    box.run("view", "save", "desk", "@work", "--form", "board")
    go(page, "#/q/%40work")
    listed(page, 1)
    palette(page, "rename the filter", "Rename the filter")
    page.tab.keyboard.type("jobs")
    page.tab.keyboard.press("Enter")
    until("the list shows it by its new name", lambda: query(page) == "@jobs")
    wanted("the other filter follows", box.titles("@soon") == ["Ann"])
    go(page, "#/view/desk")
    until("the view shows its cards", lambda: page.tab.locator(".card", has_text="Ann").count() == 1)
    page.tab.locator(".card", has_text="Ann").focus()
    palette(page, "rename the filter", "Rename the filter")
    wanted("the filter of the view is named", "jobs" in page.tab.inner_text("dialog[open]"), page.tab.inner_text("dialog[open]"))
    page.tab.keyboard.type("errands")
    page.tab.keyboard.press("Enter")
    until("it is renamed from its view", lambda: box.titles("@errands") == ["Ann"] and box.titles("@soon") == ["Ann"])
    until("the view shows its cards", lambda: page.tab.locator(".card", has_text="Ann").count() == 1)
    palette(page, "rename the view", "Rename the view")
    page.tab.keyboard.type("bench")
    page.tab.keyboard.press("Enter")
    until("the view is renamed", lambda: page.tab.evaluate("location.hash") == "#/view/bench" and page.tab.locator(".card", has_text="Ann").count() == 1)


def of_sidebar(page, section, name):
    """The entry of a section of the sidebar."""
    return page.tab.locator(f"#side-{section.lower()} a", has=page.tab.locator(f".grow:text-is('{name}')")).first


def menu(page, section, name):
    """Opens the menu of an entry of the sidebar; what it offers."""
    of_sidebar(page, section, name).click(button="right")
    return offered(page, section)


def offered(page, name):
    until(f"the menu of {name} is open", lambda: page.tab.locator("dialog.at-place [role=option]").count())
    return page.tab.locator("dialog.at-place [role=option]").all_inner_texts()


def query(page):
    return page.tab.input_value(".filter-input")


def tag_menu(box, page):
    """A right click on a tag opens it, excludes it, makes a note with it and renames it in the whole box, seen first and undone."""
    made(box, "note", "One", "+soil")
    made(box, "note", "Two", "+soil/field", "+other", "-b", "About #soil here.\n")
    made(box, "note", "Three", "+other")
    until("the tags are there", lambda: page.badge("Tags", "soil") == 2)
    items = menu(page, "Tags", "soil")
    wanted("it has the actions", items == ["Open", "New note with this tag", "Exclude from the filter", "Copy the name", "Rename or merge…"], items)
    take(page, "open", "Open")
    until("the list shows it", lambda: query(page) == "+soil")
    listed(page, 2)
    page.tab.fill(".filter-input", "+other")
    listed(page, 2)
    menu(page, "Tags", "soil")
    take(page, "exclude", "Exclude")
    until("its notes are left out", lambda: query(page) == "+other -soil")
    listed(page, 1)
    menu(page, "Tags", "other")
    take(page, "exclude", "Exclude")
    until("a tag is not asked for and left out at once", lambda: query(page) == "-soil -other")
    menu(page, "Tags", "soil")
    take(page, "new", "New note with this tag")
    page.tab.keyboard.type("Four")
    until("the form says so", lambda: "The note gets: +soil" in " ".join(page.tab.inner_text("dialog").split()))
    page.tab.keyboard.press("Enter")
    until("the note is there", lambda: page.title() == "Four")
    wanted("it has that tag alone", box.note("Four")["tags"] == ["soil"], box.note("Four"))
    page.settled()
    go(page, "#/q/%2Bsoil%2Ffield")
    listed(page, 1)
    before = box.commits()
    menu(page, "Tags", "soil")
    take(page, "rename", "Rename")
    take(page, "#earth", "Rename to “earth”")
    until("the change is shown", lambda: "+tags: [earth" in page.tab.text_content("dialog .patch"))
    wanted("nothing is written yet", box.commits() == before)
    page.tab.click("dialog button.primary")
    until("the sidebar has the new name", lambda: page.badge("Tags", "earth") == 3 and page.badge("Tags", "soil") is None)
    wanted("the text too", "#earth here" in box.note("Two")["body"], box.note("Two")["body"])
    wanted("one commit", box.commits() == before + 1, box.subjects(3))
    until("the list follows", lambda: query(page) == "+earth/field")
    page.tab.locator(".messages button", has_text="Undo").click()
    until("undo brings the name back", lambda: page.badge("Tags", "soil") == 3)
    menu(page, "Tags", "other")
    take(page, "merge", "Rename or merge")
    take(page, "soil", "merge into 3 notes")
    until("the change is shown", lambda: page.tab.locator("dialog .patch").count())
    page.tab.click("dialog button.primary")
    until("the tags are one", lambda: page.badge("Tags", "other") is None and page.badge("Tags", "soil") == 4)


def folder_menu(box, page):
    """A right click on a folder makes a note in it, and renames and moves it with links that follow."""
    for path, text in [("garden/One.md", "# One\n"), ("garden/beds/Two.md", "# Two\n"), ("yard/Three.md", "# Three\n\n[One](../garden/One.md)\n")]:
        os.makedirs(os.path.dirname(os.path.join(box.path, path)), exist_ok=True)
        with open(os.path.join(box.path, path), "w") as file:
            file.write(text)
    box.run("commit")
    until("the folders are there", lambda: page.badge("Folders", "garden") == 2)
    items = menu(page, "Folders", "garden")
    wanted("it has the actions", items == ["Open", "New note in this folder", "Exclude from the filter", "Copy the name", "Rename or move…"], items)
    take(page, "new", "New note in this folder")
    page.tab.keyboard.type("Four")
    until("the form says so", lambda: "The note gets: garden/" in " ".join(page.tab.inner_text("dialog").split()))
    page.tab.keyboard.press("Enter")
    until("the note is there", lambda: page.title() == "Four")
    wanted("it is in the folder", box.note("Four")["path"].startswith("garden/"), box.note("Four")["path"])
    page.settled()
    menu(page, "Folders", "yard")
    take(page, "exclude", "Exclude")
    until("its notes are left out", lambda: query(page) == "NOT path:yard/")
    listed(page, 3)
    menu(page, "Folders", "garden")
    take(page, "open", "Open")
    until("the list shows it", lambda: query(page) == "path:garden/")
    menu(page, "Folders", "garden")
    take(page, "rename", "Rename or move")
    take(page, "plot", "Rename to “plot/”")
    until("the change is shown", lambda: page.tab.locator("dialog .patch").count())
    page.tab.click("dialog button.primary")
    until("the folder has the new name", lambda: page.badge("Folders", "plot") == 3 and page.badge("Folders", "garden") is None)
    until("the list follows", lambda: query(page) == "path:plot/")
    with open(os.path.join(box.path, "yard/Three.md")) as file:
        wanted("the link too", "(../plot/One.md)" in file.read())
    page.tab.locator(".messages button", has_text="Undo").click()
    until("undo brings it back", lambda: page.badge("Folders", "garden") == 3)
    menu(page, "Folders", "garden")
    take(page, "rename", "Rename or move")
    take(page, "yard", "move into this folder")
    until("the change is shown", lambda: page.tab.locator("dialog .patch").count())
    page.tab.click("dialog button.primary")
    until("it is in the other folder", lambda: os.path.exists(os.path.join(box.path, "yard/garden/beds/Two.md")))


def menus_without_a_mouse(box, page):
    """The key for menus opens the menu of the entry with the focus, which gets it back; the palette has the actions of the listed tag."""
    made(box, "note", "One", "+soil")
    until("the tag is there", lambda: page.badge("Tags", "soil") == 1)
    of_sidebar(page, "Tags", "soil").focus()
    if page.is_firefox:
        # Its driver presses no key for menus.
        page.tab.evaluate("document.activeElement.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))")
    else:
        page.tab.keyboard.press("Shift+F10")
    wanted("it has the actions", "Copy the name" in offered(page, "soil"))
    page.tab.keyboard.press("Escape")
    until("the entry has the focus again", lambda: page.tab.evaluate("document.activeElement.textContent") == "soil1")
    page.tab.keyboard.press("Enter")
    until("Enter opens the tag", lambda: query(page) == "+soil")
    palette(page, "rename soil", "Rename or merge: #soil")
    take(page, "earth", "Rename to “earth”")
    until("the change is shown", lambda: page.tab.locator("dialog .patch").count())
    page.tab.keyboard.press("Enter")
    until("the tag has the new name", lambda: page.badge("Tags", "earth") == 1)
    made(box, "note", "Two", "+other")
    until("another tag is there", lambda: page.badge("Tags", "other") == 1)
    of_sidebar(page, "Kinds", "Note").click(button="right")
    page.tab.wait_for_timeout(100)
    wanted("a kind has no menu", not page.tab.locator("dialog.at-place").count())


def menu_by_touch(box, page):
    """A finger that rests on a tag opens its menu, and not the tag when it is lifted; a tap opens the tag."""
    if page.is_firefox:
        raise Skip("playwright has fingers in Chromium alone")
    made(box, "note", "One", "+soil")
    other = Page(page.context.browser, box, 820, 900, has_touch=True)
    try:
        until("the tag is there", lambda: other.badge("Tags", "soil") == 1)
        if not of_sidebar(other, "Tags", "soil").is_visible():
            other.tab.click(".menu")
            other.tab.wait_for_timeout(300)
        send = other.context.new_cdp_session(other.tab).send
        place = of_sidebar(other, "Tags", "soil").bounding_box()
        points = [{"x": place["x"] + 20, "y": place["y"] + place["height"] / 2}]
        send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
        offered(other, "soil")
        send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        other.tab.wait_for_timeout(300)
        wanted("the menu stays", len(offered(other, "soil")) == 5)
        wanted("the tag is not opened", query(other) == "", query(other))
        other.tab.keyboard.press("Escape")
        of_sidebar(other, "Tags", "soil").tap()
        until("a tap opens it", lambda: query(other) == "+soil")
    finally:
        found = other.close()
    wanted("nothing went wrong", not found, found)


def row_menu_by_touch(box, page):
    """A finger that rests on a row opens its menu, and not the note when it is lifted."""
    if page.is_firefox:
        raise Skip("playwright has fingers in Chromium alone")
    made(box, "note", "One")
    other = Page(page.context.browser, box, 820, 900, has_touch=True)
    try:
        until("the row is there", lambda: "One" in other.rows())
        send = other.context.new_cdp_session(other.tab).send
        place = other.tab.locator(".row-title").first.bounding_box()
        points = [{"x": place["x"] + 10, "y": place["y"] + place["height"] / 2}]
        before = other.tab.url
        send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
        until("the menu is open", lambda: other.tab.locator("dialog.at-place [role=option]", has_text="Delete").count())
        send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        other.tab.wait_for_timeout(300)
        wanted("one menu stays", other.tab.locator("dialog.at-place").count() == 1)
        wanted("the note is not opened", other.tab.url == before, other.tab.url)
    finally:
        found = other.close()
    wanted("nothing went wrong", not found, found)


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


CASES = [moved, split, merged, synced, exported, filters_edited, renamed_with_its_views, tag_menu, folder_menu, menus_without_a_mouse, menu_by_touch, row_menu_by_touch, history_by_day]


def conduct(browser, slip, scratch, say, only=""):
    cases = [case for case in CASES if only in case.__name__]
    return each(cases, browser, slip, scratch, say)
