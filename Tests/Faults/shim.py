"""The library that disturbs a program, shim.c, and the ways in which it does."""

import os
import subprocess

import world

# What each kind of fault tells the library.
MODES = {
    "kill": {"SHIM_MODE": "kill"},
    "full-once": {"SHIM_MODE": "fail", "SHIM_ERRNO": "ENOSPC"},
    "full-from": {"SHIM_MODE": "fail-from", "SHIM_ERRNO": "ENOSPC"},
    "error": {"SHIM_MODE": "fail", "SHIM_ERRNO": "EIO"},
    "short": {"SHIM_MODE": "short"},  # a write writes half
    "power-data": {"SHIM_MODE": "power", "SHIM_DATA": "zero", "SHIM_NAMES": "keep"},  # files not synced are empty
    "power-half": {"SHIM_MODE": "power", "SHIM_DATA": "half", "SHIM_NAMES": "journal"},  # names as ext4 keeps them
    "power-names": {"SHIM_MODE": "power", "SHIM_DATA": "zero", "SHIM_NAMES": "undo"},  # names as POSIX promises
}


class Shim:
    def __init__(self, scratch):
        self.library = os.path.join(scratch, "shim.so")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shim.c")
        command = ["cc", "-O1", "-Wall", "-shared", "-fPIC", "-o", self.library, source, "-ldl", "-lpthread"]
        subprocess.run(command, check=True)

    def environment(self, folder, mode, at, children=False):
        """What makes a program that works in a folder be disturbed at a call; at `end`, when it exits."""
        return {
            "LD_PRELOAD": self.library, "SHIM_ROOT": folder, "SHIM_COUNT": folder + ".count", "SHIM_AT": str(at),
            "SHIM_OWNER": "", "SHIM_LOG": folder + ".log", "SHIM_CHILDREN": "1" if children else "0",
            **MODES.get(mode, {}),
        }

    def calls(self, folder):
        """What the calls of the last program that ran to its end were: open, write, fsync, rename, ..."""
        lines = world.read(folder + ".log").decode(errors="replace").splitlines()
        return [line.split(" ")[2] for line in lines]

    def forget(self, folder):
        ends = (".count", ".count.state", ".count.stash", ".log")
        subprocess.run(["rm", "-rf", *(folder + end for end in ends)], check=True)
