"""A folder and an environment for boxes of a campaign that are made and deleted many times a minute."""
import os
import tempfile
import time

# Nothing is kept, so nothing is synced to a disk or packed; each of several hundred repositories has few objects.
CONFIG = """[user]
 name=Ann
 email=ann@example.org
[init]
 defaultBranch=main
 templateDir=
[gc]
 auto=0
[maintenance]
 auto=false
[receive]
 autogc=false
[core]
 fsync=none
[pack]
 threads=1
[index]
 threads=1
"""


def folder(prefix):
    """A new folder: in TMPDIR if that is set, else in memory if the system has such a file system."""
    memory = "/dev/shm"
    is_usable = "TMPDIR" not in os.environ and os.path.isdir(memory) and os.access(memory, os.W_OK)
    return tempfile.mkdtemp(prefix=prefix, dir=memory if is_usable else None)


def environment(home, slip):
    """The environment of commands whose home is a folder, with the settings above and slip on the path."""
    with open(os.path.join(home, ".gitconfig"), "w") as file:
        file.write(CONFIG)
    tools = os.path.join(home, "bin")
    os.mkdir(tools)
    os.symlink(slip, os.path.join(tools, "slip"))
    return dict(os.environ, HOME=home, PATH=tools + ":" + os.environ["PATH"], LC_ALL="C.UTF-8")


def report(done, faults, started):
    """One line of progress, with the rate per minute."""
    seconds = time.monotonic() - started
    processor = sum(os.times()[:4])
    count = int(done.split()[0])
    print("  %s, %d faults, %.0f s, %.1f a minute, %.2f s of processor each" % (
        done, faults, seconds, count * 60 / seconds, processor / count), flush=True)
