# SPDX-License-Identifier: GPL-3.0-or-later
"""A recorded tree, read the slow and obvious way, and the table of what reads it."""
import os
import re

FAMILIES = {}  # collector -> function(tree) -> {key: number}


def family(name):
    def add(function):
        FAMILIES[name] = function
        return function
    return add


def natural(name):
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


class Tree:
    def __init__(self, root):
        self.root = root

    def path(self, relative):
        return os.path.join(self.root, relative)

    def has(self, relative):
        return os.path.exists(self.path(relative))

    def read(self, relative):
        """The text of a file, a byte a character; None when there is none that can be read."""
        try:
            with open(self.path(relative), "rb") as file:
                return file.read().decode("latin-1")
        except OSError:
            return None

    def lines(self, relative):
        text = self.read(relative)
        return text.split("\n") if text is not None else []

    def number(self, relative):
        """The whole number that is all of a file, or None."""
        return number((self.read(relative) or "").strip())

    def list(self, relative):
        try:
            return sorted(os.listdir(self.path(relative)), key=natural)
        except OSError:
            return []

    def numbered(self, relative, prefix):
        """The entries <prefix><number> of a folder, by number."""
        found = [e for e in self.list(relative) if re.fullmatch(prefix + r"\d+", e)]
        return sorted(found, key=lambda e: int(e[len(prefix):]))


def key(*parts):
    """Parts of a key, dots between; no part has a blank."""
    text = ".".join(part for part in parts if part)
    return re.sub(r"[\x00-\x20\x7f]", "-", text)


def number(word):
    """A whole number, or None."""
    return int(word) if re.fullmatch(r"-?\d+", word) else None
