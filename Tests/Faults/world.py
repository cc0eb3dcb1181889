"""Commands, files and git repositories as the fault campaign sees them."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass

TIMEOUT = 20  # seconds; nothing here takes more than a few


@dataclass
class Result:
    status: int  # negative: killed by that signal
    output: bytes
    errors: bytes


TIMED_OUT = 999  # a status


def scratch_folder():
    """A new temporary folder, in memory where that is possible: thousands of boxes are copied."""
    memory = "/dev/shm"
    roomy = os.path.isdir(memory) and shutil.disk_usage(memory).free > 1 << 30
    return tempfile.mkdtemp(prefix="slip-faults-", dir=memory if roomy and "TMPDIR" not in os.environ else None)


def environment(home, **more):
    """The environment of every command: nothing of the machine's user."""
    base = {
        "PATH": os.environ["PATH"], "HOME": home, "XDG_CONFIG_HOME": home, "LC_ALL": "C.UTF-8", "TZ": "UTC",
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
    }
    return {**base, **more}


def run(arguments, folder, env, stdin=b""):
    """Runs a command to its end."""
    try:
        ran = subprocess.run(arguments, cwd=folder, env=env, input=stdin, capture_output=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return Result(TIMED_OUT, b"", f"still running after {TIMEOUT} s".encode())
    return Result(ran.returncode, ran.stdout, ran.stderr)


def git(folder, *arguments):
    """The output of a git command that must work."""
    result = run(["git", *arguments], folder, environment(folder))
    if result.status != 0:
        raise GitFailed(f"git {' '.join(arguments)}: {result.errors.decode(errors='replace').strip()}")
    return result.output


class GitFailed(Exception):
    pass


def write(folder, path, text, mode="w"):
    path = os.path.join(folder, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, mode, encoding="utf-8") as file:
        file.write(text)


def link(folder, path, target):
    """Puts a symbolic link in the place of whatever has the path."""
    path = os.path.join(folder, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.lexists(path):
        os.remove(path)
    os.symlink(target, path)


def read(*path):
    """The bytes of a file, or the target of a symbolic link, as git stores them; None if there is nothing."""
    path = os.path.join(*path)
    try:
        if os.path.islink(path):
            return os.fsencode(os.readlink(path))
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def files(folder, below=""):
    """The paths of all files, `.git` left out."""
    found = []
    for place, folders, names in os.walk(os.path.join(folder, below)):
        if ".git" in folders:
            folders.remove(".git")
        found += [os.path.relpath(os.path.join(place, name), folder) for name in names]
    return found


def blob_id(content):
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def tree(folder, commit="HEAD"):
    """The blob id of each path of a commit."""
    entries = {}
    for entry in git(folder, "ls-tree", "-r", "-z", commit).decode().split("\0")[:-1]:
        about, path = entry.split("\t", 1)
        entries[path] = about.split()[2]
    return entries


def hub(folder):
    """The repository that a box syncs with, beside it."""
    return folder + ".hub"


def copy(source, target):
    """Copies a box with all times, and what it syncs with. What git's index knows of the files is made to fit the copy."""
    subprocess.run(["cp", "-a", source, target], check=True)
    if os.path.exists(hub(source)):
        subprocess.run(["cp", "-a", hub(source), hub(target)], check=True)
        git(target, "config", "remote.origin.url", hub(target))
    if not os.path.exists(os.path.join(target, ".git/index.lock")):
        run(["git", "update-index", "-q", "--refresh"], target, environment(target))
