# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory beyond the plain tables: zones, free lists, huge pages, merged and compressed pages."""
import re

from tree import family, key, number


@family("buddyinfo")
def buddyinfo(tree):
    found = {}
    for line in tree.lines("proc/buddyinfo"):
        match = re.match(r"Node (\d+), zone +(\S+)(.*)", line)
        if match:
            node, zone, counts = match.groups()
            for order, count in enumerate(counts.split()):
                found[key("buddyinfo.Node", node, "zone", zone, str(order))] = number(count)
    return found


@family("pagetypeinfo")
def pagetypeinfo(tree):
    found, types = {}, []
    for line in tree.lines("proc/pagetypeinfo"):
        match = re.match(r"Node +(\d+), zone +(\S+), type +(\S+)(.*)", line)
        if match:  # a count of free blocks; ">100000" where the kernel stopped counting
            node, zone, kind, counts = match.groups()
            for order, count in enumerate(counts.split()):
                found[key("pagetypeinfo.Node" + node, zone, kind, str(order))] = number(count.lstrip(">"))
            continue
        if line.startswith("Number of"):
            types = line.split()[4:] if "blocks type" in line else []
            mixed = line.startswith("Number of mixed")
            continue
        match = re.match(r"Node +(\d+), zone +(\S+)(.*)", line)
        if match and types:
            node, zone, counts = match.groups()
            for kind, count in zip(types, counts.split()):
                found[key("pagetypeinfo.Node" + node, zone, kind, "mixed" if mixed else "")] = number(count)
    return found


@family("zoneinfo")
def zoneinfo(tree):
    found = {}
    node = zone = part = cpu = ""
    for line in tree.lines("proc/zoneinfo"):
        words = line.split()
        match = re.match(r"Node (\d+), zone +(\S+)", line)
        if match:
            node, zone, part = "node" + match.group(1), match.group(2), ""
        elif not words:
            continue
        elif line.strip() == "per-node stats":
            part = "node"
        elif words[0] == "pages" and len(words) == 3:
            part = "pages"
            found[key("zoneinfo", node, zone, "pages", words[1])] = number(words[2])
        elif words[0] == "protection:":
            for i, pages in enumerate(re.findall(r"\d+", line)):
                found[key("zoneinfo", node, zone, "protection", str(i))] = number(pages)
        elif line.strip() == "pagesets":
            part = "pagesets"
        elif words[0] == "cpu:":
            cpu = "cpu" + words[1]
        elif line.strip().startswith("vm stats threshold:"):
            found[key("zoneinfo", node, zone, "pagesets", cpu, "vm_stats_threshold")] = number(words[-1])
        elif part == "pagesets" and line.startswith("    "):
            name, value = line.split(":")
            found[key("zoneinfo", node, zone, "pagesets", cpu, name.strip().replace(" ", "_"))] = number(value.strip())
        elif ":" in words[0]:
            found[key("zoneinfo", node, zone, words[0].strip(":"))] = number(words[1])
        elif part == "node":
            found[key("zoneinfo", node, words[0])] = number(words[1])
        else:
            found[key("zoneinfo", node, zone, "pages", words[0])] = number(words[1])
    return found


@family("vmallocinfo")
def vmallocinfo(tree):
    """Areas, bytes and pages of all, and of those with each of the kernel's words."""
    WORDS = ("vmalloc", "ioremap", "vmap", "user", "vpages", "dma-coherent", "sparse", "vm_map_ram", "unpurged")
    found = {}

    def add(name, value):
        found[name] = found.get(name, 0) + value

    for word in WORDS if tree.lines("proc/vmallocinfo") else ():
        for metric in ("areas", "bytes"):
            found[key("vmallocinfo", word, metric)] = 0
    for line in tree.lines("proc/vmallocinfo"):
        words = line.split()
        if len(words) < 2:
            continue
        pages = [number(word[len("pages="):]) for word in words if word.startswith("pages=")]
        for head in [""] + [word for word in WORDS if word in words[2:]]:
            add(key("vmallocinfo", head, "areas"), 1)
            add(key("vmallocinfo", head, "bytes"), number(words[1]))
            for count in pages:
                add(key("vmallocinfo", head, "pages"), count)
        for word in words:
            if re.fullmatch(r"N\d+=\d+", word):
                node, count = word.split("=")
                add(key("vmallocinfo", node, "pages"), number(count))
    return found


def folder_of_numbers(tree, folder, *front):
    return {key(*front, file): tree.number(folder + "/" + file) for file in tree.list(folder)}


@family("ksm")
def ksm(tree):
    return folder_of_numbers(tree, "sys/kernel/mm/ksm", "ksm")


@family("zswap")
def zswap(tree):
    return folder_of_numbers(tree, "sys/kernel/debug/zswap", "zswap")


@family("thp")
def thp(tree):
    folder = "sys/kernel/mm/transparent_hugepage"
    found = folder_of_numbers(tree, folder, "thp")
    found.update(folder_of_numbers(tree, folder + "/khugepaged", "thp.khugepaged"))
    for size in tree.list(folder):
        if size.startswith("hugepages-"):
            found.update(folder_of_numbers(tree, "%s/%s/stats" % (folder, size), "thp", size))
    return found


@family("hugepages")
def hugepages(tree):
    places = [("", "sys/kernel/mm/hugepages")]
    places += [(node, "sys/devices/system/node/%s/hugepages" % node)
               for node in tree.numbered("sys/devices/system/node", "node")]
    found = {}
    for node, folder in places:
        for size in tree.list(folder):
            found.update(folder_of_numbers(tree, folder + "/" + size, "hugepages", node, size))
    return found


ZRAM = {"mm_stat": ["orig_data_size", "compr_data_size", "mem_used_total", "mem_limit", "mem_used_max", "same_pages",
                    "pages_compacted", "huge_pages", "huge_pages_since"],
        "io_stat": ["failed_reads", "failed_writes", "invalid_io", "notify_free"],
        "bd_stat": ["bd_count", "bd_reads", "bd_writes"]}


@family("zram")
def zram(tree):
    found = {}
    for device in tree.numbered("sys/block", "zram"):
        for file, names in ZRAM.items():
            for name, word in zip(names, (tree.read("sys/block/%s/%s" % (device, file)) or "").split()):
                found[key("zram", device, name)] = number(word)
    return found
