"""Capturing and going: a note as one line, the palette by words in any order."""

from browser import Fault, Page, until
from care import each, go, listed, made, message, opened, options, wanted
from daily import area, has_caret, names


def is_firefox(page):
    return page.context.browser.browser_type.name == "firefox"


def chips(page):
    return page.tab.evaluate("[...document.querySelectorAll('dialog .typed .chip')].map(n => n.textContent)")


def line_is_read(box, page):
    """A line with a title and changes is understood as it is typed, shown as chips with the day, and saved so."""
    made(box, "task", "Before")
    go(page, "#/q/kind:task")
    listed(page, 1)
    page.tab.focus(".grid")
    page.tab.keyboard.press("c")
    page.tab.keyboard.type("Call Ada due:tomorrow +home !!")
    until("tag and priority are chips", lambda: {"#home", "Priority: medium"} <= set(chips(page)))
    until("the day is shown as it will be written", lambda: "Due: tomorrow" in chips(page))
    wanted("the kind is that of the list", page.tab.evaluate("document.querySelector('dialog select').value") == "task")
    page.tab.keyboard.press("Enter")
    until("it is open, with the caret in the text", lambda: page.title() == "Call Ada" and has_caret(page))
    note = box.note("Call Ada")
    day = page.tab.evaluate("import('/assets/dates.js').then(dates => dates.fromNumber(dates.toNumber(dates.today()) + 1))")
    wanted("all is set", note["tags"] == ["home"] and note["fields"]["due"] == day and note["fields"]["priority"] == "medium", note)


def line_is_kept(box, page):
    """Escape keeps the typed line for the next New; Cancel and Create don't."""
    made(box, "note", "Before")
    listed(page, 1)
    line = lambda: page.tab.evaluate("document.querySelector('dialog .new-title').value")

    def new():
        page.tab.focus(".grid")
        page.tab.keyboard.press("c")
        page.tab.wait_for_selector("dialog .new-title")
    new()
    page.tab.keyboard.type("Half a")
    page.tab.keyboard.press("Escape")
    new()
    wanted("the line is there", line() == "Half a", line())
    page.tab.keyboard.press("End")
    page.tab.keyboard.type(" line")
    page.tab.keyboard.press("Enter")
    until("it is made", lambda: page.title() == "Half a line" and has_caret(page))
    page.tab.keyboard.press("Escape")
    new()
    wanted("the next one is empty", line() == "", line())
    page.tab.keyboard.type("Given up")
    page.tab.click("dialog >> text=Cancel")
    new()
    wanted("so is that after Cancel", line() == "", line())
    page.tab.keyboard.type("Prepare retro")
    page.tab.keyboard.press("Escape")
    new()
    page.tab.keyboard.type("Buy bread")
    wanted("typing replaces the kept line", line() == "Buy bread", line())


def kind_is_of_the_list(box, page):
    """The kind of a new note is that of the list, else a note, whatever was made last."""
    made(box, "task", "Before")
    listed(page, 1)
    kind = lambda: page.tab.evaluate("document.querySelector('dialog select').value")
    for address, wished, count in [("#/q/kind:task", "task", 1), ("#/q/", "note", 2)]:
        go(page, address)
        listed(page, count)
        page.tab.focus(".grid")
        page.tab.keyboard.press("c")
        wanted(f"it is a {wished}", kind() == wished, kind())
        if wished == "note":
            break
        page.tab.keyboard.type("Made")
        page.tab.keyboard.press("Enter")
        until("it is made", lambda: page.title() == "Made" and has_caret(page))
        page.tab.keyboard.press("Escape")


def kind_words_are_seen(box, page):
    """The title that results is shown where it is another one than was typed. A chosen kind keeps all words, and a deleted word gives its kind back."""
    made(box, "task", "Before")
    listed(page, 1)
    kind = lambda: page.tab.evaluate("document.querySelector('dialog select').value")
    result = lambda: page.tab.evaluate("document.querySelector('dialog .title-read')?.textContent ?? null")

    def new(line):
        page.tab.focus(".grid")
        page.tab.keyboard.press("c")
        page.tab.keyboard.press("Control+a")
        page.tab.keyboard.type(line)

    def entered(title):
        page.tab.keyboard.press("Enter")
        until(f"{title} is made", lambda: page.title() == title and has_caret(page))
        page.tab.keyboard.press("Escape")
    new("Task force meeting")
    wanted("a word with a capital letter is of the title", (kind(), result()) == ("note", None), (kind(), result()))
    entered("Task force meeting")
    new("task Buy milk due:friday")
    until("kind and title are seen", lambda: (kind(), result()) == ("task", "Title: Buy milk"))
    page.tab.locator("dialog").get_by_label("Tags", exact=True).fill("home")
    page.tab.focus("dialog .new-title")
    for _ in " due:friday":
        page.tab.keyboard.press("Backspace")
    page.tab.keyboard.press("Home")
    for _ in "task ":
        page.tab.keyboard.press("Delete")
    wanted("without the word it is a note again", (kind(), result()) == ("note", None), (kind(), result()))
    wanted("other fields stay", page.tab.locator("dialog").get_by_label("Tags", exact=True).input_value() == "home")
    page.tab.keyboard.type("task ")
    page.tab.select_option("dialog select", "note")
    wanted("a chosen kind stays", (kind(), result()) == ("note", None), (kind(), result()))
    page.tab.focus("dialog .new-title")
    entered("task Buy milk")
    new("abc due:friday")
    until("the field gives its kind", lambda: kind() == "task")
    for _ in " due:friday":
        page.tab.keyboard.press("Backspace")
    wanted("and takes it back", kind() == "note", kind())
    entered("abc")
    go(page, "#/q/kind:task")
    listed(page, 1)
    new("note to self")
    wanted("the kind of the list stays", (kind(), result()) == ("task", None), (kind(), result()))
    entered("note to self")
    wanted("all titles are whole", sorted((note["title"], note["kind"]) for note in box.list()) == [
        ("Before", "task"), ("Task force meeting", "note"), ("abc", "note"), ("note to self", "task"), ("task Buy milk", "note")], box.titles())


def several_get_the_next_state(box, page):
    """With several tasks, `s` and Enter give the next state. The bar of the selection and a message have each their place."""
    for title in ["One", "Two"]:
        made(box, "task", title)
    one = Page(page.context.browser, box, width=390, height=700)
    go(one, "#/q/kind:task")
    listed(one, 2)
    before = [note["fields"] for note in box.list("kind:task")]
    one.tab.focus(".grid")
    for key in ["Home", "x", "j", "x"]:
        one.tab.keyboard.press(key)
    until("both are selected", lambda: "2 selected" in one.tab.inner_text(".selection-bar"))
    scrolled = lambda: one.tab.evaluate("document.querySelector('.selection-bar').scrollLeft")
    one.tab.evaluate("document.querySelector('.selection-bar').scrollLeft = 200")
    one.tab.keyboard.press("s")
    one.tab.wait_for_selector("dialog[open] [role=option]")
    one.tab.keyboard.press("Enter")
    one.tab.click("dialog .primary", timeout=5000)
    until("both have another state", lambda: all(note["fields"] not in before for note in box.list("kind:task")) or message(one))
    one.tab.wait_for_selector(".message")
    wanted("the selection stays, to be changed again", "2 selected" in one.tab.inner_text(".selection-bar"))
    one.tab.locator(".selection-bar button", has_text="×").click()
    until("the selection is done with", lambda: not one.tab.locator(".selection-bar").is_visible())
    one.tab.focus(".grid")
    one.tab.keyboard.press("x")
    until("a new one is begun", lambda: one.tab.locator(".selection-bar").is_visible())
    wanted("its bar begins at its start", scrolled() == 0, scrolled())
    said, bar = one.tab.locator(".message").bounding_box(), one.tab.locator(".selection-bar").bounding_box()
    wanted("the message is above the bar", said["y"] + said["height"] <= bar["y"], (said, bar))
    page.complaints += one.close()


def selection_ends_with_its_rows(box, page):
    """Selected notes that leave the list by their change are selected no more; the bar shows all its buttons."""
    for title in ["One", "Two", "Three"]:
        made(box, "task", title)
    go(page, "#/q/kind:task+is:active")
    listed(page, 3)
    page.tab.focus(".grid")
    for key in ["Home", "x", "j", "x"]:
        page.tab.keyboard.press(key)
    until("both are selected", lambda: "2 selected" in page.tab.inner_text(".selection-bar"))
    fits = page.tab.evaluate("(() => { const bar = document.querySelector('.selection-bar'); return bar.scrollWidth <= bar.clientWidth; })()")
    wanted("no button is cut off", fits)
    page.tab.keyboard.press("a")
    page.tab.keyboard.type("finish")
    page.tab.keyboard.press("Enter")
    page.tab.click("dialog .primary", timeout=5000)
    listed(page, 1)
    until("nothing is selected", lambda: not page.tab.locator(".selection-bar").is_visible())


def actions_before_scattered_letters(box, page):
    """A word of an action is before a recent note that has its letters here and there; a recent note with the word is first."""
    scattered, whole = made(box, "note", "The last one mends errors"), made(box, "note", "My theme")
    for ref in [scattered, whole]:
        opened(page, ref)
    page.tab.keyboard.press("Control+k")
    page.tab.keyboard.type("theme")
    found = lambda: [text for text, _ in options(page)]
    until("the note with the word is first", lambda: found()[:1] == ["My theme"] and len(found()) > 2)
    wanted("then actions", "theme" in found()[1].lower(), found())
    page.tab.keyboard.press("Escape")


def mistakes_are_said(box, page):
    """A value that the field can't have is said while one types; quotes make it part of the title."""
    made(box, "task", "Before")
    go(page, "#/q/kind:task")
    listed(page, 1)
    page.tab.focus(".grid")
    page.tab.keyboard.press("c")
    page.tab.keyboard.type("Call due:blah")
    until("it is said", lambda: "blah" in page.tab.inner_text("dialog .form-fault"))
    page.tab.keyboard.press("Enter")
    page.tab.wait_for_timeout(300)
    wanted("nothing is made", box.titles() == ["Before"], box.titles())
    page.tab.keyboard.press("Control+a")
    page.tab.keyboard.type('Say "due:friday" to all')
    wanted("there is no chip", chips(page) == [], chips(page))
    page.tab.keyboard.press("Enter")
    until("it is the title", lambda: page.title() == "Say due:friday to all")


def fields_of_the_dialog(box, page):
    """The dialog has the day and the tags of a task; the name of a kind at the front chooses it."""
    made(box, "note", "Before")
    listed(page, 1)
    page.tab.click(".new-button")
    page.tab.get_by_label("Title", exact=True).last.fill("task Buy milk")
    until("the kind is chosen", lambda: page.tab.evaluate("document.querySelector('dialog select').value") == "task")
    page.tab.locator("dialog").get_by_label("Due", exact=True).fill("friday")
    page.tab.locator("dialog").get_by_label("Tags", exact=True).fill("home, shop")
    page.tab.click("dialog button[type=submit]")
    until("it is open", lambda: page.title() == "Buy milk")
    note = box.note("Buy milk")
    wanted("all is set", note["kind"] == "task" and note["tags"] == ["home", "shop"] and note["fields"]["due"], note)
    page.tab.keyboard.type("Text")
    wanted("the caret is in the text", area(page) == "Text", area(page))


def palette_by_words(box, page):
    """Ctrl+K finds titles by words in any order and by their beginnings, tags and kinds, and lists what was open last first."""
    refs = {title: made(box, "note", title, "+garden") for title in ["Garden plan of last year", "Plant the garlic", "Letters"]}
    listed(page, 3)
    until("the tags are known", lambda: page.badge("Tags", "garden") == 3)
    for title in ["Plant the garlic", "Letters"]:
        opened(page, refs[title])
    page.tab.focus(".grid")
    page.tab.keyboard.press("Control+k")
    until("the one before is first", lambda: options(page) and options(page)[0][0] == "Plant the garlic")
    page.tab.keyboard.press("Enter")
    until("it is open", lambda: page.title() == "Plant the garlic")
    for typed in ["year gard", "last plan", "garden"]:
        page.tab.keyboard.press("Control+k")
        page.tab.keyboard.type(typed)
        until(f"{typed} finds it", lambda: "Garden plan of last year" in [text for text, _ in options(page)])
        page.tab.keyboard.press("Escape")
    page.tab.keyboard.press("Control+k")
    page.tab.keyboard.type("#gard")
    until("the tag is offered", lambda: "#garden" in [text for text, _ in options(page)])
    page.tab.keyboard.press("Enter")
    until("the list has its notes", lambda: page.tab.inner_text(".list-head h1") == "+garden")


def palette_knows_what_is_there(box, page):
    """Ctrl+K lists no note that is gone and the present titles, tells equal titles apart, finds actions by other words, and makes a note."""
    refs = {title: made(box, "note", title) for title in ["Old name", "Gone", "Peat"]}
    made(box, "note", "Peat")
    listed(page, 4)
    for title in ["Old name", "Gone", "Peat"]:
        opened(page, refs[title])
    box.run("retitle", refs["Old name"], "New name")
    box.run("rm", refs["Gone"])
    listed(page, 3)
    texts = lambda: [text for text, _ in options(page) if not text.startswith("Search the notes for")]
    page.tab.focus(".grid")
    page.tab.keyboard.press("Control+k")
    until("the title is the present one", lambda: "New name" in texts())
    wanted("the others are left out", not {"Old name", "Gone"} & set(texts()), texts()[:6])
    page.tab.keyboard.type("Peat")
    until("both are listed", lambda: texts().count("Peat") == 2)
    details = page.tab.evaluate("[...document.querySelectorAll('dialog [role=option]')].filter(n => n.querySelector('.grow').textContent === 'Peat').map(n => n.querySelector('.detail').textContent)")
    wanted("they are told apart", len(set(details)) == 2, details)
    for typed, title in [("rename", "Edit the title"), ("daily", "Today’s note"), ("yesterday", "Yesterday’s note")]:
        page.tab.keyboard.press("Control+a")
        page.tab.keyboard.type(typed)
        until(f"{typed} finds {title}", lambda: title in texts())
    page.tab.keyboard.press("Control+a")
    page.tab.keyboard.type("Quagmire")
    until("it can be made", lambda: texts() == ["New note: Quagmire"])
    page.tab.keyboard.press("ArrowDown")
    page.tab.keyboard.press("Enter")
    until("it is open", lambda: page.title() == "Quagmire")


def palette_makes_no_note_unasked(box, page):
    """Ctrl+K, an action with a typing mistake, Enter: the item for a new note is shown, and only another Enter makes it."""
    made(box, "note", "Ann Zorn")
    listed(page, 1)
    chosen = lambda: page.tab.locator("dialog .active .grow").all_inner_texts()
    texts = lambda: [text for text, _ in options(page) if not text.startswith("Search the notes for")]
    page.tab.focus(".grid")
    page.tab.keyboard.press("Control+k")
    page.tab.keyboard.type("exprot")
    page.tab.keyboard.press("Enter")
    until("the item is shown, and marked", lambda: chosen() == ["New note: exprot"])
    wanted("nothing is made", box.titles() == ["Ann Zorn"], box.titles())
    page.tab.keyboard.press("Backspace")
    until("the item is not marked any more", lambda: texts() == ["New note: expro"] and chosen() == [])
    page.tab.keyboard.press("Control+a")
    page.tab.keyboard.type("sync exp")
    until("nothing else fits", lambda: texts() == ["New note: sync exp"] and chosen() == [])
    page.tab.keyboard.press("Control+a")
    page.tab.keyboard.type("ann zo")
    until("the note is first, the new one last", lambda: chosen() == ["Ann Zorn"] and texts()[-1] == "New note: ann zo")
    page.tab.keyboard.press("Control+a")
    page.tab.keyboard.type("Bob")
    page.tab.keyboard.press("Enter")
    until("the item is marked", lambda: chosen() == ["New note: Bob"])
    page.tab.keyboard.press("Enter")
    until("the note is made", lambda: page.title() == "Bob" and sorted(box.titles()) == ["Ann Zorn", "Bob"])
    page.tab.keyboard.press("Escape")
    page.lose("/api/titles")
    page.tab.keyboard.press("Control+k")
    page.tab.keyboard.type("Carl")
    until("none is offered while the titles are not known", lambda: page.tab.locator("dialog .empty-line").is_visible())
    wanted("not even by Enter", texts() == [], texts())
    page.lose(None)


def filters_leave_keys(box, page):
    """A kept filter takes no key of an action."""
    made(box, "note", "Ann")
    box.run("filter", "save", "g", "Ann")
    listed(page, 1)
    page.tab.focus(".grid")
    page.tab.keyboard.press("g")
    page.tab.keyboard.press("g")
    until("the focus is in the sidebar", lambda: page.tab.evaluate("Boolean(document.activeElement.closest('.sidebar'))"))


def themes(box, page):
    """Light and dark can be chosen, whatever the system has, and stay chosen."""
    made(box, "note", "Ann")
    listed(page, 1)
    ground = lambda: page.tab.evaluate("getComputedStyle(document.body).backgroundColor")
    before = ground()
    page.tab.focus(".grid")
    page.tab.keyboard.press("Control+k")
    page.tab.keyboard.type("dark theme")
    page.tab.keyboard.press("Enter")
    until("it is dark", lambda: ground() != before)
    page.tab.reload()
    listed(page, 1)
    wanted("it stays dark", ground() != before)


def copies_links(box, page):
    """The link to the note as a text has it: the title, or the id where two notes have the title."""
    page.tab.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    first = made(box, "note", "Ann")
    opened(page, first)
    for count, wanted_text in enumerate(["[[Ann]]", f"[[{first}|Ann]]"], 1):
        listed(page, count)
        page.tab.focus(".detail")
        page.tab.keyboard.press("Control+k")
        page.tab.keyboard.type("copy link")
        page.tab.keyboard.press("Enter")
        until("it is copied", lambda: page.tab.evaluate("window.copied") == wanted_text)
        made(box, "note", "Ann")


def orders_are_named_once(box, page):
    """The order menu names the usual order by what tells apart the listed notes, and no order twice."""
    made(box, "issue", "Ann")
    texts = lambda: page.tab.evaluate("[...document.querySelectorAll('.sort option')].map(n => n.textContent)")
    for address, first in [("#/q/kind:task", "Priority, high first"), ("#/q/kind:issue", "Title, A to Z"), ("#/q/", "Created, newest first")]:
        go(page, address)
        until(f"{first} is the order", lambda: texts()[:1] == [first])
        wanted("no entry is doubled", len(set(texts())) == len(texts()), texts())


def menu_of_a_row(box, page):
    """A right click lists what can be done to that row's note, with its title above; to the selection if the row is in it."""
    for title in ["Ann", "Bob", "Carl"]:
        made(box, "task", title)
    go(page, "#/q/kind:task")
    listed(page, 3)
    second = page.rows()[1]
    page.tab.locator(".row").nth(1).click(button="right")
    until("the menu names the note", lambda: second in names(page))
    page.tab.locator("dialog [role=option]", has_text="Finish").click()
    until("it is done", lambda: box.note(second)["fields"].get("done") is True)
    until("it is said in the past tense", lambda: f"Finished task: {second}" in message(page))
    page.tab.keyboard.press("Control+a")
    page.tab.locator(".row").nth(0).click(button="right")
    until("the menu is about all", lambda: "3 notes" in names(page))
    page.tab.keyboard.press("Escape")
    until("the focus is in the list", lambda: page.tab.evaluate("document.activeElement.className").startswith("grid"))
    page.tab.keyboard.press("Escape")
    page.tab.keyboard.press("Home")
    if is_firefox(page):
        return  # its driver presses no key for menus
    page.tab.keyboard.press("Shift+F10")
    until("the key for menus means the cursor", lambda: page.rows()[0] in names(page))


def bulk_is_summed_up(box, page):
    """The bar of a selection is one line with priority and date; a change is shown as a table, the patch behind it."""
    for title, priority in [("Ann", "high"), ("Bob", "high"), ("Carl", "low")]:
        made(box, "task", title, f"priority:{priority}")
    go(page, "#/q/kind:task")
    listed(page, 3)
    page.tab.focus(".grid")
    page.tab.keyboard.press("Control+a")
    until("the bar is there", lambda: page.tab.locator(".selection-bar button", has_text="Priority").count() == 1)
    wanted("so is what finishes them", page.tab.locator(".selection-bar button", has_text="Finish").is_visible())
    tops = page.tab.evaluate("[...new Set([...document.querySelectorAll('.selection-bar > button')].map(n => Math.round(n.getBoundingClientRect().top)))]")
    wanted("it is one line", max(tops) - min(tops) < 12, tops)
    page.tab.locator(".selection-bar button", has_text="Priority").click()
    page.tab.keyboard.type("medium")
    page.tab.keyboard.press("Enter")
    until("the table is shown", lambda: page.tab.locator("dialog .summary tbody tr").count() == 2)
    rows = [row.inner_text().split("\t") for row in page.tab.locator("dialog .summary tbody tr").all()]
    wanted("it says what changes", rows == [["Priority", "high", "medium", "2"], ["Priority", "low", "medium", "1"]], rows)
    wanted("the patch is behind it", not page.tab.locator("dialog .patch").is_visible())
    page.tab.locator("dialog summary").click()
    wanted("and can be seen", page.tab.locator("dialog .patch").is_visible())
    page.tab.keyboard.press("Tab")
    page.tab.locator("dialog .primary").click()
    until("it is written", lambda: {note["fields"]["priority"] for note in box.list()} == {"medium"})


def new_outside_the_list(box, page):
    """A new note that the filter of the list does not find is said to be elsewhere; one that it finds is not."""
    made(box, "task", "Late", "due:2020-01-01")
    for address, count, typed, is_elsewhere in [("#/q/%40overdue", 1, "Later", True), ("#/q/kind:task+sort:title", 2, "Here", False)]:
        go(page, address)
        listed(page, count)
        page.tab.focus(".grid")
        page.tab.keyboard.press("c")
        page.tab.keyboard.type(f"task {typed}" if is_elsewhere else typed)
        page.tab.keyboard.press("Enter")
        until("it is open", lambda: page.title() == typed and has_caret(page))
        until("what was done is said", lambda: typed in message(page))
        wanted(f"{typed}: so is where it is not", ("not in this list" in message(page)) == is_elsewhere, message(page))
        page.tab.keyboard.press("Escape")


def pickers_show_days(box, page):
    """The picker of a date shows the days that its words mean, begins at the present one, and reads what is typed."""
    ref = made(box, "task", "Ann", "due:2030-01-05")
    opened(page, ref)
    page.tab.focus(".detail")
    page.tab.keyboard.press("d")
    until("it is open", lambda: page.tab.locator("dialog[open] [role=option]").count() > 3)
    details = page.tab.evaluate("[...document.querySelectorAll('dialog [role=option]')].map(n => n.querySelector('.detail')?.textContent ?? '')")
    wanted("each word has its day", all("20" in text for text in details[:6]), details)
    wanted("the present one is first", "5 Jan" in page.tab.inner_text("dialog [role=option].active"), page.tab.inner_text("dialog [role=option].active"))
    page.tab.keyboard.type("3 dec 2031")
    until("what is typed is read", lambda: "3 December 2031" in page.tab.inner_text("dialog [role=option].active"))
    page.tab.keyboard.press("Control+a")
    page.tab.keyboard.type("blah")
    until("a mistake is said", lambda: "blah" in page.tab.inner_text("dialog [role=option] .detail"))
    page.tab.keyboard.press("Control+a")
    page.tab.keyboard.type("tomorrow")
    page.tab.keyboard.press("Enter")
    until("it is set", lambda: box.note("Ann")["fields"]["due"] != "2030-01-05")


def dates_have_times(box, page):
    """The time of day of a date is in its row, among the day's tasks, in the picker, in the chip of a new task and beside a check box."""
    ref = made(box, "task", "Ann", "due:today 14:30")
    made(box, "note", "Boxes", "-b", f"- [ ] pay due:{box.note('Ann')['fields']['due']}T08:15\n")
    go(page, "#/q/kind:task")
    listed(page, 1)
    dates = lambda selector: page.tab.locator(f"{selector} .date").all_inner_texts()
    wanted("the row has it", dates(".row") == ["today 14:30"], dates(".row"))
    until("the list of today has it", lambda: "due today 14:30" in page.tab.inner_text(".today section"))
    opened(page, ref)
    page.tab.focus(".detail")
    page.tab.keyboard.press("d")
    found = lambda: page.tab.evaluate("[...document.querySelectorAll('dialog [role=option]')].map(n => [n.querySelector('.grow').textContent, n.querySelector('.detail')?.textContent ?? ''])")
    until("the picker has it", lambda: found() and found()[0][0] == "today 14:30")
    wanted("it stays with another day", all(text.endswith(" 14:30") for word, text in found() if word != "no date"), found())
    page.tab.keyboard.type("tomorrow 9am")
    until("another time is read", lambda: found() and found()[0][1].endswith(" 09:00"))
    page.tab.keyboard.press("Control+a")
    page.tab.keyboard.type("today 10:00")
    until("so is one of the same day", lambda: found() and found()[0][1].endswith(" 10:00"))
    page.tab.keyboard.press("Enter")
    until("it is set", lambda: box.note("Ann")["fields"]["due-time"] == "10:00")
    go(page, "#/q/kind:task")
    until("the row has the new time", lambda: dates(".row") == ["today 10:00"])
    page.tab.focus(".grid")
    page.tab.keyboard.press("c")
    page.tab.keyboard.type("Bob due:tomorrow 16:45")
    until("the chip has it", lambda: chips(page) == ["Due: tomorrow 16:45"])
    page.tab.keyboard.press("Enter")
    until("it is made", lambda: page.title() == "Bob")
    go(page, "#/todos")
    until("the line has it", lambda: dates(".todo") == ["today 08:15"])


def rows_are_dragged(box, page):
    """A row that is dropped on a tag, a group or My Day gets it; with a selection all of it does, after its change was shown."""
    if is_firefox(page):
        return  # its driver drags nothing
    made(box, "group", "House")
    made(box, "note", "Tagged", "+garden")
    for title in ["Ann", "Bob"]:
        made(box, "task", title)
    go(page, "#/q/kind:task")
    listed(page, 2)
    until("the sidebar has the tag", lambda: page.badge("Tags", "garden") == 1)
    entry = lambda section, text: page.tab.locator(".sidebar section", has=page.tab.locator("h2", has_text=section)).locator("a", has_text=text)
    first = page.rows()[0]
    row = lambda: page.tab.locator(".row", has_text=first)
    row().drag_to(entry("Tags", "garden"))
    until("it has the tag", lambda: box.note(first)["tags"] == ["garden"])
    page.settled()
    row().drag_to(entry("Groups", "House"))
    until("it is in the group", lambda: box.note(first)["fields"].get("group"))
    page.settled()
    row().drag_to(entry("Filters", "My day"))
    until("it is in My Day", lambda: box.note(first)["fields"].get("my-day"))
    page.settled()
    page.tab.focus(".grid")
    page.tab.keyboard.press("Control+a")
    row().drag_to(entry("Tags", "garden"))
    until("the change is shown", lambda: page.tab.locator("dialog .summary").count())
    page.tab.click("dialog .primary")
    until("all have the tag", lambda: len(box.titles("kind:task", "+garden")) == 2)


def selection_names_its_notes(box, page):
    """What becomes of several notes names them, also those that have sunk out of sight; the palette names what an action is done to."""
    for number in range(1, 6):
        made(box, "task", f"Task {number}")
    go(page, "#/q/kind:task+sort:title")
    listed(page, 5)
    page.tab.focus(".grid")
    for key in ["Home", "x", "j", "x", "#"]:
        page.tab.keyboard.press(key)
    listed_titles = lambda: page.tab.evaluate("[...document.querySelectorAll('dialog .titles li')].map(n => n.textContent)")
    until("the question names both", lambda: listed_titles() == ["Task 1", "Task 2"])
    page.tab.keyboard.press("Escape")
    page.tab.keyboard.press("Escape")
    until("nothing is selected", lambda: not page.tab.locator(".selection-bar").is_visible())
    page.tab.focus(".grid")
    page.tab.keyboard.press("Control+k")
    page.tab.keyboard.type("delete")
    found = lambda: page.tab.evaluate("[...document.querySelectorAll('dialog [role=option]')].map(n => [n.querySelector('.grow').textContent, n.querySelector('.detail')?.textContent])")
    until("Delete names its note", lambda: ["Delete", "Task 2"] in found() or Fault(found()))
    page.tab.keyboard.press("Enter")
    until("that one is deleted", lambda: "Task 2" not in box.titles() and len(box.titles()) == 4)


def tags_of_some(box, page):
    """A tag that only some of the selected notes have has a sign of its own: it is added to the rest first, and then removed."""
    for title, *tags in [("Ann", "+all", "+some"), ("Bob", "+all"), ("Carl", "+all")]:
        made(box, "note", title, *tags)
    go(page, "#/q/kind:note+sort:title")
    listed(page, 3)
    page.tab.focus(".grid")
    for key in ["Home", "x", "j", "x", "l"]:
        page.tab.keyboard.press(key)
    signs = lambda: {name: (tick, detail) for name, tick, detail in page.tab.evaluate(
        "[...document.querySelectorAll('dialog.chooser [role=option]')].map(n => [n.querySelector('.grow').textContent, n.querySelector('.tick').textContent, n.querySelector('.detail')?.textContent])")}
    until("the signs differ", lambda: signs().get("all", "")[:1] == ("✓",) and signs().get("some") == ("–", "1 of 2"))
    tags = lambda: {note["title"]: sorted(note["tags"]) for note in box.list()}
    option = lambda: page.tab.locator("dialog.chooser [role=option]", has_text="some")
    for sign, wished in [("✓", ["all", "some"]), ("", ["all"])]:
        option().click()
        page.tab.locator("dialog .primary").click()
        until("the menu is closed", lambda: page.tab.locator("dialog[open]").count() == 0)
        until("both are changed", lambda: tags() == {"Ann": wished, "Bob": wished, "Carl": ["all"]} or Fault(tags()))
        page.tab.focus(".grid")
        page.tab.keyboard.press("l")
        until("the sign follows", lambda: signs().get("some", ("",))[0] == sign and "all" in signs() or Fault(signs()))


CASES = [line_is_read, line_is_kept, kind_is_of_the_list, kind_words_are_seen, several_get_the_next_state, selection_ends_with_its_rows, actions_before_scattered_letters, mistakes_are_said, fields_of_the_dialog, palette_by_words, palette_knows_what_is_there, palette_makes_no_note_unasked, filters_leave_keys, themes, copies_links, orders_are_named_once, menu_of_a_row,
         bulk_is_summed_up, new_outside_the_list, pickers_show_days, dates_have_times, rows_are_dragged, selection_names_its_notes, tags_of_some]


def conduct(browser, slip, scratch, say, only=""):
    cases = [case for case in CASES if only in case.__name__]
    return each(cases, browser, slip, scratch, say)
