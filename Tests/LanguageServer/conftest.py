"""Editors for the tests with recorded capabilities: each drives a server of its own in a box of its own."""

import asyncio
import json
import os
import pathlib
import sys
from importlib import resources

sys.path.insert(0, os.path.dirname(__file__))
sys.dont_write_bytecode = True

import pytest
import pytest_lsp
from lsprotocol import converters, types
from pygls.exceptions import JsonRpcException, JsonRpcMethodNotFound

import boxes
import wire
from offers import Offers
from texts import Text

CONVERTER = converters.get_converter()
CURSOR = "‸"


def recorded():
    """The path of each recording, by client and version."""
    shipped = [pathlib.Path(str(each)) for each in resources.files("pytest_lsp.clients").iterdir()]
    own = list((pathlib.Path(__file__).parent / "clients").iterdir())
    return {path.stem: path for path in sorted(shipped + own) if path.suffix == ".json"}


RECORDED = recorded()


class Protocol(pytest_lsp.LanguageClientProtocol):
    """Keeps what the server says as it came: lsprotocol takes a code action with a command for a command."""

    def structure_message(self, data):
        if "method" in data:
            params = data.get("params")
            self._server.offers.said(data["method"], params)
            self._server.heard.append((data["method"], params))
        elif "id" in data:
            self._server.raw[data["id"]] = data.get("result")
        return super().structure_message(data)


class Editor:
    """An editor with some of the box's notes open."""

    def __init__(self, client, box, capabilities):
        self.client, self.box, self.capabilities = client, box, capabilities
        self.offers = client.offers
        self.texts = {}
        self.versions = {}
        self.on_disk = {}  # the files of open notes as the editor read or wrote them last
        self.server = None  # what it offers
        self.asked = 0
        self.choice = 0  # the answer to its next question

    async def start(self):
        params = {"processId": None, "rootUri": wire.uri(self.box.folder), "capabilities": self.capabilities["capabilities"],
                  "clientInfo": self.capabilities["clientInfo"],
                  "workspaceFolders": [{"uri": wire.uri(self.box.folder), "name": "box"}]}
        result = await self.client.initialize_session(CONVERTER.structure(params, types.InitializeParams))
        result = CONVERTER.unstructure(result)
        self.offers.check("initialize", result)
        # What exceeds the offers from the beginning is told once, and not by every test.
        self.excesses_at_start, self.offers.excesses = self.offers.excesses, []
        self.server = result["capabilities"]
        self.encoding = self.server.get("positionEncoding") or "utf-16"

    # Texts.

    def open(self, name, text=None):
        """Opens a note, with a text that is not saved where one is given; a mark in it is the cursor."""
        given = self.box.read(name) if text is None else text
        self.on_disk[name] = self.box.read(name) if os.path.exists(self.box.path(name)) else None
        self.texts[name] = Text(given.replace(CURSOR, ""), self.encoding)
        self.versions[name] = 1
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(
            uri=self.box.uri(name), language_id="markdown", version=1, text=self.texts[name].text)))
        return self.texts[name].position(given.index(CURSOR)) if CURSOR in given else None

    def change(self, name, text):
        self.texts[name] = Text(text, self.encoding)
        self.versions[name] += 1
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(uri=self.box.uri(name), version=self.versions[name]),
            [types.TextDocumentContentChangeWholeDocument(text=text)]))

    def save(self, name):
        self.box.write(name, self.texts[name].text)
        self.on_disk[name] = self.texts[name].text
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(
            types.TextDocumentIdentifier(self.box.uri(name)), text=self.texts[name].text))

    def text(self, name):
        """A note as the editor has it: open, or on disk. Editors read an open file anew where it has no changes."""
        if name not in self.texts:
            return Text(self.box.read(name), self.encoding)
        known = self.on_disk[name]
        if known is not None and self.texts[name].text == known and self.box.read(name) != known:
            self.on_disk[name] = self.box.read(name)
            self.change(name, self.on_disk[name])
        return self.texts[name]

    def name(self, uri):
        """The path in the box of an address."""
        from urllib.parse import unquote, urlparse
        path = unquote(urlparse(uri).path)
        assert path.startswith(self.box.folder + "/"), f"{uri} is not in the box"
        return path[len(self.box.folder) + 1:]

    def apply(self, edit):
        """Does what an edit says, as editors do: in open texts and on disk."""
        for change in edit.get("documentChanges") or []:
            kind = change.get("kind")
            if kind == "create":
                path = self.name(change["uri"])
                if not os.path.exists(self.box.path(path)):
                    self.box.write(path, "")
            elif kind == "rename":
                old, new = self.name(change["oldUri"]), self.name(change["newUri"])
                os.makedirs(os.path.dirname(self.box.path(new)), exist_ok=True)
                os.rename(self.box.path(old), self.box.path(new))
            elif kind == "delete":
                os.remove(self.box.path(self.name(change["uri"])))
            else:
                version = change["textDocument"].get("version")
                name = self.name(change["textDocument"]["uri"])
                assert version is None or version == self.versions.get(name), f"an edit of version {version} of {name}"
                self.apply_to(name, change["edits"])
        for uri, edits in (edit.get("changes") or {}).items():
            self.apply_to(self.name(uri), edits)

    def apply_to(self, name, edits):
        new = self.text(name).applied(edits)
        if name in self.texts:
            self.change(name, new)
        else:
            self.box.write(name, new)

    # Questions.

    async def ask(self, method, params):
        """The answer as it came, checked; the test is not there yet where the server does not know the method."""
        structured = CONVERTER.structure(params, types.METHOD_TO_TYPES[method][2])
        try:
            self.asked += 1
            await asyncio.wait_for(self.client.protocol.send_request_async(method, structured, self.asked), 60)
        except JsonRpcMethodNotFound:
            pytest.skip(f"{method} is not answered yet")
        result = self.client.raw[self.asked]
        self.offers.check(method, result)
        return result

    async def at(self, method, name, position, **more):
        return await self.ask(method, {"textDocument": {"uri": self.box.uri(name)}, "position": position, **more})

    async def of(self, method, name, **more):
        return await self.ask(method, {"textDocument": {"uri": self.box.uri(name)}, **more})

    async def refusal(self, method, params):
        """The message with which a request is refused."""
        try:
            await self.ask(method, params)
        except JsonRpcException as error:
            return str(error)
        return None

    async def complete(self, name, text):
        """The items at the cursor in a text, and the name of the note."""
        position = self.open(name, text) if name not in self.texts else None
        if position is None:
            self.change(name, text.replace(CURSOR, ""))
            position = self.texts[name].position(text.index(CURSOR))
        found = await self.at("textDocument/completion", name, position)
        return found["items"] if isinstance(found, dict) else found

    def taken(self, name, items, label):
        """The text after an item was taken."""
        fitting = [item for item in items if item["label"] == label]
        assert fitting, f"{label} is not among {[item['label'] for item in items]}"
        edit = fitting[0]["textEdit"]
        if "insert" in edit:
            edit = {"range": edit["insert"], "newText": edit["newText"]}
        return self.texts[name].applied([edit, *(fitting[0].get("additionalTextEdits") or [])])

    async def diagnostics(self, name, wanted, timeout=5):
        """Waits until the diagnostics of a note fulfil a condition."""
        uri = self.box.uri(name)
        for _ in range(int(timeout * 20)):
            found = [params["diagnostics"] for method, params in self.client.heard
                     if method == "textDocument/publishDiagnostics" and params["uri"] == uri]
            if found and wanted(found[-1]):
                return found[-1]
            await asyncio.sleep(0.05)
        raise AssertionError(f"diagnostics of {name}: {found[-1] if found else 'none were sent'}")

    async def actions(self, name, range, only=None, diagnostics=()):
        context = {"diagnostics": list(diagnostics), **({"only": only} if only else {})}
        return await self.of("textDocument/codeAction", name, range=range, context=context) or []

    async def act(self, action):
        """Does what an action says."""
        if not action.get("edit") and not action.get("command"):
            action = await self.ask("codeAction/resolve", action)
        if action.get("edit"):
            self.apply(action["edit"])
        command = action.get("command")
        if isinstance(command, str):
            command = action
        if command:
            return await self.command(command["command"], *(command.get("arguments") or []))
        return None

    async def command(self, name, *arguments):
        return await self.ask("workspace/executeCommand", {"command": name, "arguments": list(arguments)})

    async def until(self, holds, what, timeout=10):
        """Waits until something holds."""
        for _ in range(int(timeout * 20)):
            if holds():
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"not so after {timeout} s: {what}")


def make_client(offers):
    client = pytest_lsp.LanguageClient(protocol_cls=Protocol, converter_factory=converters.get_converter)
    from pytest_lsp.client import register_lsp_features
    register_lsp_features(client)
    client.offers = offers
    client.heard = []
    client.raw = {}
    return client


@pytest.fixture(scope="session")
def original(tmp_path_factory):
    """A box that is copied for each test."""
    folder = tmp_path_factory.mktemp("original")
    return boxes.sample(os.environ["SLIP"], str(folder / "box"), str(folder / "home"), records=20)


@pytest.fixture(params=sorted(RECORDED))
async def editor(request, original, tmp_path):
    import subprocess
    subprocess.run(["cp", "-a", original.folder, str(tmp_path / "box")], check=True)
    box = boxes.Box(os.environ["SLIP"], str(tmp_path / "box"), str(tmp_path / "home"))
    capabilities = json.loads(RECORDED[request.param].read_text())
    client = make_client(Offers(capabilities["capabilities"]))
    await client.start_io(box.slip, "lsp", env=box.env, cwd=box.folder)
    editor = Editor(client, box, capabilities)

    @client.feature(types.WORKSPACE_APPLY_EDIT)
    def apply_edit(params):
        editor.apply([params for method, params in client.heard if method == "workspace/applyEdit"][-1]["edit"])
        return types.ApplyWorkspaceEditResult(applied=True)

    @client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
    def ask_user(params):
        return params.actions[editor.choice] if params.actions else None

    for refresh in (types.WORKSPACE_CODE_LENS_REFRESH, types.WORKSPACE_INLAY_HINT_REFRESH, types.WORKSPACE_SEMANTIC_TOKENS_REFRESH):
        client.feature(refresh)(lambda params: None)

    await editor.start()
    yield editor
    await asyncio.wait_for(client.shutdown_session(), 30)
    assert client._server.returncode == 0, f"the server ended with {client._server.returncode}"
    await client.stop()
    assert not client.offers.excesses, f"beyond what {request.param} offers: {client.offers.excesses[:5]}"
    assert client.error is None, client.error
