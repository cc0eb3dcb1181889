"""Every feature of the server, asked by each recorded client."""

import datetime
import os

from conftest import CURSOR

FERMENTATION = "Fermentation basics"
DECLARED = ["none", "low", "medium", "high"]


def labels(items):
    return [item["label"] for item in items]


def content(hover):
    """The text of a hover."""
    contents = hover["contents"]
    return contents["value"] if isinstance(contents, dict) else str(contents)


def places(found):
    """Locations, or links to them, as pairs of address and range."""
    found = found if isinstance(found, list) else [found]
    return [(each.get("uri") or each["targetUri"], each.get("range") or each["targetSelectionRange"]) for each in found]


async def goal(editor, name, position):
    """The note and the line to which a place leads."""
    found = await editor.at("textDocument/definition", name, position)
    assert found, f"nowhere from {position} of {name}"
    [(uri, range)] = places(found)
    path = editor.name(uri)
    lines = editor.text(path).text.split("\n")
    return path, lines[range["start"]["line"]]


# The beginning.


async def test_offers_of_the_server(editor):
    assert not editor.excesses_at_start
    server = editor.server
    offered = editor.offers.get("general", "positionEncodings")
    assert server.get("positionEncoding", "utf-16") == ("utf-8" if "utf-8" in (offered or []) else "utf-16")
    for provider in ("completionProvider", "hoverProvider", "definitionProvider", "referencesProvider", "documentHighlightProvider",
                     "documentSymbolProvider", "workspaceSymbolProvider", "codeActionProvider", "documentLinkProvider",
                     "foldingRangeProvider", "renameProvider", "executeCommandProvider"):
        assert server.get(provider), f"{provider} is missing"
    for provider, offer in (("codeLensProvider", "codeLens"), ("inlayHintProvider", "inlayHint"), ("semanticTokensProvider", "semanticTokens")):
        assert bool(server.get(provider)) == (editor.offers.document(offer) is not None), provider
    assert server["textDocumentSync"]["change"] == 2
    assert server["textDocumentSync"]["save"]["includeText"]


# Completion.


async def test_completion_of_a_link(editor):
    for typed, label in (("Ferm", FERMENTATION), ("basics", FERMENTATION), ("Pick", "Pickling"), ("fmnb", "fmnbbbbb"), ("fermen", None)):
        items = await editor.complete("plan.md", f"# Plan\n\n🙂 See [[{typed}{CURSOR}")
        if label is None:
            assert items
            continue
        text = editor.taken("plan.md", items, label)
        editor.change("plan.md", text)
        path, _ = await goal(editor, "plan.md", editor.texts["plan.md"].at(text[text.index("[[") + 3:]))
        assert path == "fermentation.md", text


async def test_completion_of_a_link_before_its_end(editor):
    items = await editor.complete("plan.md", f"See [[Ferm{CURSOR}]] there")
    assert editor.taken("plan.md", items, FERMENTATION) == f"See [[{FERMENTATION}]] there"


async def test_completion_of_headings_and_blocks(editor):
    items = await editor.complete("plan.md", f"See [[Rye bread#St{CURSOR}")
    assert editor.taken("plan.md", items, "Starter") == "See [[Rye bread#Starter]]"
    items = await editor.complete("plan.md", f"See [[{FERMENTATION}#^w{CURSOR}")
    assert editor.taken("plan.md", items, "week") == f"See [[{FERMENTATION}#^week]]"
    items = await editor.complete("plan.md", f"See [x](rye.md#st{CURSOR}")
    assert editor.taken("plan.md", items, "Starter") == "See [x](rye.md#starter)"


async def test_completion_of_a_path(editor):
    items = await editor.complete("plan.md", f"See [x](ferm{CURSOR})")
    assert editor.taken("plan.md", items, FERMENTATION) == "See [x](fermentation.md)"


async def test_completion_of_tags(editor):
    items = await editor.complete("plan.md", f"A word #cra{CURSOR}")
    assert editor.taken("plan.md", items, "craft") == "A word #craft"
    items = await editor.complete("plan.md", f"---\ntags: [food, win{CURSOR}]\n---\n")
    assert editor.taken("plan.md", items, "winter") == "---\ntags: [food, winter]\n---\n"


async def test_completion_of_front_matter(editor):
    items = await editor.complete("feed.md", f"---\ntitle: Feed\nkind: task\npri{CURSOR}\n---\n")
    assert "title" not in labels(items)
    assert editor.taken("feed.md", items, "priority").startswith("---\ntitle: Feed\nkind: task\npriority: ")
    items = await editor.complete("feed.md", f"---\nkind: task\npriority: {CURSOR}\n---\n")
    assert labels(items) == DECLARED
    assert sorted(items, key=lambda item: item["sortText"]) == items
    items = await editor.complete("feed.md", f"---\nkind: ta{CURSOR}\n---\n")
    assert editor.taken("feed.md", items, "task") == "---\nkind: task\n---\n"


async def test_completion_of_a_reference(editor):
    items = await editor.complete("feed.md", f"---\nkind: task\ngroup: Kitch{CURSOR}\n---\n")
    assert editor.taken("feed.md", items, "Kitchen") == "---\nkind: task\ngroup: ktckkkkk\n---\n"


async def test_completion_of_a_date(editor):
    items = await editor.complete("feed.md", f"---\nkind: task\ndue: tom{CURSOR}\n---\n")
    tomorrow = datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(1)
    assert editor.taken("feed.md", items, "tomorrow") == f"---\nkind: task\ndue: {tomorrow}\n---\n"


async def test_completion_is_resolved(editor):
    items = await editor.complete("plan.md", f"See [[Ferm{CURSOR}")
    item = next(item for item in items if item["label"] == FERMENTATION)
    resolved = await editor.ask("completionItem/resolve", item)
    assert resolved["label"] == FERMENTATION
    assert "Salt, time, patience" in str(resolved["documentation"])


async def test_completion_knows_what_is_not_saved(editor):
    editor.open("rye.md", "# A title of now\n")
    items = await editor.complete("plan.md", f"See [[A title{CURSOR}")
    assert editor.taken("plan.md", items, "A title of now")


# Reading.


async def test_hover_over_a_link(editor):
    editor.open("plan.md", f"🙂🙂 see [[{FERMENTATION}]] #craft\n")
    hover = await editor.at("textDocument/hover", "plan.md", editor.texts["plan.md"].at("basics"))
    text = content(hover)
    assert FERMENTATION in text
    assert "Salt, time, patience" in text
    assert "Rye bread" in text, "backlinks"
    if hover.get("range"):
        assert FERMENTATION in editor.texts["plan.md"].slice(hover["range"])
    assert await editor.at("textDocument/hover", "plan.md", {"line": 1, "character": 0}) is None


async def test_hover_over_a_record(editor):
    editor.open("plan.md")
    text = content(await editor.at("textDocument/hover", "plan.md", editor.texts["plan.md"].at("Feed the starter")))
    assert "Feed the starter" in text and "high" in text and "Kitchen" in text


async def test_definition(editor):
    editor.open("rye.md")
    rye = editor.texts["rye.md"]
    assert (await goal(editor, "rye.md", rye.at("basics]] and")))[0] == "fermentation.md"
    assert await goal(editor, "rye.md", rye.at("salt](")) == ("fermentation.md", "## Salt")
    assert await goal(editor, "rye.md", rye.at("basics#Salt")) == ("fermentation.md", "## Salt")
    assert (await goal(editor, "rye.md", rye.at("Pickling")))[0] == "fermentation.md"
    editor.open("fermentation.md")
    assert await goal(editor, "fermentation.md", editor.texts["fermentation.md"].at("the starter]]")) == ("rye.md", "## Starter")
    editor.open("feed.md")
    assert (await goal(editor, "feed.md", editor.texts["feed.md"].at("ktckkkkk")))[0] == "kitchen.md"
    editor.open("broken.md")
    assert not await editor.at("textDocument/definition", "broken.md", editor.texts["broken.md"].at("No such"))


async def references(editor, name, position, declaration=False):
    """The places that refer to something: path and the text of each."""
    found = await editor.at("textDocument/references", name, position, context={"includeDeclaration": declaration})
    return sorted((editor.name(each["uri"]), editor.text(editor.name(each["uri"])).slice(each["range"])) for each in found or [])


async def test_references_of_a_note(editor):
    editor.open("plan.md", f"A new 🙂 link: [[{FERMENTATION}]].\n")
    editor.open("fermentation.md")
    found = await references(editor, "fermentation.md", editor.texts["fermentation.md"].at(FERMENTATION))
    assert [path for path, _ in found] == ["broken.md", "plan.md", "rye.md", "rye.md", "rye.md", "rye.md"]
    for path, text in found:
        assert FERMENTATION in text or "fermentation.md" in text or "Pickling" in text, text


async def test_references_of_a_linked_note(editor):
    editor.open("plan.md")
    found = await references(editor, "plan.md", editor.texts["plan.md"].at("Feed the starter"))
    assert [path for path, _ in found] == ["plan.md", "plan.md"]
    editor.open("kitchen.md")
    found = await references(editor, "kitchen.md", editor.texts["kitchen.md"].at("Kitchen"))
    assert ("feed.md", "ktckkkkk") in found, "fields refer too"


async def test_references_of_headings_and_tags(editor):
    editor.open("fermentation.md")
    text = editor.texts["fermentation.md"]
    found = await references(editor, "fermentation.md", text.at("Salt\n\nTwo"))
    assert [path for path, _ in found] == ["rye.md", "rye.md"]
    found = await references(editor, "fermentation.md", text.at("winter"))
    assert ("fermentation.md", "winter") in [(path, text.lstrip("#")) for path, text in found]


async def test_highlight(editor):
    editor.open("plan.md")
    text = editor.texts["plan.md"]
    found = await editor.at("textDocument/documentHighlight", "plan.md", text.at("starter]]"))
    assert len(found) == 2
    for each in found:
        assert "Feed the starter" in text.slice(each["range"])


async def test_document_symbols(editor):
    editor.open("rye.md")
    symbols = await editor.of("textDocument/documentSymbol", "rye.md")
    text = editor.texts["rye.md"]
    flat = []

    def walk(symbols):
        for symbol in symbols:
            flat.append(symbol["name"])
            place = text.slice(symbol.get("selectionRange") or symbol["location"]["range"])
            assert symbol["name"] in place or place.lstrip("-\n").startswith("id: "), "the front-matter is called by its kind"
            walk(symbol.get("children") or [])

    walk(symbols)
    assert "Starter" in flat and "Rye bread" in flat


async def test_workspace_symbols(editor):
    editor.open("plan.md")
    for query, title in (("rye", "Rye bread"), ("kind:task priority:high", "Feed the starter"), ("+food", "Rye bread")):
        found = await editor.ask("workspace/symbol", {"query": query})
        assert title in [symbol["name"] for symbol in found], query
    assert not [symbol for symbol in await editor.ask("workspace/symbol", {"query": "kind:group"}) if symbol["name"] == "Rye bread"]


async def test_lens(editor):
    editor.open("fermentation.md")
    if not editor.server.get("codeLensProvider"):
        return
    lenses = await editor.of("textDocument/codeLens", "fermentation.md")
    titles = []
    for lens in lenses:
        if not lens.get("command"):
            lens = await editor.ask("codeLens/resolve", lens)
        titles.append(lens["command"]["title"])
    assert "2 backlinks" in titles and "2 links" in titles, titles


async def test_inlay_hints(editor):
    editor.open("plan.md")
    if not editor.server.get("inlayHintProvider"):
        return
    text = editor.texts["plan.md"]
    whole = {"start": {"line": 0, "character": 0}, "end": text.position(len(text.text))}
    hints = await editor.of("textDocument/inlayHint", "plan.md", range=whole)
    assert len(hints) == 2
    ends = [text.position(text.find("]]", number) + 2) for number in (1, 2)]
    for hint, end in zip(hints, ends):
        label = hint["label"] if isinstance(hint["label"], str) else "".join(part["value"] for part in hint["label"])
        assert "high" in label or "!!!" in label or "☐" in label or "open" in label, label
        assert hint["position"]["line"] == end["line"]
        assert hint["position"]["character"] in (end["character"], end["character"] - 2), "the hint stands at its link"


async def test_folding(editor):
    editor.open("fermentation.md")
    lines = editor.texts["fermentation.md"].text.split("\n")
    found = {lines[each["startLine"]]: lines[each["endLine"]] for each in await editor.of("textDocument/foldingRange", "fermentation.md")}
    assert "## Salt" in found and found["## Salt"] in ("Two per cent.", "")
    assert "---" in found, "front-matter"


async def test_document_links(editor):
    editor.open("rye.md")
    text = editor.texts["rye.md"]
    links = await editor.of("textDocument/documentLink", "rye.md")
    found = [(text.slice(link["range"]), link["target"]) for link in links]
    assert len(found) == 4, found
    for shown, target in found:
        assert editor.name(target.split("#")[0]) == "fermentation.md", (shown, target)


async def test_semantic_tokens(editor):
    editor.open("rye.md")
    provider = editor.server.get("semanticTokensProvider")
    if not provider:
        return
    text = editor.texts["rye.md"]
    numbers = (await editor.of("textDocument/semanticTokens/full", "rye.md"))["data"]
    assert len(numbers) % 5 == 0 and numbers
    line = character = 0
    shown = []
    for index in range(0, len(numbers), 5):
        lines, characters, length, kind, modifiers = numbers[index:index + 5]
        line, character = line + lines, characters + (character if lines == 0 else 0)
        assert length > 0 and kind < len(provider["legend"]["tokenTypes"])
        shown.append(text.slice({"start": {"line": line, "character": character}, "end": {"line": line, "character": character + length}}))
    assert any("Fermentation basics" in each for each in shown), shown
    known = editor.offers.document("semanticTokens", "tokenTypes")
    used = {provider["legend"]["tokenTypes"][kind] for kind in numbers[3::5]}
    assert used <= set(known), f"{used - set(known)} are not known to the client"


# Diagnostics.


async def test_diagnostics_of_links(editor):
    editor.open("broken.md", "# Broken\n\n🙂 See [[No such note]] and [[Fermentation basics#No heading]]. A [bracket] is none.\n")
    text = editor.texts["broken.md"]
    found = await editor.diagnostics("broken.md", lambda all: len(all) >= 2)
    assert [(text.slice(each["range"]), each["severity"]) for each in found] == [
        ("[[No such note]]", 1), ("[[Fermentation basics#No heading]]", 2)]
    editor.change("broken.md", "# Broken\n\nNothing more.\n")
    await editor.diagnostics("broken.md", lambda all: all == [])


async def test_diagnostics_of_a_record(editor):
    editor.open("odd.md")
    [found] = await editor.diagnostics("odd.md", lambda all: all)
    assert "priority: enormous" in editor.texts["odd.md"].slice(found["range"])
    assert "enormous" in found["message"]


async def test_diagnostics_follow_other_notes(editor):
    editor.open("plan.md", "See [[Not yet there]].\n")
    await editor.diagnostics("plan.md", lambda all: len(all) == 1)
    editor.box.write("new.md", "---\ntitle: Not yet there\n---\n")
    await editor.diagnostics("plan.md", lambda all: all == [])


# Changing.


async def test_rename_a_note_from_its_link(editor):
    editor.open("plan.md")
    position = editor.texts["plan.md"].at("starter]]")
    if isinstance(editor.server["renameProvider"], dict):
        prepared = await editor.at("textDocument/prepareRename", "plan.md", position)
        range = prepared.get("range", prepared)
        assert editor.texts["plan.md"].slice(range) == "Feed the starter"
    edit = await editor.at("textDocument/rename", "plan.md", position, newName="Feed the sourdough")
    if edit:
        editor.apply(edit)
    text = editor.texts["plan.md"].text
    assert text.count("[[Feed the sourdough]]") == 2 and "starter" not in text
    await editor.until(lambda: "title: Feed the sourdough" in editor.text("feed.md").text, "the note has its title")
    feed = editor.text("feed.md").text
    assert "done: false" in feed and feed.endswith("With rye flour.\n")


async def test_rename_a_heading(editor):
    editor.open("fermentation.md")
    editor.open("rye.md")
    position = editor.texts["fermentation.md"].at("Salt\n\nTwo")
    edit = await editor.at("textDocument/rename", "fermentation.md", position, newName="Sea salt")
    if edit:
        editor.apply(edit)
    assert "## Sea salt\n" in editor.texts["fermentation.md"].text
    rye = editor.texts["rye.md"].text
    assert "[[Fermentation basics#Sea salt]]" in rye and "(fermentation.md#sea-salt)" in rye


async def test_rename_a_tag(editor):
    editor.open("fermentation.md")
    position = editor.texts["fermentation.md"].at("food/ferment")
    edit = await editor.at("textDocument/rename", "fermentation.md", position, newName="kitchen")
    if edit:
        editor.apply(edit)
    assert "kitchen" in editor.texts["fermentation.md"].text
    assert "[food/ferment" not in editor.texts["fermentation.md"].text


async def test_rename_is_refused(editor):
    editor.open("plan.md")
    place = {"textDocument": {"uri": editor.box.uri("plan.md")}, "position": editor.texts["plan.md"].at("before all")}
    if isinstance(editor.server["renameProvider"], dict):
        try:
            assert await editor.ask("textDocument/prepareRename", place) is None
        except Exception as error:  # noqa: BLE001
            assert "rename" in str(error).lower() or str(error)
    message = await editor.refusal("textDocument/rename", {**place, "newName": "x"})
    assert message, "a plain word was renamed"


async def test_rename_of_files(editor):
    if not editor.offers.get("workspace", "fileOperations", "willRename"):
        return
    assert editor.server["workspace"]["fileOperations"]["willRename"]
    editor.open("plan.md", "See [the bread](rye.md) and [[rye]].\n")
    edit = await editor.ask("workspace/willRenameFiles", {"files": [
        {"oldUri": editor.box.uri("rye.md"), "newUri": editor.box.uri("bread/rye-bread.md")}]})
    if edit:
        editor.apply(edit)
    assert "[the bread](bread/rye-bread.md)" in editor.texts["plan.md"].text
    for path in ("rye.md", "bread/rye-bread.md"):
        if os.path.exists(editor.box.path(path)):
            assert "(../fermentation.md#salt)" in editor.text(path).text


async def action(editor, name, range, *words):
    """The one action whose title has all words."""
    diagnostics = [params["diagnostics"] for method, params in editor.client.heard
                   if method == "textDocument/publishDiagnostics" and params["uri"] == editor.box.uri(name)]
    found = await editor.actions(name, range, diagnostics=[
        each for each in (diagnostics[-1] if diagnostics else []) if each["range"]["start"]["line"] == range["start"]["line"]])
    fitting = [each for each in found if all(word.lower() in each["title"].lower() for word in words)]
    assert fitting, f"no action with {words} among {[each['title'] for each in found]}"
    return fitting[0]


async def test_create_the_missing_note(editor):
    editor.open("broken.md")
    await editor.diagnostics("broken.md", lambda all: all)
    range = editor.texts["broken.md"].range("No such note")
    await editor.act(await action(editor, "broken.md", range, "No such note"))
    await editor.until(
        lambda: "No such note" in editor.box.run("list", "kind:note", "--format", "{title}"), "there is a note No such note")
    await editor.diagnostics("broken.md", lambda all: len(all) == 1)


async def test_fix_a_value(editor):
    editor.open("odd.md")
    [found] = await editor.diagnostics("odd.md", lambda all: all)
    actions = await editor.actions("odd.md", found["range"], diagnostics=[found])
    fixes = [each for each in actions if each.get("kind") == "quickfix"]
    assert fixes, [each["title"] for each in actions]
    await editor.act(fixes[0])
    await editor.diagnostics("odd.md", lambda all: all == [])
    assert editor.texts["odd.md"].text.endswith("Breaks its kind.\n")


async def test_extract_a_section(editor):
    editor.open("fermentation.md")
    range = editor.texts["fermentation.md"].range("## Time")
    await editor.act(await action(editor, "fermentation.md", range, "Time"))
    await editor.until(lambda: "A week." not in editor.text("fermentation.md").text, "the section is gone from the note")
    assert "Two per cent." in editor.text("fermentation.md").text
    editor.save("fermentation.md")
    assert "Time" in editor.box.run("list", "kind:note", "--format", "{title}")


async def test_toggle_a_box(editor):
    editor.open("rye.md")
    range = editor.texts["rye.md"].range("feed it")
    found = await editor.actions("rye.md", range)
    fitting = [each for each in found if any(word in each["title"].lower() for word in ("box", "check", "toggle", "tick", "[x]"))]
    assert fitting, [each["title"] for each in found]
    await editor.act(fitting[0])
    assert "- [x] feed it\n- [x] name it\n" in editor.texts["rye.md"].text


async def test_action_of_the_record_here(editor):
    editor.open("feed.md")
    await editor.act(await action(editor, "feed.md", editor.texts["feed.md"].range("done"), "finish"))
    await editor.until(lambda: "done: true" in editor.text("feed.md").text, "the task is done")
    assert "finished: " in editor.text("feed.md").text


async def test_action_of_the_linked_record(editor):
    editor.open("plan.md")
    before = editor.texts["plan.md"].text
    await editor.act(await action(editor, "plan.md", editor.texts["plan.md"].range("Feed the"), "finish"))
    await editor.until(lambda: "done: true" in editor.text("feed.md").text, "the task is done")
    assert editor.texts["plan.md"].text == before


async def test_resolving_keeps_the_command(editor):
    """Neovim resolves every action without an edit, and does what the answer says."""
    editor.open("plan.md")
    if not isinstance(editor.server["codeActionProvider"], dict) or not editor.server["codeActionProvider"].get("resolveProvider"):
        return
    for each in await editor.actions("plan.md", editor.texts["plan.md"].range("Feed the")):
        resolved = await editor.ask("codeAction/resolve", each)
        assert resolved.get("command") == each.get("command"), each["title"]


async def test_settle_a_conflict(editor):
    editor.box.write("feed.md", editor.box.read("feed.md").replace("priority: high\n", "priority: high\nconflicts:\n  - \"priority: low\"\n"))
    editor.open("feed.md")
    range = editor.texts["feed.md"].range("priority: low")
    found = await editor.actions("feed.md", range)
    assert any("low" in each["title"] or "settle" in each["title"].lower() or "keep" in each["title"].lower() for each in found), [
        each["title"] for each in found]


async def test_commands(editor):
    commands = editor.server["executeCommandProvider"]["commands"]
    for command in ("slip.new", "slip.list", "slip.do", "slip.undo", "slip.daily", "slip.commit"):
        assert command in commands
    editor.open("plan.md")
    listed = await editor.command("slip.list", {"query": "kind:task priority:high"})
    assert "Feed the starter" in str(listed)
    before = editor.box.commits()
    made = await editor.command("slip.new", {"title": "Made by the editor"})
    assert made, "the new note is named"
    await editor.until(lambda: "Made by the editor" in editor.box.run("list", "--format", "{title}"), "the note is there")
    assert editor.box.commits() == before + 1
    assert "lsp" in editor.box.git("log", "-1", "--format=%B"), "the commit says which face made it"
    await editor.command("slip.undo")
    assert "Made by the editor" not in editor.box.run("list", "--format", "{title}")
    assert editor.box.git("status", "--porcelain") == ""


async def test_nothing_is_written_unasked(editor):
    before, head = editor.box.files(), editor.box.git("rev-parse", "HEAD")
    for name in ("rye.md", "feed.md", "broken.md"):
        editor.open(name)
        editor.change(name, editor.texts[name].text + "\nmore [[words\n")
        await editor.at("textDocument/completion", name, editor.texts[name].position(len(editor.texts[name].text) - 1))
    await editor.diagnostics("broken.md", lambda all: all)
    assert editor.box.files() == before and editor.box.git("rev-parse", "HEAD") == head


async def test_line_ends_and_front_matter_stay(editor):
    text = ("---\r\nid: rbrccccc\r\ntitle: 'Rye bread'   # as baked\r\ntags: [food]\r\n---\r\n"
            "# Rye 🍞\r\n\r\n- [ ] feed it\r\n* [ ] and \\[ \\]\r\n\r\n[[Fermentation basics]]  \r\n")
    editor.open("rye.md", text)
    editor.save("rye.md")
    found = await editor.actions("rye.md", editor.texts["rye.md"].range("feed it"))
    await editor.act(next(each for each in found if "box" in each["title"].lower()))
    text = text.replace("[ ] feed", "[x] feed")
    assert editor.texts["rye.md"].text == text
    edit = await editor.at("textDocument/rename", "rye.md", editor.texts["rye.md"].at("basics]]"), newName="Salt and time")
    if edit:
        editor.apply(edit)
    assert editor.texts["rye.md"].text == text.replace("[[Fermentation basics]]", "[[Salt and time]]")


async def test_files_in_no_box(editor, tmp_path):
    path = str(tmp_path / "alone.md")
    text = f"# Alone\n\nSee [[Ferm{CURSOR} and [x](y.md) #tag\n\n## More\n"
    position = editor.open(path, text)
    for method in ("completion", "hover", "definition", "documentHighlight"):
        await editor.at(f"textDocument/{method}", path, position)
    await editor.at("textDocument/references", path, position, context={"includeDeclaration": True})
    for method in ("documentSymbol", "foldingRange", "documentLink"):
        await editor.of(f"textDocument/{method}", path)
    assert not await editor.actions(path, {"start": position, "end": position})


async def test_the_disk_counts_once_a_note_is_closed(editor):
    from lsprotocol import types
    editor.open("rye.md", "# Only in the editor\n")
    items = await editor.complete("plan.md", f"See [[Only in{CURSOR}")
    assert "Only in the editor" in labels(items)
    editor.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(editor.box.uri("rye.md"))))
    items = await editor.complete("plan.md", f"See [[Only in{CURSOR}")
    assert "Only in the editor" not in labels(items)
    items = await editor.complete("plan.md", f"See [[Rye b{CURSOR}")
    assert "Rye bread" in labels(items)
