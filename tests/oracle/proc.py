# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of /proc with the counters of the whole machine."""
from decimal import Decimal

from tree import family, key, number

CPU = ["user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal", "guest", "guest_nice"]
SOFTIRQ = ["HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU"]


@family("proc-vmstat")
def proc_vmstat(tree):
    found = {}
    for line in tree.lines("proc/vmstat"):
        words = line.split()
        if len(words) == 2:
            found.setdefault(key("proc-vmstat", words[0]), number(words[1]))
    return found


@family("meminfo")
def meminfo(tree):
    found = {}
    for line in tree.lines("proc/meminfo"):
        name, colon, rest = line.partition(":")
        if colon:
            found.setdefault(key("meminfo", name.strip()), number(rest.split()[0]))
    return found


def cpu_line(head, words, found):
    for i, word in enumerate(words):
        if i < len(CPU):
            found[key("proc-stat", head, CPU[i])] = number(word)
        else:
            found[key("proc-stat", head if head != "cpu" else "", "cpu_column%d" % (i + 1))] = number(word)


@family("proc-stat")
def proc_stat(tree):
    lines = [line.split() for line in tree.lines("proc/stat")]
    lines = [words for words in lines if len(words) > 1]
    users = sum(int(w[1]) for w in lines if w[0].startswith("cpu") and w[0] != "cpu")
    totals = [w for w in lines if w[0] == "cpu"]
    found = {}
    if totals:  # a container may show two: its own is the sum of the CPUs below
        cpu_line("cpu", next((w for w in totals if int(w[1]) == users), totals[0])[1:], found)
    for head, *words in lines:
        if head == "cpu":
            continue
        if head.startswith("cpu"):
            cpu_line(head, words, found)
            continue
        found[key("proc-stat", head)] = number(words[0])
        if head == "softirq":
            for i, word in enumerate(words[1:]):
                name = SOFTIRQ[i] if i < len(SOFTIRQ) else str(i + 1)
                found[key("proc-stat.softirqs", name)] = number(word)
        elif head != "intr":  # two numbers, as "page 5741 1808" had
            for i, word in enumerate(words[1:]):
                found[key("proc-stat", head, str(i + 1))] = number(word)
    return found


def matrix(tree, path, collector, name_of):
    lines = tree.lines(path)
    cpus = lines[0].split() if lines else []
    found = {}
    for line in lines[1:]:
        label, colon, rest = line.partition(":")
        if not colon:
            continue
        label = label.strip()
        words = rest.split()
        count = 0
        while count < len(words) and count < len(cpus) and words[count].isdigit():
            count += 1
        name = name_of(label, words[count:])
        values = [int(word) for word in words[:count]]
        if count == 1 and (len(cpus) > 1 or not words[1:]) and collector == "interrupts":  # ERR, MIS: of the machine
            found[key(collector, name)] = values[0]
        else:
            for cpu, value in zip(cpus, values):
                found[key(collector, cpu, name)] = value
    return found


def interrupt_name(label, words):
    if not words:
        return label
    if label[0].isdigit():
        return label + ":" + ".".join(words).replace(",.", ",")
    return label + ":" + "_".join(words)


@family("interrupts")
def interrupts(tree):
    return matrix(tree, "proc/interrupts", "interrupts", interrupt_name)


@family("softirqs")
def softirqs(tree):
    return matrix(tree, "proc/softirqs", "softirqs", lambda label, words: label)


DISK = ["read_ios", "read_merges", "read_sectors", "read_ticks",
        "write_ios", "write_merges", "write_sectors", "write_ticks",
        "in_flight", "io_ticks", "time_in_queue",
        "discard_ios", "discard_merges", "discard_sectors", "discard_ticks", "flush_ios", "flush_ticks"]
OLD_PARTITION = ["read_ios", "read_sectors", "write_ios", "write_sectors"]


@family("diskstats")
def diskstats(tree):
    found = {}
    for line in tree.lines("proc/diskstats"):
        words = line.split()
        if len(words) < 4:
            continue
        disk, values = words[2], words[3:]
        names = OLD_PARTITION if len(values) == 4 else DISK
        for i, value in enumerate(values):
            name = names[i] if i < len(names) else "field%d" % (i + 1)
            found.setdefault(key("diskstats", name, disk), number(value))
    return found


SLAB = ["active_objs", "num_objs", "objsize", "objperslab", "pagesperslab"]


@family("slabinfo")
def slabinfo(tree):
    lines = tree.lines("proc/slabinfo")
    found = {}
    if not lines or not lines[0].startswith("slabinfo - version: 2."):
        return found
    for line in lines[1:]:
        front, colon, rest = line.partition(" : tunables ")
        if not colon or line.startswith("#"):
            continue
        *name, a, b, c, d, e = front.split()
        slabs = rest.split("slabdata")[1].split()
        values = dict(zip(SLAB, (a, b, c, d, e)), active_slabs=slabs[0], num_slabs=slabs[1])
        for metric, value in values.items():
            found.setdefault(key("slabinfo", " ".join(name), metric), number(value))
    return found


@family("uptime")
def uptime(tree):
    text = tree.read("proc/uptime")
    if text is None:
        return {}
    return {key("uptime", name): Decimal(word) for name, word in zip(("boot", "idle"), text.split())}


@family("loadavg")
def loadavg(tree):
    text = tree.read("proc/loadavg")
    if text is None:
        return {}
    one, five, fifteen, tasks = text.split()[:4]
    running, everything = tasks.split("/")
    return {"loadavg.1min": Decimal(one), "loadavg.5min": Decimal(five), "loadavg.15min": Decimal(fifteen),
            "loadavg.running": int(running), "loadavg.tasks": int(everything)}


def pressure_lines(lines, *front):
    found = {}
    for line in lines:
        words = line.split()
        for word in words[1:]:
            name, value = word.split("=")
            found[key(*front, words[0], name)] = Decimal(value)
    return found


@family("pressure")
def pressure(tree):
    found = {}
    for resource in ("cpu", "io", "irq", "memory"):
        found.update(pressure_lines(tree.lines("proc/pressure/" + resource), "pressure", resource))
    return found


@family("entropy")
def entropy(tree):
    found = {}
    for name in ("entropy_avail", "poolsize"):
        text = tree.read("proc/sys/kernel/random/" + name)
        if text is not None:
            found[key("entropy", name)] = int(text)
    return found


@family("file-nr")
def file_nr(tree):
    places = {"file-nr": ["allocated", "unused", "max"],
              "inode-state": ["nr_inodes", "nr_free_inodes", "preshrink"],
              "dentry-state": ["nr_dentry", "nr_unused", None, None, "nr_negative"]}
    found = {}
    for file, names in places.items():
        for name, word in zip(names, (tree.read("proc/sys/fs/" + file) or "").split()):
            if name:
                found[key("file-nr", name)] = number(word)
    return found
