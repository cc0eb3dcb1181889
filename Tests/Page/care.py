"""Keys and clicks that come too early, twice or too late, and changes of others between two of ours: each does what was meant, once."""

import json
import os
import subprocess

from browser import BETWEEN_TAPS, Box, Fault, Page, Skip, until

DELAY = """([part, milliseconds, after]) => {
  const real = window.realFetch ??= window.fetch.bind(window);
  window.fetch = async (address, options) => {
    const late = part !== null && String(address).includes(part);
    const pause = () => new Promise((done) => setTimeout(done, milliseconds));
    if (late && !after) await pause();
    const answer = await real(address, options);
    if (late && after) await pause();
    return answer;
  };
}"""


def delay(page, part=None, milliseconds=0, after=False):
    """Requests whose address has `part` are late, or their answers are."""
    page.tab.evaluate(DELAY, [part, milliseconds, after])


def made(box, kind, title, *words):
    return box.run("new", kind, title, *words).split()[0]


def shown(box, ref):
    return json.loads(box.run("show", ref, "--json"))["notes"][0]


def opened(page, ref):
    page.tab.evaluate("ref => { location.hash = `#/q//${ref}` }", ref)
    until(f"{ref} is open", lambda: page.tab.evaluate("ref => !document.querySelector('.note').hidden && document.querySelector('.note-top code')?.textContent === ref", ref))


def listed(page, count):
    until(f"{count} notes are listed", lambda: len(page.rows()) == count)


def go(page, address):
    """Opens an address, and waits until the page is there."""
    page.tab.evaluate("to => { location.hash = to }", address)
    until(f"the page is at {address}", lambda: page.tab.evaluate(
        "Promise.all([import('/assets/store.js'), import('/assets/place.js')])"
        ".then(([store, place]) => JSON.stringify(store.state.place) === JSON.stringify(place.parse(location.hash)))"))


def cursor(page, title):
    """The list has the focus and its cursor is on the note; nothing is opened by that."""
    page.tab.focus(".grid")
    page.tab.keyboard.press("Home")
    for _ in range(20):
        if page.tab.evaluate("document.querySelector('.row.current .row-title')?.textContent") == title:
            return
        page.tab.keyboard.press("j")
    raise Fault(f"j does not reach {title}")


def message(page):
    return page.tab.evaluate("[...document.querySelectorAll('.message')].map(n => n.textContent).join(' | ')")


def options(page):
    return page.tab.evaluate("[...document.querySelectorAll('dialog [role=option]')].map(n => [n.querySelector('.grow').textContent, n.getAttribute('aria-selected') === 'true'])")


def wanted(what, is_so, said=""):
    if not is_so:
        raise Fault(f"{what}: {said}")


def seen_changes(box, page):
    """Another note comes under the query between the patch and Delete: only what was shown is deleted, after it was shown."""
    refs = {title: made(box, "issue", title) for title in ["Ant", "Bee", "Cow"]}
    box.run("close", refs["Cow"])
    page.tab.fill(".filter-input", "kind:issue is:active")
    page.tab.press(".filter-input", "Escape")
    listed(page, 2)
    page.tab.focus(".grid")
    page.tab.keyboard.press("Control+a")
    page.tab.click(".selection-bar >> text=Delete")
    until("the patch is shown", lambda: "title: Ant" in page.tab.text_content("dialog .patch"))
    box.run("close", refs["Ant"])
    box.run("reopen", refs["Cow"])
    page.tab.click("dialog button.primary")
    until("the patch is shown anew", lambda: "title: Cow" in page.tab.text_content("dialog .patch"))
    wanted("nothing is deleted yet", sorted(box.titles()) == ["Ant", "Bee", "Cow"], box.titles())
    wanted("it says why", page.tab.locator("dialog [role=alert]").count() == 1)
    page.tab.click("dialog button.primary")
    until("what was shown is deleted", lambda: box.titles() == ["Ant"])


def twice(box, page):
    """Enter twice and a double click make one note."""
    source = made(box, "note", "Source", "-b", "See [[Missing one]].\n")
    listed(page, 1)
    delay(page, "/api/new", 150)
    page.tab.focus(".grid")
    page.tab.keyboard.press("c")
    page.tab.keyboard.type("By keys")
    page.tab.keyboard.press("Enter")
    page.tab.keyboard.press("Enter")
    until("it is made", lambda: page.title() == "By keys")
    page.tab.keyboard.press("Escape")
    page.tab.keyboard.press("c")
    page.tab.keyboard.type("By mouse")
    page.tab.dblclick("dialog button[type=submit]")
    until("it is made", lambda: page.title() == "By mouse")
    opened(page, source)
    page.tab.dblclick(".markup a.missing")
    until("it is made", lambda: page.title() == "Missing one")
    page.tab.wait_for_timeout(400)
    wanted("each is made once", sorted(box.titles()) == ["By keys", "By mouse", "Missing one", "Source"], box.titles())


def made_without_answer(box, page):
    """A note whose answer is lost is not made a second time when one tries again."""
    made(box, "note", "Source")
    listed(page, 1)
    page.lose("/api/new")
    page.tab.focus(".grid")
    page.tab.keyboard.press("c")
    page.tab.keyboard.type("Only one")
    page.tab.keyboard.press("Enter")
    # The server answers other requests meanwhile.
    until("it is said", lambda: "Press Create again" in page.tab.inner_text("dialog .form-fault"))
    page.lose(None)
    page.tab.keyboard.press("Enter")
    until("it is open", lambda: page.title() == "Only one")
    wanted("it is made once", sorted(box.titles()) == ["Only one", "Source"], box.titles())


def undo_of_the_message(box, page):
    """The button of a message takes back what the message names, whatever was done since."""
    first, second = made(box, "issue", "First"), made(box, "issue", "Second")
    opened(page, first)
    page.tab.click(".note-actions >> text=Close")
    until("it is said", lambda: "First" in message(page))
    box.run("set", second, "priority:high")
    page.tab.wait_for_timeout(300)
    page.tab.click(".message >> text=Undo")
    until("it is taken back", lambda: shown(box, first)["fields"]["status"] == "open")
    wanted("the other one stays", shown(box, second)["fields"]["priority"] == "high", box.subjects(2))
    box.run("set", second, "priority:low")
    page.tab.click(".message >> text=Redo")
    until("it is done again", lambda: shown(box, first)["fields"]["status"] == "closed")
    wanted("the other one stays", shown(box, second)["fields"]["priority"] == "low", box.subjects(2))


def undo_waits(box, page):
    """`z` while two saves wait takes back the last of them, not what was before."""
    ref = made(box, "issue", "Ann")
    opened(page, ref)
    delay(page, "/api/change", 400)
    page.tab.locator(".field[data-name=priority] select").select_option("high")
    page.tab.locator(".note-title").press("Control+a")
    page.tab.keyboard.type("Ann renamed")
    page.tab.keyboard.press("Enter")
    page.tab.focus(".grid")
    page.tab.keyboard.press("z")
    until("something is taken back", lambda: box.subjects()[0].startswith("Undo"))
    page.settled()
    note = shown(box, ref)
    wanted("the title alone is taken back", note["title"] == "Ann" and note["fields"]["priority"] == "high", box.subjects(4))


def restored_with_text(box, page):
    """A note that was deleted elsewhere while one typed is brought back, and has what was typed."""
    ref = made(box, "note", "Ann", "-b", "one\n")
    opened(page, ref)
    page.tab.focus(".detail")
    page.tab.keyboard.press("e")
    page.tab.keyboard.press("Control+Home")
    page.tab.keyboard.type("Typed. ")
    box.run("rm", ref)
    page.tab.locator(".alerts button", has_text="Restore").click()
    until("it is there with the text", lambda: "Ann" in box.titles() and shown(box, ref)["body"] == "Typed. one\n")
    page.settled()


def back_to_now(box, page):
    """Return to the present while the past is still being read: the page can write again."""
    ref = made(box, "issue", "Ann")
    opened(page, ref)
    delay(page, "/api/box?at", 900, after=True)
    page.tab.focus(".grid")
    page.tab.keyboard.press("@")
    page.tab.click("text=Return to the present")
    page.tab.wait_for_timeout(1500)
    wanted("a note can be made", page.tab.locator(".new-button").is_enabled())
    wanted("the title can be changed", not page.tab.evaluate("document.querySelector('.note-title').readOnly"))
    page.tab.focus(".grid")
    page.tab.keyboard.press("c")
    until("the form opens", lambda: page.tab.locator("dialog[open]").count() == 1)


def keys_before_the_note(box, page):
    """Enter and a key at once mean the note that was opened, and what is typed goes into its text."""
    first = made(box, "note", "Alpha", "-b", "alpha\n")
    second = made(box, "note", "Beta", "-b", "beta\n")
    listed(page, 2)
    opened(page, first)
    cursor(page, "Alpha")
    delay(page, "/api/note?", 500)
    cursor(page, "Beta")
    page.tab.keyboard.press("Enter")
    page.tab.keyboard.press("e")
    page.tab.keyboard.type("zzz cat #")
    until("it is typed into Beta", lambda: "zzz cat #" in page.tab.evaluate("document.querySelector('.body-text').value"))
    wanted("Beta is open", page.title() == "Beta", page.title())
    page.tab.keyboard.press("Control+s")
    page.settled()
    until("it is saved", lambda: "zzz cat #" in shown(box, second)["body"])
    wanted("Alpha is as it was", shown(box, first)["body"] == "alpha\n", shown(box, first)["body"])
    delay(page)
    opened(page, first)
    cursor(page, "Alpha")
    delay(page, "/api/note?", 500)
    cursor(page, "Beta")
    page.tab.keyboard.press("Enter")
    page.tab.keyboard.press("#")
    until("Beta is deleted", lambda: box.titles() == ["Alpha"])


def past_saves_first(box, page):
    """What is typed is saved before a day of the past is shown."""
    ref = made(box, "note", "Ann", "-b", "one\n")
    opened(page, ref)
    page.tab.focus(".detail")
    page.tab.keyboard.press("e")
    page.tab.keyboard.press("Control+Home")
    page.tab.keyboard.type("Typed. ")
    wanted("it is not saved yet", page.saved() == "Not saved yet", page.saved())
    saves = []
    page.tab.on("request", lambda request: saves.append(request.url) if "/api/change" in request.url or "at=" in request.url else None)
    page.tab.evaluate("ref => { location.hash = `#/q//${ref}@${new Date().toISOString().slice(0, 10)}` }", ref)
    until("the past is shown", lambda: page.tab.locator(".past-bar").is_visible())
    until("it is saved", lambda: shown(box, ref)["body"] == "Typed. one\n")
    wanted("the save came first", "/api/change" in saves[0], saves)
    page.tab.click("text=Return to the present")
    until("now has it", lambda: page.tab.evaluate("document.querySelector('.body-text').value") == "Typed. one\n" or "Typed." in page.tab.inner_text(".markup"))
    page.settled()


LINK = "fields:\n  title: text\n  url: {type: text, required: true}\n  code: {type: choice, values: ['-1', '+1', '//x']}\n  day: date\n"


def picked(page, field, value):
    page.tab.keyboard.press("f")
    page.tab.keyboard.type(field)
    until(f"{field} is offered", lambda: page.tab.locator("dialog .active", has_text=field).count())
    page.tab.keyboard.press("Enter")
    until("its value is asked for", lambda: page.tab.evaluate("document.activeElement.getAttribute('aria-label') ?? ''").lower().startswith(field))
    page.tab.keyboard.type(value)
    until(f"{value} is offered", lambda: page.tab.locator("dialog .active", has_text=value).count())
    page.tab.keyboard.press("Enter")


def values_as_they_are(box, page):
    """Values that would mean something else in a word of the command, and a field named as few are."""
    go(page, "#/q/kind:link")
    until("the list is empty", lambda: page.tab.locator(".empty h2").count())
    page.tab.click(".new-button")
    page.tab.keyboard.type("Page")
    page.tab.fill(".required input", "//host/x")
    page.tab.keyboard.press("Enter")
    until("it is made", lambda: page.title() == "Page")
    note = box.note("Page")
    wanted("the address is as it was typed", note["fields"]["url"] == "//host/x", note["fields"])
    cursor(page, "Page")
    picked(page, "code", "//x")
    until("the choice is as it is", lambda: box.note("Page")["fields"].get("code") == "//x")
    picked(page, "day", "tomorrow")
    until("a day in words is a day", lambda: box.note("Page")["fields"].get("day", "").startswith("20"))
    path = os.path.join(box.path, note["path"])
    for value in ["one", "two"]:
        with open(path) as file:
            lines = [line for line in file.read().split("\n") if not line.startswith("__proto__")]
        lines.insert(1, f"__proto__: {value}")
        with open(path, "w") as file:
            file.write("\n".join(lines))
        subprocess.run(["git", "-C", box.path, "commit", "-qam", value], env=box.environment, check=True)
    opened(page, note["id"])
    until("its field is shown", lambda: page.tab.locator(".field[data-name=__proto__]").count())
    page.tab.locator(".field[data-name=__proto__] .past").click()
    until("its values are listed", lambda: page.tab.locator("dialog .entry").count() >= 2)
    page.tab.locator("dialog .entry button", has_text="Restore").first.click()
    until("the value is put back", lambda: box.note("Page")["fields"].get("__proto__") == "one")


def selected_then_changed(box, page):
    """What was selected before it was changed can be changed with the others."""
    first, second = made(box, "issue", "Ann"), made(box, "issue", "Bob")
    listed(page, 2)
    for title in ["Ann", "Bob"]:
        cursor(page, title)
        page.tab.keyboard.press("x")
    # The list opens the note of its cursor when the keys rest.
    page.tab.wait_for_timeout(200)
    opened(page, first)
    page.tab.locator(".field[data-name=priority] select").select_option("high")
    page.settled()
    box.run("set", second, "priority:low")
    until("the list shows it", lambda: page.tab.evaluate("document.querySelector('.row.selected') !== null"))
    page.tab.focus(".grid")
    page.tab.keyboard.press("=")
    page.tab.keyboard.type("priority:medium")
    until("it is offered", lambda: page.tab.locator("dialog .active", has_text="priority:medium").count())
    page.tab.keyboard.press("Enter")
    until("the patch is shown", lambda: page.tab.locator("dialog .patch").count())
    page.tab.click("dialog button.primary")
    until("both are changed", lambda: {shown(box, ref)["fields"]["priority"] for ref in [first, second]} == {"medium"})


def refused_change_stays(box, page):
    """A bulk change that is refused keeps its text, with the error beside it."""
    refs = [made(box, "issue", title) for title in "AB"]
    listed(page, 2)
    page.tab.focus(".grid")
    page.tab.keyboard.press("Control+a")
    page.tab.keyboard.press("=")
    first = page.tab.locator("dialog [role=option]").first
    until("a field of the kind comes first", lambda: (text := first.inner_text()).startswith("priority:") or Fault(text))
    page.tab.keyboard.type("priority:hihg")
    until("it is offered", lambda: page.tab.locator("dialog .active", has_text="priority:hihg").count())
    page.tab.keyboard.press("Enter")
    until("the error is in the dialog", lambda: page.tab.locator("dialog .query-error", has_text="hihg").count())
    wanted("the text is kept", page.tab.input_value("dialog input") == "priority:hihg")
    page.tab.fill("dialog input", "priority:high")
    until("it is offered", lambda: page.tab.locator("dialog .active", has_text="priority:high").count())
    page.tab.keyboard.press("Enter")
    until("the patch is shown", lambda: page.tab.locator("dialog .patch").count())
    page.tab.click("dialog button.primary")
    until("all are changed", lambda: all(shown(box, ref)["fields"]["priority"] == "high" for ref in refs))


def dates_in_words(box, page):
    """Dates are typed in words in the dialog of the selection and in a field, as the command reads them; their day is shown."""
    refs = [made(box, "task", title) for title in "AB"]
    other = made(box, "task", "C", "due:next monday")
    wished = shown(box, other)["fields"]["due"]
    box.run("rm", other)
    go(page, "#/q/kind:task")
    listed(page, 2)
    page.tab.focus(".grid")
    page.tab.keyboard.press("Control+a")
    page.tab.keyboard.press("=")
    active = page.tab.locator("dialog .active")
    page.tab.keyboard.type("due:nextish monday")
    until("a mistake is said", lambda: "nextish" in active.locator(".detail").inner_text())
    page.tab.keyboard.press("Enter")
    until("it is in the dialog", lambda: page.tab.locator("dialog .query-error", has_text="nextish").count())
    wanted("the text is kept", page.tab.input_value("dialog input") == "due:nextish monday")
    page.tab.fill("dialog input", "due:next monday priority:high")
    until("what it means is shown", lambda: "Monday" in (text := active.inner_text()) and "Priority: high" in text)
    page.tab.keyboard.press("Enter")
    until("the patch is shown", lambda: page.tab.locator("dialog .patch").count())
    page.tab.click("dialog button.primary")
    until("all are changed", lambda: [(note["fields"].get("due"), note["fields"].get("priority")) for note in box.list("kind:task")] == [(wished, "high")] * 2)
    opened(page, refs[0])
    page.tab.focus(".field[data-name=due] input")
    page.tab.keyboard.press("i")
    page.tab.wait_for_selector("dialog[open] input")
    page.tab.keyboard.type("n 3 days")
    until("the day is shown", lambda: "20" in active.inner_text() and "in 3 days" in active.inner_text())
    page.tab.keyboard.press("Enter")
    until("it is set", lambda: shown(box, refs[0])["fields"].get("due", wished) != wished)
    page.settled()


def all_of_all(box, page):
    """Everything is selected where no query is."""
    refs = [made(box, "issue", title) for title in "ABC"]
    listed(page, 3)
    page.tab.focus(".grid")
    page.tab.keyboard.press("Control+a")
    page.tab.keyboard.press("=")
    page.tab.keyboard.type("priority:high")
    until("it is offered", lambda: page.tab.locator("dialog .active", has_text="priority:high").count())
    page.tab.keyboard.press("Enter")
    until("the patch is shown", lambda: page.tab.locator("dialog .patch").count())
    page.tab.click("dialog button.primary")
    until("all are changed", lambda: all(shown(box, ref)["fields"]["priority"] == "high" for ref in refs))


def follower(box, page):
    """A second tab hears of what is written while it begins."""
    made(box, "note", "Ann")
    listed(page, 1)
    tab = page.context.new_page()
    tab.add_init_script("""const real = window.fetch.bind(window);
      window.fetch = async (address, options) => { const answer = await real(address, options); if (/api.box$/.test(String(address))) await new Promise((done) => setTimeout(done, 1500)); return answer; };""")
    tab.goto(box.address)
    tab.wait_for_selector(".grid .row")
    made(box, "note", "New one")
    listed(page, 2)
    until("the second tab lists it", lambda: tab.locator(".row-title", has_text="New one").count(), 5)


def link_in_a_tab(box, page):
    """A link to a note opens in a tab of its own, with the key; another browser has no key."""
    made(box, "note", "Ann")
    other = made(box, "note", "Bob", "-b", "See [[Ann]].\n")
    opened(page, other)
    with page.context.expect_page() as opening:
        page.tab.click(".markup a.note-link", modifiers=["ControlOrMeta"])
    tab = opening.value
    # Firefox draws no page in the background: nothing is visible there.
    until("the note is shown there", lambda: tab.evaluate("document.querySelector('.note-title')?.value") == "Ann")
    wanted("the key is in no address", "token" not in tab.url, tab.url)


KINDS = {"pub": "key: code\nfields:\n  title: text\n  code: text\n", "work": "fields:\n  title: text\n  by: {type: reference, to: pub}\n  also: {type: list of reference, to: pub}\n"}


def references(box, page):
    """A reference by the key of its kind is ticked, and can be taken out of a list."""
    made(box, "pub", "Penguin", "code:PP-1")
    made(box, "pub", "Quill", "code:Q-2")
    work = made(box, "work", "Work", "by:PP-1", "also:+PP-1")
    opened(page, work)
    if page.tab.locator(".fields .more").is_visible():
        page.tab.click(".fields .more")
    page.tab.click(".field[data-name=by] .picker")
    until("it is ticked", lambda: ["Penguin", True] in options(page) or page.tab.locator("dialog [role=option] .tick", has_text="✓").count() == 1)
    page.tab.keyboard.type("quill")
    until("another is offered", lambda: page.tab.locator("dialog .active", has_text="Quill").count())
    page.tab.keyboard.press("Enter")
    until("it is written by its key", lambda: shown(box, work)["fields"]["by"] == "Q-2")
    page.settled()
    page.tab.click(".field[data-name=also] .picker")
    until("it is ticked", lambda: ["Penguin", True] in options(page))
    page.tab.locator("dialog [role=option]", has_text="Penguin").click()
    until("it is taken out", lambda: not shown(box, work)["fields"].get("also"))
    until("it is ticked no longer", lambda: ["Penguin", False] in options(page))


def tag_refused(box, page):
    """A tag that is refused is not ticked."""
    ref = made(box, "note", "Source")
    opened(page, ref)
    page.tab.click(".tag-picker")
    page.tab.fill("dialog input", "c,d")
    until("it is offered", lambda: page.tab.locator("dialog .active", has_text="c,d").count())
    page.tab.keyboard.press("Enter")
    until("it is refused", lambda: page.tab.locator(".message.error").count() == 1)
    page.tab.wait_for_timeout(200)
    wanted("it is not ticked", not any(is_chosen for _, is_chosen in options(page)), options(page))
    wanted("it is not written", not shown(box, ref).get("tags"))


def held_down(box, page):
    """A key that is held down deletes one note."""
    for title in "ABCDEF":
        made(box, "issue", title)
    listed(page, 6)
    page.tab.focus(".grid")
    for _ in range(12):
        page.tab.keyboard.down("Delete")
        page.tab.wait_for_timeout(40)
    page.tab.keyboard.up("Delete")
    page.tab.wait_for_timeout(500)
    wanted("one is deleted", len(box.titles()) == 5, box.titles())
    for _ in range(4):
        page.tab.keyboard.down("j")
    page.tab.keyboard.up("j")
    wanted("j moves on", page.tab.evaluate("Number(document.querySelector('.row.current').dataset.index)") >= 3)


def enter_twice(box, page):
    """Enter twice in the palette does it once."""
    for title in "ABC":
        made(box, "note", title)
    listed(page, 3)
    page.tab.focus(".grid")
    delay(page, "/api/titles", 200)
    page.tab.keyboard.press("Control+k")
    page.tab.keyboard.type("undo")
    page.tab.keyboard.press("Enter")
    page.tab.keyboard.press("Enter")
    until("it is undone", lambda: box.subjects()[0].startswith("Undo"))
    page.tab.wait_for_timeout(600)
    wanted("once", not box.subjects(2)[1].startswith("Undo"), box.subjects(3))


def quick_undo(box, page):
    """Each press of `z` undoes one change, also where the next one comes before the answer."""
    for number in range(6):
        made(box, "note", f"Note {number}")
    listed(page, 6)
    page.tab.focus(".grid")
    delay(page, "/api/undo", 150)
    for _ in range(4):
        page.tab.keyboard.press("z")
    until("four are undone", lambda: sorted(box.titles()) == ["Note 0", "Note 1"])
    page.tab.wait_for_timeout(500)
    wanted("and no more", len(box.titles()) == 2, box.titles())


def keys_after_a_field(box, page):
    """Escape leaves a field whose text was changed: the next key is an action. After `t` from a button the note has the focus."""
    ref = made(box, "task", "Ann")
    made(box, "note", "Bob")
    opened(page, ref)
    in_note = lambda: page.tab.evaluate("document.activeElement.classList.contains('detail')")
    delete = page.tab.locator(".note-actions .danger")
    delete.focus()
    page.tab.keyboard.press("t")
    page.tab.keyboard.type("Anna")
    page.tab.keyboard.press("Enter")
    wanted("the note has the focus", in_note())
    page.tab.keyboard.press("Enter")
    until("it is renamed", lambda: sorted(box.titles()) == ["Anna", "Bob"])
    page.tab.wait_for_timeout(300)
    wanted("nothing is deleted", sorted(box.titles()) == ["Anna", "Bob"], box.titles())
    more = page.tab.locator(".fields .more")
    if more.is_visible():
        more.click()
    field = page.tab.locator(".fields input[type=text]").first
    field.click()
    before = field.input_value()
    page.tab.keyboard.type("changed")
    page.tab.keyboard.press("Escape")
    wanted("the field is left, as it was", in_note() and field.input_value() == before, field.input_value())


def messages(box, page):
    """Errors are told at once; a message with Undo stays."""
    ref = made(box, "issue", "Ann")
    opened(page, ref)
    page.tab.click(".note-actions >> text=Close")
    until("it is said", lambda: page.tab.locator("[role=status] .message button", has_text="Undo").count() == 1)
    page.tab.wait_for_timeout(7500)
    wanted("Undo is there after seven seconds", page.tab.locator(".message button", has_text="Undo").count() == 1)
    page.tab.locator(".message").hover()
    page.tab.wait_for_timeout(6000)
    wanted("and while it is pointed at", page.tab.locator(".message button", has_text="Undo").count() == 1)
    page.tab.mouse.move(5, 5)
    until("then it goes", lambda: page.tab.locator(".message").count() == 0)
    page.tab.focus(".grid")
    page.tab.keyboard.press("Z")
    until("an error is an alert", lambda: page.tab.locator("[role=alert] .message.error").count() == 1)


def cursor_row(box, page):
    """The active row of the list is there when one has scrolled away from it."""
    box.run("sample", "--count", "300")
    until("they are listed", lambda: page.tab.inner_text(".list-head .muted") == "300 notes")
    # The last of them may still be on their way: the cursor would follow its note.
    page.tab.wait_for_timeout(1000)
    page.tab.focus(".grid")
    page.tab.keyboard.press("Home")
    page.tab.keyboard.press("j")
    page.tab.evaluate("document.querySelector('.grid').scrollTop = 9000")
    until("other rows are shown", lambda: page.tab.evaluate("[...document.querySelectorAll('.row')].some(row => Number(row.dataset.index) > 150)"))
    until("the active row is there", lambda: page.tab.evaluate("document.getElementById(document.querySelector('.grid').getAttribute('aria-activedescendant') ?? '')?.dataset.index") == "1")
    page.tab.keyboard.press("j")
    until("the cursor goes on from there", lambda: page.tab.evaluate("document.querySelector('.row.current').dataset.index") == "2")


def quick_ticks(box, page):
    """A second click on a tick before the first one is answered takes it away again."""
    ref = made(box, "task", "Ann")
    listed(page, 1)
    delay(page, "/api/", 250)
    tick = page.tab.locator(".row .tick-box")
    before = box.commits()
    tick.click()
    tick.click()
    until("both are written", lambda: box.commits() == before + 2)
    wanted("it is as it was", shown(box, ref)["fields"]["done"] is False, box.subjects(3))


def referrers(box, page):
    """A group with tasks is deleted in one of two ways, and what is done to the tasks is seen first."""
    made(box, "group", "Home")
    made(box, "task", "Paint", "group:Home")
    for way, left in [("Remove the references", ["Paint"]), ("Delete the records", [])]:
        cursor(page, "Home")
        page.tab.keyboard.press("#")
        page.tab.locator("dialog [role=option]", has_text=way).click()
        until("the patch is shown", lambda: "Paint" in page.tab.locator("dialog .patch").text_content() or "paint" in page.tab.locator("dialog .patch").text_content())
        page.tab.click("dialog button.primary")
        until(f"left are {left}", lambda: box.titles() == left)
        page.tab.keyboard.press("z")
        until("both are back", lambda: sorted(box.titles()) == ["Home", "Paint"])
        listed(page, 2)


def text_change(box, page):
    """The history of a note shows what changed in its text."""
    ref = made(box, "note", "Ann", "-b", "one two three\n")
    box.run("set", ref, "--body", "-", stdin="one 2 three\n")
    opened(page, ref)
    page.tab.click(".past-list summary")
    page.tab.locator(".past-list button", has_text="Show the change").first.click()
    until("the words are shown", lambda: page.tab.locator("dialog .text-change del").all_inner_texts() == ["two"] and page.tab.locator("dialog .text-change ins").all_inner_texts() == ["2"])
    page.tab.keyboard.press("Escape")


def cursor_follows(box, page):
    """Keys in the list mean the note that was opened last, also where it was opened from elsewhere."""
    for title in ["Ann", "Bob"]:
        made(box, "note", title)
    listed(page, 2)
    cursor(page, "Ann")
    page.tab.keyboard.press("c")
    page.tab.get_by_label("Title", exact=True).last.fill("Carl")
    page.tab.keyboard.press("Enter")
    until("it is open", lambda: page.title() == "Carl")
    listed(page, 3)
    page.tab.focus(".grid")
    until("the cursor is there", lambda: page.tab.evaluate("document.querySelector('.row.current .row-title').textContent") == "Carl")
    page.tab.keyboard.press("#")
    until("it is the one that is deleted", lambda: sorted(box.titles()) == ["Ann", "Bob"])


def no_such_day(box, page):
    """An address of a day before the first commit leads to the box of now, and says so."""
    made(box, "note", "Ann")
    page.tab.evaluate("location.hash = '#/q/@1999-01-01'")
    page.tab.reload()
    until("the box of now is listed", lambda: page.rows() == ["Ann"])
    until("why is said", lambda: bool(message(page)))
    wanted("the address is that of now", "@" not in page.tab.evaluate("location.hash"))


def one_id_twice(box, page):
    """Two files with one id: each is opened by its row."""
    ref = made(box, "note", "Ann", "-b", "first\n")
    path = shown(box, ref)["path"]
    with open(os.path.join(box.path, path)) as file:
        text = file.read()
    with open(os.path.join(box.path, "copy.md"), "w") as file:
        file.write(text.replace("Ann", "Copy").replace("first", "second"))
    listed(page, 2)
    for title, body in [("Copy", "second"), ("Ann", "first")]:
        page.tab.locator(".row-title", has_text=title).click()
        until(f"{title} is open", lambda: page.title() == title and body in page.tab.locator(".markup").inner_text())
    page.tab.locator(".note-title").press("End")
    page.tab.keyboard.type("e")
    page.tab.keyboard.press("Enter")
    page.settled()
    with open(os.path.join(box.path, path)) as file:
        wanted("the one that is open was retitled", "title: Anne" in file.read())


def all_that_is_stuck(box, page):
    """What can't be saved is found by its sign, wherever one has gone."""
    ref = made(box, "book", "Dune", "author:Herbert")
    other = made(box, "note", "Other")
    opened(page, ref)
    page.tab.locator(".field[data-name=author] input").fill("")
    page.tab.locator(".note-top").click()
    until("it is refused", lambda: page.saved().startswith("Not saved"))
    opened(page, other)
    page.tab.click("button.saved")
    until("the value is listed", lambda: "Author" in page.tab.locator("dialog.unsaved").inner_text())
    page.tab.locator("dialog.unsaved button", has_text="Discard this change").click()
    until("nothing is left", lambda: page.saved() == "Saved" and not page.tab.locator("dialog").count())


def second_tap_is_ignored(box, page):
    """The second of two quick taps that close the sidebar, a menu or a dialog does not reach what lies below."""
    if page.is_firefox:
        raise Skip("playwright has fingers in Chromium alone")
    for number in range(12):
        made(box, "task", f"Task {number}")
    other = Page(page.context.browser, box, 390, 844, has_touch=True, is_mobile=True)
    listed(other, 12)
    is_clear = lambda: other.tab.evaluate("!document.body.classList.contains('side-open') && !document.querySelector('dialog[open]')")
    tap = other.tab.touchscreen.tap

    def twice(x, y, z=None):
        other.tab.wait_for_timeout(BETWEEN_TAPS)
        address = other.tab.url
        tap(x, y)
        tap(x, z or y)
        until("it is closed", is_clear)
        other.tab.wait_for_timeout(BETWEEN_TAPS)
        wanted("nothing else happens", is_clear() and other.tab.url == address and other.title() is None and len(box.titles()) == 12, other.tab.url)

    for x, y, z in [(370, 400, 400), (370, 600, 300)]:
        other.tap(other.tab.locator(".top .menu"))
        until("the sidebar is open", lambda: not is_clear())
        twice(x, y, z)
    other.tap(other.tab.locator(".top [data-action=palette]"))
    other.tab.wait_for_selector("dialog.palette [role=option]")
    twice(200, 830)
    other.tap(other.tab.locator(".top [data-action=palette]"))
    other.tab.keyboard.type("all keys")
    found = other.tab.locator("dialog.palette [role=option]").first
    until("it is found", lambda: found.inner_text().startswith("All keys"))
    other.tab.wait_for_timeout(BETWEEN_TAPS)
    place = found.bounding_box()
    for _ in range(2):
        tap(place["x"] + 40, place["y"] + 20)
    other.tab.wait_for_timeout(BETWEEN_TAPS)
    wanted("the first tap opens the help, the second does nothing in it", other.tab.locator("dialog[open] .help").count() == 1)
    place = other.tab.locator("dialog[open] .dialog-top button").bounding_box()
    twice(place["x"] + 20, place["y"] + 20)
    other.tab.wait_for_timeout(BETWEEN_TAPS)
    tap(200, 400)
    until("a later tap opens a note", lambda: other.title() is not None)
    problems = other.close()
    wanted("no complaints", not problems, problems)


def keys_say_why(box, page):
    """A key that can't do its action says why: in the past, without a note, in a table."""
    task = made(box, "task", "Ann")
    box.run("view", "save", "rows", "kind:task", "--form", "table")
    opened(page, task)
    page.tab.focus(".detail")
    for address, key, reason in [("#/history", "e", "No note is selected"), ("#/view/rows", "P", "A table has no cards to move")]:
        go(page, address)
        until("the page is there", lambda: page.title() is None)
        page.tab.keyboard.press(key)
        until(f"{key} says why not", lambda: reason in message(page))
    opened(page, task)
    page.tab.focus(".detail")
    page.tab.keyboard.press("@")
    page.tab.locator("input[type=range]").focus()
    page.tab.keyboard.press("Home")
    until("the past is shown", lambda: page.tab.locator("text=Return to the present").count() == 1 and page.tab.locator(".new-button").is_disabled())
    page.tab.focus(".grid")
    for key in ["e", "c", "z", "#"]:
        page.tab.keyboard.press(key)
        until(f"{key} says why not", lambda: "The past can't be changed" in message(page))
        page.tab.locator(".message button", has_text="×").click()
        page.tab.focus(".grid")
    wanted("nothing is changed", box.titles() == ["Ann"])


def keys_mean_no_unseen_note(box, page):
    """A wrong filter, and a view that is gone: keys change none of the notes that were listed before, and select none."""
    for title in ["Ann", "Bob"]:
        made(box, "issue", title)
    listed(page, 2)
    cursor(page, "Bob")
    page.tab.keyboard.press("x")
    for pause in [True, False]:
        page.tab.keyboard.press("/")
        page.tab.keyboard.type("due:xyz")
        if pause:
            until("the error is shown", lambda: page.tab.locator(".query-error").is_visible())
        page.tab.keyboard.press("Enter")
        page.tab.keyboard.press("#")
        until("no note is meant", lambda: "No note is selected" in message(page))
        wanted("the error is shown at once", page.tab.locator(".query-error").is_visible())
        wanted("none is deleted", len(box.titles()) == 2, box.subjects())
        wanted("none is selected", page.tab.locator(".selection-bar").is_hidden())
        go(page, "#/q/")
        listed(page, 2)
    box.run("view", "save", "board", "kind:issue", "--by", "priority", "--form", "board")
    go(page, "#/view/board")
    until("the cards are there", lambda: page.tab.locator(".card").count() == 2)
    page.tab.locator(".card").first.focus()
    page.tab.keyboard.press("x")
    box.run("view", "remove", "board")
    until("it is said", lambda: page.tab.locator(".saved-view h2", has_text="There is no view “board”").is_visible())
    until("the way out has the focus", lambda: page.tab.evaluate("document.activeElement.textContent") == "Show all notes")
    wanted("it is said once, without a bar", page.tab.locator(".saved-view pre, .view-bar button:visible").count() == 0)
    page.tab.keyboard.press("Control+a")
    page.tab.keyboard.press("#")
    page.tab.keyboard.press(">")
    page.tab.wait_for_timeout(400)
    wanted("no dialog asks", page.tab.locator("dialog[open]").count() == 0)
    wanted("none is deleted", len(box.titles()) == 2, box.subjects())
    page.tab.keyboard.press("Enter")
    listed(page, 2)


def cursor_after_a_delete(box, page):
    """A row is deleted beside an open note: the next key means the row that has the cursor now."""
    for title in ["Ann", "Bob", "Carl", "Dan"]:
        made(box, "task", title)
    go(page, "#/q/kind:task+sort:title")
    listed(page, 4)
    page.tab.locator(".row", has_text="Ann").click()
    until("it is open", lambda: page.title() == "Ann")
    page.tab.locator(".row", has_text="Bob").click(button="right")
    page.tab.keyboard.press("Escape")
    page.tab.keyboard.press("#")
    listed(page, 3)
    until("the next row has the cursor", lambda: page.tab.evaluate("document.querySelector('.grid:not(.aside) .row.current .row-title')?.textContent") == "Carl")
    page.tab.keyboard.press("#")
    until("it is deleted", lambda: sorted(box.titles()) == ["Ann", "Dan"])


def narrow_keys_mean_the_open_note(box, page):
    """On a narrow screen the open note covers the list: keys change it, not what is selected or has the cursor below it."""
    for title in ["Ann", "Bob", "Carl"]:
        made(box, "task", title)
    go(page, "#/q/kind:task+sort:title")
    listed(page, 3)
    page.tab.set_viewport_size({"width": 500, "height": 800})
    page.tab.locator(".row", has_text="Carl").click(modifiers=["Control"])
    page.tab.locator(".row", has_text="Ann").click()
    until("it is open", lambda: page.title() == "Ann")
    page.tab.evaluate("document.activeElement.blur()")
    page.tab.keyboard.press("j")
    page.tab.keyboard.press("#")
    until("the open one is deleted", lambda: sorted(box.titles()) == ["Bob", "Carl"] or Fault(box.titles()))


def keys_of_a_loading_page(box, page):
    """Keys that are pressed while the page is loaded do together what was meant: the first one is not lost."""
    made(box, "note", "Ann")
    page.tab.add_init_script(f"({DELAY})(['/api/box', 500, false])")
    for when in ["commit", "load"]:
        page.tab.reload(wait_until=when)
        if when == "commit":
            until("the script of keys is there", lambda: page.tab.evaluate("performance.getEntriesByName(location.origin + '/assets/overlays.js').length"))
            page.tab.wait_for_timeout(100)
        page.tab.keyboard.type(f"cEarly {when}")
        page.tab.keyboard.press("Enter")
        until("the note is made", lambda: f"Early {when}" in box.titles() or Fault(box.titles()))
        until("it is open", lambda: page.title() == f"Early {when}")
    wanted("nothing else is written", sorted(box.titles()) == ["Ann", "Early commit", "Early load"], box.titles())


def keys_after_a_deletion(box, page):
    """Keys right after Delete in the dialog mean the rows that are left, and what they select stays selected."""
    for title in "ABCDEFG":
        made(box, "task", title)
    go(page, "#/q/kind:task+sort:title")
    listed(page, 7)
    page.tab.focus(".grid")
    page.tab.keyboard.press("Home")
    for key in "xjxjx":
        page.tab.keyboard.press(key)
    delay(page, "/api/rm", 400, after=True)
    page.tab.keyboard.press("#")
    until("it is asked", lambda: page.tab.locator("dialog button.danger", has_text="Delete (3)").count() == 1)
    page.tab.keyboard.press("Enter")
    for key in "xjx":
        page.tab.keyboard.press(key)
    until("they are gone", lambda: sorted(box.titles()) == list("DEFG"))
    until("two are selected", lambda: page.tab.evaluate("[...document.querySelectorAll('.row.selected .row-title')].map(n => n.textContent).join('')") == "FG" or Fault(page.tab.evaluate("[...document.querySelectorAll('.row.selected .row-title')].map(n => n.textContent).join('')")))


def keys_of_a_menu(box, page):
    """A key that the menu of a row shows means its own line, not one whose name begins with it."""
    ref = made(box, "task", "Ann")
    go(page, "#/q/kind:task")
    listed(page, 1)
    for key, text in [("d", "Set the date"), ("l", "Tags"), ("#", "Delete")]:
        page.tab.locator(".row").first.click(button="right")
        page.tab.keyboard.type(key)
        until(f"{key} means {text}", lambda: [name for name, is_on in options(page) if is_on] == [text] or Fault(options(page)))
        page.tab.keyboard.press("Escape")
    page.tab.locator(".row").first.click(button="right")
    page.tab.keyboard.type("d")
    page.tab.keyboard.press("Enter")
    until("the date is asked for", lambda: page.tab.locator("dialog input[placeholder^='a day']").count() == 1)
    wanted("the note is there", shown(box, ref)["title"] == "Ann")


def moved_notes_are_counted(box, page):
    """The preview of a move counts notes, not files, also if links to them change other notes."""
    for title in ["Ann", "Bob"]:
        made(box, "note", title)
    made(box, "note", "Links", "-b", "[[Ann]] [Bob](" + os.path.basename(box.note("Bob")["path"]) + ")\n")
    listed(page, 3)
    for title in ["Ann", "Bob"]:
        cursor(page, title)
        page.tab.keyboard.press("x")
    page.tab.keyboard.press("Control+k")
    page.tab.keyboard.type("move to a folder")
    page.tab.keyboard.press("Enter")
    page.tab.keyboard.type("errands")
    page.tab.keyboard.press("Enter")
    until("the button counts two", lambda: page.tab.locator("dialog button.primary", has_text="Move (2)").count() == 1)
    wanted("so does the title", "Move to errands: 2 notes" in page.tab.inner_text("dialog"), page.tab.inner_text("dialog"))
    wanted("and the text", "2 notes move" in page.tab.inner_text("dialog"), page.tab.inner_text("dialog"))


def selected_out_of_sight(box, page):
    """The bar says how many selected rows are out of sight and where; tags of many close before Escape means the selection."""
    for number in range(40):
        made(box, "task", f"T{number:02}")
    go(page, "#/q/kind:task+sort:title")
    until("all are there", lambda: page.tab.inner_text(".list-head").find("40 tasks") >= 0 or "40 notes" in page.tab.inner_text(".list-head"))
    page.tab.focus(".grid")
    page.tab.keyboard.press("Home")
    for key in "xjx":
        page.tab.keyboard.press(key)
    bar = lambda: page.tab.inner_text(".selection-bar")
    wanted("nothing is said of those in sight", "above" not in bar() and "below" not in bar(), bar())
    page.tab.keyboard.press("End")
    until("two are above", lambda: "2 above" in bar() or Fault(bar()))
    page.tab.click(".selection-bar >> text=2 above")
    until("they are in sight", lambda: "above" not in bar())
    page.tab.focus(".grid")
    page.tab.keyboard.press("l")
    page.tab.keyboard.type("home")
    page.tab.keyboard.press("Enter")
    page.tab.click("dialog button.primary")
    until("they have the tag", lambda: len(box.titles("+home")) == 2)
    until("the menu is closed", lambda: page.tab.locator("dialog[open]").count() == 0)
    page.tab.focus(".grid")
    page.tab.keyboard.press("Escape")
    until("the selection is ended", lambda: page.tab.locator(".selection-bar").is_hidden())


def wrong_date_while_typing(box, page):
    """While a wrong date is typed, no message says so, rows of the last right query stay, and their title with them."""
    for number in range(70):
        made(box, "task", f"T{number:02}", "due:today")
    go(page, "#/q/kind:task")
    head = lambda: page.tab.inner_text(".list-head h1")
    until("all are there", lambda: "70" in page.tab.inner_text(".list-head") and head() == "Task")
    delay(page, "/api/list", 500)
    page.tab.fill(".filter-input", "due:today")
    page.tab.wait_for_timeout(150)
    wanted("the title is that of the rows", head() == "Task", head())
    until("both change", lambda: head() == "due:today")
    delay(page)
    page.tab.fill(".filter-input", "due:tox")
    page.tab.evaluate("document.querySelector('.grid').scrollTop = 3000")
    page.tab.wait_for_timeout(900)
    wanted("the title is that of the rows", head() == "due:today", head())
    wanted("no message", not message(page), message(page))
    until("the list says it", lambda: page.tab.locator(".query-error").is_visible())
    wanted("the title is that of the query", head() == "due:tox", head())
    wanted("still no message", not message(page), message(page))


def undo_follows_names(box, page):
    """Undo of a name that was given here leads back to what was shown before, and redo to the new name."""
    made(box, "task", "Ann", "+home")
    listed(page, 1)
    place = lambda: page.tab.evaluate("decodeURIComponent(location.hash)")
    box.run("filter", "save", "mine", "+home")
    page.tab.reload()
    go(page, "#/q/%40mine")
    until("it is known", lambda: page.tab.evaluate("import('/assets/store.js').then(store => store.state.box.filters?.some(one => one.name === 'mine'))"))
    for key, name, new in [("rename the filter", "@mine", "chores")]:
        page.tab.focus(".grid")
        page.tab.keyboard.press("Control+k")
        page.tab.keyboard.type(key)
        page.tab.keyboard.press("Enter")
        page.tab.keyboard.press("Control+a")
        page.tab.keyboard.type(new)
        page.tab.keyboard.press("Enter")
        until("it has the new name", lambda: place() == f"#/q/@{new}")
        listed(page, 1)
        page.tab.keyboard.press("z")
        until("it has the old one", lambda: place() == f"#/q/{name}" or Fault(place()))
        listed(page, 1)
        page.tab.keyboard.press("Z")
        until("it has the new one again", lambda: place() == f"#/q/@{new}" or Fault(place()))


def view_undone(box, page):
    """Undo of a saved view leads back to the list that it was saved from."""
    made(box, "issue", "Ann")
    go(page, "#/q/kind:issue")
    listed(page, 1)
    page.tab.focus(".grid")
    page.tab.keyboard.press("V")
    page.tab.keyboard.type("table")
    page.tab.keyboard.press("Enter")
    page.tab.keyboard.type("rows")
    page.tab.keyboard.press("Enter")
    until("the view is shown", lambda: page.tab.evaluate("location.hash") == "#/view/rows")
    page.tab.keyboard.press("z")
    until("the list is shown", lambda: page.tab.evaluate("location.hash") == "#/q/kind:issue" or Fault(page.tab.evaluate("location.hash")))
    listed(page, 1)


def proposals_are_taken(box, page):
    """What an error or an empty list proposes is a button that Enter takes; messages have no quotes of a shell; an excluded tag that no note has is named."""
    made(box, "note", "Ann", "+idea")
    listed(page, 1)
    page.tab.keyboard.press("/")
    page.tab.keyboard.type("created:'last month'")
    page.tab.keyboard.press("Enter")
    until("it is proposed", lambda: page.tab.evaluate("document.activeElement.textContent") == 'Show created:"last month"')
    page.tab.keyboard.press("Enter")
    until("it is listed", lambda: page.tab.input_value(".filter-input") == 'created:"last month"')
    page.tab.fill(".filter-input", "@chores")
    page.tab.press(".filter-input", "Enter")
    until("the error is shown", lambda: page.tab.locator(".query-error").is_visible())
    said = page.tab.inner_text(".list-body .empty")
    wanted("without quotes of a shell", '"@chores"' in said and "'" not in said, said)
    page.tab.fill(".filter-input", "-idae")
    page.tab.press(".filter-input", "Enter")
    until("the tag is named", lambda: "no note has the tag idae" in page.tab.inner_text(".list-body .list-hint"))
    page.tab.fill(".filter-input", "-foo")
    go(page, "#/q/")
    until("nothing is named", lambda: page.tab.locator(".list-body .list-hint").is_hidden())


def palette_finds_parts(box, page):
    """The palette finds headings, links and backlinks of the open note, and saving a filter by the word of its button."""
    made(box, "note", "Target", "-b", "x\n")
    ref = made(box, "note", "Long", "-b", "# First\n\n" + "text\n\n" * 60 + "## Roofing\n\n[[Target]]\n")
    opened(page, ref)
    page.tab.focus(".detail")
    page.tab.keyboard.press("Control+k")
    page.tab.keyboard.type("roofing")
    until("the heading is found", lambda: ["Roofing", True] in options(page))
    page.tab.keyboard.press("Enter")
    until("it is in sight", lambda: page.tab.evaluate("document.querySelector('.detail').scrollTop") > 300)
    page.tab.keyboard.press("Control+k")
    page.tab.keyboard.type("link in target")
    until("the link is found", lambda: ["Target", True] in options(page) or Fault(options(page)))
    page.tab.keyboard.press("Enter")
    until("it is open", lambda: page.title() == "Target")
    go(page, "#/q/+idea")
    page.tab.keyboard.press("Control+k")
    page.tab.keyboard.type("keep")
    until("the filter can be kept", lambda: any(text.startswith("Save this filter") for text, _ in options(page)))


def quick_taps_on_rings(box, page):
    """Clicks on the rings of several rows, one after another, finish just those: rows move when one pauses."""
    for title in "ABCDEFGH":
        made(box, "task", title)
    go(page, "#/q/kind:task+is:active+sort:title")
    listed(page, 8)
    rings = [page.tab.locator(".row .tick-box").nth(at).bounding_box() for at in range(8)]
    for at in [1, 2, 3, 4]:
        page.tab.mouse.click(rings[at]["x"] + 4, rings[at]["y"] + 4)
        page.tab.wait_for_timeout(300)
    until("those are finished", lambda: box.titles("is:active", "sort:title") == ["A", "F", "G", "H"] or Fault(box.titles("is:active")))
    listed(page, 4)
    # The list has just moved: nobody has seen which row is there.
    page.tab.mouse.click(rings[1]["x"] + 4, rings[1]["y"] + 4)
    page.tab.wait_for_timeout(600)
    wanted("no other one is finished", len(box.titles("is:active")) == 4, box.titles("is:active"))
    page.tab.mouse.click(rings[1]["x"] + 4, rings[1]["y"] + 4)
    until("the one in sight is finished", lambda: box.titles("is:active", "sort:title") == ["A", "G", "H"])


def labels_before_other_words(box, page):
    """Words of a label are found before actions that have them in the name of their group."""
    ref = made(box, "task", "Ann")
    opened(page, ref)
    page.tab.keyboard.press("Control+k")
    page.tab.keyboard.type("as of")
    until("it is the first one", lambda: options(page)[:1] == [["Show the box as of a day", True]] or Fault(options(page)))


CASES = [second_tap_is_ignored, keys_say_why, referrers, text_change, cursor_follows, no_such_day, one_id_twice, all_that_is_stuck, seen_changes, twice, made_without_answer, undo_of_the_message, undo_waits, restored_with_text, back_to_now, keys_before_the_note, past_saves_first, values_as_they_are, selected_then_changed,
         refused_change_stays, dates_in_words, all_of_all, follower, link_in_a_tab, references, tag_refused, held_down, enter_twice, quick_undo, keys_after_a_field, messages, cursor_row, quick_ticks,
         keys_mean_no_unseen_note, cursor_after_a_delete, narrow_keys_mean_the_open_note,
         keys_of_a_loading_page, keys_after_a_deletion, keys_of_a_menu, moved_notes_are_counted, selected_out_of_sight, wrong_date_while_typing,
         undo_follows_names, view_undone, proposals_are_taken, palette_finds_parts, quick_taps_on_rings, labels_before_other_words]
DECLARED = {"values_as_they_are": {"link": LINK}, "references": KINDS}


def each(cases, browser, slip, scratch, say, declared={}, **options):
    """Runs each case on a box of its own; `options` are those of the page."""
    problems = []
    for case in cases:
        name = case.__name__.replace("_", " ")
        folder = os.path.join(scratch, case.__name__)
        os.makedirs(folder)
        box = Box(slip, folder)
        for kind, text in declared.get(case.__name__, {}).items():
            os.makedirs(os.path.join(box.path, ".slipbox", "kinds"), exist_ok=True)
            with open(os.path.join(box.path, ".slipbox", "kinds", f"{kind}.yaml"), "w") as file:
                file.write(text)
        page = None
        try:
            box.start()
            page = Page(browser, box, **options)
            case(box, page)
            found = [f"{name}: {one}" for one in page.close()]
        except Skip as skip:
            page.close()
            say(f"  {name}: skipped, {skip}")
            continue
        except Exception as fault:
            found = [f"{name}: {str(fault)[:500]}"]
            if page:
                page.tab.screenshot(path=os.path.join(os.environ.get("SLIP_PAGE_SHOTS", folder), f"{case.__name__}.png"))
                page.close()
        finally:
            box.stop()
        problems += found
        say(f"  {name}: {'holds' if not found else found}")
    return problems


def conduct(browser, slip, scratch, say, only=""):
    return each([case for case in CASES if only in case.__name__], browser, slip, scratch, say, DECLARED)
