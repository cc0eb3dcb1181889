"""Addresses: the key is taken out of them, each view can be bookmarked, Back works, and the past is read only."""

import os
import subprocess

from browser import Box, Fault, Page, until


def addresses(browser, box):
    page = Page(browser, box)
    tab = page.tab
    until("notes are listed", page.rows)
    if "token" in tab.url or "token" in tab.evaluate("location.href + document.referrer + document.documentElement.outerHTML"):
        raise Fault(f"the key stays in the address or the page: {tab.url}")
    if len(tab.evaluate("sessionStorage.getItem('slip-token')") or "") != 32:
        raise Fault("the key is not kept for the tab")
    tab.locator(".sidebar a", has_text="Issues").click()
    page.shows("@issues")
    tab.locator(".row-title").first.click()
    until("a note is open", page.title)
    first, title = tab.url, page.title()
    tab.fill(".filter-input", "+red")
    page.shows("+red")
    tab.go_back()
    until("Back opens the note again", lambda: page.title() == title and tab.url == first)
    page.shows("@issues")
    tab.go_forward()
    page.shows("+red")
    tab.goto(first)
    tab.reload()
    until("a bookmark opens the note", lambda: page.title() == title)
    stranger = browser.new_context()
    other = stranger.new_page()
    other.goto(first)
    until("without the key nothing is shown", lambda: "no access token" in other.inner_text("body"))
    stranger.close()
    return page.close()


def past(browser, box):
    before = subprocess.run(["git", "-C", box.path, "rev-parse", "HEAD"], text=True, capture_output=True).stdout.strip()
    box.run("set", "Leaky tap", "priority:high", "title:Dry tap")
    box.run("new", "issue", "Only now")
    page = Page(browser, box)
    tab = page.tab
    until("now is listed", lambda: "Only now" in page.rows())
    ref = box.note("Dry tap")["id"]
    tab.evaluate("to => { location.hash = to }", f"#/q/kind:issue/{ref}@{before}")
    until("the old title is shown", lambda: page.title() == "Leaky tap")
    until("the old list is shown", lambda: "Leaky tap" in page.rows() and "Only now" not in page.rows())
    locked = tab.evaluate("[...document.querySelectorAll('.field select, .field input')].every(n => n.disabled || n.readOnly) && document.querySelector('.note-title').readOnly && document.querySelector('.note-actions').hidden")
    if not locked:
        raise Fault("the past can be changed")
    commits = box.commits()
    for key in ["x", "s", "#", "c", "e", "m", "z"]:
        tab.keyboard.press(key)
    tab.wait_for_timeout(300)
    if box.commits() != commits or tab.locator("dialog[open]").count():
        raise Fault("a key changed the past")
    tab.locator(".past-bar button").click()
    until("now is shown", lambda: page.title() == "Dry tap")
    until("and listed", lambda: "Only now" in page.rows())
    return page.close()


def restored(browser, box):
    """A field's past, an earlier version, a deleted note: each is brought back."""
    page = Page(browser, box)
    tab = page.tab
    until("notes are listed", lambda: "Dry tap" in page.rows())
    tab.locator(".row-title", has_text="Dry tap").click()
    until("it is open", lambda: page.title() == "Dry tap")
    tab.hover(".field[data-name=priority]")
    tab.click(".field[data-name=priority] .past")
    until("its values are listed", lambda: tab.locator("dialog .entry").count() >= 2)
    tab.locator("dialog .entry button", has_text="Restore").first.click()
    until("the old value is back", lambda: box.note("Dry tap")["fields"]["priority"] == "medium")
    tab.click(".past-list summary")
    until("versions are listed", lambda: tab.locator(".past-list .entry").count() >= 3)
    tab.locator(".past-list .entry button", has_text="Restore this version").last.click()
    until("the first version is back", lambda: page.title() == "Leaky tap")
    box.run("rm", "Leaky tap")
    tab.locator(".sidebar a", has_text="Deleted").click()
    until("it is among the deleted", lambda: page.rows() == ["Leaky tap"])
    tab.locator(".row-title").click()
    tab.locator(".selection-bar button", has_text="Restore").click()
    until("it is back", lambda: "Leaky tap" in box.titles())
    until("nothing is deleted now", lambda: tab.locator(".empty h2", has_text="No deleted notes").count())
    return page.close()


def pressed(browser, box):
    """A list that is drawn anew while the button is down: the click opens the note that it began on, and ticks no other."""
    page = Page(browser, box)
    tab = page.tab
    until("notes are listed", lambda: "Loose tile" in page.rows())
    place = tab.locator(".row-title", has_text="Loose tile").bounding_box()
    tab.mouse.move(place["x"] + 10, place["y"] + 5)
    tab.mouse.down()
    box.run("set", "Loose tile", "priority:high")
    until("the row is drawn anew", lambda: tab.locator(".row", has_text="Loose tile").locator(".row-mark", has_text="!").count() or tab.evaluate("document.querySelector('.row')?.outerHTML.includes('high')"))
    tab.wait_for_timeout(150)
    tab.mouse.up()
    until("it is open", lambda: page.title() == "Loose tile")
    return page.close()


def conduct(browser, slip, scratch, say):
    box = Box(slip, scratch)
    problems = []
    try:
        box.run("new", "issue", "Leaky tap", "+red", "-b", "Drip.\n")
        box.run("new", "issue", "Loose tile")
        box.start()
        for case in [addresses, past, restored, pressed]:
            try:
                found = [f"{case.__name__}: {one}" for one in case(browser, box)]
            except Exception as fault:
                found = [f"{case.__name__}: {str(fault)[:500]}"]
                for context in browser.contexts:
                    if os.environ.get("SLIP_PAGE_SHOTS") and context.pages:
                        context.pages[0].screenshot(path=os.path.join(os.environ["SLIP_PAGE_SHOTS"], f"{case.__name__}.png"))
                    context.close()
            problems += found
            say(f"  {case.__name__}: {'holds' if not found else found}")
    finally:
        box.stop()
    return problems
