"""Drives a real emacs with eglot in batch, and looks at what it leaves."""

import os
import shutil
import subprocess

import boxes


def conduct(slip, scratch, say):
    if not shutil.which("emacs"):
        say("  skipped: emacs is not installed (Debian: emacs-nox elpa-eglot elpa-markdown-mode)")
        return []
    folder = os.path.join(scratch, "emacs")
    os.makedirs(folder)
    box = boxes.sample(slip, os.path.join(folder, "box"), folder, records=10)
    env = {**box.env, "SLIP": slip}
    probe = subprocess.run(
        ["emacs", "--batch", "--eval", "(progn (require 'package) (package-initialize) (require 'eglot) "
         "(princ (format \"emacs %s, eglot %s\" emacs-version (or (package-get-version) (pkg-info)))))"],
        env=env, capture_output=True, text=True, timeout=120)
    if probe.returncode and "eglot" in probe.stderr and "Cannot open load file" in probe.stderr:
        say("  skipped: eglot is not installed (Debian: elpa-eglot)")
        return []
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "eglot.el")
    ran = subprocess.run(["emacs", "--batch", "-l", script], cwd=box.folder, env=env, capture_output=True, text=True, timeout=400)
    problems = []
    steps = [line.split("\t") for line in ran.stdout.split("\n") if line.startswith(("yes\t", "no\t"))]
    for answer, step, *why in steps:
        if answer == "yes":
            say(f"  {step}: yes")
        else:
            problems.append(f"emacs, {step}: {' '.join(why)}")
            say(f"  {problems[-1][:900]}")
    if not steps or steps[-1][1] != "ends in order":
        problems.append(f"emacs ended early: {ran.stderr[-500:]}")
        say(f"  {problems[-1]}")
    try:
        box.git("fsck", "--strict")
    except RuntimeError as error:
        problems.append(f"emacs: {error}")
    verbs = box.git("log", "--format=%(trailers:key=Slip-Verb,valueonly,separator=)").split()
    if not {"finish", "undo"} <= set(verbs):
        problems.append(f"emacs: the log has no commits of an action and its undo by the editor: {verbs}")
        say(f"  {problems[-1]}")
    if box.read("rye.md") != boxes.NOTES["rye.md"]:
        problems.append("emacs: a note that nothing was done to has changed")
    return problems
