"""The server dies with text typed: the page says so, keeps it, and saves it when the server is back."""

import os

from browser import Box, Fault, Page, until


def typed_and_killed(browser, slip, scratch, reload):
    folder = os.path.join(scratch, "reload" if reload else "stay")
    os.makedirs(folder)
    box = Box(slip, folder)
    try:
        box.run("new", "issue", "Broken door", "-b", "It squeaks.\n")
        box.start()
        page = Page(browser, box)
        tab = page.tab
        until("the note is listed", lambda: page.rows() == ["Broken door"])
        tab.locator(".row-title").click()
        until("it is open", lambda: page.title() == "Broken door")
        box.stop()
        until("the page says that the server is gone", lambda: tab.locator(".problem", has_text="does not answer").count())
        tab.click(".body .switch")
        tab.locator(".body-text").press("Control+End")
        tab.keyboard.type("Typed while nobody listened.")
        tab.keyboard.press("Control+s")
        tab.locator(".field[data-name=priority] select").select_option("high")
        until("it says that it is not saved", lambda: page.saved().startswith("Not saved"))
        until("the title of the window too", lambda: tab.title().startswith("Not saved!"))
        if "Typed while" in box.note("Broken door")["body"]:
            raise Fault("it was saved without a server")
        if reload:
            # The tab is closed with all it knew but for what lies in the browser's storage.
            tab.close(run_before_unload=False)
            box.start(box.port)
            other = Page(browser, box, context=page.context)
        else:
            box.start(box.port)
            other = page
        until("what was typed is saved", lambda: "Typed while nobody listened." in box.note("Broken door")["body"])
        until("the field is saved", lambda: box.note("Broken door")["fields"]["priority"] == "high")
        other.settled()
        if not reload:
            value = tab.evaluate("document.querySelector('.body-text').value")
            if value != box.note("Broken door")["body"]:
                raise Fault(f"the text shows {value!r}")
        return page.complaints + page.close()
    finally:
        box.stop()


def conduct(browser, slip, scratch, say):
    problems = []
    for reload in [False, True]:
        name = "the tab was closed meanwhile" if reload else "the tab stays"
        try:
            found = [f"{name}: {one}" for one in typed_and_killed(browser, slip, scratch, reload)]
        except Exception as fault:
            found = [f"{name}: {str(fault)[:500]}"]
        problems += found
        say(f"  {name}: {'holds' if not found else found}")
    return problems
