"""What is typed is saved once, where it was typed, over nothing that somebody else wrote, and is never lost without a word."""

import os
import subprocess
import time

from browser import Box, Fault, Page, until

PERSON = """fields:
  title:
    type: text
  phone:
    type: text
  score:
    type: integer
  when:
    type: date
"""


def written(box, name, data):
    path = os.path.join(box.path, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def commit_all(box):
    subprocess.run(["git", "-C", box.path, "add", "-A"], check=True)
    subprocess.run(["git", "-C", box.path, "commit", "-qm", "files"], check=True, env=box.environment)


def raw(box, title):
    path = next(note["path"] for note in box.list() if note["title"] == title)
    with open(os.path.join(box.path, path), "rb") as file:
        return file.read()


def opened(browser, box, title, **options):
    page = Page(browser, box, **options)
    show(page, title)
    return page


def show(page, title):
    until("the note is listed", lambda: title in page.rows())
    page.tab.locator(".row-title", has_text=title).first.click()
    until("it is open", lambda: page.title() == title)


def go(page, box, title):
    page.tab.evaluate("ref => { location.hash = `#/q//${ref}` }", box.note(title)["id"])
    until("it is open", lambda: page.title() == title)


def text(page, typed, key="Control+End"):
    if not page.tab.locator(".body-text").is_visible():
        page.tab.click(".body .switch")
    page.tab.locator(".body-text").press(key)
    page.tab.keyboard.type(typed)


def field(page, name):
    button = page.tab.locator(".fields .more")
    if button.is_visible() and button.inner_text().startswith("More"):
        button.click()
    return page.tab.locator(f".field[data-name={name}]").locator("input, textarea")


def is_(what, found, wanted):
    if found != wanted:
        raise Fault(f"{what}: {found!r}, not {wanted!r}")


def deaf(page):
    """The page hears of nothing that others do."""
    page.tab.route("**/api/note?*", lambda route: route.abort())
    page.tab.route("**/api/events", lambda route: route.abort())


def hearing(page):
    page.tab.unroute("**/api/note?*")
    page.tab.unroute("**/api/events")


def line_ends(browser, box):
    """A look changes no byte, and an edit changes the lines that were edited."""
    before = {}
    for name, data in [("crlf.md", b"one\r\ntwo\r\nthree"), ("mixed.md", b"one\r\ntwo\nlone\rcr\nend\n"), ("bom.md", b"\xef\xbb\xbfone\ntwo")]:
        written(box, name, data)
        before[name.split(".")[0]] = data
    commit_all(box)
    commits = box.commits()
    page = opened(browser, box, "crlf")
    for title in before:
        show(page, title)
        text(page, "")
        page.tab.locator(".note-top").click()
    page.settled()
    is_("commits after a look", box.commits(), commits)
    for title, data in before.items():
        is_(title, raw(box, title), data)
    show(page, "mixed")
    text(page, "X", "Control+Home")
    page.tab.keyboard.press("Control+s")
    page.settled()
    is_("mixed", raw(box, "mixed"), b"Xone\ntwo\nlone\rcr\nend\n")
    show(page, "crlf")
    text(page, "\nfour")
    page.tab.keyboard.press("Control+s")
    page.settled()
    is_("crlf", raw(box, "crlf"), b"one\r\ntwo\r\nthree\r\nfour\r\n")
    return page.close()


def left_by_back(browser, box):
    """A title and a field that are being typed when Back is pressed are those of the note they were typed into."""
    for title in ["Ann", "Bob"]:
        box.run("new", "person", title, "phone:1")
    page = Page(browser, box)
    for title in ["Bob", "Ann"]:
        go(page, box, title)
    field(page, "phone").press("End")
    page.tab.keyboard.type("23")
    page.tab.go_back()
    until("the other note is open", lambda: page.title() == "Bob")
    page.settled()
    is_("phones", {note["title"]: note["fields"]["phone"] for note in box.list()}, {"Ann": "123", "Bob": "1"})
    go(page, box, "Ann")
    go(page, box, "Bob")
    page.tab.locator(".note-title").press("End")
    page.tab.keyboard.type(" B.")
    page.tab.go_back()
    until("the other note is open", lambda: page.title() == "Ann")
    page.settled()
    is_("titles", sorted(box.titles()), ["Ann", "Bob B."])
    return page.close()


def row_after_field(browser, box):
    """A click on another row while a field is saved opens that row, also where answers are slow."""
    for title in ["Ann", "Bob"]:
        box.run("new", "person", title)
    page = opened(browser, box, "Ann")

    def slow(route):
        time.sleep(0.25)
        route.continue_()
    page.tab.route("**/api/note?*", slow)
    field(page, "phone").fill("12")
    page.tab.locator(".row-title", has_text="Bob").click()
    page.settled()
    until("the other note is open", lambda: page.title() == "Bob")
    time.sleep(1)
    is_("the form", page.title(), "Bob")
    is_("the phone", box.note("Ann")["fields"]["phone"], "12")
    return page.close()


def dates_by_keys(browser, box):
    """A date that is typed is one change, of the whole date."""
    box.run("new", "person", "Ann", "when:2026-03-04")
    page = opened(browser, box, "Ann")
    commits = box.commits()
    field(page, "when").click(position={"x": 8, "y": 8})
    for key in "05062027":
        page.tab.keyboard.type(key)
        time.sleep(0.1)
    page.tab.locator(".note-top").click()
    page.settled()
    found = box.note("Ann")["fields"]["when"]
    if found not in ("2027-06-05", "2027-05-06") or box.commits() != commits + 1:
        raise Fault(f"{found} in {box.commits() - commits} commits")
    # A date of which a part was taken away is none, and the old one stays.
    field(page, "when").click(position={"x": 8, "y": 8})
    page.tab.keyboard.press("Backspace")
    page.tab.locator(".note-top").click()
    time.sleep(0.5)
    is_("the date", box.note("Ann")["fields"]["when"], found)
    return page.close()


def theirs_of_a_field(browser, box):
    """Who takes the other value of a field keeps the text that is being typed."""
    box.run("new", "person", "Ann", "phone:1", "-b", "base\n")
    page = opened(browser, box, "Ann")
    field(page, "phone").press("End")
    page.tab.keyboard.type("mine")
    deaf(page)
    box.run("set", "Ann", "phone:theirs")
    page.tab.keyboard.press("Enter")
    until("both values are shown", lambda: page.tab.locator(".conflict .side").count() == 2)
    hearing(page)
    text(page, "typed")
    page.tab.click("text=Use the other version")
    page.settled()
    until("the text is there", lambda: "typed" in box.note("Ann")["body"])
    is_("the field", box.note("Ann")["fields"]["phone"], "theirs")
    return page.close()


def over_another(browser, box):
    """A value that is typed while somebody else sets the field is asked about, and Escape shows what the note has."""
    box.run("new", "person", "Ann", "phone:1")
    page = opened(browser, box, "Ann")
    field(page, "phone").press("End")
    page.tab.keyboard.type("mine")
    box.run("set", "Ann", "phone:theirs")
    time.sleep(0.7)
    is_("what is typed", field(page, "phone").input_value(), "1mine")
    page.tab.keyboard.press("Enter")
    until("both values are shown", lambda: page.tab.locator(".conflict .side pre").all_inner_texts() == ["1mine", "theirs"])
    # A newer value takes the place of the one that was asked about.
    field(page, "phone").fill("newest")
    field(page, "phone").press("Enter")
    until("the newest is asked about", lambda: page.tab.locator(".conflict .side pre").all_inner_texts() == ["newest", "theirs"])
    field(page, "phone").press("Escape")
    until("the form shows theirs", lambda: field(page, "phone").input_value() == "theirs")
    page.settled()
    is_("the field", box.note("Ann")["fields"]["phone"], "theirs")
    return page.close()


def refused_and_repaired(browser, box):
    """A text that was refused is tried again without writing over what came in meanwhile."""
    box.run("new", "note", "Ann", "-b", "base text\n\nsecond\n")
    page = opened(browser, box, "Ann")
    good = raw(box, "Ann")
    path = box.note("Ann")["path"]
    text(page, "MINE ", "Control+Home")
    written(box, path, good.replace(b"title:", b'foo: "\0"\ntitle:'))
    page.tab.keyboard.press("Control+s")
    until("it is refused", lambda: page.saved().startswith("Not saved"))
    written(box, path, good.replace(b"second", b"second of an editor"))
    time.sleep(0.5)
    page.tab.click("text=Try again")
    page.settled()
    is_("the text", box.note("Ann")["body"], "MINE base text\n\nsecond of an editor\n")
    return page.close()


def gone_and_back(browser, box):
    """What is typed into a note that is deleted meanwhile waits for it, and what is typed later comes after it."""
    box.run("new", "note", "Ann", "-b", "base\n")
    box.run("new", "note", "Bob")
    page = opened(browser, box, "Ann")
    text(page, "typed")
    box.run("rm", "Ann")
    until("the form is closed", lambda: page.tab.evaluate("document.querySelector('.form').inert"))
    until("the page says that it is not saved", lambda: page.saved().startswith("Not saved"))
    until("the text can be copied", lambda: "typed" in (page.tab.locator(".kept-text").first.inner_text() if page.tab.locator(".kept-text").count() else ""))
    page.tab.locator(".conflict button", has_text="Restore").click()
    page.settled()
    until("it is saved", lambda: "typed" in box.note("Ann")["body"])
    text(page, " more")
    page.tab.keyboard.press("Control+s")
    page.settled()
    show(page, "Bob")
    page.tab.reload()
    page.tab.wait_for_selector(".list-head")
    page.settled()
    is_("the text", box.note("Ann")["body"].replace("\n", " ").split(), ["base", "typed", "more"])
    return page.close()


def moved(browser, box):
    """A note without an id that another program moves keeps its form and what is typed there."""
    written(box, "plain.md", b"plain body\n")
    written(box, "other.md", b"other body\n")
    commit_all(box)
    page = opened(browser, box, "plain")
    text(page, "typed ", "Control+Home")
    os.rename(os.path.join(box.path, "plain.md"), os.path.join(box.path, "moved.md"))
    until("the form goes on", lambda: "moved.md" in page.tab.evaluate("location.hash"))
    page.tab.keyboard.press("Control+s")
    page.settled()
    with open(os.path.join(box.path, "moved.md"), "rb") as file:
        is_("the file", file.read(), b"typed plain body\n")
    return page.close()


def sent_once(browser, box):
    """A text that a closed tab has saved, and that was taken back since, does not come again."""
    box.run("new", "note", "Ann", "-b", "base\n")
    context = browser.new_context(locale="en-GB", timezone_id="UTC")
    page = opened(browser, box, "Ann", context=context)
    text(page, "typed")
    page.tab.close(run_before_unload=False)
    until("it is saved", lambda: "typed" in box.note("Ann")["body"])
    box.run("undo")
    other = Page(browser, box, context=context)
    other.settled()
    time.sleep(1)
    is_("the text", box.note("Ann")["body"], "base\n")
    return other.close()


def lost_answer(browser, box):
    """A save whose answer is lost after its commit is recognised, and what is typed meanwhile is saved on top of it."""
    box.run("new", "note", "Ann", "-b", "one\n\ntwo\n")
    before = box.commits()
    page = opened(browser, box, "Ann")
    page.lose("/api/change")
    text(page, "ABCDE", "Control+Home")
    page.tab.keyboard.press("Control+s")
    until("it is committed", lambda: box.note("Ann")["body"].startswith("ABCDEone"))
    # Letters of the lost save are deleted, and others are typed.
    for _ in range(3):
        page.tab.keyboard.press("Backspace")
    page.tab.keyboard.type("xyz ")
    page.tab.keyboard.press("Control+s")
    time.sleep(0.3)
    page.lose(None)
    page.settled()
    is_("the text", box.note("Ann")["body"], "ABxyz one\n\ntwo\n")
    is_("what is shown", page.tab.evaluate("document.querySelector('.body-text').value"), "ABxyz one\n\ntwo\n")
    is_("the commits", box.commits() - before, 2)
    return page.close()


def lost_answer_taken_back(browser, box):
    """What a lost save wrote is typed away again: the note is as before."""
    box.run("new", "note", "Ann", "-b", "one\n")
    page = opened(browser, box, "Ann")
    page.lose("/api/change")
    text(page, "ABC", "Control+Home")
    page.tab.keyboard.press("Control+s")
    until("it is committed", lambda: box.note("Ann")["body"].startswith("ABCone"))
    for _ in range(3):
        page.tab.keyboard.press("Backspace")
    page.tab.keyboard.press("Control+s")
    time.sleep(0.3)
    page.lose(None)
    page.settled()
    is_("the text", box.note("Ann")["body"], "one\n")
    return page.close()


def lost_answer_of_a_closed_tab(browser, box):
    """A save whose answer was lost and a text typed after it are saved by the next tab, also after a restart of the server."""
    box.run("new", "note", "Ann", "-b", "one\n\ntwo\n")
    context = browser.new_context(locale="en-GB", timezone_id="UTC")
    page = opened(browser, box, "Ann", context=context)
    page.lose("/api/change")
    text(page, "ABCDE", "Control+Home")
    page.tab.keyboard.press("Control+s")
    until("it is committed", lambda: box.note("Ann")["body"].startswith("ABCDEone"))
    for _ in range(3):
        page.tab.keyboard.press("Backspace")
    page.tab.keyboard.type("xyz ")
    time.sleep(0.7)
    page.context.route("**/api/change", lambda route: route.abort())
    page.tab.close(run_before_unload=False)
    box.stop()
    box.start(box.port)
    page.context.unroute("**/api/change")
    other = Page(browser, box, context=context)
    until("it is saved", lambda: box.note("Ann")["body"] == "ABxyz one\n\ntwo\n")
    other.settled()
    return other.close()


def copied_tab(browser, box):
    """A tab that is a copy of another leaves it what is typed there."""
    box.run("new", "note", "Ann", "-b", "base\n")
    context = browser.new_context(locale="en-GB", timezone_id="UTC")
    page = opened(browser, box, "Ann", context=context)
    text(page, "typed")
    with context.expect_page() as found:
        page.tab.evaluate("window.open(location.href)")
    found.value.wait_for_selector(".list-head")
    time.sleep(0.7)
    page.tab.bring_to_front()
    page.tab.locator(".body-text").focus()
    page.tab.keyboard.type(" on")
    page.tab.keyboard.press("Control+s")
    page.settled()
    is_("the text", box.note("Ann")["body"].split(), ["base", "typed", "on"])
    return page.close()


def over_the_past(browser, box):
    """A text that is typed is saved before one looks at the past."""
    box.run("new", "note", "Ann", "-b", "one\n\ntwo\n")
    page = opened(browser, box, "Ann")
    text(page, "typed ", "Control+Home")
    page.tab.evaluate("location.hash = location.hash + '@' + new Date().toISOString().slice(0, 10)")
    until("the past is shown", lambda: page.tab.locator(".past-bar:not([hidden])").count())
    until("it is saved", lambda: box.note("Ann")["body"].startswith("typed one"))
    box.run("append", "Ann", "theirs")
    page.tab.evaluate("location.hash = location.hash.split('@')[0]")
    until("both are there", lambda: "typed one" in page.tab.evaluate("document.querySelector('.body-text').value") and "theirs" in page.tab.evaluate("document.querySelector('.body-text').value"))
    page.settled()
    return page.close()


def loaded_anew(browser, box):
    """A field that is typed when the page is loaded anew is saved."""
    box.run("new", "person", "Ann", "phone:1")
    page = opened(browser, box, "Ann")
    field(page, "phone").press("End")
    page.tab.keyboard.type("2345")
    is_("the state", page.saved(), "Not saved yet")
    page.tab.reload()
    page.tab.wait_for_selector(".list-head")
    page.settled()
    until("it is saved", lambda: str(box.note("Ann")["fields"]["phone"]) == "12345")
    return page.close()


def odd_values(browser, box):
    """Values that the usual inputs can't show stay as they are till they are changed."""
    box.run("new", "person", "Ann")
    path = box.note("Ann")["path"]
    odd = raw(box, "Ann").replace(b"kind: person", b'kind: person\nphone: |-\n  home 1\n  work 2\nscore: "3 or 4"')
    written(box, path, odd)
    page = opened(browser, box, "Ann")
    is_("lines", field(page, "phone").input_value(), "home 1\nwork 2")
    for name in ["phone", "score"]:
        field(page, name).click()
        page.tab.keyboard.press("Enter")
    page.tab.locator(".note-top").click()
    page.settled()
    is_("the file", raw(box, "Ann"), odd)
    field(page, "phone").press("Control+End")
    page.tab.keyboard.type("3")
    page.tab.keyboard.press("Enter")
    page.settled()
    is_("the lines", box.note("Ann")["fields"]["phone"], "home 1\nwork 23")
    return page.close()


def refused_is_said(browser, box):
    """A value that is refused stays in its field with the reason, and can be given up or put right."""
    box.run("new", "book", "Dune", "author:Herbert")
    page = opened(browser, box, "Dune")
    field(page, "author").fill("")
    page.tab.locator(".note-top").click()
    until("it is said beside the field", lambda: "missing" in page.tab.locator(".field[data-name=author] .field-fault").inner_text())
    until("and at the top", lambda: page.saved().startswith("Not saved"))
    field(page, "author").fill("F. Herbert")
    page.tab.locator(".note-top").click()
    page.settled()
    is_("the author", box.note("Dune")["fields"]["author"], "F. Herbert")
    is_("the fault", page.tab.locator(".field[data-name=author] .field-fault").is_visible(), False)
    return page.close()


CASES = [line_ends, left_by_back, row_after_field, dates_by_keys, theirs_of_a_field, over_another, refused_and_repaired, gone_and_back, moved, sent_once, lost_answer, lost_answer_taken_back, lost_answer_of_a_closed_tab, copied_tab, over_the_past, loaded_anew, odd_values, refused_is_said]


def conduct(browser, slip, scratch, say):
    problems = []
    for case in CASES:
        name = case.__name__.replace("_", " ")
        box = Box(slip, os.path.join(scratch, case.__name__))
        try:
            written(box, ".slipbox/kinds/person.yaml", PERSON.encode())
            commit_all(box)
            box.start()
            found = case(browser, box)
        except Exception as fault:
            found = [f"{type(fault).__name__}: {str(fault)[:400]}"]
        finally:
            box.stop()
        problems += [f"{name}: {one}" for one in found]
        say(f"  {name}: {'holds' if not found else found}")
    return problems
