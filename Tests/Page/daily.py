"""What a day's work does with the page: it never acts on another note than the one that is shown, and loses no place."""

from browser import Fault, until
from care import cursor, delay, each, listed, made, message, opened, options, shown, wanted


def area(page):
    return page.tab.evaluate("document.querySelector('.body-text').value")


def has_caret(page):
    return page.tab.evaluate("document.activeElement.className === 'body-text'")


def names(page):
    """What a picker or a question says above its items."""
    return page.tab.evaluate("document.querySelector('dialog[open] .about')?.textContent ?? document.querySelector('dialog[open] h2')?.textContent ?? ''")


# Keys that must not mean another note


def new_then_typed(box, page):
    """New, Enter, and typing on at once: all of it is the text of the new note, also where it begins with `#` or with `z`."""
    made(box, "note", "Before")
    listed(page, 1)
    for late, text in [(0, "# Heading z #"), (300, "z and j")]:
        delay(page, "/api/new" if late else None, late, after=True)
        page.tab.focus(".grid")
        page.tab.keyboard.press("c")
        page.tab.keyboard.type(f"Late {late}")
        page.tab.keyboard.press("Enter")
        page.tab.keyboard.type(text)
        until("it is open", lambda: page.title() == f"Late {late}")
        until("the caret is in the text", lambda: has_caret(page))
        until("the text is what was typed", lambda: area(page) == text)
        page.tab.keyboard.press("Control+s")
        page.settled()
        wanted("it is saved", box.note(f"Late {late}")["body"].strip() == text, box.note(f"Late {late}")["body"])
        page.tab.keyboard.press("Escape")
    wanted("nothing was deleted or undone", sorted(box.titles()) == ["Before", "Late 0", "Late 300"], box.titles())


def new_by_mouse(box, page):
    """Create by mouse, and a note that a link names: the caret is in the text too."""
    source = made(box, "note", "Source", "-b", "See [[Missing one]].\n")
    listed(page, 1)
    page.tab.click(".new-button")
    page.tab.get_by_label("Title", exact=True).last.fill("By mouse")
    page.tab.click("dialog button[type=submit]")
    until("the caret is in the text", lambda: page.title() == "By mouse" and has_caret(page))
    page.tab.keyboard.type("#")
    wanted("it is typed", area(page) == "#")
    page.tab.keyboard.press("Escape")
    page.settled()
    opened(page, source)
    page.tab.click(".markup a.missing")
    until("the caret is in the text", lambda: page.title() == "Missing one" and has_caret(page))
    wanted("all are there", sorted(box.titles()) == ["By mouse", "Missing one", "Source"], box.titles())


def refused_new_keeps_keys(box, page):
    """A new note that is refused: the dialog stays, and what was typed meanwhile runs no shortcut."""
    made(box, "note", "Before")
    listed(page, 1)
    delay(page, "/api/new", 300)
    page.tab.focus(".grid")
    page.tab.keyboard.press("c")
    page.tab.keyboard.press("Enter")
    page.tab.keyboard.type("z#")
    until("it is refused", lambda: page.tab.locator("dialog .fault").inner_text() != "")
    wanted("nothing is deleted", box.titles() == ["Before"], box.titles())


def palette_exact_title(box, page):
    """Ctrl+K, the exact title of the note just edited, Enter: the note is open, nothing is undone."""
    ref = made(box, "note", "Garden plan")
    made(box, "note", "Garden plan of last year")
    made(box, "note", "New issue")
    box.run("append", ref, "More.")
    listed(page, 3)
    page.tab.focus(".grid")
    commits = box.commits()
    for title in ["Garden plan", "garden plan", "New issue"]:
        page.tab.keyboard.press("Control+k")
        page.tab.keyboard.type(title)
        page.tab.keyboard.press("Enter")
        until(f"{title} is open", lambda: (page.title() or "").lower() == title.lower())
        page.tab.keyboard.press("Escape")
    wanted("nothing was undone", box.commits() == commits, box.subjects())
    page.tab.keyboard.press("Control+k")
    page.tab.keyboard.type("garden")
    until("the notes are offered", lambda: len(options(page)) >= 2)
    page.tab.wait_for_timeout(200)
    wanted("undo is not found by a title", not any("Undo" in text for text, _ in options(page)), options(page))
    page.tab.keyboard.press("Control+a")
    page.tab.keyboard.type("undo")
    until("undo is found by its verb", lambda: any(text.startswith("Undo: ") for text, _ in options(page)))


def keys_mean_the_shown(box, page):
    """Looked at with Space, finished with `s`: it has left the list and is still shown, and it is what keys act on."""
    for title in ["Cut grass", "Buy milk", "Ask Ada"]:
        made(box, "task", title)
    page.tab.evaluate("location.hash = '#/q/kind:task+is:active'")
    listed(page, 3)
    first, second = page.rows()[:2]
    page.tab.focus(".grid")
    page.tab.keyboard.press("Home")
    page.tab.keyboard.press("Space")
    until("it is shown", lambda: page.title() == first)
    page.tab.keyboard.press("s")
    listed(page, 2)
    page.settled()
    wanted("it is still shown", page.title() == first, page.title())
    page.tab.keyboard.press("l")
    until("the tags are asked for", lambda: page.tab.locator("dialog[open]").count())
    wanted("the picker names the note", first in names(page), names(page))
    page.tab.keyboard.type("home")
    page.tab.keyboard.press("Enter")
    until("the shown one has the tag", lambda: box.note(first)["tags"] == ["home"])
    wanted("the other one has none", not box.note(second).get("tags"))
    page.tab.keyboard.press("Escape")
    page.tab.keyboard.press("p")
    until("the priority is asked for", lambda: page.tab.locator("dialog[open]").count())
    wanted("the picker names the note", first in names(page), names(page))
    page.tab.keyboard.press("Escape")
    page.tab.focus(".grid")
    page.tab.keyboard.press("#")
    until("the shown one is deleted", lambda: first not in box.titles())
    wanted("the other two are there", len(box.titles()) == 2, box.titles())
    # The cursor that is moved means its row again.
    page.tab.focus(".grid")
    page.tab.keyboard.press("Home")
    here = page.tab.evaluate("document.querySelector('.row.current .row-title').textContent")
    page.tab.keyboard.press("d")
    until("the date is asked for", lambda: page.tab.locator("dialog[open]").count())
    wanted("the picker names the row's note", here in names(page), names(page))


def palette_note_off_the_list(box, page):
    """A note opened from the palette that the list does not have: Escape, then keys mean it, not the row of the cursor."""
    made(box, "issue", "Listed")
    made(box, "note", "Elsewhere")
    page.tab.evaluate("location.hash = '#/q/kind:issue'")
    listed(page, 1)
    page.tab.focus(".grid")
    page.tab.keyboard.press("Control+k")
    page.tab.keyboard.type("Elsewhere")
    page.tab.keyboard.press("Enter")
    until("it is open", lambda: page.title() == "Elsewhere")
    page.tab.keyboard.press("Escape")
    page.tab.focus(".grid")
    page.tab.keyboard.press("#")
    until("it is deleted", lambda: box.titles() == ["Listed"])


def own_deletion(box, page):
    """`#` on the open note says that it is deleted, and offers Undo; it is not said to be deleted elsewhere."""
    ref = made(box, "note", "Ann", "-b", "text\n")
    made(box, "note", "Bob")
    opened(page, ref)
    page.tab.focus(".detail")
    page.tab.keyboard.press("#")
    until("it is deleted", lambda: box.titles() == ["Bob"])
    until("it is said", lambda: page.tab.locator(".none-chosen h2", has_text="Deleted: Ann").is_visible())
    page.tab.wait_for_timeout(400)
    wanted("nobody else is named", "elsewhere" not in page.tab.inner_text("body"))
    page.tab.locator(".none-chosen button", has_text="Undo").click()
    until("it is back and open", lambda: page.title() == "Ann" and sorted(box.titles()) == ["Ann", "Bob"])
    # Undo of a creation takes the note away by our own hand too.
    page.tab.focus(".grid")
    page.tab.keyboard.press("c")
    page.tab.keyboard.type("Carl")
    page.tab.keyboard.press("Enter")
    until("it is made", lambda: page.title() == "Carl" and has_caret(page))
    page.tab.keyboard.press("Escape")
    page.tab.keyboard.press("z")
    until("it is gone", lambda: "Carl" not in box.titles())
    page.tab.wait_for_timeout(400)
    wanted("nobody else is named", "elsewhere" not in page.tab.inner_text("body"))


CASES = [new_then_typed, new_by_mouse, refused_new_keeps_keys, palette_exact_title, keys_mean_the_shown, palette_note_off_the_list, own_deletion]


def conduct(browser, slip, scratch, say, only=""):
    cases = [case for case in CASES if only in case.__name__]
    return each(cases, browser, slip, scratch, say)
