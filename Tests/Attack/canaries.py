"""Canary programs in every place of a repository that can name one. See canaries.sh."""

import os
import shutil
import subprocess
import sys
import tempfile
import time

slip = os.path.abspath(sys.argv[1])
quick = "--quick" in sys.argv

PROGRAMS = """
core.fsmonitor core.editor core.pager core.sshCommand core.gitProxy core.askPass core.alternateRefsCommand
credential.helper credential.https://example.org.helper diff.external diff.canary.command diff.canary.textconv
filter.canary.clean filter.canary.smudge filter.canary.process filter.two.words.clean filter.notes.clean
filter.notes.smudge merge.canary.driver
merge.slipbox.driver gpg.program gpg.openpgp.program gpg.ssh.program gpg.ssh.defaultKeyCommand gpg.x509.program
sequence.editor uploadpack.packObjectsHook gc.recentObjectsHook trailer.canary.command trailer.canary.cmd
pager.log pager.status pager.gc pager.config pager.update-index pager.ls-files pager.read-tree interactive.diffFilter
receive.procReceiveRefs browser.canary.cmd man.canary.cmd difftool.canary.cmd mergetool.canary.cmd web.browser
remote.origin.uploadpack remote.origin.receivepack remote.origin.vcs sendemail.smtpserver imap.tunnel
submodule.sub.update core.hooksPathProgram maintenance.canary.command trace2.eventTarget
""".split()

HOOKS = """
applypatch-msg commit-msg fsmonitor-watchman fsmonitorv2 post-applypatch post-checkout post-commit post-index-change
post-merge post-receive post-rewrite post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push
pre-rebase pre-receive prepare-commit-msg proc-receive push-to-checkout reference-transaction sendemail-validate
update
""".split()

ALIASES = "gc update-index ls-files read-tree config rev-parse status repack prune".split()

FORMS = ["2", "3", "4", "split", "untracked", "fsmonitor", "sparse", "missing", "damaged", "damaged 4"]

COMMANDS = [
    [], ["list"], ["list", "--json", "--with", "modified"], ["list", "--as-of", "today"], ["search", "body"],
    ["show", "n1.md"], ["status"], ["log"], ["log", "n1.md"], ["tags"], ["doctor"], ["kinds"], ["filter"], ["config"],
    ["completions", "bash"], ["new", "A note", "-b", "text"], ["new", "task", "A task"], ["append", "n1.md", "more"],
    ["set", "n1.md", "word:x"], ["edit", "n2.md"], ["do", "n1.md", "close"], ["tags", "rename", "old", "new", "--yes"],
    ["rm", "n3.md", "--yes"], ["commit"], ["doctor", "--fix", "--yes"], ["init"], ["sample", "--count", "2", "--yes"],
    ["set", "--where", "tag:new", "many:yes", "--yes"], ["status"],
]


class Box:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="slip-canary-")
        self.marks = os.path.join(self.folder, "marks")
        os.mkdir(self.marks)
        self.root = os.path.join(self.folder, "box")
        self.config = os.path.join(self.folder, "gitconfig")
        with open(self.config, "w") as file:
            file.write("[user]\nname = A\nemail = a@b\n[init]\ndefaultBranch = main\n[slipbox]\nhooks = skip\n")
        editor = os.path.join(self.folder, "editor")
        with open(editor, "w") as file:
            file.write('#!/bin/sh\nfor f; do :; done\necho edited >> "$f"\n')
        os.chmod(editor, 0o755)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.folder, "XDG_CONFIG_HOME": self.folder,
            "GIT_CONFIG_GLOBAL": self.config, "GIT_CONFIG_NOSYSTEM": "1", "EDITOR": editor, "LC_ALL": "C.UTF-8"}
        os.mkdir(self.root)
        for number in range(1, 24):
            self.write("n%d.md" % number, "---\ntitle: N%d\ntags: [old]\n---\nbody %d\n" % (number, number))
        self.write("canary.txt", "text\r\n")
        self.write("deep/other.txt", "text $Id$\n")
        self.run([slip, "init"])
        self.run(["git", "add", "-A"])
        self.run(["git", "commit", "-qm", "all"])
        self.place = os.path.join(self.root, ".git/config")

    def write(self, name, text):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def run(self, words):
        return subprocess.run(
            words, cwd=self.root, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, timeout=300)

    def mark(self, name):
        return "touch '%s/%s'; false" % (self.marks, name.replace("/", "_").replace("'", "_"))

    def shape(self, form):
        """Gives the index a form, before any program is there to run."""
        self.write("n4.md", "---\ntitle: N4\ntags: [old]\n---\nchanged by hand\n")
        self.run(["git", "add", "n5.md"])
        index = os.path.join(self.root, ".git/index")
        if form in ("2", "4"):
            self.run(["git", "update-index", "--index-version", form])
        elif form == "3":
            self.write("n99.txt", "x")
            self.run(["git", "add", "-N", "n99.txt"])
        elif form == "split":
            self.run(["git", "update-index", "--split-index"])
        elif form == "untracked":
            self.run(["git", "update-index", "--force-untracked-cache"])
            self.run(["git", "status"])
        elif form == "fsmonitor":
            self.run(["git", "-c", "core.fsmonitor=true", "update-index", "--fsmonitor"])
        elif form == "sparse":
            self.run(["git", "sparse-checkout", "set", "--cone", "--sparse-index", ".slipbox"])
        elif form == "missing":
            os.remove(index)
        elif form.startswith("damaged"):
            if form.endswith("4"):
                self.run(["git", "update-index", "--index-version", "4"])
            size = os.path.getsize(index)
            os.truncate(index, size * 2 // 3)

    def plant(self):
        included = os.path.join(self.folder, "included")
        lines = []
        for key in PROGRAMS:
            section, _, name = key.partition(".")
            sub, _, name = name.rpartition(".")
            value = self.mark(key).replace("\\", "\\\\").replace('"', '\\"')
            lines.append('[%s%s]\n%s = "%s"\n' % (section, ' "%s"' % sub if sub else "", name, value))
        for alias in ALIASES:
            lines.append('[alias]\n%s = "!%s"\n' % (alias, self.mark("alias." + alias)))
        hooks = os.path.join(self.folder, "hooks")
        os.mkdir(hooks)
        lines.append('[core]\nhooksPath = "%s"\n' % hooks)
        lines.append('[commit]\ngpgSign = true\n[gc]\nauto = 1\nautoDetach = false\n[protocol "ext"]\nallow = always\n')
        lines.append('[remote "origin"]\nurl = "ext::%s"\nfetch = +refs/heads/*:refs/remotes/origin/*\n' % self.mark("ext"))
        half = len(lines) // 2
        with open(self.place, "a") as file:
            file.write("".join(lines[:half]))
            file.write('[include]\npath = "%s"\n' % included)
        with open(included, "w") as file:
            file.write("".join(lines[half:]))
        for folder in (hooks, os.path.join(self.root, ".git/hooks")):
            os.makedirs(folder, exist_ok=True)
            for hook in HOOKS:
                path = os.path.join(folder, hook)
                with open(path, "w") as file:
                    file.write("#!/bin/sh\n%s\n" % self.mark("hook." + hook))
                os.chmod(path, 0o755)
        # The filter of a note may run, as git runs it; all other files have every program that attributes can name.
        os.makedirs(os.path.join(self.root, ".git/info"), exist_ok=True)
        with open(os.path.join(self.root, ".git/info/attributes"), "a") as file:
            file.write("* diff=canary merge=canary\n*.txt filter=canary\ndeep/* filter=two.words\nn9.md filter=notes\n")
        for name in ("canary.txt", "deep/other.txt", "n9.md"):
            if os.path.exists(os.path.join(self.root, name)):
                os.utime(os.path.join(self.root, name))

    def found(self):
        return sorted(mark for mark in os.listdir(self.marks) if mark not in NOTE_FILTERS)

    def end(self):
        shutil.rmtree(self.folder, ignore_errors=True)


NOTE_FILTERS = ("filter.notes.clean", "filter.notes.smudge")


def attack(form):
    box = Box()
    failed = []
    try:
        box.shape(form)
        box.plant()
        codes = []
        for words in COMMANDS:
            ran = box.run([slip] + words)
            codes.append(ran.returncode)
            marks = box.found()
            if marks:
                failed.append("slip %s ran: %s" % (" ".join(words), ", ".join(marks)))
                for mark in marks:
                    os.remove(os.path.join(box.marks, mark))
            if ran.returncode not in (0, 1, 64, 65, 66, 74, 75, 77, 78):
                failed.append("slip %s ended with %d: %s" % (" ".join(words), ran.returncode, ran.stderr[-300:]))
        # What slip leaves running has time to end.
        time.sleep(0.5 if quick else 2)
        if box.found():
            failed.append("afterwards: " + ", ".join(box.found()))
        print("index %-10s %d commands, %d of them done; %d marks" % (
            form, len(COMMANDS), codes.count(0), len(failed)), flush=True)
    finally:
        box.end()
    return failed


def control():
    """Plain git, which runs them: so the marks can be seen."""
    box = Box()
    try:
        box.plant()
        box.run(["git", "status"])
        box.run(["git", "add", "-A"])
        return box.found()
    finally:
        box.end()


failed = []
for form in FORMS:
    failed += ["%s: %s" % (form, line) for line in attack(form)]
for line in failed:
    print("  RAN:", line)
marks = control()
print("plain git ran: %s" % ", ".join(marks))
if not marks:
    failed.append("no mark of plain git")
print("canaries: %s" % ("FAILED" if failed else "ok"))
sys.exit(1 if failed else 0)
