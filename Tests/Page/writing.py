"""The keys of writing: lists go on, marks and links are made, boxes are ticked in the formatted text, pictures are attached."""

import base64
import json
import os
import re
import subprocess
import time

from browser import Fault, Page, touched, until
from care import cursor, delay, each, go, listed, made, message, opened, wanted
from daily import area, has_caret


def written(box, page, title="Text", body=""):
    """A note that is open with the caret at the end of its text."""
    ref = made(box, "note", title, *(["-b", body] if body else []))
    opened(page, ref)
    page.tab.focus(".detail")
    page.tab.keyboard.press("e")
    until("the caret is in the text", lambda: has_caret(page))
    return ref


def lists_go_on(box, page):
    """Enter continues a list or a check box, Tab indents, Shift and Tab bring back, an empty item ends the list; the browser undoes it."""
    written(box, page)
    keys = page.tab.keyboard
    keys.type("- [ ] one")
    keys.press("Enter")
    keys.type("two")
    wanted("the next item is a box", area(page) == "- [ ] one\n- [ ] two", area(page))
    keys.press("Tab")
    wanted("it is below the first one", area(page) == "- [ ] one\n  - [ ] two", area(page))
    keys.press("Enter")
    keys.press("Shift+Tab")
    keys.type("three")
    wanted("it is beside the first one", area(page) == "- [ ] one\n  - [ ] two\n- [ ] three", area(page))
    keys.press("Enter")
    keys.press("Enter")
    keys.type("text")
    wanted("the list has ended", area(page) == "- [ ] one\n  - [ ] two\n- [ ] three\ntext", area(page))
    for _ in range(30):
        keys.press("Control+z")
    wanted("the browser undoes it", area(page) == "", area(page))
    keys.press("Control+s")
    page.settled()
    wanted("the caret stays in the text", has_caret(page))
    keys.press("Control+a")
    keys.press("Backspace")
    keys.type("plain")
    keys.press("Tab")
    wanted("Tab indents a line that is no item", has_caret(page) and area(page).strip() == "plain", repr(area(page)))
    wanted("it is indented", area(page) != "plain", repr(area(page)))
    keys.press("Escape")
    wanted("Escape leaves the text", not has_caret(page))


def marks_and_links(box, page):
    """Ctrl+B, Ctrl+I and Ctrl+K mark the selection; without one Ctrl+K is the palette."""
    ref = written(box, page)
    keys = page.tab.keyboard
    keys.type("some word")
    keys.press("Control+b")
    wanted("the word is bold", area(page) == "some **word**", area(page))
    keys.press("Control+i")
    wanted("and in italics", area(page) == "some ***word***", area(page))
    keys.press("Control+b")
    keys.press("Control+i")
    wanted("and neither", area(page) == "some word", area(page))
    keys.press("Control+Shift+ArrowLeft")
    keys.press("Control+k")
    keys.type("https://example.org")
    wanted("it is a link", area(page) == "some [word](https://example.org)", area(page))
    keys.press("Control+s")
    page.settled()
    wanted("it is saved", box.note("Text")["body"].strip() == area(page).strip(), box.note("Text")["body"])
    keys.press("Control+k")
    until("the palette is open", lambda: page.tab.locator("dialog[open].palette").count())
    keys.press("Escape")
    wanted("the note is open", page.title() == "Text", ref)


def words_are_counted(box, page):
    """The number of words is beside the text, while one reads and while one types."""
    written(box, page, body="One two three.\n")
    words = lambda: page.tab.inner_text(".body .words")
    until("three words", lambda: words() == "3 words")
    page.tab.keyboard.type("four five")
    until("five words", lambda: words() == "5 words")
    page.tab.keyboard.press("Escape")
    until("five words in the formatted text too", lambda: words() == "5 words")
    opened(page, made(box, "note", "Empty"))
    until("an empty text has no number", lambda: words() == "")
    wanted("the browser checks the spelling", page.tab.get_attribute(".body-text", "spellcheck") == "true")


LIST = "Before `- [ ] no`.\n\n```\n- [ ] code\n```\n\n- [ ] one\n- [x] two\n  - [ ] three 📅 2030-01-01\n"


def typing_is_undone_in_runs(box, page):
    """Ctrl+Z takes back a run of typing, and not a letter; the title of the tab says meanwhile that it is not saved."""
    written(box, page, body="Begin.\n")
    page.tab.keyboard.press("Control+End")
    page.tab.keyboard.type(" one two three", delay=60)
    until("it is typed", lambda: area(page).endswith("three"))
    wanted("the tab has a mark", page.tab.title().startswith("●"), page.tab.title())
    page.tab.keyboard.press("Control+z")
    wanted("the words are gone", "two" not in area(page), area(page))


def boxes_tick(box, page):
    """Boxes of the formatted text tick, by mouse and by Space, and are saved at once, with the day where the line has dates."""
    ref = made(box, "note", "List", "-b", LIST)
    opened(page, ref)
    commits = box.commits()
    delay(page, "/api/change", 200, after=True)
    boxes = page.tab.locator(".markup input[type=checkbox]")
    wanted("there are three", boxes.count() == 3, boxes.count())
    boxes.nth(0).click()
    boxes.nth(1).focus()
    page.tab.keyboard.press("Space")
    boxes.nth(2).click()
    wanted("they are ticked", [boxes.nth(at).is_checked() for at in range(3)] == [True, False, True])
    page.settled()
    body = box.note("List")["body"]
    today = page.tab.evaluate("import('/assets/dates.js').then(dates => dates.today())")
    wanted("the note has them", body == LIST.replace("- [ ] one", "- [x] one").replace("- [x] two", "- [ ] two").replace("[ ] three 📅 2030-01-01", f"[x] three 📅 2030-01-01 ✅ {today}"), body)
    wanted("each save is a commit", box.commits() in [commits + 2, commits + 3], box.subjects(5))
    wanted("they are still shown", [boxes.nth(at).is_checked() for at in range(3)] == [True, False, True])


def bar_of_a_phone(box, page):
    """On a phone a bar above the keyboard makes headings, lists, check boxes, links and bold text, indents and undoes; the caret stays."""
    ref = made(box, "note", "Phone")
    is_sized = lambda rect: rect["width"] >= 44 and rect["height"] >= 44
    with touched(page.context.browser) as phone:
        options = {} if phone.browser_type.name == "firefox" else {"is_mobile": True}
        one = Page(phone, box, 390, 844, has_touch=True, **options)
        opened(one, ref)
        until("the text is edited", lambda: one.tab.locator(".body-text").is_visible())
        wanted("there is no bar before", not one.tab.locator(".writing-bar").is_visible())
        one.tap(one.tab.locator(".body-text"))
        until("the bar is there", lambda: one.tab.locator(".writing-bar").is_visible())
        buttons = one.tab.locator(".writing-bar button:visible")
        wanted("each can be hit", all(is_sized(button.bounding_box()) for button in buttons.all()))
        wanted("all are in sight", one.tab.evaluate("(() => { const bar = document.querySelector('.writing-bar'); return bar.scrollWidth <= bar.clientWidth; })()"))
        rect = one.tab.locator(".writing-bar").bounding_box()
        wanted("it is at the bottom", abs(rect["y"] + rect["height"] - 844) < 2, rect)
        press = lambda name: one.tap(one.tab.locator(f".writing-bar button[aria-label='{name}']"))
        text = lambda: one.tab.input_value(".body-text")
        for name, typed, wished in [
            ("Heading", "Plan", "# Plan"), ("List", "one", "# Plan\n- one"), ("Check box", "two", "# Plan\n- one\n- [ ] two"),
            ("Bold", "dear", "# Plan\n- one\n- [ ] two\n**dear**"),
        ]:
            if text():
                one.tab.evaluate("() => { const area = document.querySelector('.body-text'); area.setSelectionRange(area.value.length, area.value.length); document.execCommand('insertText', false, '\\n'); }")
            press(name)
            wanted("the caret stays", one.tab.evaluate("document.activeElement.className") == "body-text")
            one.tab.keyboard.type(typed)
            wanted(f"{name} works", text() == wished, text())
        one.tab.evaluate("() => { const area = document.querySelector('.body-text'); area.setSelectionRange(20, 20); }")
        press("Indent")
        wanted("the item is below the other one", text() == "# Plan\n- one\n  - [ ] two\n**dear**", text())
        press("Undo typing")
        wanted("that is undone", text() == "# Plan\n- one\n- [ ] two\n**dear**", text())
        one.tab.evaluate("() => { const area = document.querySelector('.body-text'); area.setSelectionRange(12, 12); }")
        press("Link to a note")
        wanted("a link is begun", "- one[[]]" in text(), text())
        page.complaints += one.close()


def fingers_hit(box, page):
    """With a finger, the text of an item ticks it; boxes, the slider and the title have 44 pixels; only the bar's arrows undo typing."""
    ref = made(box, "note", "List", "-b", "- [ ] one\n- [ ] two [[x]]\n")
    made(box, "task", "Pay")
    with touched(page.context.browser) as browser:
        one = Page(browser, box, width=390, height=780, has_touch=True, is_mobile=not page.is_firefox)
        opened(one, ref)
        body = lambda: box.note("List")["body"]
        heights = lambda selector: [place.bounding_box()["height"] for place in one.tab.locator(selector).all()]
        wanted("items can be hit", all(height >= 44 for height in heights(".markup .task-item")), heights(".markup .task-item"))
        wanted("the title can be hit", heights(".note-title")[0] >= 44)
        if not one.is_firefox:
            item = one.tab.locator(".markup .task-item").first.bounding_box()
            one.tab.touchscreen.tap(item["x"] + 70, item["y"] + item["height"] / 2)
            until("the box is ticked", lambda: one.tab.locator(".markup input").first.is_checked())
            one.tab.keyboard.press("Control+s")
        one.tap(one.tab.locator(".switch"))
        until("the caret is in the text", lambda: has_caret(one))
        names = ["Undo typing", "Redo typing"]
        wanted("the bar has both arrows", all(one.tab.locator(f".writing-bar [aria-label='{name}']").count() == 1 for name in names))
        wanted("those of the top are away", not one.tab.locator(".top [data-action=undo]").is_visible())
        one.tab.keyboard.type("zero ")
        one.tap(one.tab.locator(".writing-bar [aria-label='Undo typing']"))
        until("the typing is undone", lambda: "zero" not in area(one))
        one.tap(one.tab.locator(".writing-bar [aria-label='Redo typing']"))
        until("it is done again", lambda: "zero" in area(one))
        one.tab.keyboard.press("Escape")
        until("it is saved", lambda: "zero" in body())
        go(one, "#/todos")
        until("the boxes are listed", lambda: one.tab.locator(".todo").count() > 0)
        wanted("they can be hit", all(height >= 44 for height in heights(".todo .tick-area")), heights(".todo .tick-area"))
        page.complaints += one.close()


def boxes_of_other_signs_tick(box, page):
    """Boxes with another sign show it, count as the command counts them, and become ticked; nothing else changes."""
    text = "- [/] half\n- [-] dropped\n> - [>] moved\n\n1. [!] urgent\n- [1] cited\n\n[1]: https://example.org/\n"
    ref = made(box, "note", "Signs", "-b", text)
    opened(page, ref)
    boxes = page.tab.locator(".markup input[type=checkbox]")
    until("there are four, with their signs", lambda: boxes.evaluate_all("all => all.map(n => n.dataset.task).join('')") == "/->!")
    # Firefox answers with the declaration, Chromium with its value.
    wanted("each shows its sign", boxes.first.evaluate("n => getComputedStyle(n, '::before').content") in ['"/"', "attr(data-task)"])
    wanted("a reference stays a link", page.tab.locator(".markup a", has_text="1").count() == 1)
    wanted("the command has two that are open", len(json.loads(box.run("todos", "--json"))["todos"]) == 2)
    boxes.first.click()
    wanted("it has the tick in place of its sign", boxes.first.is_checked() and boxes.first.get_attribute("data-task") is None)
    page.tab.keyboard.press("Control+s")
    until("nothing else has changed", lambda: box.note("Signs")["body"] == text.replace("[/]", "[x]"))


def boxes_below_formulas_tick(box, page):
    """Boxes below a formula of several lines, in a callout and in a quote tick."""
    ref = made(box, "note", "Sums", "-b", "$$\na + b\n$$\n\n- [ ] one\n\n> [!note] Do\n> - [ ] two\n\n> - [ ] three\n")
    opened(page, ref)
    boxes = page.tab.locator(".markup input[type=checkbox]")
    wanted("there are three", boxes.count() == 3, boxes.count())
    for at in range(3):
        boxes.nth(at).click()
    page.tab.keyboard.press("Control+s")
    until("all are ticked", lambda: box.note("Sums")["body"].count("- [x]") == 3)


def escape_ends_a_completion(box, page):
    """Escape in a link or a tag that is not finished stays in the text; pressed again, it leaves it."""
    written(box, page)
    keys = page.tab.keyboard
    for typed in ["[[Peat#^", "[[Nothing of the kind", "#nobody"]:
        keys.press("Control+a")
        keys.type(typed)
        keys.press("Escape")
        wanted("the caret is in the text", has_caret(page))
        keys.type("c")
        wanted("letters are typed", area(page) == f"{typed}c", area(page))
    keys.press("Escape")
    keys.press("Escape")
    wanted("the text is left", not has_caret(page))


PASTE = """([html, text]) => {
  const data = new DataTransfer();
  if (html !== null) data.setData("text/html", html);
  data.setData("text/plain", text);
  // Firefox gives made events no clipboard.
  const event = new Event("paste", { bubbles: true, cancelable: true });
  Object.defineProperty(event, "clipboardData", { value: data });
  return !document.activeElement.dispatchEvent(event);
}"""


def address_over_a_selection(box, page):
    """An address that is pasted over selected text makes a link of it."""
    written(box, page)
    page.tab.keyboard.type("some word")
    page.tab.keyboard.press("Control+Shift+ArrowLeft")
    wanted("the page pastes it", page.tab.evaluate(PASTE, [None, "https://example.org"]))
    wanted("it is a link", area(page) == "some [word](https://example.org)", area(page))


ARTICLE = """<meta charset="utf-8"><style>p { color: red }</style><!--StartFragment--><h2 style="color: blue">Soil</h2>
<p onclick="hacked = 1">Of <b>peat</b> and <i>sand</i>, see <a href="https://example.org/a?b=1">there</a>
or <a href="javascript:hacked = 1">here</a>.<img src="https://example.invalid/x.png" alt="A bed" onerror="hacked = 1"></p>
<script>hacked = 1</script><svg onload="hacked = 1"></svg><iframe srcdoc="<script>parent.hacked = 1</script>"></iframe>
<ul><li><input type="checkbox" checked> one</li><li>two<ol><li>three</li></ol></li></ul>
<blockquote><p>Said</p></blockquote><pre><code class="language-sh">ls
</code></pre><table><tr><th>A</th><th>B</th></tr><tr><td>1|2</td><td>3</td></tr></table><!--EndFragment-->"""
ARTICLE_TEXT = """## Soil

Of **peat** and *sand*, see [there](https://example.org/a?b=1) or here.![A bed](https://example.invalid/x.png)

- [x] one
- two
  1. three

> Said

```sh
ls
```

| A | B |
| --- | --- |
| 1\\|2 | 3 |"""


def html_becomes_markdown(box, page):
    """HTML of the clipboard becomes Markdown in one step of the undo; nothing of it runs, is fetched or gets into the page."""
    asked = []
    page.context.on("request", lambda request: asked.append(request.url) if "example" in request.url else None)
    written(box, page, body="Before.\n")
    before = area(page)
    wanted("the page pastes it", page.tab.evaluate(PASTE, [ARTICLE, "Soil Of peat"]))
    wanted("it is Markdown", area(page) == f"{before}\n{ARTICLE_TEXT}", area(page))
    page.tab.keyboard.press("Control+z")
    wanted("one step takes it back", area(page) == before, area(page))
    page.tab.keyboard.press("Control+Shift+z")
    wanted("and brings it back", area(page) == f"{before}\n{ARTICLE_TEXT}", area(page))
    page.tab.keyboard.press("Escape")
    until("it is shown", lambda: page.tab.locator(".markup table").count() == 1 and page.tab.locator(".markup h4").inner_text() == "Soil")
    page.settled()
    wanted("nothing ran", page.tab.evaluate("window.hacked") is None)
    wanted("nothing was fetched", not asked, asked)


def long_pastes_are_quick(box, page):
    """A text of thousands of lines is pasted without a wait, and undone and redone in one step."""
    written(box, page, body="Before.\n")
    before = area(page)
    page.tab.keyboard.type("Typed. ")
    start = time.monotonic()
    wanted("the page pastes it", page.tab.evaluate(PASTE, [f"<p>Now</p><ul>{'<li>an <b>item</b></li>' * 3000}</ul><p>end</p>", "Now"]))
    wanted("it takes a moment", time.monotonic() - start < 10, time.monotonic() - start)
    page.tab.keyboard.type("!")
    pasted = f"{before}Typed. \n\nNow\n\n{'- an **item**' + chr(10)}"
    wanted("it is there, with the caret behind it", area(page).startswith(pasted) and area(page).endswith("\n\nend!"), area(page)[-40:])
    page.tab.keyboard.press("Backspace")
    page.tab.keyboard.press("Control+z")
    until("one step takes it back", lambda: page.tab.keyboard.press("Control+z") or len(area(page)) < 100)
    page.tab.keyboard.press("Control+y")
    until("and one brings it back", lambda: area(page).endswith("\n\nend"))
    page.tab.keyboard.press("Control+z")
    until("and back again", lambda: len(area(page)) < 100)
    page.tab.keyboard.press("Control+s")
    page.settled()


def colours_are_no_markdown(box, page):
    """HTML that only colours a plain text, and a paste in code, give the plain text."""
    written(box, page)
    coloured = '<meta charset="utf-8"><div style="color: #d4d4d4; white-space: pre"><div><span style="color: #569cd6">let</span> a_b = *c*</div></div>'
    wanted("the browser pastes coloured text", not page.tab.evaluate(PASTE, [coloured, "let a_b = *c*"]))
    page.tab.keyboard.type("```")
    page.tab.keyboard.press("Enter")
    wanted("the browser pastes into code", not page.tab.evaluate(PASTE, [ARTICLE, "Soil"]))


def copied(page, html):
    """Copies a web page with the keys of the browser."""
    other = page.context.new_page()
    other.set_content(html)
    other.bring_to_front()
    other.keyboard.press("Control+a")
    other.keyboard.press("Control+c")
    other.close()
    page.tab.bring_to_front()
    page.tab.focus(".body-text")


def keys_paste_both_ways(box, page):
    """Ctrl+V pastes a copied web page as Markdown, Ctrl+Shift+V as plain text."""
    written(box, page)
    copied(page, "<h1>Soil</h1><p>Of <b>peat</b> and <a href='https://example.org/a'>sand</a>.</p>")
    page.tab.keyboard.press("Control+Shift+v")
    until("it is plain text", lambda: area(page).split() == "Soil Of peat and sand.".split() or Fault(area(page)))
    page.tab.keyboard.press("Control+a")
    page.tab.keyboard.press("Control+v")
    until("it is Markdown", lambda: area(page) == "# Soil\n\nOf **peat** and [sand](https://example.org/a)." or Fault(area(page)))
    page.tab.keyboard.press("Control+z")
    wanted("one step takes it back", area(page).split() == "Soil Of peat and sand.".split(), area(page))


def notes_are_copied_as_written(box, page):
    """What is copied from the formatted text of a note is pasted as it was written: headings, boxes, tags and links to notes."""
    text = "## Part\n\n- [x] one\n- [ ] two\n\nAbout #soil and [[Garden]].\n\n```sh\nls *\n```"
    garden = made(box, "note", "Garden")
    opened(page, made(box, "note", "Source", "-b", text + "\n"))
    page.tab.evaluate("getSelection().selectAllChildren(document.querySelector('.markup'))")
    page.tab.keyboard.press("Control+c")
    written(box, page, "Target")
    page.tab.keyboard.press("Control+v")
    until("it is the same", lambda: area(page) == text.replace("[[Garden]]", f"[[{garden}|Garden]]") or Fault(area(page)))


def tags_filter(box, page):
    """A click on a tag of the formatted text lists the notes that have it."""
    ref = made(box, "note", "Peat", "-b", "About #soil/field here.\n")
    made(box, "note", "Other")
    opened(page, ref)
    page.tab.click(".markup a.tag-link")
    listed(page, 1)
    wanted("the bar has the tag", page.tab.input_value(".filter-input") == "+soil/field", page.tab.input_value(".filter-input"))


def boxes_tick_beside_others(box, page):
    """A box is ticked while another program writes: both are there, and the focus stays."""
    ref = made(box, "note", "List", "-b", LIST)
    opened(page, ref)
    boxes = page.tab.locator(".markup input[type=checkbox]")
    boxes.nth(0).focus()
    page.tab.keyboard.press("Space")
    box.run("append", ref, "More.")
    until("the addition is shown", lambda: "More." in page.tab.inner_text(".markup"))
    until("both are saved", lambda: "- [x] one" in box.note("List")["body"] and "More." in box.note("List")["body"])
    page.settled()
    until("the box is shown ticked", lambda: boxes.nth(0).is_checked())
    wanted("the focus stays", page.tab.evaluate("document.activeElement.type") == "checkbox")


def offered(page):
    return page.tab.evaluate("[...document.querySelectorAll('.completions.links:not([hidden]) [role=option] .grow')].map(n => n.textContent)")


def words_complete(box, page):
    """Behind `[[` titles, behind `[[Title#` headings, behind `#` tags, behind `due:` of a box days."""
    made(box, "note", "Garden", "-b", "## Weeds\n\n```\n# code\n```\n\n## Water it\n")
    made(box, "note", "Home", "+household", "+house/roof")
    written(box, page)
    until("the tags are known", lambda: page.badge("Tags", "household") == 1)
    keys = page.tab.keyboard
    keys.type("[[Gard")
    until("the note is offered", lambda: offered(page) == ["Garden"])
    keys.press("Enter")
    wanted("it is a link", area(page) == "[[Garden]]", area(page))
    keys.press("ArrowLeft")
    keys.press("ArrowLeft")
    keys.type("#")
    until("its headings are offered", lambda: offered(page) == ["Weeds", "Water it"] or Fault(offered(page)))
    keys.type("wat")
    until("the one that was typed is", lambda: offered(page) == ["Water it"])
    keys.press("Tab")
    wanted("it is a link to the heading", area(page) == "[[Garden#Water it]]", area(page))
    keys.press("Enter")
    keys.type("#roo")
    until("the tag is offered", lambda: offered(page) == ["house/roof"])
    keys.press("Enter")
    keys.press("Enter")
    keys.type("- [ ] Call Ada due:tomo")
    until("the day is offered", lambda: offered(page) == ["tomorrow"])
    keys.press("Enter")
    day = page.tab.evaluate("import('/assets/dates.js').then(dates => dates.fromNumber(dates.toNumber(dates.today()) + 1))")
    wanted("all is written", area(page) == f"[[Garden#Water it]]\n#house/roof\n- [ ] Call Ada due:{day}", area(page))
    keys.type(" #")
    keys.press("Escape")
    wanted("Escape ends the completion first", has_caret(page))
    keys.press("Escape")
    until("Escape leaves the text then", lambda: not has_caret(page))
    page.settled()
    wanted("the box is due then", f"\t{day}\t" in box.run("todos"), box.run("todos"))
    page.tab.click(".markup a.note-link")
    until("the link leads to the note", lambda: page.title() == "Garden")


def completions_fit(box, page):
    """On a phone the list of completions is in the window wherever the caret is, and the note does not shift."""
    for number in range(12):
        made(box, "note", f"Garden {number}")
    ref = made(box, "note", "Text", "-b", "Word word word.\n" * 60)
    one = Page(page.context.browser, box, width=390, height=700)
    opened(one, ref)
    one.tab.focus(".detail")
    one.tab.keyboard.press("e")
    until("the caret is in the text", lambda: has_caret(one))
    for line in [20, 59]:
        one.tab.evaluate("at => document.querySelector('.body-text').setSelectionRange(at, at)", line * 16 + 15)
        one.tab.keyboard.type(" and see [[Gard")
        until("notes are offered", lambda: len(offered(one)) == 8)
        place = one.tab.locator(".completions.links").bounding_box()
        caret = one.tab.evaluate("""async () => {
          const { caretPlace } = await import('/assets/linking.js');
          const area = document.querySelector('.body-text');
          return area.getBoundingClientRect().top + caretPlace(area).top;
        }""")
        wanted("it is in the window", place["x"] >= 0 and place["x"] + place["width"] <= 390 and place["y"] >= 0 and place["y"] + place["height"] <= 700, place)
        wanted("it leaves the line free", place["y"] > caret or place["y"] + place["height"] <= caret, (place, caret))
        wanted("the note is not shifted", one.tab.evaluate("document.querySelector('.detail').scrollLeft") == 0)
        one.tab.keyboard.press("Escape")
    page.complaints += one.close()


PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

GIVE = """([type, selector, name, media, base]) => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(atob(base), (letter) => letter.charCodeAt(0))], name, { type: media }));
  // Firefox gives made events no files.
  const event = new Event(type, { bubbles: true, cancelable: true });
  Object.defineProperty(event, type === 'paste' ? 'clipboardData' : 'dataTransfer', { value: data });
  return !document.querySelector(selector).dispatchEvent(event);
}"""


def pictures_are_attached(box, page):
    """Paste, drop and the file picker add a picture at the caret, each in one commit with the note; undo takes both away."""
    ref = written(box, page, "Crumb cake", "Before.\n\nAfter.\n")
    page.tab.evaluate("document.querySelector('.body-text').setSelectionRange(8, 8)")
    page.tab.keyboard.type("Typed: ")
    commits = box.commits()
    wanted("the browser leaves it to the page", page.tab.evaluate(GIVE, ["paste", ".body-text", "image.png", "image/png", PNG]))
    until("it is linked", lambda: "Typed: ![](images/crumb-cake" in area(page))
    page.settled()
    wanted("the text was saved, then the picture with its link", box.commits() == commits + 2, box.subjects(4))
    name = area(page).split("](images/")[1].split(")")[0]
    changed = subprocess.run(["git", "-C", box.path, "show", "--name-only", "--format=%s", "HEAD"], text=True, capture_output=True).stdout.split("\n")
    wanted("both are in one commit", changed[0].startswith("Attach ") and len([line for line in changed[1:] if line]) == 2, changed)
    page.tab.keyboard.type("!")
    until("the caret is behind it", lambda: ".png)!\nAfter." in area(page) or Fault(area(page)))
    page.tab.keyboard.press("Escape")
    page.settled()
    until("it is shown", lambda: page.tab.evaluate("document.querySelector('.markup img')?.naturalWidth") == 1)
    page.tab.set_input_files(".body input[type=file]", [{"name": "x.png", "mimeType": "image/png", "buffer": base64.b64decode(PNG)}])
    until("another one is at the end", lambda: page.tab.locator(".markup img").count() == 2)
    wanted("it has another name", len(set(line for line in box.note("Crumb cake")["body"].splitlines() if "images/" in line)) == 2, box.note("Crumb cake")["body"])
    wanted("a drop is taken", page.tab.evaluate(GIVE, ["drop", ".markup", "cat.png", "image/png", PNG]))
    until("three", lambda: page.tab.locator(".markup img").count() == 3)
    page.tab.locator(".message button", has_text="Undo").click()
    until("two again", lambda: page.tab.locator(".markup img").count() == 2)
    files = os.listdir(os.path.join(os.path.dirname(os.path.join(box.path, box.note("Crumb cake")["path"])), "images"))
    wanted("its file is gone", len(files) == 2 and name in files, files)


def typed_behind_a_picture(box, page):
    """What is typed while a picture is on its way goes behind it."""
    written(box, page, "Text", "Before.\n\nAfter.\n")
    for late, text in [("/api/change", "one"), ("/api/attach", "two")]:
        delay(page, late, 400)
        page.tab.evaluate("document.querySelector('.body-text').setSelectionRange(8, 8)")
        page.tab.keyboard.type("T")
        page.tab.evaluate(GIVE, ["paste", ".body-text", "image.png", "image/png", PNG])
        page.tab.keyboard.type(text)
        until("it is linked", lambda: area(page).count("![](") == (1 if text == "one" else 2))
        page.tab.keyboard.type("!")
        wanted("the text is behind it", f".png){text}!" in area(page), area(page))
        page.tab.keyboard.press("Control+s")
        page.settled()
        wanted("so it is saved", f".png){text}!" in box.note("Text")["body"], box.note("Text")["body"])


def only_pictures_are_attached(box, page):
    """A picture by its name alone, SVG and HTML are refused, and the text stays."""
    ref = written(box, page, "Text", "Stays.\n")
    before = box.commits()
    for name, media, text in [("a.svg", "image/svg+xml", "<svg/>"), ("a.html", "text/html", "<b>"), ("a.png", "image/png", "<svg/>")]:
        page.tab.evaluate(GIVE, ["paste", ".body-text", name, media, base64.b64encode(text.encode()).decode()])
        until(f"{name} is refused", lambda: "only PNG, JPEG, GIF and WebP pictures" in message(page))
        page.tab.locator(".message.error button").click()
    wanted("nothing is written", box.commits() == before and area(page) == "Stays.\n", area(page))
    wanted("the note is open", page.title() == "Text", ref)


def undo_of_a_tick(box, page):
    """`z` right after a tick opens the box again, also in sight; the next click ticks it."""
    ref = made(box, "note", "List", "-b", "- [ ] one\n- [ ] two\n")
    opened(page, ref)
    first = page.tab.locator(".markup input[type=checkbox]").first
    first.click()
    page.tab.keyboard.press("z")
    until("it is undone", lambda: "Undone" in message(page))
    until("the box is open again", lambda: not first.is_checked())
    first.click()
    until("it is ticked", lambda: box.note("List")["body"] == "- [x] one\n- [ ] two\n")
    wanted("and shown so", first.is_checked())
    page.settled()
    page.tab.keyboard.press("z")
    until("the box is open once more", lambda: not first.is_checked())


def two_pictures_in_a_row(box, page):
    """Two pictures pasted shortly after each other are both added, in their order, with what is typed between and behind."""
    written(box, page, "Text", "Before.\n\nAfter.\n")
    delay(page, "/api/attach", 500)
    page.tab.evaluate("document.querySelector('.body-text').setSelectionRange(8, 8)")
    page.tab.evaluate(GIVE, ["paste", ".body-text", "a.png", "image/png", PNG])
    page.tab.wait_for_timeout(100)
    page.tab.evaluate(GIVE, ["paste", ".body-text", "b.png", "image/png", PNG])
    page.tab.keyboard.type(" and ")
    page.tab.evaluate(GIVE, ["paste", ".body-text", "c.png", "image/png", PNG])
    page.tab.keyboard.type("end")
    until("all are linked", lambda: area(page).count("![](") == 3 or Fault(area(page) + message(page)))
    page.tab.keyboard.press("Control+s")
    page.settled()
    text = re.sub(r"!\[\]\([^)]*\)", "P", box.note("Text")["body"])
    wanted("each is at its place", text == "Before.\nPP and Pend\nAfter.\n", text)


def undo_across_a_picture(box, page):
    """Ctrl+Z in the text takes a pasted picture out of it, and goes on with what was typed before."""
    written(box, page, "Text", "")
    page.tab.focus(".body-text")
    page.tab.keyboard.type("alpha beta", delay=40)
    page.tab.evaluate(GIVE, ["paste", ".body-text", "a.png", "image/png", PNG])
    until("it is linked", lambda: "![](" in area(page))
    page.settled()
    page.tab.keyboard.type(" delta", delay=40)
    linked = area(page)
    wanted("the caret was behind it", linked.rstrip().endswith(") delta"), linked)
    for _ in range(12):
        page.tab.keyboard.press("Control+z")
    wanted("all of it is undone", "alpha" not in area(page) and "![](" not in area(page), area(page))
    for _ in range(12):
        page.tab.keyboard.press("Control+y")
    wanted("all of it is redone", area(page) == linked, area(page))
    page.tab.keyboard.press("Control+s")
    page.settled()
    wanted("it is saved", box.note("Text")["body"].rstrip("\n") == linked.rstrip("\n"), box.note("Text")["body"])


def focus_stays_in_the_text(box, page):
    """Buttons beside the text leave the caret in it: what is typed after a conflict or a picture is no key of the page."""
    ref = written(box, page, "Plan", "One line.\n")
    path = os.path.join(box.path, box.note("Plan")["path"])
    for choice, way in [("Keep my version", "click"), ("Use the other version", "click"), ("Keep my version", "Enter")]:
        body = box.note("Plan")["body"]
        page.tab.evaluate("document.querySelector('.body-text').setSelectionRange(0, 999)")
        page.tab.keyboard.type(f"Q{len(body)} ")
        with open(path) as file:
            text = file.read()
        with open(path, "w") as file:
            file.write(text.replace(body, f"Another {len(body)}.\n"))
        box.run("commit")
        page.tab.keyboard.press("Control+s")
        choose = page.tab.locator(".conflict button", has_text=choice)
        until(f"both are shown {way} {choice}", lambda: choose.count() == 1 or Fault(area(page) + repr(body)))
        if way == "click":
            choose.click()
        else:
            choose.focus()
            page.tab.keyboard.press("Enter")
        until("it is settled", lambda: page.tab.locator(".conflict").count() == 0)
        until("the caret is in the text", lambda: page.tab.evaluate("document.activeElement.className") == "body-text")
        page.tab.keyboard.type("tea#")
        until("it is typed", lambda: "tea#" in area(page))
        wanted("the note is there, and no dialog", box.titles() == ["Plan"] and page.tab.locator("dialog[open]").count() == 0)
        page.tab.keyboard.press("Control+s")
        page.settled()
    with page.tab.expect_file_chooser() as chosen:
        page.tab.click(".body .picture")
    chosen.value.set_files([{"name": "x.png", "mimeType": "image/png", "buffer": base64.b64decode(PNG)}])
    until("it is linked", lambda: "![](" in area(page))
    page.tab.keyboard.type("after a")
    wanted("it is typed", "after a" in area(page) and page.tab.locator("dialog[open]").count() == 0, area(page))
    wanted("the note is as it was", ref == box.note("Plan")["id"])


def boxes_after_the_past(box, page):
    """Check boxes can be ticked in the present and not in the past, whichever of them showed the same text first."""
    ref = made(box, "note", "List", "-b", "- [ ] one\n")
    opened(page, ref)
    tick = page.tab.locator(".markup input[type=checkbox]")
    day = page.tab.evaluate("import('/assets/dates.js').then(dates => dates.today())")
    go(page, f"#/q//{ref}@{day}")
    until("the past has no box to tick", lambda: tick.count() == 1 and tick.is_disabled())
    page.tab.click("text=Return to the present")
    until("the present has one", lambda: tick.count() == 1 and tick.is_enabled())
    tick.click()
    until("it is ticked", lambda: box.note("List")["body"] == "- [x] one\n")


def tab_stays_in_the_text(box, page):
    """Tab in plain text indents it, Shift and Tab take that back, and the caret stays; after Escape, Tab goes on."""
    written(box, page, "Text", "one\ntwo\n")
    page.tab.focus(".body-text")
    page.tab.evaluate("document.querySelector('.body-text').setSelectionRange(0, 7)")
    page.tab.keyboard.press("Tab")
    wanted("both lines are indented", area(page) == "\tone\n\ttwo\n", area(page))
    page.tab.keyboard.press("Shift+Tab")
    wanted("and back", area(page) == "one\ntwo\n", area(page))
    page.tab.evaluate("document.querySelector('.body-text').setSelectionRange(3, 3)")
    page.tab.keyboard.press("Tab")
    page.tab.keyboard.type("x#")
    wanted("a tab is typed", area(page) == "one\tx#\ntwo\n", area(page))
    page.tab.keyboard.press("Shift+Tab")
    wanted("a line without one stays", area(page) == "one\tx#\ntwo\n" and page.tab.evaluate("document.activeElement.className") == "body-text", area(page))
    page.tab.keyboard.press("Escape")
    page.tab.keyboard.press("Tab")
    wanted("the focus goes on", page.tab.evaluate("document.activeElement.className") != "body-text")


CASES = [lists_go_on, marks_and_links, words_are_counted, words_complete, completions_fit, typing_is_undone_in_runs, boxes_tick, bar_of_a_phone, fingers_hit, boxes_of_other_signs_tick, boxes_below_formulas_tick, boxes_tick_beside_others, tags_filter, escape_ends_a_completion, address_over_a_selection,
         html_becomes_markdown, long_pastes_are_quick, colours_are_no_markdown, notes_are_copied_as_written, keys_paste_both_ways,
         pictures_are_attached, typed_behind_a_picture, only_pictures_are_attached,
         undo_of_a_tick, two_pictures_in_a_row, undo_across_a_picture, focus_stays_in_the_text,
         boxes_after_the_past,
         tab_stays_in_the_text]


def conduct(browser, slip, scratch, say, only=""):
    cases = [case for case in CASES if only in case.__name__]
    return each(cases, browser, slip, scratch, say)
