"""axe on every view, in three widths, light and dark; a screenshot of each where SLIP_PAGE_SHOTS names a folder."""

import os

from axe_playwright_python.sync_playwright import Axe

from browser import Box, Page, until

SHOTS = os.environ.get("SLIP_PAGE_SHOTS")


def filled(slip, scratch, name="views"):
    folder = os.path.join(scratch, name)
    os.makedirs(folder)
    box = Box(slip, folder)
    box.run("sample", "--count", "120", "--seed", "3")
    return box


def press(page, *keys):
    for key in keys:
        page.tab.keyboard.press(key)


def dialog(page):
    until("a dialog is open", lambda: page.tab.locator("dialog[open]").count())


def listed(page):
    until("rows are listed", lambda: page.rows())


def at_list(page):
    press(page, "Escape", "Escape", "Escape")


def open_first(page):
    listed(page)
    page.tab.locator(".row-title").first.click()
    until("a note is open", lambda: page.title() is not None)


def views(page):
    """Each view, brought about; its name."""
    tab = page.tab
    has_sidebar = not tab.locator(".menu").is_visible()

    def to(fragment):
        tab.evaluate("to => { location.hash = to }", fragment)
    listed(page)
    yield "list"
    to("#/q/kind:task")
    until("tasks", lambda: tab.locator(".list-head h1").inner_text() == "Task")
    listed(page)
    yield "kind"
    open_first(page)
    tab.wait_for_timeout(150)
    yield "note"
    if tab.locator(".fields .more").is_visible():
        tab.click(".fields .more")
    tab.click(".past-list summary")
    until("history", lambda: tab.locator(".past-list .entry").count())
    press(page, "e")
    yield "note-edited"
    press(page, "Escape")
    press(page, "l")
    dialog(page)
    yield "tags"
    press(page, "Escape", "p")
    dialog(page)
    yield "choice"
    press(page, "Escape", "d")
    dialog(page)
    yield "date"
    press(page, "Escape", "Control+k")
    dialog(page)
    yield "palette"
    press(page, "Escape", "?")
    dialog(page)
    yield "help"
    press(page, "Escape", "c")
    dialog(page)
    yield "new"
    press(page, "Escape")
    at_list(page)
    to("#/q/kind:issue+is:active")
    # The rows of the list before stay till the new ones are there.
    until("issues", lambda: page.tab.inner_text(".list-head .muted") == f"{len(page.box.list('kind:issue', 'is:active'))} notes")
    listed(page)
    at_list(page)
    press(page, "x", "j", "x", "j", "X")
    until("a selection", lambda: tab.locator(".selection-bar:not([hidden])").count())
    yield "selection"
    press(page, "a")
    dialog(page)
    press(page, "Enter")
    until("a patch", lambda: tab.locator("dialog .patch").count())
    yield "patch"
    press(page, "Escape")
    tab.fill(".filter-input", "the")
    until("snippets", lambda: tab.locator(".snippet mark").count())
    yield "search"
    tab.fill(".filter-input", "kin")
    until("completions", lambda: tab.locator(".completions [role=option]").count())
    press(page, "ArrowDown")
    yield "completion"
    tab.fill(".filter-input", "due:nonsense")
    until("a bad query", lambda: tab.locator(".query-error").count())
    yield "bad-query"
    tab.fill(".filter-input", "kind:book zzzz")
    until("no matches", lambda: tab.locator(".empty h2", has_text="No matches").count())
    yield "nothing"
    to("#/q/")
    listed(page)
    if has_sidebar:
        tab.locator("#side-tags a").first.click(button="right")
        dialog(page)
        yield "sidebar-menu"
        press(page, "Escape")
    to("#/deleted")
    until("deleted", lambda: tab.locator(".list-head h1").inner_text() == "Deleted")
    tab.wait_for_timeout(200)
    yield "deleted"
    to("#/history")
    until("history", lambda: tab.locator(".box-past .entry").count())
    yield "history"
    to("#/q/kind:book")
    listed(page)
    open_first(page)
    at_list(page)
    press(page, "@")
    until("the slider", lambda: tab.locator(".past-bar:not([hidden])").count())
    tab.wait_for_timeout(300)
    yield "past"
    press(page, "Escape")
    until("now", lambda: tab.locator(".past-bar[hidden]").count())
    if not has_sidebar:
        to("#/q/")
        listed(page)
        tab.click(".menu")
        until("the sidebar", lambda: tab.locator(".side-open").count())
        tab.wait_for_timeout(250)
        yield "sidebar"
        tab.locator("#side-tags a").first.click(button="right")
        dialog(page)
        yield "sidebar-menu"


def conduct(browser, slip, scratch, say):
    box = filled(slip, scratch)
    problems = []
    seen = 0
    try:
        box.run("rm", box.list("kind:note")[0]["id"])
        box.start()
        for scheme in ["light", "dark"]:
            for width, height in [(1440, 900), (800, 900), (320, 640)]:
                page = Page(browser, box, width, height, color_scheme=scheme, reduced_motion="reduce")
                name = "?"
                try:
                    for name in views(page):
                        seen += 1
                        if SHOTS:
                            page.tab.screenshot(path=os.path.join(SHOTS, f"{name}-{width}-{scheme}.png"))
                        for found in Axe().run(page.tab).response["violations"]:
                            where = "; ".join(node["target"][0] if isinstance(node["target"][0], str) else str(node["target"]) for node in found["nodes"][:3])
                            problems.append(f"{name} at {width}, {scheme}: {found['impact']} {found['id']}: {where}")
                        wide = page.tab.evaluate("document.documentElement.scrollWidth - innerWidth")
                        if wide > 0:
                            problems.append(f"{name} at {width}: {wide} pixels too wide")
                except Exception as fault:
                    problems.append(f"after {name} at {width}, {scheme}: {str(fault)[:300]}")
                    if SHOTS:
                        page.tab.screenshot(path=os.path.join(SHOTS, f"fault-{width}-{scheme}.png"))
                problems += [f"{name} at {width}: {one}" for one in page.close()]
    finally:
        box.stop()
    for problem in sorted(set(problems)):
        say(f"  {problem}")
    say(f"  {seen} views")
    return sorted(set(problems))
