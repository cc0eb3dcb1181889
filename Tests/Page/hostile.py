"""Notes that try to run scripts, to call home or to break the page, in every view: nothing runs, nothing is asked of others."""

import os

from browser import Box, Page, until

SET = "window.__broken=1"
PAYLOADS = [
    f"<script>{SET}</script>", f"<img src=x onerror={SET}>", f"<svg onload={SET}>", f"<svg><script>{SET}</script></svg>", f"\"><img src=x onerror={SET}>", f"'-{SET}-'",
    f"<iframe srcdoc='<script>parent.{SET}</script>'>", f"<a href='javascript:{SET}'>here</a>", f"[here](javascript:{SET})", f"[here](JaVaScRiPt:{SET})", f"[here](java\tscript:{SET})",
    f"[here](data:text/html,<script>{SET}</script>)", f"[here](vbscript:{SET})", f"![alt](x\" onerror=\"{SET})", f"<javascript:{SET}>", f"[[javascript:{SET}]]",
    f"[[x\" onmouseover=\"{SET}]]", f"<form action=javascript:{SET}><button>go</button></form>", f"<math><mi xlink:href='javascript:{SET}'>x</mi></math>",
    f"<style>*{{background:url(javascript:{SET})}}</style>", f"<base href='http://127.0.0.1:9/'>", f"<meta http-equiv=refresh content='0;url=javascript:{SET}'>",
    f"```\n<svg onload={SET}>\n```", f"`<img src=x onerror={SET}>`", f"<details open ontoggle={SET}><summary>x</summary></details>", f"<template><img src=x onerror={SET}></template>",
    f"<noscript><p title=\"</noscript><img src=x onerror={SET}>\">", f"<a id=state name=state></a><form id=box></form>", "{{constructor.constructor('" + SET + "')()}}", "${" + SET + "}",
    "![home](http://127.0.0.1:9/home.png)", "<img src=http://127.0.0.1:9/home.png>", f"&lt;script&gt;{SET}&lt;/script&gt;", "\u202egnp.exe", "__proto__", "constructor",
]
SVG = f"<svg xmlns='http://www.w3.org/2000/svg' onload='{SET}'><script>{SET}</script></svg>"
HTML = f"<!doctype html><script>{SET}</script>"


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


def fill(box):
    """A note for each payload, with it in the title, tags, fields, an alias, a key, the text, links, alt texts and names of files."""
    folder = os.path.join(box.path, "2026")
    os.makedirs(folder, exist_ok=True)
    for name, content in [("x.svg", SVG), ("x.html", HTML), ("<img src=x onerror=window.__broken=1>.png", "no picture")]:
        with open(os.path.join(box.path, name), "w") as file:
            file.write(content)
    for number, payload in enumerate(PAYLOADS):
        name = f"{number:02d} {payload}".replace("/", "∕").replace("\0", "").replace("\n", " ")[:80]
        with open(os.path.join(folder, f"{name}.md"), "w") as file:
            file.write(
                f"---\nid: {letters(number)}\ntitle: {quoted(payload)}\nkind: book\ncreated: 2026-11-21T09:30:{number % 60:02d}+01:00\ntags: [{quoted(payload)}, plain]\nauthor: {quoted(payload)}\n"
                f"status: {quoted(payload)}\nrating: {quoted(payload)}\naliases: [{quoted(payload)}]\n{quoted('k' + payload)}: {quoted(payload)}\n---\n"
                f"{payload}\n\n- {payload}\n\n> {payload}\n\n| {payload.splitlines()[0]} |\n|---|\n| x |\n\n![{payload.splitlines()[0]}](x.svg) ![two](x.html) [three](x.html)\n\n"
                f"[[{payload.splitlines()[0]}]] [[{letters((number + 1) % len(PAYLOADS))}]] [{payload.splitlines()[0]}]({letters(number)})\n")
    os.makedirs(os.path.join(box.path, ".slipbox", "kinds"), exist_ok=True)
    with open(os.path.join(box.path, ".slipbox", "kinds", "trap.yaml"), "w") as file:
        file.write(f"comment: {quoted(PAYLOADS[1])}\nfields:\n  title: text\n  state: {{type: choice, values: [{quoted(PAYLOADS[0])}, b], default: b, comment: {quoted(PAYLOADS[1])}}}\n"
                   f"row:\n  - {{field: state, as: {{b: {quoted(PAYLOADS[1])}}}}}\n  - title\n")
    box.run("new", "trap", PAYLOADS[0])
    box.run("filter", "save", "trap", "+plain")
    box.run("commit", "-m", PAYLOADS[1])


def letters(number):
    alphabet = "bcdfghjklmnpqrstvwxz"
    return "bbbbbb" + alphabet[number // 20] + alphabet[number % 20]


def conduct(browser, slip, scratch, say):
    box = Box(slip, scratch)
    problems, asked = [], []
    try:
        fill(box)
        box.start()
        page = Page(browser, box)
        tab = page.tab
        tab.on("dialog", lambda dialog: (problems.append(f"a window was opened: {dialog.message}"), dialog.dismiss()))
        page.context.on("request", lambda request: asked.append(request.url))
        page.context.on("page", lambda other: problems.append(f"a tab was opened: {other.url}"))

        def whole(where):
            if tab.evaluate("window.__broken !== undefined"):
                problems.append(f"{where}: a script of a note ran")
                tab.evaluate("delete window.__broken")
            bad = tab.evaluate("""[...document.querySelectorAll('body *')].filter(n => /^(script|iframe|object|embed|base|meta|style|link|form:not(.new-form))$/i.test(n.localName)
              || [...n.attributes].some(a => /^on/i.test(a.name) || (/^(href|src|action|formaction)$/i.test(a.name) && /^\\s*(javascript|data:text|vbscript)/i.test(a.value)) || a.name === 'style' && n.closest('.markup')))
              .map(n => n.outerHTML.slice(0, 120))""")
            problems.extend(f"{where}: {one}" for one in bad)
            until(f"{where}: the page lives", lambda: tab.evaluate("document.querySelector('.list-head') !== null"))

        until("notes are listed", lambda: len(page.rows()) > 5)
        whole("list")
        refs = [letters(number) for number in range(len(PAYLOADS))]
        for number, ref in enumerate(refs):
            tab.evaluate("to => { location.hash = to }", f"#/q/+plain/{ref}".replace("+", "%2B"))
            try:
                until("it is open", lambda: tab.evaluate("document.querySelector('.note:not([hidden]) .note-top code')?.textContent") == ref, seconds=6)
            except Exception as fault:
                problems.append(f"{PAYLOADS[number]!r}: {str(fault)[:200]}")
                continue
            tab.wait_for_timeout(60)
            for node in tab.locator(".markup a").all()[:6]:
                node.hover()
            whole(f"note with {PAYLOADS[number]!r}")
            shown = page.title()
            if "".join(shown.split()) != "".join(PAYLOADS[number].split()):
                problems.append(f"the title {PAYLOADS[number]!r} is shown as {shown!r}")
            if number % 6 == 0:
                if tab.locator(".fields .more").is_visible():
                    tab.click(".fields .more")
                tab.click(".past-list summary")
                tab.wait_for_timeout(150)
                for key in ["l", "Escape", "p", "Escape", "a", "Escape", "Control+k", "Escape", "f", "Escape", "e", "Escape", "Escape"]:
                    tab.keyboard.press(key)
                    tab.wait_for_timeout(40)
                whole(f"dialogs over {PAYLOADS[number]!r}")
        tab.keyboard.press("Escape")
        tab.keyboard.press("Control+a")
        tab.keyboard.press("#")
        tab.click("dialog summary")
        tab.wait_for_selector("dialog .patch")
        whole("patch")
        tab.keyboard.press("Escape")
        tab.keyboard.press("Escape")
        tab.fill(".filter-input", "broken")
        tab.wait_for_timeout(400)
        whole("search")
        tab.fill(".filter-input", "tag:")
        tab.wait_for_timeout(400)
        whole("completion")
        tab.fill(".filter-input", f"due:{PAYLOADS[1]}")
        tab.wait_for_timeout(400)
        whole("a bad query")
        box.run("rm", refs[0], refs[1])
        for view in ["#/deleted", "#/history", f"#/q/kind:trap", "#/q/%3Cimg%20src=x%20onerror=window.__broken=1%3E", "#/q//<img src=x onerror=window.__broken=1>", "#/q/@2026-01-01<svg onload=window.__broken=1>"]:
            tab.evaluate("to => { location.hash = to }", view)
            tab.wait_for_timeout(400)
            whole(view)
        tab.evaluate("location.hash = '#/q/'")
        tab.keyboard.press("c")
        tab.wait_for_timeout(200)
        whole("new")
        foreign = [url for url in asked if not url.startswith((f"http://127.0.0.1:{box.port}/", f"blob:http://127.0.0.1:{box.port}/", "data:"))]
        problems += [f"the page asked for {url}" for url in sorted(set(foreign))]
        problems += [f"complaint: {one}" for one in page.close()]
    except Exception as fault:
        problems.append(str(fault)[:600])
    finally:
        box.stop()
    problems = list(dict.fromkeys(problems))
    for problem in problems[:30]:
        say(f"  {problem}")
    say(f"  {len(PAYLOADS)} payloads")
    return problems
