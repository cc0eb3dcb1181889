"""Others write too: another browser, the command, an editor. Forms show it at once, and lose nothing that is typed."""

import os
import random
import time

from browser import Box, Fault, Page, until


def opened(browser, box, title, **options):
    page = Page(browser, box, **options)
    until("the note is listed", lambda: title in page.rows())
    page.tab.locator(".row-title", has_text=title).first.click()
    until("it is open", lambda: page.title() == title)
    return page


def select(page, field):
    return page.tab.locator(f".field[data-name={field}] select")


def body(page):
    return page.tab.evaluate("document.querySelector('.body-text').value")


def seen_at_once(browser, box):
    page = opened(browser, box, "Door")
    page.tab.click(".body .switch")
    page.tab.locator(".body-text").press("Control+Home")
    page.tab.keyboard.type("Mine. ")
    start = time.monotonic()
    box.run("set", "Door", "priority:high")
    written = time.monotonic()
    until("the form shows what the command wrote", lambda: select(page, "priority").input_value() == "high")
    late = time.monotonic() - written
    if page.tab.evaluate("document.activeElement.className") != "body-text" or not body(page).startswith("Mine. "):
        raise Fault("the focus or the text was lost")
    page.tab.keyboard.type("More. ")
    if not body(page).startswith("Mine. More. "):
        raise Fault(f"the cursor moved: {body(page)!r}")
    box.run("append", "Door", "Theirs at the end.")
    page.tab.keyboard.press("Control+s")
    page.settled()
    until("both texts are there", lambda: box.note("Door")["body"].startswith("Mine. More. ") and "Theirs at the end." in box.note("Door")["body"])
    until("and shown", lambda: body(page) == box.note("Door")["body"])
    return page.close() + ([f"what the command wrote was shown {late * 1000:.0f} ms after it ended ({(written - start) * 1000:.0f} ms)"] if late > 0.5 else [])


def both_values(browser, box, keep):
    page = opened(browser, box, "Door")
    box.run("set", "Door", "status:open", "priority:medium")
    until("the form is up to date", lambda: select(page, "priority").input_value() == "medium")
    # The answer to the page is held till the command has written, as if both were at the same moment.
    def late(route):
        box.run("set", "Door", "priority:high")
        route.continue_()
        page.context.unroute("**/api/change")
    page.context.route("**/api/change", late)
    select(page, "priority").select_option("low")
    until("both values are shown", lambda: page.tab.locator(".conflict .side").count() == 2)
    texts = page.tab.locator(".conflict .side pre").all_inner_texts()
    if texts != ["low", "high"]:
        raise Fault(f"the values are {texts}")
    page.tab.locator(".conflict button", has_text="Keep my version" if keep else "Use the other version").click()
    wanted = "low" if keep else "high"
    page.settled()
    until(f"the command shows {wanted}", lambda: box.note("Door")["fields"]["priority"] == wanted)
    until(f"the form shows {wanted}", lambda: select(page, "priority").input_value() == wanted)
    until("the question is gone", lambda: page.tab.locator(".conflict").count() == 0)
    return page.close()


def to_and_fro(browser, box):
    """A value that is changed and put back faster than answers come: the last one stands, and nothing is asked."""
    page = opened(browser, box, "Door")
    values = ["low", "medium", "high", "low", "medium", "low", "high"]
    for value in values:
        select(page, "priority").select_option(value, timeout=5000)
    page.settled()
    until("the last value stands", lambda: box.note("Door")["fields"]["priority"] == values[-1])
    if select(page, "priority").input_value() != values[-1] or page.tab.locator(".conflict").count():
        raise Fault("the form shows another")
    return page.close()


def deleted_elsewhere(browser, box):
    page = opened(browser, box, "Window")
    box.run("rm", "Window")
    until("the form is closed", lambda: page.tab.evaluate("document.querySelector('.form').inert"))
    until("restore is offered", lambda: page.tab.locator(".conflict button", has_text="Restore").count())
    page.tab.locator(".conflict button", has_text="Restore").click()
    until("it is back", lambda: "Window" in box.titles())
    until("the form is open again", lambda: not page.tab.evaluate("document.querySelector('.form').inert"))
    return page.close()


def all_converge(browser, box, say, seconds):
    """Two browsers, the command and an editor write at once; in the end all show the same, and nothing is lost."""
    notes = ["Door", "Window", "Roof"]
    pages = [opened(browser, box, title) for title in ["Door", "Roof"]]
    tags = set()
    path = os.path.join(box.path, box.note("Window")["path"])
    lines = []
    end = time.monotonic() + seconds
    count = 0
    while time.monotonic() < end:
        count += 1
        turn = count % 4
        if turn == 0:
            tag = f"t{count}"
            box.run("set", random.choice(notes), f"+{tag}")
            tags.add(tag)
        elif turn == 1:
            line = f"line {count} of the editor"
            lines.append(line)
            with open(path, "a") as file:
                file.write(line + "\n")
        else:
            page = pages[turn % 2]
            line = f"line {count} of page {turn}"
            # Firefox tells of no focus that is lost in a window behind another one.
            page.tab.bring_to_front()
            area = page.tab.locator(".body-text")
            if not area.is_visible():
                page.tab.click(".body .switch")
            area.press("Control+End")
            page.tab.keyboard.type(line + "\n")
            # Now and then it is saved by hand; else when the field is left.
            if count % 3:
                page.tab.keyboard.press("Control+s")
            else:
                page.tab.locator(".note-top").click()
            lines.append(line)
    for page in pages:
        page.tab.bring_to_front()
        page.tab.locator(".note-top").click()
        page.settled()
    say(f"  {count} changes in {seconds} s, {box.commits()} commits")
    bodies = {title: box.note(title)["body"] for title in notes}
    whole = "\n".join(bodies.values())
    lost = [line for line in lines if whole.count(line + "\n") != 1]
    if lost:
        raise Fault(f"{len(lost)} of {len(lines)} lines are lost or twice: {lost[:3]}")
    missing = tags - {tag for title in notes for tag in box.note(title)["tags"]}
    if missing:
        raise Fault(f"tags are lost: {missing}")
    for page, title in zip(pages, ["Door", "Roof"]):
        until(f"the page shows {title} as it is", lambda: body(page) == box.note(title)["body"])
        page.shows()
        note = box.note(title)
        stale = page.tab.evaluate("""([tags, priority]) => [[...document.querySelectorAll('.field[data-name=tags] .chip')].map(n => n.textContent).join() !== tags, document.querySelector('.field[data-name=priority] select').value !== priority].some(Boolean)""",
                                  [",".join(note["tags"]), note["fields"]["priority"]])
        if stale:
            raise Fault(f"the form of {title} is stale: {note['tags']}")
    return [complaint for page in pages for complaint in page.close()]


def one_stream(browser, box):
    """Tabs of a browser share one stream: many tabs do not use up its connections."""
    first = opened(browser, box, "Door")
    tabs = [first] + [Page(browser, box, context=first.context) for _ in range(7)]
    box.run("set", "Door", "title:Door again")
    for tab in tabs:
        until("every tab shows it", lambda: "Door again" in tab.rows())
    box.run("set", "Door again", "title:Door")
    return first.close()


def conduct(browser, slip, scratch, say, seconds=20):
    box = Box(slip, scratch)
    problems = []
    try:
        for title in ["Door", "Window", "Roof"]:
            box.run("new", "issue", title, "-b", f"The {title.lower()} is broken.\n\nIt was better once.\n")
        box.start()
        cases = {
            "seen at once": lambda: seen_at_once(browser, box), "mine is kept": lambda: both_values(browser, box, True), "theirs is taken": lambda: both_values(browser, box, False),
            "to and fro": lambda: to_and_fro(browser, box), "deleted elsewhere": lambda: deleted_elsewhere(browser, box), "one stream": lambda: one_stream(browser, box), "all converge": lambda: all_converge(browser, box, say, seconds),
        }
        for name, case in cases.items():
            try:
                found = [f"{name}: {one}" for one in case()]
            except Exception as fault:
                found = [f"{name}: {str(fault)[:500]}"]
                for context in browser.contexts:
                    if os.environ.get("SLIP_PAGE_SHOTS") and context.pages:
                        context.pages[0].screenshot(path=os.path.join(os.environ["SLIP_PAGE_SHOTS"], f"{name.replace(' ', '-')}.png"))
                    context.close()
            problems += found
            say(f"  {name}: {'holds' if not found else found}")
    finally:
        box.stop()
    return problems
