"""Holds the server's messages against what a client offers: pytest-lsp looks at completion and links alone.

Source: Language Server Protocol 3.17, the capabilities of each request.
"""


def part(value, *keys):
    """A part of nested objects; None where one of them is missing."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


class Offers:
    """The capabilities of a client, and what exceeded them."""

    def __init__(self, capabilities):
        self.all = capabilities
        self.excesses = []
        self.resource_operations = part(capabilities, "workspace", "workspaceEdit", "resourceOperations") or []
        self.has_document_changes = bool(part(capabilities, "workspace", "workspaceEdit", "documentChanges"))

    def get(self, *keys):
        return part(self.all, *keys)

    def document(self, *keys):
        return part(self.all, "textDocument", *keys)

    def need(self, holds, what):
        if not holds:
            self.excesses.append(what)

    def markup(self, content, formats, what):
        kind = part(content, "kind")
        if kind == "markdown":
            self.need("markdown" in (formats or []), f"{what} in markdown")

    # Answers.

    def check(self, method, result):
        name = method.replace("/", "_").replace("$", "")
        check = getattr(self, name, None)
        if check and result is not None:
            check(result)

    def initialize(self, result):
        offered = result["capabilities"]
        encoding = offered.get("positionEncoding")
        encodings = self.get("general", "positionEncodings") or []
        self.need(encoding in (None, "utf-16") or encoding in encodings, f"encoding {encoding} of {encodings}")
        if isinstance(offered.get("renameProvider"), dict):
            self.need(self.document("rename", "prepareSupport"), "renameProvider with options")
        if isinstance(offered.get("codeActionProvider"), dict):
            self.need(self.document("codeAction", "codeActionLiteralSupport"), "codeActionProvider with options")
        for provider, keys in (("codeLensProvider", ("codeLens",)), ("inlayHintProvider", ("inlayHint",)),
                               ("semanticTokensProvider", ("semanticTokens",))):
            if offered.get(provider):
                self.need(self.document(*keys) is not None, provider)
        if part(offered, "workspace", "fileOperations", "willRename"):
            self.need(self.get("workspace", "fileOperations", "willRename"), "willRename")

    def textDocument_completion(self, result):
        item_offers = self.document("completion", "completionItem") or {}
        kinds = self.document("completion", "completionItemKind", "valueSet") or list(range(1, 19))
        items = result["items"] if isinstance(result, dict) else result
        for item in items:
            if item.get("kind"):
                self.need(item["kind"] in kinds, f"completion item of kind {item['kind']}")
            if "insert" in (item.get("textEdit") or {}):
                self.need(item_offers.get("insertReplaceSupport"), "insert and replace")
            if item.get("labelDetails"):
                self.need(item_offers.get("labelDetailsSupport"), "label details")
            if item.get("insertTextFormat") == 2:
                self.need(item_offers.get("snippetSupport"), "a snippet")
            if item.get("insertTextMode"):
                self.need(item_offers.get("insertTextModeSupport"), "an insert text mode")
            if item.get("commitCharacters"):
                self.need(item_offers.get("commitCharactersSupport"), "commit characters")
            if item.get("tags"):
                self.need(item_offers.get("tagSupport"), "tags of completion")
            self.markup(item.get("documentation"), item_offers.get("documentationFormat"), "documentation")
        if isinstance(result, dict) and result.get("itemDefaults"):
            self.need(self.document("completion", "completionList", "itemDefaults"), "defaults of items")

    def completionItem_resolve(self, item):
        self.textDocument_completion([item])

    def textDocument_hover(self, hover):
        self.markup(hover["contents"], self.document("hover", "contentFormat"), "hover")

    def textDocument_definition(self, found):
        for each in found if isinstance(found, list) else [found]:
            if "targetUri" in each:
                self.need(self.document("definition", "linkSupport"), "definition with a link")

    def textDocument_documentSymbol(self, symbols):
        kinds = self.document("documentSymbol", "symbolKind", "valueSet") or list(range(1, 19))

        def walk(symbols):
            for symbol in symbols:
                if "selectionRange" in symbol:
                    self.need(self.document("documentSymbol", "hierarchicalDocumentSymbolSupport"), "symbols within symbols")
                self.need(symbol["kind"] in kinds, f"symbol of kind {symbol['kind']}")
                if symbol.get("tags"):
                    self.need(self.document("documentSymbol", "tagSupport"), "tags of symbols")
                walk(symbol.get("children") or [])

        walk(symbols)

    def workspace_symbol(self, symbols):
        kinds = self.get("workspace", "symbol", "symbolKind", "valueSet") or list(range(1, 19))
        for symbol in symbols:
            self.need(symbol["kind"] in kinds, f"symbol of kind {symbol['kind']} in the workspace")
            if "range" not in symbol["location"]:
                self.need(self.get("workspace", "symbol", "resolveSupport"), "a symbol without a range")

    def textDocument_codeAction(self, actions):
        offers = self.document("codeAction") or {}
        for action in actions:
            if not isinstance(action.get("command"), str):
                self.code_action(action, offers)
                if not action.get("edit") and not action.get("command") and not action.get("disabled"):
                    self.need("edit" in (part(offers, "resolveSupport", "properties") or []), "an action without its edit")
                    self.need(offers.get("dataSupport") or not action.get("data"), "data of an action")

    def code_action(self, action, offers):
        self.need(offers.get("codeActionLiteralSupport"), "actions that are no commands")
        if action.get("disabled"):
            self.need(offers.get("disabledSupport"), "a disabled action")
        if action.get("isPreferred"):
            self.need(offers.get("isPreferredSupport"), "a preferred action")
        if action.get("edit"):
            self.edit(action["edit"])

    def codeAction_resolve(self, action):
        self.code_action(action, self.document("codeAction") or {})

    def textDocument_rename(self, edit):
        self.edit(edit)

    def workspace_willRenameFiles(self, edit):
        self.edit(edit)

    def edit(self, edit):
        offers = self.get("workspace", "workspaceEdit") or {}
        if edit.get("documentChanges") is not None:
            self.need(offers.get("documentChanges") or self.resource_operations, "changes of documents with versions")
            for change in edit["documentChanges"]:
                if "kind" in change:
                    self.need(change["kind"] in self.resource_operations, f"{change['kind']} of a file")
                self.annotations(change, offers)
        if edit.get("changeAnnotations"):
            self.need(offers.get("changeAnnotationSupport"), "annotations of changes")

    def annotations(self, change, offers):
        marked = change.get("annotationId") or any(edit.get("annotationId") for edit in change.get("edits", []))
        self.need(not marked or offers.get("changeAnnotationSupport"), "an annotation of a change")

    def textDocument_foldingRange(self, ranges):
        offers = self.document("foldingRange") or {}
        if offers.get("rangeLimit"):
            self.need(len(ranges) <= offers["rangeLimit"], f"{len(ranges)} folds")
        for each in ranges:
            if offers.get("lineFoldingOnly"):
                self.need(each.get("startCharacter") is None and each.get("endCharacter") is None, "folds within lines")
            if each.get("collapsedText"):
                self.need(part(offers, "foldingRange", "collapsedText"), "text of a fold")

    def textDocument_documentLink(self, links):
        for link in links:
            self.need(not link.get("tooltip") or self.document("documentLink", "tooltipSupport"), "tooltip of a link")

    def textDocument_inlayHint(self, hints):
        self.need(self.document("inlayHint") is not None, "inlay hints")

    def textDocument_codeLens(self, lenses):
        self.need(self.document("codeLens") is not None, "code lens")

    # What the server says and asks by itself.

    def said(self, method, params):
        if method == "textDocument/publishDiagnostics":
            offers = self.document("publishDiagnostics") or {}
            self.need(params.get("version") is None or offers.get("versionSupport"), "version of diagnostics")
            for each in params["diagnostics"]:
                self.need(not each.get("relatedInformation") or offers.get("relatedInformation"), "related information")
                self.need(not each.get("codeDescription") or offers.get("codeDescriptionSupport"), "description of a code")
                self.need(each.get("data") is None or offers.get("dataSupport"), "data of diagnostics")
                for tag in each.get("tags") or []:
                    self.need(tag in (part(offers, "tagSupport", "valueSet") or []), f"tag {tag} of diagnostics")
            return
        needs = {
            "workspace/applyEdit": ("workspace", "applyEdit"), "workspace/configuration": ("workspace", "configuration"),
            "window/showDocument": ("window", "showDocument", "support"),
            "window/workDoneProgress/create": ("window", "workDoneProgress"),
            "workspace/codeLens/refresh": ("workspace", "codeLens", "refreshSupport"),
            "workspace/inlayHint/refresh": ("workspace", "inlayHint", "refreshSupport"),
            "workspace/semanticTokens/refresh": ("workspace", "semanticTokens", "refreshSupport"),
            "workspace/workspaceFolders": ("workspace", "workspaceFolders"),
        }
        if method in needs:
            self.need(self.get(*needs[method]), method)
        if method == "workspace/applyEdit":
            self.edit(params["edit"])
        if method == "client/registerCapability":
            for each in params["registrations"]:
                area, _, name = each["method"].partition("/")
                self.need(self.get(area, name, "dynamicRegistration"), f"registration of {each['method']}")
