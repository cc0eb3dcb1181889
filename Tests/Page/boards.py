"""Saved views: boards, calendars and tables, by mouse, by touch and by keys alone; axe, light and dark, wide and narrow."""

import datetime
import os

from axe_playwright_python.sync_playwright import Axe

from browser import Fault, Page, Skip, until
from care import each, made, wanted

SHOTS = os.environ.get("SLIP_PAGE_SHOTS")
TODAY = datetime.datetime.now(datetime.timezone.utc).date()


def day(count):
    return (TODAY + datetime.timedelta(days=count)).isoformat()


def field(box, title, name):
    return box.note(title)["fields"].get(name)


def filled(box, page):
    made(box, "group", "Garden")
    made(box, "task", "Dig", "group:Garden", "due:" + day(0))
    made(box, "task", "Sow", "priority:high", "due:" + day(1))
    made(box, "task", "Rest", "done:true")
    for view in (["done", "kind:task", "--form", "board"], ["prio", "kind:task", "--by", "priority", "--form", "board"],
                 ["group", "kind:task", "--by", "group", "--form", "board"], ["due", "kind:task", "--form", "calendar"],
                 ["week", "kind:task", "--form", "agenda"]):
        box.run("view", "save", *view)
    until("the views are listed", lambda: page.tab.locator(".sidebar a", has_text="Prio").count() == 1)


def columns(page):
    """The titles of the cards of each column."""
    return page.tab.evaluate("""() => [...document.querySelectorAll('.board .column')].map(n =>
        [...n.querySelectorAll('.card-title')].map(m => m.textContent))""")


def heads(page):
    return page.tab.evaluate("[...document.querySelectorAll('.column-head')].map(n => n.innerText.replace(/\\s+/g, ' '))")


def show(page, name):
    page.tab.wait_for_selector(".sidebar a, .menu:visible", state="attached")
    page.tab.evaluate("name => { location.hash = `#/view/${name}` }", name)
    until(f"the view {name} is shown", lambda: page.tab.inner_text(".list-head h1").lower() == name)


def shows(page, expected):
    until(f"the columns are {expected}", lambda: [sorted(one) for one in columns(page)] == expected or columns(page) and None)


def middle(page, selector, nth=0):
    box = until(f"{selector} has a place", lambda: page.tab.locator(selector).nth(nth).bounding_box())
    return box["x"] + box["width"] / 2, box["y"] + min(30, box["height"] / 2)


def still(page):
    """Waits until the cards have stopped moving."""
    places = lambda: [page.tab.locator(".card").nth(n).bounding_box() for n in range(page.tab.locator(".card").count())]
    before = None
    def same():
        nonlocal before
        last, before = before, places()
        return last is not None and last == before and None not in before
    until("the cards are still", same)


def drag(page, source, target):
    """Carries with the mouse from one place to another."""
    page.tab.mouse.move(*source)
    page.tab.mouse.down()
    page.tab.mouse.move(source[0] + 12, source[1] + 12, steps=3)
    page.tab.mouse.move(*target, steps=8)
    page.tab.mouse.up()


def card(page, title):
    # A card that is drawn again meanwhile has no place.
    box = until(f"{title} has a place", lambda: page.tab.locator(".card", has_text=title).first.bounding_box())
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def press(page, *keys):
    for key in keys:
        page.tab.keyboard.press(key)


def focus(page):
    return page.tab.evaluate("document.activeElement?.querySelector('.card-title')?.textContent")


def board_by_mouse(box, page):
    """A board opens from the sidebar; a carried card runs the action of its kind: one commit, one undo."""
    filled(box, page)
    page.tab.locator(".sidebar a", has_text="Done").first.click()
    shows(page, [["Dig", "Sow"], ["Rest"]])
    wanted("heads have counts", heads(page) == ["Not done 2", "Done 1"], heads(page))
    commits = box.commits()
    drag(page, card(page, "Dig"), middle(page, ".column .cards", 1))
    shows(page, [["Sow"], ["Dig", "Rest"]])
    wanted("it is one commit", box.commits() == commits + 1 and box.subjects() == ["Finish task: Dig"], box.subjects(2))
    wanted("the date follows", field(box, "Dig", "finished") == day(0), box.note("Dig"))
    page.tab.locator(".message button", has_text="Undo").click()
    shows(page, [["Dig", "Sow"], ["Rest"]])
    wanted("no note was opened by that", page.title() is None)
    page.tab.locator(".card", has_text="Sow").click()
    until("a click opens the note", lambda: page.title() == "Sow")
    wanted("the board stays", len(columns(page)) == 2)
    page.tab.reload()
    until("the address leads there", lambda: page.title() == "Sow" and len(columns(page)) == 2)


def board_by_keys(box, page):
    """Without the mouse: the palette opens the view, arrows go about, < and > move the card, M asks, z undoes."""
    filled(box, page)
    press(page, "Control+k")
    page.tab.keyboard.type("Prio")
    until("the palette has it", lambda: page.tab.locator("dialog [role=option]", has_text="Prio").count())
    press(page, "Enter")
    shows(page, [["Dig", "Rest"], [], [], ["Sow"]])
    until("a card has the focus", lambda: focus(page))
    press(page, "ArrowRight")
    until("the next column with cards", lambda: focus(page) == "Sow")
    press(page, "<")
    shows(page, [["Dig", "Rest"], [], ["Sow"], []])
    wanted("the priority is set", field(box, "Sow", "priority") == "medium")
    until("the focus goes with it", lambda: focus(page) == "Sow")
    press(page, ">")
    shows(page, [["Dig", "Rest"], [], [], ["Sow"]])
    press(page, "z")
    shows(page, [["Dig", "Rest"], [], ["Sow"], []])
    until("the focus is kept", lambda: focus(page) == "Sow")
    press(page, "P")
    until("columns are asked for", lambda: page.tab.locator("dialog[open] [role=option]").count() == 4)
    page.tab.keyboard.type("low")
    press(page, "Enter")
    shows(page, [["Dig", "Rest"], ["Sow"], [], []])
    press(page, "Enter")
    until("Enter opens", lambda: page.title() == "Sow")
    press(page, "Escape", "Escape")
    until("Escape closes the note", lambda: page.title() is None or page.tab.locator(".detail").is_hidden())
    until("and leaves the focus on its card", lambda: focus(page) == "Sow")


def board_by_button(box, page):
    """The button above the board moves the card of the cursor, which is marked; without one it asks for the card."""
    box.run("view", "save", "empty", "kind:book", "--by", "status", "--form", "board")
    filled(box, page)
    mover = page.tab.locator(".view-bar button", has_text="Move to…")
    marked = lambda: page.tab.evaluate("[...document.querySelectorAll('.card.marked .card-title')].map(n => n.textContent)")
    show(page, "empty")
    mover.click()
    until("it is said that nothing can be moved", lambda: "There is no card to move" in page.tab.inner_text(".messages"))
    show(page, "prio")
    shows(page, [["Dig", "Rest"], [], [], ["Sow"]])
    page.tab.locator(".card", has_text="Sow").focus()
    until("the card is marked", lambda: marked() == ["Sow"] and "Sow" in mover.get_attribute("title"))
    commits = box.commits()
    mover.click()
    until("the columns are offered", lambda: page.tab.locator("dialog[open] [role=option]").count() == 4)
    wanted("the dialog names the card", "Sow" in page.tab.inner_text("dialog[open]"), page.tab.inner_text("dialog[open]"))
    wanted("the column of the card is chosen", "High" in page.tab.inner_text("dialog[open] [role=option][aria-selected=true]"))
    press(page, "Escape")
    until("Escape leaves all as it is", lambda: not page.tab.locator("dialog[open]").count() and box.commits() == commits)
    mover.click()
    page.tab.locator("dialog[open] [role=option]", has_text="Medium").click()
    shows(page, [["Dig", "Rest"], [], ["Sow"], []])
    wanted("it is one commit", box.commits() == commits + 1 and field(box, "Sow", "priority") == "medium", box.subjects(2))
    until("the mark goes with the card", lambda: marked() == ["Sow"])
    page.tab.locator(".message button", has_text="Undo").click()
    shows(page, [["Dig", "Rest"], [], [], ["Sow"]])


def several_cards(box, page):
    """Selected cards move together, by mouse and keys: one commit; what leaves the view is no longer selected."""
    filled(box, page)
    selected = lambda: page.tab.evaluate("[...document.querySelectorAll('.card.selected .card-title')].map(n => n.textContent)")
    agree = lambda: (page.tab.wait_for_selector("dialog[open] button.primary"), page.tab.click("dialog[open] button.primary"))
    show(page, "prio")
    shows(page, [["Dig", "Rest"], [], [], ["Sow"]])
    page.tab.locator(".card", has_text="Dig").focus()
    press(page, "x")
    until("the card is selected", lambda: selected() == ["Dig"])
    press(page, "ArrowDown", "x")
    until("another one too", lambda: sorted(selected()) == ["Dig", "Rest"] and "2 selected" in page.tab.inner_text(".selection-bar"))
    commits = box.commits()
    press(page, "P")
    until("the dialog names both", lambda: "2 notes" in page.tab.inner_text("dialog[open]"))
    page.tab.locator("dialog[open] [role=option]", has_text="Low").click()
    agree()
    shows(page, [[], ["Dig", "Rest"], [], ["Sow"]])
    wanted("it is one commit", box.commits() == commits + 1, box.subjects(2))
    until("they stay selected", lambda: sorted(selected()) == ["Dig", "Rest"])
    still(page)
    drag(page, card(page, "Rest"), middle(page, ".column .cards", 2))
    agree()
    shows(page, [[], [], ["Dig", "Rest"], ["Sow"]])
    wanted("that is one commit too", box.commits() == commits + 2, box.subjects(3))
    press(page, "Control+a")
    until("all are selected", lambda: sorted(selected()) == ["Dig", "Rest", "Sow"])
    press(page, "Escape")
    until("Escape ends that", lambda: selected() == [] and page.tab.locator(".selection-bar").is_hidden())
    still(page)
    page.tab.locator(".card", has_text="Sow").click(button="right")
    page.tab.locator("dialog[open] [role=option]", has_text="Select or deselect").click()
    until("the menu selects", lambda: selected() == ["Sow"])
    page.tab.locator(".selection-bar button", has_text="Delete").click()
    shows(page, [[], [], ["Dig", "Rest"], []])
    wanted("nothing stays selected", selected() == [] and page.tab.locator(".selection-bar").is_hidden())


def board_by_touch(box, page):
    """A finger that rests on a card carries it; one that moves at once scrolls."""
    if page.is_firefox:
        raise Skip("playwright has fingers in Chromium alone")
    filled(box, page)
    other = Page(page.context.browser, box, 820, 900, has_touch=True)
    try:
        show(other, "done")
        shows(other, [["Dig", "Sow"], ["Rest"]])
        send = other.context.new_cdp_session(other.tab).send

        def touch(kind, *points):
            send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})
        (x, y), (to, down) = card(other, "Sow"), middle(other, ".column .cards", 1)
        touch("touchStart", (x, y))
        touch("touchMove", (x + 60, y))
        touch("touchMove", (to, down))
        touch("touchEnd")
        other.tab.wait_for_timeout(400)
        wanted("a quick finger moves nothing", field(box, "Sow", "done") in (None, False, "false"))
        touch("touchStart", (x, y))
        other.tab.wait_for_timeout(500)
        for step in range(1, 9):
            touch("touchMove", (x + (to - x) * step / 8, y + (down - y) * step / 8))
            other.tab.wait_for_timeout(20)
        touch("touchEnd")
        shows(other, [["Dig"], ["Rest", "Sow"]])
        wanted("it is done", str(field(box, "Sow", "done")).lower() == "true")
    finally:
        found = other.close()
    wanted("nothing went wrong", not found, found)


def references_and_filters(box, page):
    """A board of references has the titles of records; filter, slider and the changes of others apply."""
    filled(box, page)
    made(box, "group", "House")
    show(page, "group")
    until("columns are records", lambda: heads(page) == ["Garden 1", "House 0", "No group 2"] or heads(page) and None)
    drag(page, card(page, "Sow"), middle(page, ".column .cards", 1))
    until("the reference is set", lambda: heads(page) == ["Garden 1", "House 1", "No group 1"])
    box.run("set", "Rest", "group:Garden")
    until("the change of another is shown", lambda: heads(page) == ["Garden 2", "House 1", "No group 0"] or heads(page) == ["Garden 2", "House 1"])
    page.tab.fill(".filter-input", "done:false")
    until("the filter narrows it", lambda: heads(page)[0] == "Garden 1")
    wanted("it stays the view", "/view/group/done:false" in page.tab.url, page.tab.url)
    page.tab.fill(".filter-input", "")
    page.tab.press(".filter-input", "Escape")
    page.tab.evaluate(f"location.hash = '#/view/group@{day(0)}'")
    until("the past is shown", lambda: page.tab.locator(".past-bar:not([hidden])").count() and len(columns(page)) >= 2)
    still(page)
    before = columns(page)
    drag(page, card(page, "Dig"), middle(page, ".column .cards", 1))
    page.tab.wait_for_timeout(300)
    wanted("nothing is moved there", columns(page) == before)


def filter_without_hits(box, page):
    """A filter that no note of a view matches says so, and is cleared there."""
    filled(box, page)
    show(page, "prio")
    shows(page, [["Dig", "Rest"], [], [], ["Sow"]])
    press(page, "/")
    page.tab.keyboard.type("xyzzy")
    until("it is said", lambda: "No notes of this view match" in page.tab.inner_text(".saved-view"))
    wanted("no empty columns are shown", page.tab.locator(".board").is_hidden())
    press(page, "Enter")
    until("the button has the focus", lambda: page.tab.evaluate("document.activeElement.textContent") == "Clear the filter")
    press(page, "Enter")
    shows(page, [["Dig", "Rest"], [], [], ["Sow"]])
    wanted("the board is back", page.tab.locator(".board").is_visible())


def calendar_by_mouse_and_keys(box, page):
    """A note is carried to another day, or moved by a key; weeks and months are gone through."""
    filled(box, page)
    show(page, "due")
    on = lambda date: page.tab.evaluate("date => [...document.querySelectorAll(`.day[data-day='${date}'] .card-title`)].map(n => n.textContent)", date)
    until("both are there", lambda: on(day(0)) == ["Dig"] and (on(day(1)) == ["Sow"] or TODAY.day > 20))
    page.tab.locator("button", has_text="Week").first.click()
    until("a week has seven days", lambda: page.tab.locator(".calendar .day").count() == 7)
    page.tab.locator("button", has_text="Month").first.click()
    until("a month has more", lambda: page.tab.locator(".calendar .day").count() >= 28)
    target = day(-1) if TODAY.weekday() > 0 else day(2)
    drag(page, card(page, "Dig"), middle(page, f".day[data-day='{target}']"))
    until("it is there", lambda: on(target) == ["Dig"])
    wanted("its date is set", field(box, "Dig", "due") == target)
    page.tab.locator(".card", has_text="Dig").focus()
    commits = box.commits()
    press(page, ">")
    next_day = (datetime.date.fromisoformat(target) + datetime.timedelta(days=1)).isoformat()
    until("a day later", lambda: on(next_day) == ["Dig"])
    wanted("it is one commit", box.commits() == commits + 1)
    until("the focus goes with it", lambda: focus(page) == "Dig")
    press(page, "z")
    until("undone", lambda: on(target) == ["Dig"])
    title = page.tab.inner_text(".period")
    press(page, "PageDown")
    until("the next month", lambda: page.tab.inner_text(".period") != title)
    page.tab.locator(".view-bar button", has_text="Today").click()
    until("back", lambda: page.tab.inner_text(".period") == title)
    press(page, "ArrowRight")
    until("the arrow goes a day on", lambda: page.tab.evaluate("document.activeElement.closest('.day')?.dataset.day") == day(1))


def table(box, page):
    """Columns are sorted, resized, chosen and saved; cells are edited in their place; the total follows."""
    made(box, "book", "Dune", "author:Herbert", "rating:5")
    made(box, "book", "Emma", "author:Austen", "rating:3")
    box.run("view", "save", "books", "kind:book", "--columns", "title,author,rating", "--form", "table", "--total")
    show(page, "books")
    cells = lambda: page.tab.evaluate("[...document.querySelectorAll('.notes-table tbody tr')].map(n => [...n.cells].map(m => m.textContent))")
    until("rows", lambda: sorted(row[0] for row in cells()) == ["Dune", "Emma"])
    total = lambda: page.tab.evaluate("[...document.querySelectorAll('.notes-table tfoot td')].map(n => n.textContent)")
    wanted("the total", total() == ["Total", "", "8"], total())
    page.tab.locator("th button", has_text="Rating").click()
    until("lowest first", lambda: [row[0] for row in cells()] == ["Emma", "Dune"])
    page.tab.locator("th button", has_text="Rating").click()
    until("highest first", lambda: [row[0] for row in cells()] == ["Dune", "Emma"])
    x, y = middle(page, "tbody tr:nth-child(2) td:nth-child(2)")
    page.double_click({"x": x, "y": y})
    until("a field", lambda: page.tab.locator(".cell-input").count())
    page.tab.keyboard.type("Jane Austen")
    press(page, "Enter")
    until("it is written", lambda: field(box, "Emma", "author") == "Jane Austen")
    until("it is shown", lambda: ["Emma", "Jane Austen", "3"] in cells())
    press(page, "ArrowRight", "Enter")
    until("stars are chosen", lambda: page.tab.locator("dialog[open] [role=option]").count() >= 5)
    page.tab.keyboard.type("4")
    press(page, "Enter")
    until("the total follows", lambda: total() == ["Total", "", "9"])
    width = lambda: page.tab.evaluate("document.querySelector('th')?.offsetWidth ?? 0")
    before = width()
    page.tab.locator(".resizer").first.focus()
    press(page, "ArrowRight", "ArrowRight", "ArrowRight")
    until("it is wider", lambda: width() > before + 30)
    page.tab.locator(".view-bar button", has_text="Columns").click()
    until("columns", lambda: page.tab.locator("dialog[open] [role=option]", has_text="status").count())
    page.tab.locator("dialog[open] [role=option]", has_text="status").click()
    press(page, "Escape")
    until("it is a column", lambda: page.tab.locator("th").count() == 4)
    page.tab.locator(".view-bar button", has_text="Save view").click()
    until("the view is saved", lambda: "title,author,rating,status" in box.run("view"))


def views_of_any_query(box, page):
    """A board, a list and an agenda of a query of two terms in quotes are shown, each with its titles."""
    filled(box, page)
    for form in ("board", "list", "agenda"):
        box.run("view", "save", form + "s", "kind:task is:active", "--form", form)
        until("it is listed", lambda: page.tab.locator(".sidebar a", has_text=form.title() + "s").count() >= 1)
        show(page, form + "s")
        until(f"the {form} has its cards", lambda: "Dig" in sum(columns(page), []))
        page.tab.reload()
        until("also when the page is read again", lambda: "Dig" in sum(columns(page), []))


def view_changes_its_form(box, page):
    """A table is shown as a list, a board and a table again; each time its notes are there, and its columns come back."""
    made(box, "book", "Dune", "author:Herbert", "rating:5")
    box.run("view", "save", "books", "kind:book", "--columns", "title,author,rating", "--form", "table")
    show(page, "books")
    page.tab.wait_for_selector("tbody tr")
    for form, selector in [("list", ".card"), ("board", ".column .card"), ("calendar", ".calendar .day"), ("table", "tbody tr")]:
        page.tab.locator(".sidebar .editable", has_text="Books").hover()
        page.tab.locator(".sidebar .editable", has_text="Books").locator(".edit-entry").click()
        page.tab.locator("dialog[open] [role=option]", has_text=f"Show as {form}").click()
        if form == "calendar":
            page.tab.locator("dialog[open] [role=option]", has_text="Completed").click()
        until(f"it is a {form}", lambda: page.tab.locator(selector).first.is_visible())
    wanted("the columns are back", "title,author,rating" in box.run("view"), box.run("view"))
    page.tab.locator(".sidebar .editable", has_text="Books").hover()
    page.tab.locator(".sidebar .editable", has_text="Books").locator(".edit-entry").click()
    page.tab.locator("dialog[open] [role=option]", has_text="Rename").click()
    until("the name is proposed", lambda: page.tab.input_value("dialog[open] input") == "books")
    page.tab.keyboard.type("library")
    press(page, "Enter")
    until("it has the new name", lambda: page.tab.inner_text(".list-head h1") == "Library" and page.tab.locator("tbody tr").count() == 1)
    wanted("its command has it too", box.run("view").startswith("library\t"), box.run("view"))


def empty_day_means_no_note(box, page):
    """On a day without a note no key changes the note that the cursor came from."""
    filled(box, page)
    show(page, "due")
    page.tab.locator(".card", has_text="Dig").focus()
    focused_day = lambda: page.tab.evaluate("document.activeElement.closest('.day')?.dataset.day")
    press(page, "ArrowLeft")
    until("the cursor is on the empty day", lambda: focused_day() == day(-1))
    commits = box.commits()
    for key in ("#", "Delete", "d", "p", "l", "s", "m", "="):
        press(page, key)
        page.tab.wait_for_timeout(100)
        wanted(f"{key} asks nothing", not page.tab.locator("dialog[open]").count())
    wanted("nothing is changed", box.commits() == commits and "Dig" in box.titles(), box.subjects(2))
    wanted("no card is marked", not page.tab.locator(".card.marked").count())


def focus_after_delete(box, page):
    """After a card is deleted, by key, from its note or by the menu, the card beside it has the focus."""
    for title in ["Apple", "Birch", "Cedar", "Dogwood", "Elm", "Fir"]:
        made(box, "task", title, "priority:high")
    box.run("view", "save", "prio", "kind:task", "--by", "priority", "--form", "board")
    show(page, "prio")
    until("the cards are there", lambda: page.tab.locator(".card").count() == 6)
    order = columns(page)[3]
    focused = lambda: page.tab.evaluate("document.activeElement.closest('.card')?.querySelector('.card-title').textContent ?? document.activeElement.className")
    count = lambda number: until(f"{number} cards are left", lambda: page.tab.locator(".card").count() == number)
    # Without its note.
    page.tab.locator(".card", has_text=order[1]).focus()
    press(page, "#")
    count(5)
    until("the next card has the focus, without its note", lambda: focused() == order[2] or Fault((focused(), order)))
    # Its note is open beside the board, and the card has the focus.
    page.tab.locator(".card", has_text=order[2]).click()
    until("its note is open", lambda: page.title() == order[2])
    press(page, "Delete")
    count(4)
    until("the next card has the focus, with its note open", lambda: focused() == order[3] or Fault((focused(), order)))
    # The note has the focus.
    page.tab.locator(".card", has_text=order[3]).click()
    until("its note is open", lambda: page.title() == order[3])
    page.tab.locator(".note-actions .danger").click()
    count(3)
    until("the next card has the focus, from its note", lambda: focused() == order[4] or Fault((focused(), order)))
    # By the menu of the card.
    page.tab.locator(".card", has_text=order[4]).click(button="right")
    page.tab.locator("dialog[open] [role=option]", has_text="Delete").click()
    count(2)
    until("the next card has the focus, by the menu", lambda: focused() == order[5] or Fault((focused(), order)))
    press(page, "#")
    count(1)
    until("after the last one, the one before it", lambda: focused() == order[0] or Fault((focused(), order)))
    press(page, "z")
    count(2)
    until("undo leaves the focus", lambda: focused() == order[0] or Fault((focused(), order)))


def drop_outlives_other_changes(box, page):
    """A card that is held while another program changes the box is moved where it is dropped."""
    filled(box, page)
    show(page, "prio")
    shows(page, [["Dig", "Rest"], [], [], ["Sow"]])
    source, target = card(page, "Dig"), middle(page, ".column .cards", 2)
    page.tab.mouse.move(*source)
    page.tab.mouse.down()
    page.tab.mouse.move(source[0] + 12, source[1] + 12, steps=3)
    page.tab.mouse.move(*target, steps=8)
    box.run("set", "Rest", "+elsewhere")
    page.tab.wait_for_timeout(1500)
    page.tab.mouse.up()
    shows(page, [["Rest"], [], ["Dig"], ["Sow"]])
    wanted("it is stored", field(box, "Dig", "priority") == "medium", box.note("Dig"))
    wanted("no ghost stays", not page.tab.locator(".ghost, .drop").count())
    until("the other change is shown", lambda: page.tab.locator(".card", has_text="elsewhere").count() == 1)


def table_follows_its_note(box, page):
    """In a sorted table the cursor goes with its note; Delete empties the cell; the order is kept beside another view."""
    for title, rating in [("Dune", 5), ("Emma", 4), ("Ulysses", 3)]:
        made(box, "book", title, "author:Somebody", f"rating:{rating}")
    box.run("view", "save", "books", "kind:book", "--columns", "title,rating", "--form", "table")
    show(page, "books")
    rows = lambda: page.tab.evaluate("[...document.querySelectorAll('.notes-table tbody tr')].map(n => n.cells[0].textContent)")
    at = lambda: page.tab.evaluate("document.activeElement.closest('tr')?.cells[0].textContent")
    page.tab.wait_for_selector("tbody tr")
    page.tab.locator("th button", has_text="Rating").click()
    until("lowest first", lambda: rows() == ["Ulysses", "Emma", "Dune"])
    page.tab.locator("td", has_text="Ulysses").focus()
    press(page, "ArrowRight")
    box.run("set", "Ulysses", "rating:5")
    until("the row moves", lambda: rows()[0] == "Emma")
    until("the cursor goes with it", lambda: at() == "Ulysses")
    press(page, "Delete")
    until("the cell is empty", lambda: field(box, "Ulysses", "rating") is None)
    wanted("the note is there", "Ulysses" in box.titles())
    box.run("view", "save", "all", "kind:book", "--form", "list")
    until("it is listed", lambda: page.tab.locator(".sidebar a", has_text="All").count() >= 1)
    show(page, "all")
    show(page, "books")
    until("the order is kept", lambda: page.tab.locator("th[aria-sort=ascending]", has_text="Rating").count() == 1)
    page.tab.locator(".view-bar button", has_text="Reset").click()
    until("it can be dropped", lambda: page.tab.locator("th[aria-sort=ascending]").count() == 0)


def calendar_stays_at_its_month(box, page):
    """A drop on a day of the next month leaves the month in sight; notes without a date are listed by a click."""
    filled(box, page)
    show(page, "due")
    page.tab.wait_for_selector(".calendar .card")
    title = page.tab.inner_text(".period")
    grey = page.tab.evaluate("""today => [...document.querySelectorAll('.day.other')].map(n => n.dataset.day)
        .sort((a, b) => Math.abs(new Date(a) - new Date(today)) - Math.abs(new Date(b) - new Date(today)))[0] ?? null""", day(0))
    if grey:
        drag(page, card(page, "Dig"), middle(page, f".day[data-day='{grey}']"))
        until("it has the day", lambda: field(box, "Dig", "due") == grey)
        until("it is shown there", lambda: page.tab.locator(f".day[data-day='{grey}'] .card", has_text="Dig").count() == 1)
        wanted("the month stays", page.tab.inner_text(".period") == title, page.tab.inner_text(".period"))
    page.tab.locator(".view-bar button", has_text="without a date").click()
    until("the one without a date is listed", lambda: page.rows() == ["Rest"])


def new_note_gets_its_place(box, page):
    """A new record gets the value of the column, or the day, that has the focus."""
    filled(box, page)
    show(page, "prio")
    shows(page, [["Dig", "Rest"], [], [], ["Sow"]])
    page.tab.locator(".card", has_text="Sow").focus()
    press(page, "c")
    page.tab.wait_for_selector("dialog .new-title")
    page.tab.keyboard.type("Reap")
    press(page, "Enter")
    until("it is made", lambda: "Reap" in box.titles())
    wanted("it has the priority of the column", field(box, "Reap", "priority") == "high", box.note("Reap"))
    show(page, "due")
    page.tab.locator(f".day[data-day='{day(0)}']").focus()
    press(page, "c")
    page.tab.wait_for_selector("dialog .new-title")
    page.tab.keyboard.type("Thresh")
    press(page, "Enter")
    until("it is made", lambda: "Thresh" in box.titles())
    wanted("it has the day", field(box, "Thresh", "due") == day(0), box.note("Thresh"))


def two_at_once(box, page):
    """Two browsers move the same cards: both show the same in the end, and nothing is lost."""
    filled(box, page)
    other = Page(page.context.browser, box)
    try:
        for one in (page, other):
            show(one, "prio")
            shows(one, [["Dig", "Rest"], [], [], ["Sow"]])
        for title, column in [("Dig", 1), ("Sow", 2), ("Rest", 3)]:
            drag(page, card(page, title), middle(page, ".column .cards", column))
            drag(other, card(other, title), middle(other, ".column .cards", (column + 1) % 4))
        until("both show the same", lambda: [sorted(one) for one in columns(page)] == [sorted(one) for one in columns(other)])
        wanted("no card is lost", sorted(sum(columns(page), [])) == ["Dig", "Rest", "Sow"], columns(page))
        for title, at in [(title, at) for at, titles in enumerate(columns(page)) for title in titles]:
            wanted("it is what is stored", (field(box, title, "priority") or "none") == ["none", "low", "medium", "high"][at], title)
    finally:
        found = other.close()
    wanted("nothing went wrong", not found, found)


def names_and_looks(box, page):
    """axe finds nothing, and columns, cards and days have names, in both schemes, wide and narrow."""
    filled(box, page)
    for number in range(12):
        made(box, "task", f"Water the plants of balcony number {number}", f"due:{day(number % 5)}", "+garden", f"priority:{['low', 'high'][number % 2]}")
        made(box, "book", f"Volume {number} of a long history", f"author:Author {number}", f"rating:{number % 5 + 1}")
    box.run("view", "save", "books", "kind:book", "--columns", "title,author,rating,status", "--form", "table", "--total")
    problems = []
    for scheme in ("light", "dark"):
        for width, height in ((1440, 900), (390, 844)):
            other = Page(page.context.browser, box, width, height, color_scheme=scheme, reduced_motion="reduce")
            try:
                for name, ready in [("prio", ".card"), ("due", ".day .card"), ("books", "td"), ("week", ".card")]:
                    show(other, name)
                    until("it is there", lambda: other.tab.locator(ready).count() > 3)
                    if SHOTS:
                        other.tab.screenshot(path=os.path.join(SHOTS, f"view-{name}-{width}-{scheme}.png"))
                    found = Axe().run(other.tab)
                    problems += [f"{name} {width} {scheme}: {one['id']} {one['nodes'][0]['html'][:120]}" for one in found.response["violations"]]
                    if name == "prio":
                        labels = other.tab.evaluate("[...document.querySelectorAll('.board [role=listbox]')].map(n => n.getAttribute('aria-label'))")
                        wanted("columns are named", labels[:2] == ["None, 2 notes", "Low, 6 notes"], labels)
                        label = other.tab.evaluate("document.querySelector('.card').getAttribute('aria-label')")
                        wanted("cards are named", label.startswith("Dig"), label)
                    over = other.tab.evaluate("document.documentElement.scrollWidth > innerWidth")
                    wanted(f"{name} is not wider than the page", not over)
            finally:
                problems += other.close()
    wanted("axe finds nothing", not problems, "; ".join(problems))


CASES = [board_by_mouse, board_by_keys, board_by_button, several_cards, board_by_touch, references_and_filters, filter_without_hits, calendar_by_mouse_and_keys, table, views_of_any_query, view_changes_its_form,
         empty_day_means_no_note, focus_after_delete, drop_outlives_other_changes, calendar_stays_at_its_month, new_note_gets_its_place, table_follows_its_note, two_at_once, names_and_looks]


def conduct(browser, slip, scratch, say, only=""):
    return each([case for case in CASES if only in case.__name__], browser, slip, scratch, say)
