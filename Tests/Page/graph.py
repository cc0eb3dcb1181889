"""The graph of an exported site on a phone: it fits into the window, and the panel of a note is below it."""

import os

from browser import touched, until
from care import wanted
from views import filled

SMALL = """() => [...document.querySelectorAll('button, select, input[type=search], #ways label')].filter((node) => {
  const { height, width } = node.getBoundingClientRect();
  return height > 0 && (height < 44 || width < 44);
}).map((node) => node.id || node.textContent)"""
OUTSIDE = """() => [...document.querySelectorAll('body *')].filter((node) => {
  const { left, right, width } = node.getBoundingClientRect();
  return width > 1 && (left < -1 || right > innerWidth + 1);
}).map((node) => node.id || node.tagName)"""


def on_a_phone(tab):
    """The graph at 390 x 844, by touch."""
    tab.wait_for_selector("#count")
    until("the notes are counted", lambda: "notes" in tab.inner_text("#count"))
    wanted("nothing is outside of the window", tab.evaluate(OUTSIDE) == [], tab.evaluate(OUTSIDE))
    wanted("all can be hit", tab.evaluate(SMALL) == [], tab.evaluate(SMALL))
    tools = tab.locator("#tools").bounding_box()
    wanted("the tools leave room for the graph", tools["height"] < 844 / 3 and tools["width"] == 390, tools)
    tab.fill("#search", "the")
    tab.locator("#found button").first.click()
    until("the note is shown", lambda: tab.locator("#panel").is_visible())
    panel = tab.locator("#panel").bounding_box()
    wanted("its panel is below the graph", panel["y"] > 844 / 2 and panel["y"] + panel["height"] <= 844 and panel["x"] >= 0 and panel["x"] + panel["width"] <= 390, panel)
    wanted("nothing is outside then either", tab.evaluate(OUTSIDE) == [], tab.evaluate(OUTSIDE))
    tab.click("#close")
    until("it can be closed", lambda: not tab.locator("#panel").is_visible())


def conduct(browser, slip, scratch, say):
    box = filled(slip, scratch, "graph")
    site = os.path.join(scratch, "site")
    box.run("export", "html", "-o", site, "-q")
    problems = []
    with touched(browser) as phone:
        mobile = {} if phone.browser_type.name == "firefox" else {"is_mobile": True}
        context = phone.new_context(viewport={"width": 390, "height": 844}, has_touch=True, **mobile)
        tab = context.new_page()
        tab.on("pageerror", lambda error: problems.append(f"script: {error}"))
        tab.goto(f"file://{os.environ.get('SLIP_PAGE_GRAPH') or os.path.join(site, 'graph.html')}")
        try:
            on_a_phone(tab)
        except Exception as fault:
            problems.append(str(fault)[:500])
        context.close()
    say(f"  {'holds' if not problems else problems}")
    return problems
