"""Moving about: Back through notes, previews of links, the outline, widths of the panes, and what is shown while no note is open."""

import os

from browser import Page, until
from care import cursor, each, listed, made, message, opened, options, wanted
from daily import PARTS, has_caret, names


def back_through_notes(box, page):
    """Back and Forward go through the notes that were opened, not through those that the cursor passed."""
    for title in ["Ann", "Bob", "Carl", "Dora", "Eve"]:
        made(box, "note", title)
    listed(page, 5)
    rows = page.rows()
    for place in [0, 1]:
        page.tab.locator(".row").nth(place).click()
        until("it is open", lambda: page.title() == rows[place])
    page.tab.focus(".grid")
    for place in [2, 3, 4]:
        page.tab.keyboard.press("j")
        until("the pane follows", lambda: page.title() == rows[place])
    page.tab.go_back()
    until("Back goes to the one that was opened before", lambda: page.title() == rows[1])
    page.tab.go_back()
    until("and to the first", lambda: page.title() == rows[0])
    page.tab.go_forward()
    page.tab.go_forward()
    until("Forward goes to the last", lambda: page.title() == rows[4])


def back_to_the_same_lines(box, page):
    """Back shows the lines of the note and of the list that were in sight, on a phone too."""
    lines = "".join(f"Line {number}.\n\n" for number in range(80))
    for number in range(90):
        with open(os.path.join(box.path, f"n{number:02}.md"), "w") as file:
            file.write(f"---\ntitle: N{number:02}\n---\n{lines}[[N{(number + 50) % 90:02}]]\n\n{lines}")
    for width in [1440, 390]:
        one = Page(page.context.browser, box, width=width, height=800)
        scrolled = lambda pane: one.tab.evaluate("pane => Math.round(document.querySelector(pane).scrollTop)", pane)
        one.tab.evaluate("location.hash = '#/q/sort:title'")
        until("the list is there", lambda: one.rows()[:1] == ["N00"] and one.tab.inner_text(".list-head .muted") == "90 notes")
        one.tab.evaluate("document.querySelector('.grid').scrollTop = 3010")
        row = one.tab.locator(".row", has_text="N60")
        row.wait_for(timeout=5000)
        row.click()
        until("it is open", lambda: one.title() == "N60")
        if width < 720:
            one.tab.click(".back")
            row.wait_for(timeout=5000)
        # The driver of Firefox scrolls to a row before it clicks.
        top = scrolled(".grid")
        wanted("the list is where it was", page.is_firefox and 2500 < top < 3010 or top == 3010, top)
        if width < 720:
            row.click()
            until("it is open again", lambda: one.title() == "N60" and one.tab.locator(".markup a").is_visible())
        one.tab.evaluate("document.querySelector('.markup a').scrollIntoView({ block: 'center' })")
        place = scrolled(".detail")
        one.tab.click(".markup a")
        until("the other one is open, at its top", lambda: one.title() == "N20" and scrolled(".detail") == 0)
        one.tab.go_back()
        until("the note is where it was", lambda: one.title() == "N60" and abs(scrolled(".detail") - place) < 3)
        if width < 720:
            one.tab.go_back()
        until("so is the list", lambda: scrolled(".grid") == top)
        one.tab.evaluate("location.hash = '#/q/N1*'")
        until("another list is there", lambda: scrolled(".grid") == 0)
        one.tab.go_back()
        until("the first one is where it was", lambda: scrolled(".grid") == top and "N60" in one.rows())
        page.complaints += one.close()


def links_are_previewed(box, page):
    """Pointing at a link shows the first lines of its note, from the heading on that it names; leaving hides it."""
    made(box, "note", "Target", "-b", "First lines.\n\n## Part\n\nLines of the part.\n")
    ref = made(box, "note", "Source", "-b", "See [[Target]] and [[Target#Part]].\n")
    opened(page, ref)
    preview = lambda: page.tab.evaluate("document.querySelector('.link-preview:not([hidden])')?.innerText ?? ''")
    page.tab.locator(".markup a.note-link").nth(0).hover()
    until("the first lines are shown", lambda: "First lines." in preview() and "Target" in preview())
    page.tab.mouse.move(5, 5)
    until("it goes", lambda: preview() == "")
    page.tab.locator(".markup a.note-link").nth(1).focus()
    until("the part is shown", lambda: "Lines of the part." in preview() and "First lines." not in preview())
    page.tab.keyboard.press("Escape")
    until("Escape hides it", lambda: preview() == "")


def long_notes_have_an_outline(box, page):
    """Headings of a long note are beside its text and lead there, while one reads and while one writes."""
    ref = made(box, "note", "Long", "-b", PARTS)
    short = made(box, "note", "Short", "-b", "# One\n")
    opened(page, ref)
    links = page.tab.locator(".outline button")
    until("all headings are there", lambda: links.count() == 12)
    links.nth(6).click()
    top = lambda: page.tab.evaluate("[...document.querySelectorAll('.markup h4')].find(n => n.textContent === 'Part 7').getBoundingClientRect().top - document.querySelector('.detail').getBoundingClientRect().top")
    until("the part is at the top", lambda: -5 < top() < 60)
    until("it is marked", lambda: page.tab.inner_text(".outline [aria-current]") == "Part 7")
    links.nth(4).press("Enter")
    until("the heading has the focus", lambda: page.tab.evaluate("document.activeElement.textContent") == "Part 5")
    before = lambda: page.tab.evaluate("(() => { const area = document.querySelector('.body-text'); return area.value.slice(0, area.selectionStart).split('\\n').at(-1); })()")
    page.tab.keyboard.press("e")
    until("the caret is in the text", lambda: has_caret(page))
    wanted("it is behind the heading that had the focus", before() == "## Part 5", before())
    links.nth(2).click()
    until("the caret is behind the chosen heading", lambda: before() == "## Part 3")
    page.tab.keyboard.press("Escape")
    page.tab.focus(".detail")
    page.tab.evaluate("document.querySelector('.detail').scrollTop = 0")
    opened(page, short)
    opened(page, ref)
    page.tab.evaluate("document.querySelector('.detail').scrollTop = 0")
    page.tab.focus(".detail")
    page.tab.keyboard.press("e")
    until("the caret is in the text", lambda: has_caret(page))
    wanted("from the top it is at the start of the text", before() == "", before())
    page.tab.keyboard.press("Escape")
    opened(page, short)
    until("a short note has none", lambda: not page.tab.locator(".outline").is_visible())


def keys_scroll_the_note(box, page):
    """Page keys, arrows and Space scroll the note that has the focus, also at a heading of it; j and k go to other notes."""
    ref = made(box, "note", "Long", "-b", PARTS)
    made(box, "note", "Other")
    listed(page, 2)
    opened(page, ref)
    top = lambda: page.tab.evaluate("document.querySelector('.detail').scrollTop")
    focus = lambda: page.tab.evaluate("document.activeElement.className")
    page.tab.focus(".detail")
    for key, is_down in [("PageDown", True), ("Space", True), ("ArrowDown", True), ("PageUp", False), ("Shift+Space", False), ("End", True), ("ArrowUp", False), ("Home", False)]:
        before = top()
        page.tab.keyboard.press(key)
        until(f"{key} scrolls", lambda: top() > before if is_down else top() < before)
        until("it has stopped", lambda: (lambda at: page.tab.wait_for_timeout(250) or at == top())(top()))
        wanted(f"{key} opens nothing", page.title() == "Long" and focus() == "detail", (page.title(), focus()))
    page.tab.locator(".outline button").nth(2).press("Enter")
    until("the heading has the focus", lambda: page.tab.evaluate("document.activeElement.textContent") == "Part 3")
    before = top()
    page.tab.keyboard.press("PageDown")
    until("it scrolls from the heading", lambda: top() > before)
    wanted("the note is the same", page.title() == "Long", page.title())
    page.tab.keyboard.press("k")
    until("k opens the note before it", lambda: page.title() == "Other")


def focus_stays_in_the_note(box, page):
    """After a version was restored in a note beside the check boxes, the focus is in the note: keys tick no box."""
    ref = made(box, "note", "Boxes", "-b", "- [ ] one\n- [ ] two\n")
    box.run("set", ref, "title:Boxes 2")
    page.tab.focus(".grid")
    page.tab.keyboard.press("g")
    page.tab.keyboard.press("x")
    until("both are listed", lambda: page.tab.locator(".todo").count() == 2)
    page.tab.keyboard.press("Enter")
    until("the note is open", lambda: page.title() == "Boxes 2")
    page.tab.locator(".past-list summary").click()
    restore = page.tab.locator(".past-list button", has_text="Restore this version")
    until("its versions are shown", lambda: restore.count() > 0)
    restore.last.press("Enter")
    until("it is restored", lambda: page.title() == "Boxes")
    page.tab.wait_for_timeout(500)
    in_note = lambda: page.tab.evaluate("document.querySelector('.detail').contains(document.activeElement)")
    wanted("the focus is in the note", in_note(), page.tab.evaluate("document.activeElement.outerHTML.slice(0, 100)"))
    page.tab.keyboard.press("x")
    page.tab.wait_for_timeout(300)
    wanted("no box is ticked", "[x]" not in box.note("Boxes")["body"], box.note("Boxes")["body"])


def reload_stays(box, page):
    """A page that is read again shows the row of the open note, and keys go on from there."""
    refs = [made(box, "note", f"Note {number:02}") for number in range(45)]
    listed_more = lambda: page.tab.evaluate("document.querySelectorAll('.row').length") > 12
    page.tab.evaluate("ref => { location.hash = `#/q/sort:title/${ref}` }", refs[40])
    until("it is open", lambda: page.title() == "Note 40" and listed_more())
    page.tab.reload()
    until("it is open again", lambda: page.title() == "Note 40")
    seen = lambda: page.tab.evaluate("""() => {
      const row = document.querySelector('.row.current')?.getBoundingClientRect(), grid = document.querySelector('.grid').getBoundingClientRect();
      return Boolean(row) && row.top >= grid.top - 8 && row.bottom <= grid.bottom + 8;
    }""")
    until("its row is in sight", seen)
    until("the list has the focus", lambda: page.tab.evaluate("document.activeElement.classList.contains('grid')"))
    page.tab.keyboard.press("j")
    until("keys go on from it", lambda: page.title() == "Note 41")


def panes_have_widths(box, page):
    """The borders of the panes move by mouse and by arrow keys; the widths are there again in the next tab."""
    made(box, "note", "Ann")
    listed(page, 1)
    width = lambda of: page.tab.evaluate("selector => document.querySelector(selector).getBoundingClientRect().width", of)
    before = width(".middle")
    edge = page.tab.locator(".splitter-list").bounding_box()
    page.tab.mouse.move(edge["x"] + 4, 400)
    page.tab.mouse.down()
    page.tab.mouse.move(edge["x"] - 96, 400)
    page.tab.mouse.up()
    until("the list is narrower", lambda: abs(width(".middle") - before + 100) < 8)
    page.tab.focus(".splitter-side")
    side = width(".sidebar")
    page.tab.keyboard.press("ArrowRight")
    page.tab.keyboard.press("ArrowRight")
    until("the sidebar is wider", lambda: abs(width(".sidebar") - side - 32) < 3)
    other = Page(page.context.browser, box, context=page.context)
    listed(other, 1)
    wanted("the widths are remembered", abs(other.tab.evaluate("document.querySelector('.sidebar').getBoundingClientRect().width") - side - 32) < 3)
    page.tab.keyboard.press("Home")
    until("Home gives the usual width", lambda: abs(width(".sidebar") - side) < 3)


def first_screen(box, page):
    """While no note is open, the third pane shows what is on today; a title opens its note."""
    made(box, "task", "Late one", "due:yesterday")
    made(box, "task", "Due one", "due:today")
    made(box, "task", "Day one")
    box.run("do", "today", "Day one")
    made(box, "note", "Plain")
    listed(page, 4)
    text = lambda: page.tab.inner_text(".detail .today")
    until("all sections are there", lambda: all(word in text() for word in ["My day", "Overdue", "Due today", "Changed last"]))
    section = lambda name: page.tab.locator(f".today section[aria-label='{name}']").inner_text()
    until("each has its own", lambda: "Late one" in section("Overdue") and "Due one" in section("Due today") and "Day one" in section("My day") and "Plain" in section("Changed last"))
    box.run("finish", "Due one")
    until("it follows changes", lambda: page.tab.locator(".today section[aria-label='Due today']").count() == 0)
    page.tab.locator(".today button", has_text="Late one").first.click()
    until("it is open", lambda: page.title() == "Late one")


def today_on_a_phone(box, page):
    """On a phone the sidebar and the palette lead to the overview, and Back leads away from it."""
    made(box, "task", "Water", "due:2026-01-02")
    one = Page(page.context.browser, box, width=390, height=780)
    listed(one, 1)
    one.tab.click(".menu")
    one.tab.locator(".sidebar a[href='#/today']").click()
    part = one.tab.locator(".middle .today section", has_text="Overdue")
    until("the overview is shown", lambda: part.is_visible() and one.tab.inner_text(".list-head h1") == "Today")
    part.locator(".link").click()
    until("its notes open", lambda: one.title() == "Water")
    one.tab.go_back()
    until("Back leads to it", lambda: part.is_visible())
    one.tab.go_back()
    until("and away from it", lambda: one.rows() == ["Water"] and not part.is_visible())
    one.tab.keyboard.press("Control+k")
    one.tab.keyboard.type("overview")
    until("the palette finds it", lambda: one.tab.locator("dialog [role=option]").first.inner_text().startswith("Today"))
    one.tab.keyboard.press("Enter")
    until("it is shown again", lambda: part.is_visible())
    page.complaints += one.close()
    wanted("beside a note pane the sidebar has no such entry", not page.tab.locator(".sidebar a[href='#/today']").first.is_visible())


def folders_and_days(box, page):
    """Folders are in the sidebar with what is in them, sections fold, and the note of today is one key away."""
    for folder in ["garden/beds", "garden"]:
        os.makedirs(os.path.join(box.path, folder), exist_ok=True)
        with open(os.path.join(box.path, folder, f"{os.path.basename(folder)} one.md"), "w") as file:
            file.write("text\n")
    until("the folders are there", lambda: page.badge("Folders", "garden") == 2 and page.badge("Folders", "beds") == 1)
    page.tab.locator(".sidebar a", has_text="beds").click()
    listed(page, 1)
    head = page.tab.locator(".sidebar .fold", has_text="Folders")
    head.click()
    until("the section is folded", lambda: not page.tab.locator("#side-folders").is_visible())
    page.tab.reload()
    until("it stays folded", lambda: page.tab.locator("#side-folders").count() == 1 and not page.tab.locator("#side-folders").is_visible())
    today = page.tab.evaluate("import('/assets/dates.js').then(dates => dates.today())")
    for _ in range(2):
        page.tab.focus(".grid")
        page.tab.keyboard.press("g")
        page.tab.keyboard.press(".")
        until("the note of today is open", lambda: page.title() == today and has_caret(page))
        page.tab.keyboard.press("Escape")
        page.tab.keyboard.press("Escape")
    wanted("there is one", box.titles().count(today) == 1, box.titles())


def check_boxes_of_all_notes(box, page):
    """The open check boxes of all notes are a list, those that are due first; a tick there is one commit, which undo takes away."""
    made(box, "note", "First", "-b", "- [ ] one\n- [x] two\n")
    made(box, "note", "Second", "-b", "- [ ] three due:2026-01-02\n")
    page.tab.keyboard.press("Escape")
    page.tab.locator(".sidebar a", has_text="Check boxes").click()
    lines = lambda: page.tab.evaluate("[...document.querySelectorAll('.todo .grow-text > div')].map(n => n.textContent)")
    until("both are listed", lambda: lines() == ["three due:2026-01-02", "one"])
    until("they are counted", lambda: page.tab.inner_text(".list-head .muted") == "2 check boxes")
    commits = box.commits()
    page.tab.locator(".todo input").nth(1).click()
    until("it has left the list", lambda: lines() == ["three due:2026-01-02"])
    wanted("it is one commit", box.commits() == commits + 1 and "- [x] one" in box.note("First")["body"], box.subjects(2))
    page.tab.locator(".message button", has_text="Undo").click()
    until("it is back", lambda: len(lines()) == 2)
    page.tab.locator(".todo button", has_text="First").click()
    until("its note is open", lambda: page.title() == "First")
    page.tab.reload()
    until("the address leads there", lambda: len(lines()) == 2 and page.title() == "First")


def check_boxes_by_keys(box, page):
    """j, k and arrows move in the list of check boxes, x and Space tick, Enter opens the note, Escape returns to the line."""
    made(box, "note", "First", "-b", "".join(f"- [ ] {word}\n" for word in ["one", "two", "three", "four", "five"]))
    made(box, "note", "Second", "-b", "- [ ] six\n")
    until("both are listed", lambda: len(page.rows()) == 2)
    press = lambda *keys: [page.tab.keyboard.press(key) for key in keys]
    lines = lambda: page.tab.evaluate("[...document.querySelectorAll('.todo .grow-text > div')].map(n => n.textContent)")
    here = lambda: page.tab.evaluate("document.activeElement.closest('.todo')?.querySelector('.grow-text > div').textContent ?? ''")
    page.tab.focus(".grid")
    press("g", "x")
    until("all are listed", lambda: sorted(lines()) == ["five", "four", "one", "six", "three", "two"])
    at = lines()
    until("the first line has the focus", lambda: here() == at[0])
    for keys, index in [(["j", "ArrowDown", "j"], 3), (["k", "ArrowUp"], 1), (["End"], 5), (["Home"], 0), (["j"], 1)]:
        press(*keys)
        wanted(f"{keys} move to line {index}", here() == at[index], here())
    # The cursor that goes on before the answer is there stays on its line.
    press("x", "j", "Space")
    until("both are ticked", lambda: lines() == [at[0], *at[3:]])
    until("the next line has the focus", lambda: here() == at[3])
    ticked = sorted(line[6:] for title in ["First", "Second"] for line in box.note(title)["body"].splitlines() if line.startswith("- [x]"))
    wanted("each is ticked once", ticked == sorted(at[1:3]), ticked)
    press("End")
    last = here()
    press("Enter")
    until("its note is open", lambda: page.title() in ["First", "Second"] and page.tab.evaluate("document.activeElement.className") == "detail")
    wanted("it has the line", f"- [ ] {last}" in box.note(page.title())["body"])
    press("Escape")
    until("the line has the focus again", lambda: here() == last)
    press("l")
    until("keys mean the note of the line", lambda: names(page) == f"Tags: {page.title()}")
    press("Escape", "Home")
    until("the line of the other note has the focus", lambda: here() == at[0])
    other = "Second" if page.title() == "First" else "First"
    for key in ["l", "d", "#", "Delete", "s", "m"]:
        press(key)
        until(f"{key} says to open the note first", lambda: f"Open the note “{other}” first" in message(page))
        page.tab.locator(".message button", has_text="×").click()
        until("the line has the focus", lambda: here() == at[0])
    press("?")
    until("the help has the key", lambda: "Tick the check box" in page.tab.inner_text("dialog[open]"))
    press("Escape")
    wanted("nothing is deleted", sorted(box.titles()) == ["First", "Second"], box.titles())
    press("Home")
    line = here()
    press("e")
    until("e opens the note of the box", lambda: page.title() == other and page.tab.evaluate("document.activeElement.className") == "body-text")
    before = page.tab.evaluate("(() => { const area = document.querySelector('.body-text'); return area.value.slice(0, area.selectionStart); })()")
    wanted("with the caret behind it", before.endswith(f"- [ ] {line}"), before)
    press("Escape", "Escape")
    until("the line has the focus again", lambda: here() == line)
    press("j") if at[0] == line and len(lines()) > 1 else None
    press("t")
    until("t opens the title of its note", lambda: page.tab.evaluate("document.activeElement.className") == "note-title")


def links_in_fields(box, page):
    """Links in fields lead to their notes, to files and addresses; a missing note can be made."""
    home = made(box, "note", "Home", "-b", "## Start\n")
    ref = made(box, "note", "Leaf", "up:[[Home#Start|the start]]", "see:[[Nobody]]", "site:https://example.org/a")
    opened(page, ref)
    link = lambda name: page.tab.locator(f".field[data-name={name}] .field-links > *")
    until("each field has its link", lambda: [link(name).first.text_content(timeout=1000) for name in ("up", "see", "site")] == ["the start", "Nobody", "https://example.org/a"])
    site = link("site")
    wanted("an address opens beside the page", site.get_attribute("target") == "_blank" and site.get_attribute("href") == "https://example.org/a")
    link("up").click()
    until("the note is open", lambda: page.title() == "Home" and home in page.tab.url)
    page.tab.go_back()
    until("the first one is back", lambda: page.title() == "Leaf")
    link("see").click()
    until("the missing one is made", lambda: page.title() == "Nobody")


CASES = [links_in_fields, back_through_notes, back_to_the_same_lines, links_are_previewed, long_notes_have_an_outline, keys_scroll_the_note, focus_stays_in_the_note, reload_stays, panes_have_widths, first_screen, today_on_a_phone, folders_and_days,
         check_boxes_of_all_notes, check_boxes_by_keys]


def conduct(browser, slip, scratch, say, only=""):
    cases = [case for case in CASES if only in case.__name__]
    return each(cases, browser, slip, scratch, say)
