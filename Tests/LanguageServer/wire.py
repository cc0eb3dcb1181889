"""A client of the language server that sends bytes and counts answers; it knows nothing of notes."""

import json
import os
import queue
import subprocess
import threading
import time
from urllib.parse import quote

TIMEOUT = 60  # seconds; an answer that takes longer is taken for a hang

# All that the server may make use of.
EVERYTHING = {
    "general": {"positionEncodings": ["utf-8", "utf-16"]},
    "window": {"workDoneProgress": True, "showDocument": {"support": True},
               "showMessage": {"messageActionItem": {"additionalPropertiesSupport": True}}},
    "workspace": {
        "applyEdit": True, "configuration": True, "workspaceFolders": True,
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename", "delete"],
                          "changeAnnotationSupport": {"groupsOnLabel": True}},
        "fileOperations": {"willRename": True}, "executeCommand": {}, "symbol": {},
        "codeLens": {"refreshSupport": True}, "inlayHint": {"refreshSupport": True},
        "semanticTokens": {"refreshSupport": True},
    },
    "textDocument": {
        "synchronization": {"didSave": True},
        "completion": {"completionItem": {
            "documentationFormat": ["markdown", "plaintext"], "labelDetailsSupport": True, "insertReplaceSupport": True,
            "resolveSupport": {"properties": ["documentation", "detail"]}},
            "completionItemKind": {"valueSet": list(range(1, 26))}},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True, "symbolKind": {"valueSet": list(range(1, 27))}},
        "definition": {"linkSupport": True}, "references": {}, "documentHighlight": {},
        "documentLink": {"tooltipSupport": True}, "foldingRange": {"lineFoldingOnly": True},
        "semanticTokens": {
            "requests": {"full": True, "range": True}, "formats": ["relative"],
            "tokenTypes": ["property", "enumMember", "string", "decorator", "class", "keyword"],
            "tokenModifiers": ["deprecated"]},
        "inlayHint": {}, "codeLens": {}, "rename": {"prepareSupport": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor", "source"]}},
                       "resolveSupport": {"properties": ["edit"]}, "dataSupport": True, "disabledSupport": True,
                       "isPreferredSupport": True},
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": True},
    },
}


def encoded_as(*encodings):
    """All capabilities, with these encodings of positions."""
    return {**EVERYTHING, "general": {"positionEncodings": list(encodings)}}


def uri(path):
    return "file://" + quote(path)


def environment(home, **more):
    """The environment of every command: nothing of the machine's user, and every commit with an author."""
    return {
        "PATH": os.environ["PATH"], "HOME": home, "XDG_CONFIG_HOME": home + "/.config", "XDG_CACHE_HOME": home + "/.cache",
        "LC_ALL": "C.UTF-8", "TZ": "UTC", "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org", **more,
    }


def frame(body):
    if not isinstance(body, bytes):
        body = json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


class Refused(Exception):
    """The server answered with an error."""

    def __init__(self, error):
        super().__init__(f"{error.get('code')}: {error.get('message')}")
        self.code = error.get("code")


class Gone(Exception):
    """The server ended, or gave no answer in time."""


class Server:
    """One running server and all that it said."""

    def __init__(self, slip, folder, env, arguments=("lsp",), errors=None):
        self.errors = open(errors, "ab") if errors else subprocess.DEVNULL
        self.process = subprocess.Popen(
            [slip, *arguments], cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)
        self.next_id = 1
        self.answers = {}  # id: all answers to it
        self.asked = set()
        self.surprises = []  # what a server must never say
        self.notifications = []
        self.requests = []  # of the server
        self.ignored = set()  # methods of the server's requests that are never answered
        self.reply = {}  # method: function of params, for requests of the server
        self.news = threading.Condition()
        self.outgoing = queue.Queue()
        self.is_gone = False
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._write, daemon=True).start()

    # Sending.

    def send_bytes(self, data):
        self.outgoing.put(data)

    def _write(self):
        while (data := self.outgoing.get()) is not None:
            try:
                self.process.stdin.write(data)
                self.process.stdin.flush()
            except (OSError, ValueError):
                return
        try:
            self.process.stdin.close()
        except OSError:
            pass

    def notify(self, method, params=None):
        self.send_bytes(frame({"jsonrpc": "2.0", "method": method, "params": params}))

    def begin(self, method, params=None, id=None):
        """Asks, and gives the id by which the answer is waited for."""
        if id is None:
            id = self.next_id
            self.next_id += 1
        self.asked.add(id)
        self.send_bytes(frame({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
        return id

    def answer(self, id, timeout=TIMEOUT):
        """The whole answer to a question."""
        end = time.monotonic() + timeout
        with self.news:
            while id not in self.answers:
                left = end - time.monotonic()
                if left <= 0:
                    raise Gone(f"no answer to {id} after {timeout} s")
                if self.is_gone:
                    raise Gone(f"the server ended with {self.process.wait()} and did not answer {id}")
                self.news.wait(left)
            return self.answers[id][0]

    def request(self, method, params=None, timeout=TIMEOUT):
        message = self.answer(self.begin(method, params), timeout)
        if "error" in message:
            raise Refused(message["error"])
        return message["result"]

    # Reading.

    def _read(self):
        stream = self.process.stdout
        try:
            while True:
                length = None
                while line := stream.readline():
                    if line == b"\r\n":
                        break
                    name, _, value = line.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                if not line:
                    break
                body = stream.read(length)
                if len(body) < length:
                    break
                self._take(json.loads(body))
        except Exception as error:  # noqa: BLE001
            self.surprises.append(f"unreadable output: {error}")
        with self.news:
            self.is_gone = True
            self.news.notify_all()

    def _take(self, message):
        reply = None
        with self.news:
            if message.get("jsonrpc") != "2.0":
                self.surprises.append(f"no version: {message}")
            if "method" not in message:
                if ("result" in message) == ("error" in message):
                    self.surprises.append(f"neither or both of result and error: {message}")
                id = message.get("id")
                known = self.answers.setdefault(id, [])
                known.append(message)
                if id is not None and id not in self.asked:
                    self.surprises.append(f"an answer nobody asked for: {message}")
                elif id is not None and len(known) > 1:
                    self.surprises.append(f"a second answer: {message}")
            elif "id" in message:
                self.requests.append(message)
                if message["method"] not in self.ignored:
                    reply = self.reply.get(message["method"], lambda params: None)
            else:
                self.notifications.append(message)
            self.news.notify_all()
        if reply:
            result = reply(message.get("params"))
            self.send_bytes(frame({"jsonrpc": "2.0", "id": message["id"], "result": result}))

    def said(self, method, since=0):
        """The parameters of all notifications of a method."""
        with self.news:
            return [each["params"] for each in self.notifications[since:] if each["method"] == method]

    def wait(self, test, timeout=TIMEOUT):
        """Waits until a test of what was said holds; says whether it came to hold."""
        end = time.monotonic() + timeout
        with self.news:
            while not (found := test()):
                left = end - time.monotonic()
                if left <= 0 or self.is_gone:
                    return found
                self.news.wait(left)
            return found

    # A life.

    def initialize(self, root, capabilities=EVERYTHING, options=None):
        result = self.request("initialize", {
            "processId": os.getpid(), "rootUri": uri(root), "capabilities": capabilities,
            "workspaceFolders": [{"uri": uri(root), "name": "box"}], "initializationOptions": options})
        self.notify("initialized", {})
        return result

    def open(self, path, text, version=1):
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri(path), "languageId": "markdown", "version": version, "text": text}})

    def shut_down(self, timeout=TIMEOUT):
        """An orderly end; the exit code."""
        self.request("shutdown", timeout=timeout)
        self.notify("exit")
        return self.wait_for_end(timeout)

    def wait_for_end(self, timeout=TIMEOUT):
        try:
            code = self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise Gone(f"the server did not end within {timeout} s") from None
        finally:
            self.outgoing.put(None)
        return code

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.outgoing.put(None)

    def rss(self):
        """The memory that it holds now, in kB."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def is_running(self):
        return self.process.poll() is None
