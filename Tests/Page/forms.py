"""What one writes by: lists of values, links completed in the text, filters kept under a name, one commit a sitting, and what rows say."""

import os
import subprocess

from browser import Box, Fault, Page, until


def opened(browser, box, title):
    page = Page(browser, box)
    until("the note is listed", lambda: title in page.rows())
    page.tab.locator(".row-title", has_text=title).first.click()
    until("it is open", lambda: page.title() == title)
    return page


def lists(browser, box):
    """A list of texts: an element is added, and another taken out; blanks, colons and commas stand in it as they are."""
    page = opened(browser, box, "Soup")
    tab = page.tab

    def elements():
        return box.note("Soup")["fields"].get("ingredients")
    tab.click(".field[data-name=ingredients] .picker")
    tab.fill("dialog input", "salt: a pinch, coarse")
    tab.keyboard.press("Enter")
    until("it is added", lambda: elements() == ["water", "leek", "salt: a pinch, coarse"])
    tab.fill("dialog input", "leek")
    tab.locator("dialog [role=option]", has_text="leek").first.click()
    until("another is taken out", lambda: elements() == ["water", "salt: a pinch, coarse"])
    tab.keyboard.press("Escape")
    until("the form shows it", lambda: tab.locator(".field[data-name=ingredients] .chip").all_inner_texts() == ["water", "salt: a pinch, coarse"])
    tab.click(".top [data-action=undo]")
    until("it comes back", lambda: "leek" in elements())
    tab.keyboard.press("Escape")
    tab.keyboard.press("f")
    tab.keyboard.type("stars")
    tab.wait_for_timeout(100)
    tab.keyboard.press("Enter")
    until("the choices of a list are offered", lambda: "spicy" in tab.locator("dialog [role=option]").all_inner_texts())
    tab.keyboard.type("spicy")
    until("it is found", lambda: tab.locator("dialog .active").inner_text() == "spicy")
    tab.keyboard.press("Enter")
    until("a choice is taken", lambda: box.note("Soup")["fields"].get("stars") == ["spicy"])
    return page.close()


def links(browser, box):
    page = opened(browser, box, "Soup")
    tab = page.tab
    commits = box.commits()
    tab.keyboard.press("e")
    until("the text has the focus", lambda: tab.evaluate("document.activeElement.className") == "body-text")
    tab.keyboard.press("Control+End")
    tab.keyboard.type("As in [[Brea")
    until("titles are offered", lambda: tab.locator(".completions.links [role=option]").count() == 1)
    place = tab.locator(".completions.links").bounding_box()
    if place["width"] < 100 or place["x"] < tab.locator(".body-text").bounding_box()["x"] - 1:
        raise Fault(f"they are offered at {place}")
    tab.keyboard.press("Enter")
    text = lambda: tab.evaluate("document.querySelector('.body-text').value")
    until("the link is written", lambda: text().endswith("As in [[Bread and butter]]") or Fault(text()) and False)
    tab.keyboard.type(" and [[Twin")
    until("both are offered", lambda: tab.locator(".completions.links [role=option]").count() == 2)
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Tab")
    until("one of two is named by its id", lambda: "|Twin]]" in text())
    tab.keyboard.type(", [[nothing like it")
    until("nothing is offered", lambda: tab.locator(".completions.links").is_hidden())
    tab.keyboard.type("]]\n")
    tab.keyboard.press("Escape")
    page.settled()
    until("the links lead", lambda: len(box.note("Soup")["links"]) >= 2)
    if tab.locator(".markup a.note-link").count() != 2 or tab.locator(".markup a.missing").count() != 1:
        raise Fault(f"the text shows {tab.locator('.markup').inner_html()}")
    if box.commits() != commits + 1:
        raise Fault(f"{box.commits() - commits} commits")
    return page.close()


def kept_filter(browser, box):
    page = Page(browser, box)
    tab = page.tab
    until("notes are listed", page.rows)
    if tab.locator(".list-head .keep").is_visible():
        raise Fault("everything can be kept as a filter")
    tab.fill(".filter-input", "kind:task +home")
    page.shows("kind:task", "+home")
    tab.keyboard.press("Escape")
    tab.click(".list-head .keep")
    until("a name is proposed", lambda: tab.input_value("dialog input") == "task-home")
    tab.keyboard.type("At Home")
    until("a name is offered", lambda: tab.locator("dialog .active", has_text="at-home").count())
    tab.keyboard.press("Enter")
    until("it stands at the left", lambda: page.badge("Filters", "At home") == len(box.titles("kind:task", "+home")))
    page.shows("@at-home")
    tab.locator(".list-head h1").click()
    tab.keyboard.press("Control+k")
    tab.keyboard.type("rename the filter")
    until("it can be renamed", lambda: tab.locator("dialog .active", has_text="Rename the filter at-home").count())
    tab.keyboard.press("Enter")
    tab.keyboard.type("House")
    until("the new name is offered", lambda: tab.locator("dialog .active", has_text="house").count())
    tab.keyboard.press("Enter")
    until("it has the new name", lambda: page.badge("Filters", "House") is not None and page.badge("Filters", "At home") is None)
    tab.locator(".list-head h1").click()
    tab.keyboard.press("Control+k")
    tab.keyboard.type("remove the filter")
    until("it can be dropped", lambda: tab.locator("dialog .active", has_text="Remove the filter house").count())
    tab.keyboard.press("Enter")
    until("it is gone", lambda: page.badge("Filters", "House") is None)
    page.shows("kind:task", "+home")
    return page.close()


def sitting(browser, box):
    """What is typed in one sitting is one commit, however long one thinks between two words."""
    page = opened(browser, box, "Diary")
    tab = page.tab
    commits = box.commits()
    tab.keyboard.press("e")
    until("the text has the focus", lambda: tab.evaluate("document.activeElement.className") == "body-text")
    tab.keyboard.press("Control+Home")
    for word in ["One. ", "Two. ", "Three. "]:
        tab.keyboard.type(word)
        tab.wait_for_timeout(3000)
        if page.saved() != "Not saved yet" or not tab.title().startswith("●"):
            raise Fault(f"after a pause it says {page.saved()!r}, {tab.title()!r}")
    if box.commits() != commits:
        raise Fault("a pause made a commit")
    kept = tab.evaluate("Object.entries(localStorage).filter(([name]) => name.startsWith('slip-draft:')).map(([, text]) => text).join()")
    if "One. Two. Three." not in kept:
        raise Fault(f"the browser keeps {kept!r}")
    # Somebody else writes into the same text meanwhile: both stand in it, and it is still typed and not saved.
    box.run("append", "Diary", "From elsewhere.")
    until("the text has both", lambda: "From elsewhere." in tab.evaluate("document.querySelector('.body-text').value"))
    tab.keyboard.type("Four. ")
    tab.evaluate("Object.defineProperty(document, 'hidden', { configurable: true, get: () => true }); document.dispatchEvent(new Event('visibilitychange'))")
    page.settled()
    until("a hidden page saves", lambda: "One. Two. Three. Four." in box.note("Diary")["body"] and "From elsewhere." in box.note("Diary")["body"])
    if box.commits() != commits + 2:
        raise Fault(f"{box.commits() - commits} commits: {box.subjects(4)}")
    return page.close()


def recovered(browser, box):
    """A tab that is gone without a word leaves what was typed in the browser: the next one saves it."""
    page = opened(browser, box, "Diary")
    tab = page.tab
    tab.keyboard.press("e")
    until("the text has the focus", lambda: tab.evaluate("document.activeElement.className") == "body-text")
    tab.keyboard.type("Lost? ")
    until("it says so", lambda: page.saved() == "Not saved yet")
    # Nothing is sent any more, as if the browser had been killed.
    page.context.route("**/api/change", lambda route: route.abort())
    tab.close(run_before_unload=False)
    page.context.unroute("**/api/change")
    other = Page(browser, box, context=page.context)
    until("it is saved", lambda: "Lost?" in box.note("Diary")["body"])
    other.settled()
    return page.close()


def standings(browser, box):
    """Rows say what `slip list` says of records that are late, blocked or put off."""
    page = Page(browser, box)
    page.tab.fill(".filter-input", "kind:task")
    page.shows("kind:task")
    said = dict(zip(page.rows(), page.tab.evaluate("[...document.querySelectorAll('.row')].map(row => row.querySelector('.standing')?.textContent ?? '')")))
    wanted = {"Late": "overdue", "Behind": "blocked", "Free": "", "Put off": "waiting till"}
    wrong = {title: said.get(title) for title, word in wanted.items() if not str(said.get(title)).startswith(word) or (word == "" and said.get(title) != "")}
    if wrong:
        raise Fault(f"rows say {wrong}")
    return page.close()


def conflict_of_clones(browser, box):
    """Two clones change one field: the merge keeps both values, and one of them is chosen by mouse."""
    hub, other = os.path.join(os.path.dirname(box.path), "hub.git"), os.path.join(os.path.dirname(box.path), "other")

    def git(*words):
        subprocess.run(["git", *words], check=True, capture_output=True, env=box.environment)
    git("clone", "-q", "--bare", box.path, hub)
    git("-C", box.path, "remote", "add", "origin", hub)
    git("-C", box.path, "fetch", "-q", "origin")
    git("-C", box.path, "branch", "-q", "-u", "origin/main")
    git("clone", "-q", hub, other)
    elsewhere = {**box.environment, "SLIPBOX": other}

    def there(*words):
        subprocess.run([box.slip, *words], cwd=other, env=elsewhere, check=True, capture_output=True)
    there("set", "Gate", "priority:low")
    there("sync")
    box.run("set", "Gate", "priority:high")
    box.run("sync")
    if box.titles("is:conflicted") != ["Gate"]:
        raise Fault("the merge made no conflict")
    page = opened(browser, box, "Gate")
    tab = page.tab
    until("the sidebar counts it", lambda: page.badge("Filters", "Conflicts") == 1)
    until("both values are shown", lambda: sorted(tab.locator(".conflict .side pre").all_inner_texts()) == ["high", "low"])
    commits = box.commits()
    tab.locator(".conflict .side", has=tab.locator("pre", has_text="low")).locator("button").click()
    until("the command shows the one that was chosen", lambda: box.note("Gate")["fields"]["priority"] == "low")
    until("the form shows it", lambda: tab.locator(".field[data-name=priority] select").input_value() == "low")
    until("nothing is left to settle", lambda: tab.locator(".conflict").count() == 0 and box.titles("is:conflicted") == [])
    until("the sidebar too", lambda: page.badge("Filters", "Conflicts") is None)
    if box.commits() != commits + 1:
        raise Fault(f"{box.commits() - commits} commits")
    box.run("sync")
    there("sync")
    return page.close()


def filled(slip, scratch):
    box = Box(slip, scratch)
    os.makedirs(os.path.join(box.path, ".slipbox", "kinds"), exist_ok=True)
    with open(os.path.join(box.path, ".slipbox", "kinds", "recipe.yaml"), "w") as file:
        file.write("comment: something to cook\nfields:\n  title: text\n  ingredients: list of text\n  stars: {type: list of choice, values: [easy, spicy, cheap]}\n")
    box.run("new", "recipe", "Soup", "ingredients:+water", "ingredients:+leek", "-b", "Boil it.\n")
    box.run("new", "Bread and butter")
    box.run("new", "Twin")
    box.run("new", "Twin")
    box.run("new", "Diary", "-b", "\nYesterday.\n")
    box.run("new", "issue", "Gate")
    late = box.run("new", "task", "Late", "due:2020-01-01", "+home").split()[0]
    box.run("new", "task", "Behind", f"depends:+{late}")
    box.run("new", "task", "Put off", "wait:2099-01-01")
    box.run("new", "task", "Free", "+home")
    return box


def conduct(browser, slip, scratch, say):
    problems = []
    box = filled(slip, scratch)
    try:
        box.start()
        for case in [lists, links, kept_filter, sitting, recovered, standings, conflict_of_clones]:
            name = case.__name__.replace("_", " ")
            try:
                found = [f"{name}: {one}" for one in case(browser, box)]
            except Exception as fault:
                found = [f"{name}: {str(fault)[:500]}"]
                for context in browser.contexts:
                    if os.environ.get("SLIP_PAGE_SHOTS") and context.pages:
                        context.pages[-1].screenshot(path=os.path.join(os.environ["SLIP_PAGE_SHOTS"], f"{case.__name__}.png"))
                    context.close()
            problems += found
            say(f"  {name}: {'holds' if not found else found}")
    finally:
        box.stop()
    return problems
