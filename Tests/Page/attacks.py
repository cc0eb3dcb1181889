"""Attacks from other pages and from raw sockets: no byte of a note gets out, nothing is changed, the server stays up."""

import contextlib
import http.server
import json
import os
import resource
import select
import socket
import subprocess
import threading
import time

from browser import Box, Fault, Page, free_port, launch, until

SECRET = "Sesame-4711"
NAMES = ["evil.test", "localhost.evil.com", "127.0.0.1.evil.com"]
ROUTES = ["/", "/assets/main.js", "/api/box", "/api/list?q=", "/api/note?ref=REF", "/api/file?path=pic.png", "/api/history", "/api/deleted", "/api/titles?q=s", "/api/complete?q=s",
          "/api/state", "/api/events"]
WRITES = {
    "/api/new": '{"kind":"note","title":"planted"}', "/api/change": '{"notes":[{"ref":"REF"}],"changes":["title:planted"]}', "/api/rm": '{"notes":[{"ref":"REF"}]}', "/api/undo": "{}",
    "/api/filter": '{"name":"planted","query":"a"}', "/api/restore": '{"ref":"REF"}', "/api/do": '{"action":"close","notes":[{"ref":"REF"}]}',
}

# Everything that a page may try against another origin; what it gets to see is collected as text.
ATTEMPTS = """async ({ server, routes, writes, token, socket }) => {
  const seen = {}, soon = (promise, what = 'no answer') => Promise.race([promise, new Promise((done) => setTimeout(() => done(what), 2500))]);
  const note = async (name, run) => { try { seen[name] = String(await soon(run())); } catch (error) { seen[name] = 'refused: ' + error.name; } };
  const read = (path, options) => async () => { const answer = await fetch(server + path, options); return `${answer.type} ${answer.status} ${answer.type === 'opaque' ? '' : (await answer.text()).slice(0, 4000)}`; };
  const keys = token ? [{}, { 'Slip-Token': token }, { 'Slip-Token': '0'.repeat(32) }] : [{}, { 'Slip-Token': '0'.repeat(32) }];
  for (const path of routes) {
    for (const [number, headers] of keys.entries()) await note(`fetch ${path} ${number}`, read(path, { headers }));
    await note(`no-cors ${path}`, read(path, { mode: 'no-cors', credentials: 'include' }));
    await note(`token in the address ${path}`, read(`${path}${path.includes('?') ? '&' : '?'}token=${token}`, { mode: 'no-cors' }));
    await note(`img ${path}`, () => new Promise((done) => { const node = new Image(); node.onload = () => done(`loaded ${node.width}`); node.onerror = () => done('error'); node.src = server + path; }));
    await note(`script ${path}`, () => new Promise((done) => { const node = document.createElement('script'); node.onload = () => done('ran'); node.onerror = () => done('error'); node.src = server + path; document.head.append(node); }));
    await note(`module ${path}`, () => import(server + path).then((all) => Object.keys(all).join()));
    await note(`style ${path}`, () => new Promise((done) => { const node = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: server + path }); node.onload = () => done([...document.styleSheets].map((one) => { try { return [...one.cssRules].map((rule) => rule.cssText).join(); } catch { return ''; } }).join()); node.onerror = () => done('error'); document.head.append(node); }));
    await note(`iframe ${path}`, () => new Promise((done) => { const node = document.createElement('iframe'); node.onload = () => { let text; try { text = node.contentDocument ? node.contentDocument.documentElement.outerHTML : 'closed'; } catch (error) { text = error.name; } node.remove(); done(text); }; node.src = server + path; document.body.append(node); }));
    await note(`object ${path}`, () => new Promise((done) => { const node = document.createElement('object'); node.onload = () => { let text; try { text = node.contentDocument ? node.contentDocument.documentElement.outerHTML : 'closed'; } catch (error) { text = error.name; } done(text); }; node.onerror = () => done('error'); node.data = server + path; document.body.append(node); }));
  }
  await note('events', () => new Promise((done) => { const node = new EventSource(server + '/api/events'); node.onmessage = (event) => done(event.data); node.onerror = () => { node.close(); done('error'); }; }));
  for (const path of ['/api/events', '/', '/api/list']) await note(`websocket ${path}`, () => new Promise((done) => { const node = new WebSocket(socket + path); node.onopen = () => done('open'); node.onmessage = (event) => done(event.data); node.onerror = () => done('error'); }));
  for (const [path, body] of Object.entries(writes)) {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) await note(`no-cors post ${type} ${path}`, read(path, { method: 'POST', mode: 'no-cors', headers: { 'Content-Type': type }, body }));
    for (const headers of keys) await note(`post ${path} ${Object.values(headers)}`, read(path, { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body }));
    await note(`beacon ${path}`, () => Promise.resolve(navigator.sendBeacon(server + path, new Blob([body], { type: 'text/plain' }))));
    await note(`form ${path}`, () => new Promise((done) => {
      const frame = Object.assign(document.createElement('iframe'), { name: 'target' + Math.random() });
      document.body.append(frame);
      const form = Object.assign(document.createElement('form'), { method: 'post', enctype: 'text/plain', action: server + path, target: frame.name });
      form.append(Object.assign(document.createElement('input'), { name: body.slice(0, -1) + ',"x":"', value: '"}' }));
      document.body.append(form);
      frame.onload = () => setTimeout(() => { let text; try { text = frame.contentDocument ? frame.contentDocument.documentElement.outerHTML : 'closed'; } catch (error) { text = error.name; } done(text); }, 50);
      form.submit();
    }));
  }
  return seen;
}"""

POPUP = """async (address) => {
  const other = window.open(address, '_blank');
  const seen = [];
  for (let turn = 0; turn < 15; turn++) {
    await new Promise((done) => setTimeout(done, 100));
    for (const look of [() => other.document.documentElement.outerHTML, () => other.location.href, () => other.sessionStorage['slip-token'], () => other.length, () => other.closed]) { try { seen.push(String(look())); } catch (error) { seen.push(error.name); } }
    try { other.postMessage({ token: 1 }, '*'); } catch { /* not there */ }
  }
  return seen.join(' ');
}"""


class Foreign:
    """A server of pages that mean no good, on a port of its own."""

    def __enter__(self):
        class Pages(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = b"<!doctype html><title>other</title><body>another page"
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *words):
                pass
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *fault):
        self.server.shutdown()
        self.server.server_close()


def head(box):
    done = subprocess.run(["git", "-C", box.path, "rev-parse", "HEAD"], text=True, capture_output=True).stdout
    return done + subprocess.run(["git", "-C", box.path, "status", "--porcelain"], text=True, capture_output=True).stdout


def raw(port, request, seconds=5, host="127.0.0.1"):
    """Sends bytes and gives back what comes, as far as it comes in time."""
    with socket.create_connection((host, port), timeout=seconds) as line:
        line.settimeout(seconds)
        answer = b""
        with contextlib.suppress(OSError):
            line.sendall(request)
            while len(answer) < 1 << 20:
                part = line.recv(65536)
                if not part:
                    break
                answer += part
                if b"\r\n\r\n" in answer and not answer.startswith(b"HTTP/1.1 200") and b"Content-Length: 0" not in answer:
                    line.settimeout(0.2)
        return answer


def ask(box, path="/api/list?q=", token=True, host=None, method="GET", more=(), body=b""):
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{box.port}'}", "Connection: close"]
    if token:
        lines.append(f"Slip-Token: {box.token}")
    return raw(box.port, "\r\n".join([*lines, *more, "", ""]).encode("latin-1") + body)


def status(answer):
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def well(box):
    """The server answers those who may ask."""
    until("the server answers", lambda: status(ask(box)) == 200 and SECRET.encode() in ask(box))


def rebinding(box, guest, routes, writes):
    """A name of somebody else that leads to this machine: the page is of its origin, and is given nothing."""
    problems = []
    for name in NAMES:
        context = guest.new_context()
        tab = context.new_page()
        for route in routes:
            answer = tab.goto(f"http://{name}:{box.port}{route}", wait_until="commit")
            if answer.status != 403 or SECRET in tab.content():
                problems.append(f"{name}{route}: {answer.status}")
        for token in [None, box.token]:
            seen = tab.evaluate(ATTEMPTS, {"server": f"http://{name}:{box.port}", "socket": f"ws://{name}:{box.port}", "routes": routes, "writes": writes, "token": token})
            problems += [f"{name}: {what}: {text[:120]}" for what, text in seen.items() if SECRET in text or " 200 " in text[:16] or text in ("open", "ran") or text.startswith("loaded")]
        context.close()
    return problems


def foreign_pages(box, guest, routes, writes):
    """A page of another origin, near or far, that knows the port, and one that knows the key too."""
    problems = []
    with Foreign() as other:
        for origin in [f"http://127.0.0.1:{other.port}", f"http://localhost:{other.port}", f"http://evil.test:{other.port}"]:
            for token in [None, box.token]:
                context = guest.new_context()
                tab = context.new_page()
                tab.goto(origin)
                seen = tab.evaluate(ATTEMPTS, {"server": f"http://127.0.0.1:{box.port}", "socket": f"ws://127.0.0.1:{box.port}", "routes": routes, "writes": writes, "token": token})
                for what, text in seen.items():
                    opened = SECRET in text or text.startswith(("cors 200", "basic 200", "loaded")) or text == "open" or (text == "ran" and "/api/" in what)
                    if opened:
                        problems.append(f"{origin}: {what}: {text[:120]}")
                context.close()
        context = guest.new_context()
        tab = context.new_page()
        tab.goto(f"http://127.0.0.1:{other.port}")
        seen = tab.evaluate(POPUP, box.address)
        if SECRET in seen or box.token in seen or "slipbox" in seen.lower():
            problems.append(f"a popup shows {seen[:200]}")
        opened = [one for one in context.pages if one is not tab]
        if len(opened) != 1:
            problems.append(f"{len(opened)} popups were opened")
        elif opened[0].evaluate("window.opener") is not None:
            problems.append("the page keeps its opener")
        context.close()
    return problems


PATHS = ["..", "%2e%2e", "%2E%2e", ".%2e", "%252e%252e", "..%00", "%c0%ae%c0%ae", "%uff0e%uff0e", "..;", "....", "\\..", "%5c..", "%2f..", "..%2f..", "%ef%bc%8e%ef%bc%8e"]


def paths(box):
    """No path of a request is opened, however it is spelled."""
    problems = []
    wanted = [".git/config", ".slipbox/config.yaml", "etc/passwd", "secret.txt", "note.md"]
    for up in PATHS:
        for target in wanted:
            for path in [f"/assets/{up}/{target}", f"/assets/{up}/{up}/{up}/{up}/{up}/{target}", f"/{up}/{target}", f"/api/file?path={up}/{target}", f"/api/file?path=x/{up}/{up}/{target}",
                         f"/api/file?path=%2f{target}", f"/api/file?path=/{target}", f"/api/note?ref={up}/{target}", f"/api/file?path={target}%00.png", f"//{target}"]:
                answer = ask(box, path)
                if status(answer) == 200 or any(part in answer for part in [b"root:", b"[core]", SECRET.encode(), b"hidden words"]):
                    problems.append(f"{path}: {answer[:80]!r}")
    return problems


def requests(box):
    """Requests that are none, or not from this machine's page: refused in a word."""
    own = f"127.0.0.1:{box.port}"
    problems = []

    def refused(what, answer, *wanted):
        if status(answer) not in wanted or SECRET.encode() in answer:
            problems.append(f"{what}: {answer[:100]!r}")
    key = f"Slip-Token: {box.token}\r\n"
    refused("no host", raw(box.port, f"GET /api/list HTTP/1.1\r\n{key}Connection: close\r\n\r\n".encode()), 400, 403)
    refused("two hosts", raw(box.port, f"GET /api/list HTTP/1.1\r\nHost: {own}\r\nHost: evil.test\r\n{key}Connection: close\r\n\r\n".encode()), 400, 403)
    refused("absolute form", raw(box.port, f"GET http://{own}/api/list HTTP/1.1\r\nHost: {own}\r\n{key}Connection: close\r\n\r\n".encode()), 400, 403, 404)
    for host in ["evil.test", f"evil.test:{box.port}", f"localhost.evil.com:{box.port}", "127.0.0.1", f"127.0.0.1:{box.port + 1}", f"127.1:{box.port}", f"0.0.0.0:{box.port}", f"2130706433:{box.port}",
                 f"127.0.0.1:{box.port}@evil.test", f"evil.test#127.0.0.1:{box.port}", f"LOCALHOST.:{box.port}", f"[::ffff:127.0.0.1]:{box.port}", f" {own} evil", f"127.0.0.1:0{box.port}"]:
        refused(f"host {host}", ask(box, host=host), 400, 403)
    for line in ["Origin: null", "Origin: http://evil.test", f"Origin: http://localhost.evil.com:{box.port}", f"Origin: https://{own}", f"Origin: http://{own}.evil.test", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site",
                 "Sec-Fetch-Site: none"]:
        refused(line, ask(box, more=[line]), 403)
    refused("no key", ask(box, token=False), 401)
    for key in ["", "0" * 32, box.token[:-1], box.token + "0", box.token.upper() if box.token.upper() != box.token else "x", f"{box.token},{box.token}"]:
        refused(f"key {key!r}", ask(box, token=False, more=[f"Slip-Token: {key}"]), 401)
    for method in ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "HEAD"]:
        refused(method, ask(box, method=method), 400, 403, 404, 405)
    refused("10 MB of headers", raw(box.port, f"GET / HTTP/1.1\r\nHost: {own}\r\n".encode() + b"X-A: " + b"a" * (10 << 20) + b"\r\n\r\n", 10), 0, 400, 431)
    refused("a body that is told too long", ask(box, "/api/new", method="POST", more=["Content-Type: application/json", "Content-Length: 99999999999"]), 400, 413)
    refused("two lengths", ask(box, "/api/new", method="POST", more=["Content-Type: application/json", "Content-Length: 2", "Content-Length: 40"], body=b"{}"), 0, 400)
    refused("length and chunks", ask(box, "/api/new", method="POST", more=["Content-Type: application/json", "Content-Length: 2", "Transfer-Encoding: chunked"], body=b"0\r\n\r\nGET /api/list HTTP/1.1\r\n\r\n"), 0, 400, 422)
    refused("a body without end", endless(box), 0, 413)
    return problems


def endless(box):
    with socket.create_connection(("127.0.0.1", box.port), timeout=10) as line:
        line.sendall(f"POST /api/new HTTP/1.1\r\nHost: 127.0.0.1:{box.port}\r\nSlip-Token: {box.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        answer = b""
        with contextlib.suppress(OSError):
            for _ in range(2000):
                line.sendall(b"10000\r\n" + b"a" * 0x10000 + b"\r\n")
                if select.select([line], [], [], 0)[0]:
                    answer = line.recv(65536)
                    break
        return answer


def slow(box, count=10_000):
    """Connections that say one letter and wait: the page is answered all the while, and the server holds few of them."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    held = min(4_000, most - 200) if most > 0 else 4_000
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, held + 200) if most > 0 else held + 200, most))
    lines, waits, problems = [], [], []
    try:
        for number in range(count):
            line = socket.socket()
            line.settimeout(5)
            line.connect(("127.0.0.1", box.port))
            with contextlib.suppress(OSError):
                line.sendall([b"G", b"GET / HTTP/1.1\r\nHost: a", b"POST /api/new HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"][number % 3])
            lines.append(line)
            if len(lines) > held:
                lines.pop(0).close()
            if number % 500 == 499:
                start = time.monotonic()
                if status(ask(box)) != 200:
                    problems.append(f"after {number + 1} slow connections nobody is answered")
                waits.append(time.monotonic() - start)
        files = len(os.listdir(f"/proc/{box.server.pid}/fd")) if os.path.isdir(f"/proc/{box.server.pid}/fd") else 0
        if files > 600:
            problems.append(f"the server holds {files} files open")
        if max(waits) > 2:
            problems.append(f"an answer took {max(waits):.1f} s")
    finally:
        for line in lines:
            line.close()
    return problems, f"{count} slow connections, an answer in {max(waits) * 1000:.0f} ms at most"


def conduct(browser, slip, scratch, say):
    box = Box(slip, scratch)
    problems = []
    try:
        ref = box.run("new", "issue", SECRET, "-b", f"{SECRET} ![p](pic.png)\n", f"+{SECRET}").split()[0]
        for name, text in [("pic.png", "\x89PNG"), ("secret.txt", "hidden words")]:
            with open(os.path.join(box.path, name), "w") as file:
                file.write(text)
        subprocess.run(["git", "-C", box.path, "add", "-A"], check=True)
        subprocess.run(["git", "-C", box.path, "commit", "-qm", "files"], check=True, env=box.environment)
        box.start()
        box.token = box.address.split("token=")[1]
        before = head(box)
        guest = launch(browser.browser_type, resolved=NAMES)
        routes = [route.replace("REF", ref) for route in ROUTES]
        writes = {path: body.replace("REF", ref) for path, body in WRITES.items()}
        cases = {
            "rebinding": lambda: rebinding(box, guest, routes, writes), "foreign pages": lambda: foreign_pages(box, guest, routes, writes), "paths": lambda: paths(box), "requests": lambda: requests(box),
            "slow connections": lambda: slow(box),
        }
        for name, case in cases.items():
            try:
                found = case()
                found, word = found if isinstance(found, tuple) else (found, "")
                well(box)
                if head(box) != before:
                    found.append("the box was changed")
            except Exception as fault:
                found, word = [f"{type(fault).__name__}: {str(fault)[:500]}"], ""
            problems += [f"{name}: {one}" for one in found]
            say(f"  {name}: {'holds' if not found else found[:6]} {word}".rstrip())
        guest.close()
        page = Page(browser, box)
        until("the page shows the note", lambda: page.rows() == [SECRET])
        problems += page.close()
    except Exception as fault:
        problems.append(str(fault)[:500])
        say(f"  {problems[-1]}")
    finally:
        box.stop()
    return problems
