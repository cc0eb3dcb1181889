"""Functions of the page that need no browser, tested by Node."""

import os
import shutil
import subprocess

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "functions")


def conduct(browser, slip, scratch, say):
    node = shutil.which("node")
    if not node:
        say("  skipped: there is no node on this machine")
        return []
    files = sorted(name for name in os.listdir(FOLDER) if name.endswith(".test.mjs"))
    done = subprocess.run([node, "--test", *files], cwd=FOLDER, text=True, capture_output=True)
    if done.returncode == 0:
        say(f"  {', '.join(files)} hold")
        return []
    say(done.stdout)
    return [line for line in done.stdout.splitlines() if line.strip().startswith("not ok")] or ["node --test fails"]
