"""What a day's work does with the page: it never acts on another note than the one that is shown, and loses no place."""

import os
import subprocess

from browser import Fault, Page, Skip, touched, until
from care import cursor, delay, each, go, listed, made, message, opened, options, shown, wanted


def area(page):
    return page.tab.evaluate("document.querySelector('.body-text').value")


def has_caret(page):
    return page.tab.evaluate("document.activeElement.className === 'body-text'")


def texts(page):
    """The items of a picker without their details."""
    return page.tab.evaluate("[...document.querySelectorAll('dialog[open] [role=option] .grow')].map(node => node.textContent)")


def names(page):
    """What a picker or a question says above its items."""
    return page.tab.evaluate("document.querySelector('dialog[open] .about')?.textContent ?? document.querySelector('dialog[open] h2')?.textContent ?? ''")


# Keys that must not mean another note


def title_is_left(box, page):
    """Enter commits the title and leaves it, Escape restores and leaves it: keys mean actions after both."""
    note = made(box, "note", "Old")
    made(box, "note", "Source", "-b", "See [[Old]].\n")
    opened(page, note)
    is_typed = lambda: page.tab.evaluate("document.activeElement.className === 'note-title'")
    page.tab.focus(".detail")
    page.tab.keyboard.press("t")
    page.tab.keyboard.type("New")
    page.tab.keyboard.press("Enter")
    until("it is renamed", lambda: "New" in box.titles())
    wanted("the title is left", not is_typed())
    until("the message can be undone", lambda: page.tab.locator(".message button", has_text="Undo").count() == 1)
    page.tab.keyboard.press("t")
    page.tab.keyboard.type("Other")
    page.tab.keyboard.press("Escape")
    wanted("the title is left", not is_typed())
    until("the title is as it was", lambda: page.title() == "New")
    page.tab.keyboard.press("z")
    until("the rename is undone", lambda: sorted(box.titles()) == ["Old", "Source"])


def ranges_by_keys(box, page):
    """Shift+X selects from the last selected note to the one of the cursor, Shift and arrows extend that and take it back."""
    for title in "ABCDEF":
        made(box, "note", title)
    go(page, "#/q/kind:note+sort:title")
    listed(page, 6)
    chosen = lambda: page.tab.evaluate("[...document.querySelectorAll('.row.selected .row-title')].map(n => n.textContent).join('')")
    cursor(page, "B")
    for key in ["x", "j", "j", "j", "X"]:
        page.tab.keyboard.press(key)
    until("the range is selected", lambda: chosen() == "BCDE")
    page.tab.keyboard.press("Shift+ArrowDown")
    until("one more is", lambda: chosen() == "BCDEF")
    for _ in range(5):
        page.tab.keyboard.press("Shift+ArrowUp")
    until("it is taken back, and extended up", lambda: chosen() == "AB")
    wanted("the bar counts them", "2 selected" in page.tab.inner_text(".selection-bar"))


def long_text_is_left(box, page):
    """Escape after more than a screen of new text shows the place of the caret, and `e` puts the caret there again."""
    old = "".join(f"Old {number} line.\n\n" for number in range(60))
    note = made(box, "note", "Long", "-b", old)
    opened(page, note)
    page.tab.focus(".detail")
    page.tab.keyboard.press("e")
    until("the caret is in the text", lambda: has_caret(page))
    page.tab.evaluate("document.querySelector('.body-text').setSelectionRange(300, 300)")
    page.tab.keyboard.insert_text("".join(f"New {number} line.\n\n" for number in range(60)) + "Here it stops. ")
    at = page.tab.evaluate("document.querySelector('.body-text').selectionStart")
    page.tab.keyboard.press("Escape")
    seen = lambda: page.tab.evaluate("""() => {
      const line = [...document.querySelectorAll('.markup p')].find(node => node.textContent.includes('Here it stops'));
      const place = line?.getBoundingClientRect(), pane = document.querySelector('.detail').getBoundingClientRect();
      return Boolean(line) && place.top >= pane.top && place.bottom <= pane.bottom;
    }""")
    page.settled()
    until("the last word is in sight", seen)
    page.tab.wait_for_timeout(500)
    wanted("and stays there", seen())
    page.tab.keyboard.press("e")
    until("the caret is in the text", lambda: has_caret(page))
    now = page.tab.evaluate("document.querySelector('.body-text').selectionStart")
    wanted("it is where it was", now == at, (now, at))


def deleted_and_back(box, page):
    """After a note was deleted and `z` pressed, the note is shown again."""
    note = made(box, "note", "Ann")
    made(box, "note", "Bob")
    opened(page, note)
    page.tab.focus(".detail")
    page.tab.keyboard.press("#")
    until("it is deleted", lambda: page.tab.inner_text(".none-chosen h2") == "Deleted: Ann")
    page.tab.keyboard.press("z")
    until("it is shown again", lambda: page.title() == "Ann")


def deleted_is_shown(box, page):
    """Enter in the list of deleted notes shows the note; Escape leaves it deleted, Restore restores it, and the message undoes that."""
    made(box, "group", "Garden")
    made(box, "task", "Kept", "due:tomorrow", "group:Garden", "-b", "Its *text*.\n")
    made(box, "note", "Other")
    box.run("rm", "Kept", "Other")
    go(page, "#/deleted")
    listed(page, 2)
    wanted("the row names its group", "Garden" in page.tab.inner_text(".grid"), page.tab.inner_text(".grid"))
    cursor(page, "Kept")
    shown_note = lambda: page.tab.locator("dialog.deleted-note")
    for key in ["Enter", "Space"]:
        page.tab.keyboard.press(key)
        until("it is shown", lambda: shown_note().count() == 1)
        said = shown_note().inner_text()
        wanted("with its values and its text", all(part in said for part in ["Deleted: Kept", "Due: tomorrow", "Group: Garden", "Its text."]), said)
        page.tab.keyboard.press("Escape")
        until("it is closed", lambda: shown_note().count() == 0)
    wanted("it is still deleted", box.titles() == ["Garden"], box.titles())
    wanted("the list has the focus", page.tab.evaluate("document.activeElement.classList.contains('grid')"))
    page.tab.locator(".selection-bar button", has_text="Show").click()
    until("it is shown", lambda: shown_note().count() == 1)
    page.tab.keyboard.press("Enter")
    until("it is restored", lambda: sorted(box.titles()) == ["Garden", "Kept"])
    listed(page, 1)
    page.tab.locator(".message button", has_text="Undo").click()
    until("it is deleted again", lambda: box.titles() == ["Garden"])
    listed(page, 2)


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
    # The first Escape ends the tag that is not finished, the second the writing.
    page.tab.keyboard.press("Escape")
    page.tab.keyboard.press("Escape")
    page.settled()
    opened(page, source)
    page.tab.click(".markup a.missing")
    until("the caret is in the text", lambda: page.title() == "Missing one" and has_caret(page))
    wanted("all are there", sorted(box.titles()) == ["By mouse", "Missing one", "Source"], box.titles())


def notes_in_quick_succession(box, page):
    """Enter, Escape, `c`, the next title, its Enter: however quick and however late the server, no key is lost."""
    made(box, "note", "Before")
    listed(page, 1)
    page.tab.focus(".grid")
    wished = ["Before"]
    for pause, late in [(0, 0), (10, 0), (30, 0), (60, 0), (0, 400), (10, 400)]:
        delay(page, "/api/new" if late else None, late, after=True)
        page.tab.keyboard.press("c")
        for number in range(4):
            title = f"0123456789 {pause} {late} {number}"
            page.tab.keyboard.type(title, delay=pause)
            page.tab.keyboard.press("Enter")
            if number % 2:
                page.tab.keyboard.type(f"Text {number}", delay=pause)
            page.tab.keyboard.press("Escape")
            if pause:
                page.tab.wait_for_timeout(pause)
            page.tab.keyboard.press("c" if number < 3 else "Escape")
            wished.append(title)
        until(f"with {pause} ms a key and {late} ms a note all are made", lambda: sorted(box.titles()) == sorted(wished))
        page.settled()
        until("no dialog is open", lambda: page.tab.locator("dialog[open]").count() == 0)
    texts = {title: (box.note(title).get("body") or "").strip() for title in wished[1:]}
    wanted("each has its text", all(text == (f"Text {title[-1]}" if int(title[-1]) % 2 else "") for title, text in texts.items()), texts)


def refused_new_keeps_keys(box, page):
    """A new note that is refused: the dialog stays, and what was typed meanwhile runs no shortcut."""
    made(box, "note", "Before")
    listed(page, 1)
    delay(page, "/api/new", 300)
    page.tab.focus(".grid")
    page.tab.keyboard.press("c")
    page.tab.keyboard.press("Enter")
    page.tab.keyboard.type("z#")
    until("it is refused, in the words of the page", lambda: "Title is required" in page.tab.inner_text("dialog form"))
    wanted("nothing is deleted", box.titles() == ["Before"], box.titles())


def refused_new_value(box, page):
    """The chip of a value that the server refuses looks so, and the reason is gone when the line is another one."""
    made(box, "task", "Ann")
    page.tab.keyboard.press("c")
    page.tab.keyboard.type("Fix due:someday")
    fault = lambda: page.tab.inner_text("dialog .form-fault")
    until("it is refused", lambda: fault().startswith("due: someday is not a date"))
    wanted("the chip looks so", page.tab.locator(".typed .chip.wrong", has_text="someday").count() == 1)
    page.tab.fill(".new-title", "Other")
    until("the reason is gone", lambda: fault() == "")


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
    go(page, "#/q/kind:task+is:active")
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
    go(page, "#/q/kind:issue")
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


FRAME = """() => {
  const framed = (node) => Boolean(node) && getComputedStyle(node).outlineStyle === "solid";
  const grid = document.querySelector(".grid"), row = document.querySelector(".row.current");
  return [framed(document.querySelector(".detail")) ? "note" : "", framed(row) ? row.querySelector(".row-title").textContent : "", grid.hasAttribute("aria-activedescendant")];
}"""


def frame_is_where_keys_act(box, page):
    """The frame is around the shown note while keys mean it, also with the focus in the list; around the row once the cursor was moved."""
    for title in ["First", "Second"]:
        made(box, "issue", title)
    made(box, "note", "Elsewhere")
    go(page, "#/q/kind:issue+sort:title")
    listed(page, 2)
    framed = lambda: page.tab.evaluate(FRAME)
    page.tab.focus(".grid")
    page.tab.keyboard.press("Home")
    until("the row has the frame", lambda: framed() == ["", "First", True])
    page.tab.keyboard.press("Control+k")
    page.tab.keyboard.type("Elsewhere")
    page.tab.keyboard.press("Enter")
    until("it is open", lambda: page.title() == "Elsewhere")
    page.tab.keyboard.press("Escape")
    until("the list has the focus, and the note the frame", lambda: page.tab.evaluate("document.activeElement.className").startswith("grid") and framed() == ["note", "", False])
    page.tab.keyboard.press("s")
    until("the message names the note", lambda: message(page).startswith("Elsewhere: the kind note has no state"))
    page.tab.keyboard.press("l")
    until("the picker names the note", lambda: "Elsewhere" in names(page))
    page.tab.keyboard.press("Escape")
    page.tab.keyboard.press("x")
    until("the selected row has the frame", lambda: framed() == ["", "First", True] and page.tab.locator(".row.selected").count() == 1)
    page.tab.keyboard.press("x")
    until("the note has it again", lambda: framed() == ["note", "", False])
    page.tab.keyboard.press("j")
    until("the next row has the frame", lambda: framed() == ["", "Second", True])
    until("and is shown", lambda: page.title() == "Second")
    wanted("it keeps the frame", framed() == ["", "Second", True], framed())


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


# Places

PARTS = "".join(f"## Part {number}\n\n" + "".join(f"Sentence {line} of part {number} has word{number}x{line} in it. " for line in range(12)) + "\n\n" for number in range(1, 13))


def height(page, text):
    """Where a word is in the window: in the formatted text, else the caret line of the Markdown."""
    return page.tab.evaluate("""async text => {
      const view = document.querySelector('.markup');
      if (!view.hidden) {
        const nodes = document.createTreeWalker(view, NodeFilter.SHOW_TEXT);
        while (nodes.nextNode()) {
          const at = nodes.currentNode.data.indexOf(text);
          if (at < 0) continue;
          const range = document.createRange();
          range.setStart(nodes.currentNode, at);
          range.setEnd(nodes.currentNode, at + text.length);
          return range.getBoundingClientRect().top;
        }
        return null;
      }
      const { caretPlace } = await import('/assets/linking.js');
      const area = document.querySelector('.body-text'), caret = area.selectionStart;
      area.setSelectionRange(area.value.indexOf(text), area.value.indexOf(text));
      const top = area.getBoundingClientRect().top + caretPlace(area).top;
      area.setSelectionRange(caret, caret);
      return top;
    }""", text)


def place_stays(box, page):
    """A long note, scrolled to part 5: `e` and Escape stay there; the caret is at the word that was clicked."""
    ref = made(box, "note", "Long", "-b", PARTS)
    opened(page, ref)
    page.tab.evaluate("[...document.querySelectorAll('.markup h4')].find(n => n.textContent === 'Part 5').scrollIntoView({ block: 'start' })")
    before = height(page, "Part 5")
    page.tab.focus(".detail", timeout=2000)
    page.tab.keyboard.press("e")
    until("the caret is in the text", lambda: has_caret(page))
    after = height(page, "Part 5")
    wanted("the place stays", abs(after - before) < 60, f"{before} {after}")
    at = page.tab.evaluate("(() => { const area = document.querySelector('.body-text'); return area.value.slice(area.selectionStart, area.selectionStart + 12); })()")
    wanted("the caret is there", at.startswith("\n\nSentence 0") or "of part 5" in at or "part 4" in at, at)
    page.tab.keyboard.press("Escape")
    back = height(page, "Part 5")
    wanted("the place stays after Escape", abs(back - before) < 60, f"{before} {back}")
    page.tab.evaluate("""() => {
      const node = [...document.querySelectorAll('.markup p')].find(n => n.textContent.includes('word9x3')).firstChild;
      const range = document.createRange(), at = node.data.indexOf('word9x3');
      range.setStart(node, at); range.setEnd(node, at + 7);
      document.querySelector('.detail').scrollTop += range.getBoundingClientRect().top - 400;
      window.spot = range.getBoundingClientRect();
    }""")
    spot = page.tab.evaluate("({ x: spot.x + spot.width / 2, y: spot.y + spot.height / 2, top: spot.top })")
    page.double_click(spot)
    until("the caret is in the text", lambda: has_caret(page))
    wanted("the word is where it was", abs(height(page, "word9x3") - spot["top"]) < 30, f"{spot['top']} {height(page, 'word9x3')}")
    page.tab.keyboard.type("!!")
    wanted("the caret is at the word", "!!word9x3" in area(page) or "word9x3!!" in area(page), area(page)[area(page).find("!!") - 20:][:50])


def short_note_appends(box, page):
    """In a note that is in sight as a whole, `e` puts the caret at its end."""
    ref = made(box, "note", "Short", "-b", "one two\n")
    opened(page, ref)
    page.tab.focus(".detail")
    page.tab.keyboard.press("e")
    until("the caret is in the text", lambda: has_caret(page))
    page.tab.keyboard.type("three")
    wanted("it is at the end", area(page) == "one two\nthree", area(page))


def top_of_a_note(box, page):
    """In a note whose top is in sight, `e` puts the caret at the start of the text, in front of its first heading; nothing moves."""
    ref = made(box, "note", "Long", "-b", PARTS)
    opened(page, ref)
    place = lambda: page.tab.evaluate("[document.querySelector('.body-text').selectionStart, document.querySelector('.detail').scrollTop]")
    for scrolled in [0, 20]:
        page.tab.evaluate("top => { document.querySelector('.detail').scrollTop = top }", scrolled)
        page.tab.focus(".detail")
        page.tab.keyboard.press("e")
        until("the caret is in the text", lambda: has_caret(page))
        at, top = place()
        wanted("it is at the start, and nothing jumps", at == 0 and abs(top - scrolled) < 20, (at, top))
        page.tab.keyboard.press("Escape")
    page.tab.keyboard.press("e")
    until("the caret is in the text", lambda: has_caret(page))
    page.tab.keyboard.type("Before.")
    page.tab.keyboard.press("Enter")
    wanted("a line above the heading can be begun", area(page) == "Before.\n" + PARTS.rstrip("\n") or area(page).startswith("Before.\n" + PARTS[:20]), area(page)[:60])


def undo_of_a_note_with_text(box, page):
    """Undo of Created after words were typed asks, deletes the note with its text, and that can be undone. `z` undoes the text first."""
    made(box, "note", "Before")
    undo = lambda: page.tab.locator(".message button", has_text="Undo")
    asked = lambda: page.tab.locator("dialog[open] h2")

    def new(title, text):
        page.tab.click(".new-button")
        page.tab.keyboard.type(title)
        page.tab.keyboard.press("Enter")
        until("the caret is in the text", lambda: page.title() == title and has_caret(page))
        page.tab.keyboard.type(text)
        until("it can be undone", lambda: "Created" in message(page) and undo().count() == 1)
    new("Throwaway", "Some words.")
    undo().click()
    until("it is asked", lambda: asked().count() == 1 and "Throwaway" in asked().inner_text() and "with its text" in asked().inner_text())
    page.tab.locator("dialog[open] button", has_text="Cancel").click()
    until("Cancel leaves all as it is", lambda: not asked().count() and sorted(box.titles()) == ["Before", "Throwaway"] and box.note("Throwaway")["body"].strip() == "Some words.")
    wanted("the text can be gone on with", has_caret(page))
    box.run("rm", "Throwaway")
    until("it is gone", lambda: page.rows() == ["Before"])
    new("Another", "Its words.")
    undo().click()
    page.tab.locator("dialog[open] button", has_text="Delete").click()
    until("it is deleted with its text", lambda: box.titles() == ["Before"])
    until("that can be undone", lambda: "Deleted" in message(page) and undo().count() == 1)
    undo().click()
    until("it is there with its text", lambda: "Another" in box.titles() and box.note("Another")["body"].strip() == "Its words.")
    new("Third", "More.")
    page.tab.keyboard.press("Escape")
    page.settled()
    page.tab.keyboard.press("z")
    until("the text is undone first", lambda: box.note("Third")["body"].strip() == "")
    page.tab.keyboard.press("z")
    until("then the creation", lambda: sorted(box.titles()) == ["Another", "Before"])
    new("Fourth", "")
    undo().click()
    until("a note as it was made is undone without a question", lambda: "Fourth" not in box.titles() and not asked().count())


def due_and_my_day(box, page):
    """The sidebar and the palette offer what is due today and in this week; rows of records in My Day have a sign."""
    made(box, "task", "Now", "due:today")
    made(box, "task", "Done", "due:today", "done:true")
    made(box, "task", "Later", "due:+30d", "my-day:today")
    made(box, "task", "Earlier", "my-day:yesterday")
    until("the numbers are there", lambda: page.badge("Filters", "Due today") == 1 and page.badge("Filters", "Due this week") == 1)
    page.tab.locator(".sidebar a", has_text="Due today").click()
    until("the list has them", lambda: page.rows() == ["Now"])
    page.shows("is:active", "due:today")
    page.tab.keyboard.press("Control+k")
    page.tab.keyboard.type("due this week")
    until("the palette has it", lambda: texts(page)[:1] == ["Due this week"])
    page.tab.keyboard.press("Enter")
    until("the list has them", lambda: page.tab.inner_text(".list-head h1") != "" and 'this week' in page.tab.input_value(".filter-input") and page.rows() == ["Now"])
    box.run("set", "Now", "done:true")
    until("the number follows", lambda: page.badge("Filters", "Due today") == 0)
    go(page, "#/q/kind%3Atask")
    listed(page, 4)
    marked = page.tab.evaluate("[...document.querySelectorAll('.row')].filter(n => n.querySelector('[aria-label=\"In My Day\"]')).map(n => n.querySelector('.row-title').textContent)")
    wanted("one row has the sign", marked == ["Later"], marked)


def found_words_are_marked(box, page):
    """A note that is opened from a search has the words marked in its text, in another case too; without the search it has no marks."""
    made(box, "note", "Pat", "-b", "A patio is *Patio* and spatio.\n\n- [[Other]] patios\n")
    made(box, "note", "Other", "-b", "The patio.\n")
    marked = lambda: page.tab.evaluate("[...(CSS.highlights.get('found') ?? [])].map(range => range.toString())")
    page.tab.fill(".filter-input", "patio")
    until("both are listed", lambda: sorted(page.rows()) == ["Other", "Pat"] and page.tab.locator(".snippet").count() == 2)
    page.tab.locator(".row", has_text="spatio").click()
    until("the words are marked", lambda: page.title() == "Pat" and marked() in [["patio", "Patio"], ["patio", "Patio", "patios"]] or Fault((page.title(), marked())))
    page.tab.locator(".row", has_text="The patio").click()
    until("those of the other note are", lambda: page.title() == "Other" and marked() == ["patio"])
    page.tab.fill(".filter-input", "")
    until("without the search none is", lambda: marked() == [])


def links_to_headings(box, page):
    """A link to a heading scrolls there, in another note and in the same one."""
    made(box, "note", "Long", "-b", PARTS + "See [[#Part 2]].\n")
    ref = made(box, "note", "Short", "-b", "See [[Long#Part 7]] and [six](#part-six).\n")
    opened(page, ref)
    page.tab.click(".markup a >> text=Long#Part 7")
    until("the note is open", lambda: page.title() == "Long")
    until("its part is at the top", lambda: abs(height(page, "Part 7") - page.tab.locator(".detail").bounding_box()["y"]) < 120)
    page.tab.evaluate("document.querySelector('.detail').scrollTop = 1e6")
    page.tab.click(".markup a >> text=#Part 2")
    until("the other part is at the top", lambda: abs(height(page, "Part 2") - page.tab.locator(".detail").bounding_box()["y"]) < 120)


VAULT = """> [!note] Mind
> the gap

==marked== %%hidden%% $a^2$ and `==code==`[^1]

- one
  - two

| a | b |
|:-:|--:|
| 1 | 2 |

![[Bee#Honey]]

[^1]: The footnote.
"""


KATEX = "/usr/share/javascript/katex/katex.min.js"


def what_vaults_write(box, page):
    """Callouts, marks, comments, math, nested lists, aligned tables, embedded notes and footnotes are shown as what they are."""
    made(box, "note", "Bee", "-b", "Buzz\n\n# Honey\n\nSweet %%secret%%\n\n- [ ] taste\n")
    opened(page, made(box, "note", "Vault", "-b", VAULT))
    markup = lambda script: page.tab.evaluate(f"(() => {{ const view = document.querySelector('.markup'); return {script}; }})()")
    wanted("the callout has its title", markup("view.querySelector('.callout .callout-title').textContent") == "Mind" and "the gap" in markup("view.querySelector('.callout').innerText"))
    wanted("the mark", markup("view.querySelector('mark').textContent") == "marked")
    wanted("code is left alone", markup("[...view.querySelectorAll('code')].map(n => n.textContent).join()") == "==code==")
    # Without KaTeX a formula is shown as it is written.
    formula = "view.querySelector('math msup')?.textContent" if os.path.exists(KATEX) else "view.querySelector('.math').textContent"
    wanted("the formula", markup(formula) in ("a2", "$a^2$"), markup("view.innerHTML"))
    wanted("hidden text is hidden", "hidden" not in markup("view.innerText"))
    wanted("lists are nested", markup("view.querySelectorAll('ul ul li').length") == 1)
    wanted("cells are aligned", markup("[...view.querySelectorAll('td')].map(n => getComputedStyle(n).textAlign).join()") == "center,right")
    wanted("the section is embedded", markup("view.querySelector('.embed').innerText").split() == ["Bee", "Honey", "Sweet", "taste"])
    wanted("its boxes can't be ticked here", markup("view.querySelector('.embed input').disabled"))
    page.tab.locator(".markup sup a").click()
    wanted("the footnote is reached", page.tab.evaluate("document.activeElement.closest('[data-anchor]')?.textContent ?? ''").find("The footnote") >= 0 or page.tab.evaluate("document.activeElement.getAttribute('aria-label')") == "Back to the text")
    page.tab.keyboard.press("Enter")
    wanted("and the way back", page.tab.evaluate("document.activeElement.closest('sup') !== null"))


def right_to_left(box, page):
    """Bullets and the bar of a quote are at the side where their text begins."""
    ref = made(box, "note", "Hebrew", "-b", "- \u05e9\u05dc\u05d5\u05dd\n- \u05e2\u05d5\u05dc\u05dd\n\n> \u05e9\u05dc\u05d5\u05dd\n\ntext\n\n- left\n")
    opened(page, ref)
    sides = page.tab.evaluate("""[...document.querySelectorAll('.markup ul, .markup blockquote')].map(node => {
      const style = getComputedStyle(node);
      return [style.direction, parseFloat(style.paddingRight) > parseFloat(style.paddingLeft), parseFloat(style.borderRightWidth) > 0];
    })""")
    wanted("sides follow the text", sides == [["rtl", True, False], ["rtl", True, True], ["ltr", False, False]], sides)


def missing_picture(box, page):
    """A picture that is missing is said to be; a click makes no note."""
    ref = made(box, "note", "Ann", "-b", "![cat](missing.png) ![[gone.jpg]] [[Real]]\n")
    opened(page, ref)
    until("it is said", lambda: page.tab.locator(".missing-file").all_inner_texts() == ["Missing file: missing.png", "Missing file: gone.jpg"])
    page.tab.locator(".missing-file").first.click()
    page.tab.wait_for_timeout(300)
    wanted("no note is made", box.titles() == ["Ann"], box.titles())


def dropped_picture(box, page):
    """A file that is no picture and is dropped does not take the place of the page; why it is not attached is said."""
    ref = made(box, "note", "Ann", "-b", "text\n")
    opened(page, ref)
    handled = page.tab.evaluate("""() => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'cat.svg', { type: 'image/svg+xml' }));
      const events = ['dragover', 'drop'].map(type => new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
      return events.map(event => !document.querySelector('.markup').dispatchEvent(event));
    }""")
    wanted("the browser does not open it", handled == [True, True], handled)
    until("it is said", lambda: "cat.svg can't be attached" in message(page))


# Finding


def last_word_is_prefix(box, page):
    """While one types, the last word finds words that begin with it; Enter takes it as a whole one, if a note has it."""
    for title in ["Patio", "Patent", "Tree"]:
        made(box, "note", title)
    listed(page, 3)
    page.tab.focus(".filter-input")
    page.tab.keyboard.type("pat")
    until("both are listed", lambda: sorted(page.rows()) == ["Patent", "Patio"])
    wanted("what was typed stays", page.tab.input_value(".filter-input") == "pat")
    page.tab.keyboard.press("Enter")
    until("the bar says what is listed", lambda: page.tab.input_value(".filter-input") == "pat*")
    wanted("both are still listed", sorted(page.rows()) == ["Patent", "Patio"], page.rows())
    made(box, "note", "Pat")
    page.tab.fill(".filter-input", "pat")
    until("three are listed", lambda: len(page.rows()) == 3)
    page.tab.press(".filter-input", "Enter")
    until("one is listed", lambda: page.rows() == ["Pat"])
    page.tab.fill(".filter-input", "pat")
    until("three are listed", lambda: len(page.rows()) == 3)
    page.tab.locator(".row-title", has_text="Patio").click()
    until("it is open", lambda: page.title() == "Patio")
    wanted("the list stays as it is", len(page.rows()) == 3, page.rows())


def half_typed_query(box, page):
    """A query that is being typed is no mistake yet; what is said of one goes with it."""
    made(box, "task", "Ann")
    listed(page, 1)
    page.tab.evaluate("""() => {
      window.faults = [];
      new MutationObserver(() => { for (const node of document.querySelectorAll('.query-error, .message.error')) if (!window.faults.includes(node.textContent)) window.faults.push(node.textContent); })
        .observe(document.body, { childList: true, subtree: true, characterData: true });
    }""")
    page.tab.focus(".filter-input")
    page.tab.keyboard.type("due:blah", delay=120)
    wanted("nothing is said while one types", page.tab.evaluate("faults") == [], page.tab.evaluate("faults"))
    until("it is said after a pause", lambda: page.tab.locator(".query-error").is_visible())
    wanted("in the list alone", page.tab.locator(".message.error").count() == 0)
    page.tab.keyboard.press("Control+a")
    page.tab.keyboard.type("kind:task")
    until("it is gone", lambda: page.rows() == ["Ann"] and not page.tab.locator(".query-error").is_visible())


def slider_keys(box, page):
    """Keys of the slider move it, Escape goes to the list and then returns, the rows follow, and a filter without hits is named."""
    made(box, "note", "Ann")
    listed(page, 1)
    day = lambda: page.tab.input_value(".past-day")
    # The box begins with one commit of long ago, so that the slider has days.
    then = {**box.environment, "GIT_COMMITTER_DATE": "2026-01-05T10:00:00Z", "GIT_AUTHOR_DATE": "2026-01-05T10:00:00Z"}
    root = subprocess.run(["git", "-C", box.path, "commit-tree", "HEAD^{tree}", "-m", "begin"], env=then, check=True, text=True, capture_output=True).stdout.strip()
    subprocess.run(["git", "-C", box.path, "reset", "-q", "--soft", root], env=box.environment, check=True)
    made(box, "note", "Now")
    page.tab.reload()
    listed(page, 2)
    page.tab.focus(".grid")
    page.tab.keyboard.press("@")
    until("the slider has the focus", lambda: page.tab.evaluate("document.activeElement.className") == "past-range")
    today = day()
    page.tab.keyboard.press("Home")
    until("it is the first day", lambda: day() == "2026-01-05")
    until("the rows are of that day", lambda: page.rows() == ["Ann"])
    page.tab.keyboard.press("ArrowRight")
    until("it is the next day", lambda: day() == "2026-01-06")
    page.tab.keyboard.press("PageUp")
    until("it is a later day", lambda: day() > "2026-01-07")
    page.tab.keyboard.press("End")
    until("it is today", lambda: day() == today)
    page.tab.keyboard.press("Home")
    until("it is the first day", lambda: day() == "2026-01-05")
    for key in ["ArrowRight"] * 12:
        page.tab.keyboard.press(key)
    page.tab.fill(".filter-input", "zzzz")
    until("the reason is named", lambda: page.tab.locator(".empty h2", has_text="No matches on that day").is_visible())
    page.tab.fill(".filter-input", "")
    page.tab.keyboard.press("Escape")
    until("the rows are of that day", lambda: page.rows() == ["Ann"])
    page.tab.focus(".past-range")
    page.tab.keyboard.press("Escape")
    until("the list of that day has the focus", lambda: page.tab.evaluate("document.activeElement.className").startswith("grid") and page.tab.locator(".past-bar").is_visible())
    page.tab.keyboard.press("Escape")
    until("now is listed", lambda: sorted(page.rows()) == ["Ann", "Now"] and not page.tab.locator(".past-bar").is_visible())
    page.tab.keyboard.press("@")
    until("the slider has the focus", lambda: page.tab.evaluate("document.activeElement.className") == "past-range")
    page.tab.keyboard.press("Home")
    until("the rows are of that day", lambda: page.rows() == ["Ann"])
    page.tab.focus(".grid")
    page.tab.keyboard.press("Escape")
    until("Escape returns from the list too", lambda: sorted(page.rows()) == ["Ann", "Now"])


def counts_are_what_opens(box, page):
    """The number beside an entry of the sidebar is the number of notes that it opens."""
    for title in ["A", "B", "C"]:
        made(box, "issue", title, "+garden")
    box.run("close", "A")
    page.tab.reload()
    for section, name, title in [("Kinds", "Issue", "Issue"), ("Tags", "garden", "+garden"), ("Filters", "Issues", "Issues")]:
        until("the numbers are there", lambda: page.badge(section, name) is not None)
        number = page.badge(section, name)
        page.tab.locator(".sidebar a", has=page.tab.get_by_text(name, exact=True)).first.click()
        until(f"{name} opens {number}", lambda: page.tab.locator(".list-head h1").inner_text() == title and len(page.rows()) == number)


def dates_of_rows(box, page):
    """A date in a row that is not the due date has a word."""
    made(box, "note", "Plain")
    made(box, "task", "Due", "due:tomorrow")
    made(box, "task", "Undated")
    listed(page, 3)
    dates = page.tab.evaluate("Object.fromEntries([...document.querySelectorAll('.row')].map(n => [n.querySelector('.row-title').textContent, [...n.querySelectorAll('.date')].map(d => d.textContent)]))")
    wanted("each means one thing", dates == {"Plain": ["created today"], "Due": ["tomorrow"], "Undated": ["created today"]}, dates)


# Acting


def redo_of_a_fresh_box(box, page):
    """Redo is disabled until something was undone; its key answers without an error."""
    made(box, "note", "Ann")
    listed(page, 1)
    redo = page.tab.locator(".top [data-action=redo]")
    page.tab.wait_for_timeout(300)
    wanted("redo is disabled", redo.is_disabled())
    page.tab.focus(".grid")
    page.tab.keyboard.press("z")
    until("redo is enabled", lambda: redo.is_enabled())
    redo.click()
    until("it is there again", lambda: box.titles() == ["Ann"])
    until("redo is disabled", lambda: redo.is_disabled())


def words_of_the_page(box, page):
    """What is required is said at its box; terms that can't be set are not offered; no message speaks of the command."""
    made(box, "note", "Ann")
    listed(page, 1)
    page.tab.focus(".grid")
    page.tab.keyboard.press("c")
    page.tab.locator("dialog select").first.select_option("book")
    page.tab.get_by_label("Title", exact=True).last.fill("Dune")
    page.tab.get_by_label("Title", exact=True).last.press("Enter")
    until("it is said", lambda: "Author is required" in page.tab.inner_text("dialog"))
    wanted("its box has the focus", page.tab.evaluate("document.activeElement.labels[0].textContent") == "Author")
    page.tab.keyboard.type("Herbert")
    page.tab.keyboard.press("Enter")
    until("it is made", lambda: page.title() == "Dune")
    page.tab.keyboard.press("Escape")
    page.tab.focus(".grid")
    page.tab.keyboard.press("=")
    page.tab.keyboard.type("body:x")
    page.tab.wait_for_timeout(400)
    wanted("a text is not offered", options(page) == [], options(page))
    page.tab.keyboard.press("Escape")
    page.tab.locator(".field[data-name=author] input").fill("")
    page.tab.locator(".note-top").click()
    until("it is refused", lambda: page.saved().startswith("Not saved"))
    said = page.tab.inner_text(".detail")
    wanted("in words of the page", "--" not in said and "slip " not in said, said[:400])


def retitled(box, page):
    """The title edited in the page: links and the first heading change too."""
    ref = made(box, "note", "Tap", "-b", "# Tap\n\ndrips\n")
    other = made(box, "note", "Other", "-b", "See [[Tap]].\n")
    opened(page, ref)
    page.tab.locator(".note-title").press("Control+a")
    page.tab.keyboard.type("Dry tap")
    page.tab.keyboard.press("Enter")
    page.settled()
    until("the heading is changed", lambda: shown(box, ref)["body"].startswith("# Dry tap"))
    wanted("the link is changed", "[[Dry tap]]" in shown(box, other)["body"], shown(box, other)["body"])


def retitled_in_a_vault(box, page):
    """A note that is named by its file and has no id: it stays open, with its links, however often its title is edited."""
    for name, text in [("Alpha.md", "See [[Zebra]].\n"), ("Zebra.md", "text\n")]:
        with open(os.path.join(box.path, name), "w") as file:
            file.write(text)
    subprocess.run(["sh", "-c", "git -C \"$0\" add -A && git -C \"$0\" commit -qm notes", box.path], env=box.environment, check=True)
    listed(page, 2)
    page.tab.locator(".row-title", has_text="Zebra").click()
    until("it is open", lambda: page.title() == "Zebra")
    for title in ["Yak", "Bear"]:
        page.tab.locator(".note-title").press("Control+a")
        page.tab.keyboard.type(title)
        page.tab.keyboard.press("Enter")
        page.settled()
        until("the list shows it", lambda: title in page.rows())
        until("the link is changed", lambda: f"[[{title}]]" in open(os.path.join(box.path, "Alpha.md")).read())
        wanted("it is still open", page.title() == title and title in page.tab.url, page.tab.url)
    # The list has the new name before the answer to the save is there.
    delay(page, "/api/change", 4000, after=True)
    page.tab.locator(".note-title").press("Control+a")
    page.tab.keyboard.type("Cat")
    page.tab.keyboard.press("Enter")
    until("the list shows it", lambda: "Cat" in page.rows())
    wanted("the answer is not there yet", page.saved() == "Saving…", page.saved())
    wanted("the note is not said to be gone", page.tab.locator(".note.gone").count() == 0 and page.tab.locator(".note-title").is_enabled())
    page.settled()
    delay(page)
    page.tab.focus(".detail")
    page.tab.keyboard.press("e")
    page.tab.keyboard.type("more")
    page.tab.keyboard.press("Control+s")
    page.settled()
    wanted("its text is saved in its file", "more" in open(os.path.join(box.path, "Cat.md")).read(), os.listdir(box.path))
    wanted("the other one has none of it", "more" not in open(os.path.join(box.path, "Alpha.md")).read())


def conflict_of_devices(box, page):
    """A conflict names field, values, device and time; it is marked in the list, settled, undone, and said to be settled."""
    ref = made(box, "issue", "Ann", "priority:high")
    path = os.path.join(box.path, shown(box, ref)["path"])
    with open(path) as file:
        text = file.read()
    text = text.replace("---\n", '---\nconflicts:\n  - "priority: low 2026-11-20T10:00:00+01:00 phone Ben"\n', 1)
    with open(path, "w") as file:
        file.write(text)
    subprocess.run(["git", "-C", box.path, "commit", "-qam", "merge"], env=box.environment, check=True)
    until("it is marked in the list", lambda: page.tab.locator(".row .conflicted").count() == 1)
    opened(page, ref)
    said = page.tab.inner_text(".conflict")
    wanted("all is named", all(word in said for word in ["Priority", "high", "low", "phone", "In the note"]), said)
    wanted("it is no field", page.tab.locator(".field[data-name=conflicts]").count() == 0)
    page.tab.locator(".conflict button", has_text="Keep “low”").click()
    until("it is settled", lambda: shown(box, ref)["fields"]["priority"] == "low")
    until("it is said", lambda: "All conflicts of this note are resolved" in message(page))
    page.tab.locator(".message button", has_text="Undo").click()
    until("it is back", lambda: page.tab.locator(".conflict").count() == 1)


def words_of_conflicts(box, page):
    """The list is titled Conflicts, the version of this device says so, the palette finds its choices, and history has no JSON or commands."""
    own = page.tab.evaluate("import('/assets/store.js').then(store => store.state.box.device ?? null)")
    if own is None:
        raise Skip("the server is older and does not name its device")
    ref = made(box, "issue", "Ann", "priority:high")
    path = os.path.join(box.path, shown(box, ref)["path"])
    with open(path) as file:
        text = file.read()
    with open(path, "w") as file:
        file.write(text.replace("---\n", f'---\nconflicts:\n  - "priority: low 2026-11-20T10:00:00+01:00 {own} Ben"\n', 1))
    subprocess.run(["git", "-C", box.path, "commit", "-qam", "merge"], env=box.environment, check=True)
    go(page, "#/q/is:conflicted")
    until("the title is a word", lambda: page.tab.inner_text(".list-head h1") == "Conflicts")
    opened(page, ref)
    until("the device is this one", lambda: f"From this device ({own})" in page.tab.inner_text(".conflict"))
    page.tab.focus(".detail")
    page.tab.keyboard.press("Control+k")
    page.tab.keyboard.type("keep low")
    page.tab.keyboard.press("Enter")
    until("it is settled", lambda: shown(box, ref)["fields"]["priority"] == "low")
    go(page, "#/history")
    until("it is in the history", lambda: page.tab.locator(".box-past .entry").count() > 1)
    for fold in page.tab.locator(".box-past summary").all():
        fold.click()
    said = page.tab.inner_text(".box-past")
    wanted("no command and no JSON", "slip " not in said and "null" not in said, said)


def titles_of_a_conflict(box, page):
    """The message of a settled title has the title that the note has since."""
    ref = made(box, "note", "Offsite 2027")
    path = os.path.join(box.path, shown(box, ref)["path"])
    with open(path) as file:
        text = file.read()
    text = text.replace("---\n", '---\nconflicts:\n  - "title: Retreat 2026-11-20T10:00:00+01:00 phone Ben"\n', 1)
    with open(path, "w") as file:
        file.write(text)
    subprocess.run(["git", "-C", box.path, "commit", "-qam", "merge"], env=box.environment, check=True)
    opened(page, ref)
    page.tab.locator(".conflict button", has_text="Keep “Retreat”").click()
    until("it is said", lambda: "Resolved title: Retreat. All conflicts" in message(page))


def own_version_is_kept(box, page):
    """The message after "Keep my version" says that, and not that both were merged; it says Text."""
    ref = made(box, "note", "Plan", "-b", "One line.\n")
    path = os.path.join(box.path, shown(box, ref)["path"])
    opened(page, ref)
    page.tab.focus(".detail")
    page.tab.keyboard.press("e")
    until("the caret is in the text", lambda: has_caret(page))
    page.tab.evaluate("document.querySelector('.body-text').setSelectionRange(0, 9)")
    page.tab.keyboard.type("My line")
    with open(path) as file:
        text = file.read()
    with open(path, "w") as file:
        file.write(text.replace("One line.", "Their line."))
    box.run("commit")
    page.tab.keyboard.press("Control+s")
    until("both are shown", lambda: page.tab.locator(".conflict h3", has_text="Text").count() == 1)
    page.tab.locator(".conflict button", has_text="Keep my version").click()
    until("it is said", lambda: "Your version was kept: Text" in message(page))
    wanted("nothing is said of a merge", "Merged" not in message(page), message(page))
    until("it is in the file", lambda: "My line" in open(path).read())


def words_without_markers(box, page):
    """Marker lines of a conflict are no words, and a new text has none of the note before it."""
    ref = made(box, "note", "Both", "-b", "x\n")
    path = os.path.join(box.path, shown(box, ref)["path"])
    with open(path) as file:
        text = file.read()
    with open(path, "w") as file:
        file.write(text.replace("\nx\n", "\n<!-- slip: version 1, laptop Ada -->\none two\n<!-- slip: version 2, phone Ben -->\nthree\n<!-- slip: end of versions -->\n"))
    box.run("commit")
    opened(page, ref)
    words = lambda: page.tab.inner_text(".body .words")
    until("three words", lambda: words() == "3 words")
    page.tab.evaluate("""() => {
      window.counts = [];
      new MutationObserver(() => counts.push([document.querySelector('.note-title').value, document.querySelector('.body .words').textContent]))
        .observe(document.body, { subtree: true, childList: true, characterData: true });
    }""")
    opened(page, made(box, "note", "Empty"))
    until("an empty text has no number", lambda: words() == "")
    page.tab.wait_for_timeout(400)
    wanted("it never had one", not [one for one in page.tab.evaluate("counts") if one[0] == "Empty" and one[1]], page.tab.evaluate("counts"))


def each_press_undoes(box, page):
    """Each press of `z` is an undo and each of `Z` a redo, also while one is under way."""
    ref = made(box, "issue", "Ann")
    for value in ["low", "medium", "high", "low"]:
        box.run("set", ref, f"priority:{value}")
    until("the page has heard of it", lambda: page.tab.locator(".row", has_text="Ann").count() == 1)
    page.tab.focus(".grid")
    delay(page, "/api/undo", 150)
    for _ in range(3):
        page.tab.keyboard.press("z")
    until("three are taken back", lambda: shown(box, ref)["fields"]["priority"] == "low" and box.commits() >= 9)
    for _ in range(2):
        page.tab.keyboard.press("Z")
    until("two are done again", lambda: shown(box, ref)["fields"]["priority"] == "high")


def fields_of_plain_notes(box, page):
    """`f` lists the fields that a note has besides those of its kind, adds others, and an emptied one keeps its line."""
    ref = made(box, "note", "Plan", "owner:Ben")
    opened(page, ref)
    page.tab.focus(".detail")
    page.tab.keyboard.press("f")
    until("its fields are listed", lambda: {"Owner", "Title"} <= set(texts(page)))
    page.tab.keyboard.type("owner")
    page.tab.keyboard.press("Enter")
    until("its value is asked for", lambda: names(page) == "Owner: Plan")
    page.tab.keyboard.type("Cleo")
    until("it is offered", lambda: "Cleo" in texts(page))
    page.tab.keyboard.press("ArrowDown")
    page.tab.keyboard.press("Enter")
    until("it is set", lambda: shown(box, ref)["fields"].get("owner") == "Cleo")
    page.settled()
    page.tab.focus(".detail")
    page.tab.keyboard.press("f")
    page.tab.keyboard.type("Next step")
    until("it can be added", lambda: "New field “next-step”" in texts(page))
    page.tab.keyboard.press("Enter")
    page.tab.keyboard.type("call")
    page.tab.keyboard.press("Enter")
    until("it is there", lambda: shown(box, ref)["fields"].get("next-step") == "call")
    page.settled()
    page.tab.fill(".field[data-name=owner] input", "")
    page.tab.keyboard.press("Enter")
    until("it is emptied", lambda: "owner" not in shown(box, ref)["fields"])
    page.settled()
    wanted("its line stays", page.tab.locator(".field[data-name=owner]").is_visible())
    page.tab.hover(".field[data-name=owner]")
    page.tab.click(".field[data-name=owner] .past")
    page.tab.locator("dialog button", has_text="Restore").first.click()
    until("what it had is back", lambda: shown(box, ref)["fields"].get("owner") == "Cleo")
    until("it is said", lambda: "Plan" in message(page))


def focus_after_keys(box, page):
    """Enter in a title does not go back to a button, Escape leaves a field that it restores, and the help scrolls at once."""
    ref = made(box, "note", "Plan", "owner:Ben")
    opened(page, ref)
    here = lambda: page.tab.evaluate("document.activeElement.className")
    page.tab.focus(".note-actions .danger")
    page.tab.keyboard.press("t")
    page.tab.keyboard.type("Plan two")
    page.tab.keyboard.press("Enter")
    until("it is renamed", lambda: "Plan two" in box.titles())
    wanted("no button has the focus", here() == "detail", here())
    page.tab.fill(".field[data-name=owner] input", "Cleo")
    page.tab.keyboard.press("Escape")
    wanted("the field is left", here() == "detail", here())
    wanted("it is as it was", page.tab.input_value(".field[data-name=owner] input") == "Ben")
    page.tab.keyboard.press("?")
    page.tab.wait_for_selector("dialog .help")
    page.tab.set_viewport_size({"width": 1440, "height": 400})
    page.tab.keyboard.press("End")
    until("it is scrolled", lambda: page.tab.evaluate("document.querySelector('dialog .help').scrollTop") > 0)
    page.tab.keyboard.press("Escape")


def pane_of_a_deletion(box, page):
    """The pane does not name an earlier deletion once another note was deleted."""
    first = made(box, "note", "Ann")
    made(box, "note", "Bob")
    listed(page, 2)
    opened(page, first)
    page.tab.focus(".detail")
    page.tab.keyboard.press("#")
    pane = lambda: page.tab.inner_text(".none-chosen h2")
    until("the pane says so", lambda: page.tab.locator(".none-chosen h2").is_visible() and pane() == "Deleted: Ann")
    cursor(page, "Bob")
    page.tab.locator(".row", has_text="Bob").click(modifiers=["Control"])
    page.tab.locator(".selection-bar button", has_text="Delete").click()
    until("the other one is deleted", lambda: box.titles() == [])
    until("the pane says nothing of the first", lambda: pane() != "Deleted: Ann")


def what_the_palette_finds(box, page):
    """The palette finds the overview, the preview, the history of a note and forms of views by their words, and searches texts."""
    opened(page, made(box, "note", "Plan", "-b", "Umbrella.\n"))

    def finds(typed, item):
        page.tab.keyboard.press("Control+k")
        page.tab.keyboard.type(typed)
        until(f"{typed} finds {item}", lambda: any(one.startswith(item) for one in texts(page)))

    for typed, item in [("today", "Today: late"), ("history of the note", "History of the note"), ("board", "Save as a view"), ("calendar", "Save as a view")]:
        finds(typed, item)
        page.tab.keyboard.press("Escape")
    page.tab.focus(".detail")
    page.tab.keyboard.press("e")
    until("the caret is in the text", lambda: has_caret(page))
    finds("preview", "Show the formatted text")
    page.tab.keyboard.press("Enter")
    until("the formatted text is shown", lambda: page.tab.locator(".body .markup").is_visible())
    finds("history of the note", "History of the note")
    page.tab.keyboard.press("Enter")
    until("the history is open", lambda: page.tab.locator(".past-list[open] .entry").count() > 0)
    finds("umbrella", "Search the notes for “umbrella”")
    page.tab.locator("dialog [role=option]", has_text="Search the notes").click()
    until("the text is found", lambda: page.tab.input_value(".filter-input") == "umbrella" and page.rows() == ["Plan"])


def what_prompts_say(box, page):
    """A prompt for a name has a heading and no word of matches; an empty list says how words and phrases are found."""
    box.run("filter", "save", "mine", "kind:note")
    made(box, "note", "Balustrade")
    go(page, "#/q/%40mine")
    listed(page, 1)
    page.tab.keyboard.press("Control+k")
    page.tab.keyboard.type("rename the filter")
    until("it is found", lambda: any(one.startswith("Rename the filter") for one in texts(page)))
    page.tab.keyboard.press("Enter")
    until("the heading is there", lambda: names(page) == "Rename the filter mine")
    page.tab.keyboard.type("x")
    page.tab.keyboard.press("Backspace")
    wanted("nothing is said of matches", "No matches" not in page.tab.inner_text("dialog[open]"), page.tab.inner_text("dialog[open]"))
    page.tab.keyboard.press("Escape")
    said = lambda: page.tab.inner_text(".list-body .empty")
    go(page, "#/q/lustrad")
    until("words are explained", lambda: "found by their beginnings; *lustrad*" in said())
    go(page, "#/q/*lustrad*")
    listed(page, 1)
    go(page, "#/q/created:last+month")
    until("quotes are named", lambda: 'needs quotes: created:"last month"' in said())


def server_comes_back(box, page):
    """Without a server nothing moves below the finger, another query shows no old rows, and both end when it is back."""
    made(box, "note", "Ann")
    listed(page, 1)
    page.tab.keyboard.press("c")
    page.tab.keyboard.type("Bob")
    top = lambda: page.tab.evaluate("document.querySelector('.list-head').getBoundingClientRect().top")
    before = top()
    box.stop()
    page.tab.keyboard.press("Enter")
    fault = lambda: page.tab.inner_text("dialog .form-fault")
    until("it is said", lambda: "does not answer" in fault())
    until("the foot says so too", lambda: page.tab.locator(".foot .problem").count() == 1)
    wanted("the list is where it was", top() == before, (before, top()))
    page.tab.keyboard.press("Escape")
    page.tab.fill(".filter-input", "zzz")
    until("the rows are gone", lambda: page.rows() == [])
    page.tab.fill(".filter-input", "")
    box.start(box.port)
    until("the rows are back", lambda: page.rows() == ["Ann"], 30)
    until("the foot is empty", lambda: page.tab.locator(".foot .problem").count() == 0)


def bar_of_a_selection(box, page):
    """On a phone all that the bar of a selection has is in one line, also after a note was open."""
    with touched(page.context.browser) as browser:
        one = Page(browser, box, width=390, height=780, has_touch=True, is_mobile=not page.is_firefox)
        for title in ["One", "Two", "Three"]:
            made(box, "task", title)
        go(one, "#/q/kind:task")
        listed(one, 3)
        for place in [0, 1]:
            one.tap(one.tab.locator(".select-box").nth(place))
        bar = one.tab.locator(".selection-bar")

        def is_whole():
            box_of = bar.bounding_box()
            places = [button.bounding_box() for button in bar.locator("button").all()]
            rows = {round(place["y"]) for place in places}
            fits = all(place["x"] >= 0 and place["x"] + place["width"] <= 390 for place in places)
            return len(rows) == 1 and fits or Fault(f"{box_of}: {places}")
        until("it is in one line", is_whole)
        wanted("it has Delete and More", all(bar.locator("button", has_text=text).is_visible() for text in ["Delete", "More…"]))
        one.tap(one.tab.locator(".row-title").first)
        until("the note is shown", lambda: one.tab.locator(".note-title").is_visible())
        one.tap(one.tab.locator(".back"))
        until("the list is back", lambda: bar.is_visible())
        until("it is in one line again", is_whole)
        page.complaints += one.close()


def conflict_of_deletion(box, page):
    """A note that one device deleted and another changed is kept or deleted, and the buttons say so."""
    ref = made(box, "issue", "Bob")
    path = os.path.join(box.path, shown(box, ref)["path"])
    with open(path) as file:
        text = file.read()
    text = text.replace("---\n", '---\nconflicts:\n  - "note: deleted 2026-11-20T10:00:00+01:00 phone Ben"\n', 1)
    with open(path, "w") as file:
        file.write(text)
    subprocess.run(["git", "-C", box.path, "commit", "-qam", "merge"], env=box.environment, check=True)
    opened(page, ref)
    said = page.tab.inner_text(".conflict")
    wanted("the deletion is named", all(word in said for word in ["deleted this note", "Delete the note", "phone"]), said)
    page.tab.locator(".conflict button", has_text="Keep the note").click()
    until("it is settled", lambda: page.tab.locator(".conflict").count() == 0)
    wanted("the note is kept", "conflicts" not in open(path).read())


# Looks

CONTRAST = """([selector, part, behind]) => {
  const luminance = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = text => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const node = document.querySelector(selector);
  const ground = from => { for (let one = from; one; one = one.parentElement) { const color = rgb(getComputedStyle(one).backgroundColor); if (color[3] > 200) return color; } return [255, 255, 255]; };
  const [a, b] = [luminance(rgb(getComputedStyle(node)[part])), luminance(ground(behind ? node.parentElement : node))];
  return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
}"""


def looks(box, page):
    """Contrast of New under the pointer, of borders of inputs and boxes; the select control is square, the done box round."""
    ref = made(box, "task", "Ann")
    browser = page.context.browser
    for scheme in ["light", "dark"]:
        other = Page(browser, box, color_scheme=scheme)
        listed(other, 1)
        other.tab.hover(".new-button")
        other.tab.wait_for_timeout(100)
        value = other.tab.evaluate(CONTRAST, [".new-button", "color", False])
        wanted(f"New has contrast, {scheme}", value >= 4.5, value)
        opened(other, ref)
        other.tab.mouse.move(700, 800)
        for selector in [".select-box", ".filter-input", ".field select", ".tick-box", ".field input[type=date]"]:
            if not other.tab.locator(selector).count():
                continue
            value = other.tab.evaluate(CONTRAST, [selector, "borderTopColor", True])
            wanted(f"{selector} has a border, {scheme}", value >= 3, value)
        shape = other.tab.evaluate("[...document.querySelectorAll('.row .select-box')].map(n => getComputedStyle(n).borderRadius)")
        wanted("the select control is square", shape == ["2px"], shape)
        problems = other.close()
        wanted("no complaints", not problems, problems)


def touch(box, page):
    """390 x 844 by touch: hit areas of 44 pixels, the select control in sight, and a menu that has everything."""
    for title in ["Ann", "Bob"]:
        made(box, "task", title)
    with touched(page.context.browser) as phone:
        other = Page(phone, box, 390, 844, has_touch=True, is_mobile=True)
        listed(other, 2)
        small = other.tab.evaluate("""() => {
          const found = [];
          const covers = (node, x, y) => { const hit = document.elementFromPoint(x, y); return hit === node || node.contains(hit); };
          for (const node of document.querySelectorAll('.top button, .select-box, .tick-box, .filter-input, .sort')) {
            if (!node.checkVisibility({ visibilityProperty: true }) || node.disabled) continue;
            const { left, top, width, height } = node.getBoundingClientRect();
            const [x, y] = [left + width / 2, top + height / 2];
            const [w, h] = [Math.max(width / 2, 21.5) - 1, Math.max(height / 2, 21.5) - 1];
            if (width < 44 && !(covers(node, x - Math.min(w, 21), y) && covers(node, x + Math.min(w, 21), y)) || height < 44 && !(covers(node, x, y - Math.min(h, 21)) && covers(node, x, y + Math.min(h, 21)))) found.push([node.className, width, height]);
          }
          return found;
        }""")
        wanted("all can be hit", small == [], small)
        wanted("the select control is in sight", other.tab.locator(".select-box").first.is_visible())
        other.tap(other.tab.locator(".select-box").first)
        until("it selects", lambda: other.tab.locator(".row.selected").count() == 1)
        other.tap(other.tab.locator(".top [data-action=palette]"))
        until("the menu is open", lambda: other.tab.locator("dialog[open]").count())
        until("it has everything", lambda: {"All keys", "Show the box as of a day"} <= {text for text, _ in options(other)} and any(text.startswith("Redo") for text, _ in options(other)))
        problems = other.close()
        wanted("no complaints", not problems, problems)


def sidebar_of_a_phone(box, page):
    """The sidebar over the page: a tap beside it, a swipe and Back only close it. Back closes the menu too, then goes back."""
    task = made(box, "task", "Read the meter")
    made(box, "note", "Ann")
    with touched(page.context.browser) as phone:
        for width in [390, 768]:
            other = Page(phone, box, width, 844, **({} if page.is_firefox else {"has_touch": True, "is_mobile": True}))
            listed(other, 2)
            opened(other, task)
            is_open = lambda: other.tab.evaluate("getComputedStyle(document.querySelector('.sidebar')).visibility === 'visible'")
            menu = other.tab.locator(".top .menu")
            edge = other.tab.locator(".sidebar")
            for x, y in [(width - 20, 600), (width - 45, 241), (width - 20, 20)]:
                other.tap(menu)
                until("the sidebar is open", is_open)
                other.tab.wait_for_timeout(200)
                (other.tab.mouse.click if page.is_firefox else other.tab.touchscreen.tap)(x, y)
                until("a tap beside it closes it", lambda: not is_open())
                wanted("and does nothing else", other.title() == "Read the meter" and len(box.titles()) == 2, (other.title(), box.titles()))
            if not page.is_firefox:
                other.tap(menu)
                until("the sidebar is open", is_open)
                other.tab.evaluate("""() => {
                  const node = document.querySelector('.sidebar');
                  for (const [type, x] of [['touchstart', 200], ['touchend', 90]]) {
                    const touch = new Touch({ identifier: 1, target: node, clientX: x, clientY: 300 });
                    node.dispatchEvent(new TouchEvent(type, { touches: type === 'touchend' ? [] : [touch], changedTouches: [touch], bubbles: true }));
                  }
                }""")
                until("a swipe closes it", lambda: not is_open())
            address = other.tab.url
            other.tap(menu)
            until("the sidebar is open", is_open)
            other.tab.go_back()
            until("Back closes it", lambda: not is_open())
            wanted("and stays", other.tab.url == address and other.title() == "Read the meter", other.tab.url)
            dialogs = lambda: other.tab.locator("dialog[open]").count()
            other.tap(other.tab.locator(".top [data-action=palette]"))
            until("the menu is open", lambda: dialogs() == 1)
            other.tab.go_back()
            until("Back closes it", lambda: dialogs() == 0)
            wanted("and stays", other.tab.url == address and other.title() == "Read the meter", other.tab.url)
            other.tap(menu)
            until("the sidebar is open", is_open)
            other.tap(other.tab.locator(".sidebar a", has_text="Task").first)
            until("the entry is shown", lambda: other.tab.inner_text(".list-head h1").startswith("Task") and not is_open() and other.title() is None)
            other.tab.go_back()
            until("Back goes to the place before", lambda: other.tab.url == address and other.title() == "Read the meter")
            other.tab.wait_for_timeout(300)
            # The entry of a menu that was closed by a tap is no step of its own.
            other.tap(other.tab.locator(".top [data-action=palette]"))
            until("the menu is open", lambda: dialogs() == 1)
            other.tab.keyboard.press("Escape")
            until("it is closed", lambda: dialogs() == 0)
            other.tab.go_back()
            until("Back leaves the note", lambda: other.tab.url != address or Fault((width, other.tab.evaluate("JSON.stringify([history.state, history.length, location.hash])"))))
            problems = other.close()
            wanted("no complaints", not problems, problems)


def undo_by_touch(box, page):
    """The first tap on Undo after New undoes, while the text of the note has the focus and its bar is there."""
    made(box, "note", "Before")
    with touched(page.context.browser) as phone:
        other = Page(phone, box, 390, 844, **({} if page.is_firefox else {"has_touch": True, "is_mobile": True}))
        listed(other, 1)
        other.tap(other.tab.locator(".new-button"))
        other.tab.keyboard.type("Throwaway")
        other.tab.keyboard.press("Enter")
        until("the caret is in the text", lambda: other.title() == "Throwaway" and has_caret(other))
        undo = other.tab.locator(".message button", has_text="Undo")
        until("it can be undone", lambda: undo.count() == 1)
        place = undo.bounding_box()
        x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
        (other.tab.mouse.click if page.is_firefox else other.tab.touchscreen.tap)(x, y)
        until("it is undone", lambda: box.titles() == ["Before"])
        problems = other.close()
        wanted("no complaints", not problems, problems)


def unseen_card_is_not_moved(box, page):
    """The button above a board moves no card that has been scrolled out of sight."""
    for title, priority in [("Order window seals", "high"), ("Water", "low")]:
        made(box, "task", title, f"priority:{priority}")
    box.run("view", "save", "prio", "kind:task", "--by", "priority", "--form", "board")
    with touched(page.context.browser) as phone:
        other = Page(phone, box, 390, 844, **({} if page.is_firefox else {"has_touch": True, "is_mobile": True}))
        go(other, "#/view/prio")
        until("the cards are there", lambda: other.tab.locator(".card").count() == 2)
        mover = other.tab.locator(".view-bar button", has_text="Move to…")
        other.tap(other.tab.locator(".card", has_text="Order window seals"))
        until("the note is open", lambda: other.title() == "Order window seals")
        other.tab.go_back()
        until("its card is marked", lambda: "Order window seals" in mover.get_attribute("title"))
        other.tab.evaluate("document.querySelector('.board').scrollLeft = 0")
        until("out of sight it is not", lambda: "Order window seals" not in mover.get_attribute("title") and other.tab.locator(".card.marked").count() == 0)
        option = lambda text: other.tab.locator("dialog[open] [role=option]", has_text=text)
        other.tap(mover)
        until("the card is asked for", lambda: sorted(texts(other)) == ["Order window seals", "Water"])
        other.tap(option("Water"))
        until("then its column", lambda: "Water" in names(other) and option("Medium").count() == 1)
        other.tap(option("Medium"))
        until("that card is moved", lambda: box.note("Water")["fields"]["priority"] == "medium" and box.note("Order window seals")["fields"]["priority"] == "high")
        other.tab.evaluate("document.querySelector('.board').scrollLeft = 10000")
        until("in sight it is marked again", lambda: "Order window seals" in mover.get_attribute("title") or "Water" in mover.get_attribute("title"))
        problems = other.close()
        wanted("no complaints", not problems, problems)


def palette_of_a_phone(box, page):
    """On a phone the menu names the note that each action is done to, in the list too."""
    made(box, "task", "Read the meter")
    with touched(page.context.browser) as phone:
        other = Page(phone, box, width=390, height=844, has_touch=True)
        until("the list is there", lambda: other.rows() == ["Read the meter"])
        other.tab.tap(".top [data-action=palette]")
        other.tab.keyboard.type("delete")
        until("the note is named", lambda: "Read the meter" in other.tab.locator("dialog[open] [role=option]").first.inner_text())
        wanted("no keys are named", other.tab.locator("dialog[open] kbd:visible").count() == 0)
        other.close()


CASES = [title_is_left, ranges_by_keys, long_text_is_left, deleted_and_back, deleted_is_shown, new_then_typed, new_by_mouse, notes_in_quick_succession, refused_new_keeps_keys, refused_new_value, palette_exact_title, keys_mean_the_shown,
         palette_note_off_the_list, frame_is_where_keys_act, own_deletion, place_stays, short_note_appends, top_of_a_note, undo_of_a_note_with_text, due_and_my_day, found_words_are_marked, links_to_headings, what_vaults_write, right_to_left, missing_picture, dropped_picture, last_word_is_prefix, half_typed_query,
         slider_keys, counts_are_what_opens, dates_of_rows, redo_of_a_fresh_box, words_of_the_page, retitled, retitled_in_a_vault, conflict_of_devices, words_of_conflicts, titles_of_a_conflict, own_version_is_kept, words_without_markers, each_press_undoes,
         fields_of_plain_notes, focus_after_keys, pane_of_a_deletion, what_the_palette_finds, what_prompts_say, server_comes_back, bar_of_a_selection, conflict_of_deletion, looks, touch, sidebar_of_a_phone, palette_of_a_phone, undo_by_touch,
         unseen_card_is_not_moved]


def conduct(browser, slip, scratch, say, only=""):
    cases = [case for case in CASES if only in case.__name__]
    return each(cases, browser, slip, scratch, say)
