# SPDX-License-Identifier: GPL-3.0-or-later
"""What /sys shows: nodes, CPUs, sensors, control groups."""
import fnmatch
import re
from decimal import Decimal

from proc import pressure_lines
from tree import family, key, number

NODES = "sys/devices/system/node"
CPUS = "sys/devices/system/cpu"


def of_nodes(tree, collector, file, take):
    found = {}
    for node in tree.numbered(NODES, "node"):
        for line in tree.lines("%s/%s/%s" % (NODES, node, file)):
            name_value = take(line)
            if name_value:
                found.setdefault(key(collector, node, name_value[0]), number(name_value[1]))
    return found


def two_words(line):
    words = line.split()
    return words if len(words) == 2 else None


@family("numa-vmstat")
def numa_vmstat(tree):
    return of_nodes(tree, "numa-vmstat", "vmstat", two_words)


@family("numa-numastat")
def numa_numastat(tree):
    return of_nodes(tree, "numa-numastat", "numastat", two_words)


@family("numa-meminfo")
def numa_meminfo(tree):
    def take(line):
        match = re.match(r"Node \d+ (.*?):\s*(\d+)", line)
        return match.groups() if match else None
    return of_nodes(tree, "numa-meminfo", "meminfo", take)


@family("cpuidle")
def cpuidle(tree):
    found = {}
    for cpu in tree.numbered(CPUS, "cpu"):
        folder = "%s/%s/cpuidle" % (CPUS, cpu)
        seen = set()
        for state in tree.numbered(folder, "state"):
            name = (tree.read("%s/%s/name" % (folder, state)) or "").strip()
            if name in ("", "<null>"):
                name = state
            if name in seen:
                name += "-" + state
            seen.add(name)
            for field in ("time", "usage"):
                found[key("cpuidle", cpu, name, field)] = tree.number("%s/%s/%s" % (folder, state, field))
    for whose in ("cpu", "system"):
        name = "low_power_idle_%s_residency_us" % whose
        found[key("cpuidle", name)] = tree.number("%s/cpuidle/%s" % (CPUS, name))
    return found


def frequency_folders(tree, files):
    """Those of the CPUs; without one, those of the policies."""
    folders = [(cpu, "%s/%s/cpufreq" % (CPUS, cpu)) for cpu in tree.numbered(CPUS, "cpu")]
    if not any(tree.has(folder + "/" + file) for _, folder in folders for file in files):
        folders = [(policy, "%s/cpufreq/%s" % (CPUS, policy)) for policy in tree.numbered(CPUS + "/cpufreq", "policy")]
    return folders


@family("cpufreq")
def cpufreq(tree):
    files = ("scaling_cur_freq", "cpuinfo_cur_freq", "cpuinfo_avg_freq")
    found = {}
    for cpu, folder in frequency_folders(tree, files):
        for file in files:
            found[key("cpufreq", cpu, file)] = tree.number(folder + "/" + file)
    return found


@family("cpufreq-stats")
def cpufreq_stats(tree):
    found = {}
    for cpu, folder in frequency_folders(tree, ("stats/time_in_state", "stats/total_trans")):
        for line in tree.lines(folder + "/stats/time_in_state"):
            if line:
                kilohertz, ticks = line.split()
                found[key("cpufreq-stats", cpu, "time_in_state", kilohertz)] = int(ticks)
        found[key("cpufreq-stats", cpu, "total_trans")] = tree.number(folder + "/stats/total_trans")
    return found


def fraction(value, unit):
    return None if value is None else Decimal(value) / unit


@family("thermal")
def thermal(tree):
    found = {}
    folder = "sys/class/thermal"
    for zone in tree.numbered(folder, "thermal_zone"):
        value = tree.number("%s/%s/temp" % (folder, zone))
        found[key("thermal", "zone" + zone[len("thermal_zone"):])] = fraction(value, 1000)
    for device in tree.numbered(folder, "cooling_device"):
        found[key("thermal", "cdev" + device[len("cooling_device"):])] = tree.number("%s/%s/cur_state" % (folder, device))
    return found


# The kernel's Documentation/hwmon/sysfs-interface: in which fractions a sensor counts.
FRACTIONS = {"temp": 1000, "in": 1000, "curr": 1000, "humidity": 1000, "power": 10 ** 6, "energy": 10 ** 6}


@family("hwmon")
def hwmon(tree):
    found, chips = {}, set()
    for chip in tree.list("sys/class/hwmon"):
        folder = "sys/class/hwmon/" + chip
        name = (tree.read(folder + "/name") or "").strip() or chip
        if name in chips:
            name += "-" + chip
        chips.add(name)
        for file in tree.list(folder):
            match = re.fullmatch(r"(.*)_input|(power\d*)_average", file)
            if not match:
                continue
            stem = match.group(1) or match.group(2)
            label = (tree.read("%s/%s_label" % (folder, stem)) or "").strip()
            unit = FRACTIONS.get(re.match(r"\D*", file).group(), 1)
            found[key("hwmon", name, file + (":" + label if label else ""))] = fraction(tree.number(folder + "/" + file), unit)
    return found


def zones(tree, folder):
    """Every folder <type>:<number>..., as deep as they stand."""
    found = {}
    for entry in tree.list(folder):
        if ":" in entry and tree.has("%s/%s/energy_uj" % (folder, entry)):
            found[entry] = folder + "/" + entry
        if re.match(r"[a-z][-a-z0-9]*(:\d+)*$", entry):
            for zone, path in zones(tree, folder + "/" + entry).items():
                found.setdefault(zone, path)
    return found


@family("powercap")
def powercap(tree):
    found = {}
    where = zones(tree, "sys/class/powercap") or zones(tree, "sys/devices/virtual/powercap")
    for zone, folder in where.items():
        name = (tree.read(folder + "/name") or "").strip()
        for file in ("energy_uj", "max_energy_range_uj"):
            value = fraction(tree.number(folder + "/" + file), 10 ** 6)
            found[key("powercap", zone + ("/" + name if name else ""), file)] = value
    return found


# Files of a control group that count something; the others set limits.
COUNTING = ["*.stat", "*.stat.local", "*.numa_stat", "*.current", "*.peak", "*.pressure", "memory*.events",
            "memory.events.local", "pids.events", "hugetlb.*.events", "cpuacct.usage", "cpuacct.usage_user",
            "cpuacct.usage_sys", "*.usage_in_bytes", "*.max_usage_in_bytes", "*.failcnt", "blkio.*io_service*",
            "blkio.*io_wait_time*", "blkio.*io_merged*", "blkio.*io_queued*", "blkio.*sectors*", "blkio.time*"]


def group_file(text):
    """{item: value}: "12", "name 12", "8:0 Read 12", "8:0 rbytes=1 wbytes=2", "total=12 N0=7"."""
    found = {}
    for line in text.split("\n"):
        words = line.split()
        if not words:
            continue
        if "=" in words[0]:  # total=12 N0=7: the first is the head of the others
            head = words[0].split("=")[0]
            for i, word in enumerate(words):
                name, value = word.split("=")
                found[head if i == 0 else head + "." + name] = value
        elif any("=" in word for word in words):
            head = []
            for word in words:
                name, equals, value = word.partition("=")
                if not equals:
                    head.append(word)
                else:
                    found[" ".join(head) + "." + name] = value
        else:
            found[" ".join(words[:-1])] = words[-1]
    return {name: value for name, value in found.items() if value != "max"}


def mounts(tree):
    """(mount point, root, is v2, controllers) of every hierarchy."""
    for line in tree.lines("proc/self/mountinfo"):
        if " - " in line:
            front, behind = (part.split() for part in line.split(" - ", 1))
            if behind[0] in ("cgroup", "cgroup2"):
                yield front[4], front[3], behind[0] == "cgroup2", set(behind[2].split(","))
    if not tree.has("proc/self/mountinfo"):
        for line in tree.lines("proc/mounts"):
            words = line.split()
            if len(words) > 3 and words[2] in ("cgroup", "cgroup2"):
                yield words[1], "/", words[2] == "cgroup2", set(words[3].split(","))


V1 = ["cpu*", "memory", "blkio", "pids", "hugetlb", "net_*", "perf_event", "devices", "freezer", "systemd"]


def usual_mounts(tree):
    """Of a recording that does not tell, or whose mounts are not in it."""
    for entry in tree.list("sys/fs/cgroup"):
        if "." not in entry and any(fnmatch.fnmatchcase(entry, pattern) for pattern in V1):
            yield "sys/fs/cgroup/" + entry, "/", False, set(entry.split(","))
    unified = "/unified" if tree.has("sys/fs/cgroup/unified") else ""
    yield "sys/fs/cgroup" + unified, "/", True, set()


def own_groups(tree):
    """Folders that hold the files of this program's group."""
    own = tree.read("proc/self/cgroup")
    mounted = list(mounts(tree))
    if not any(tree.has(point.strip("/")) for point, _, _, _ in mounted):
        mounted = usual_mounts(tree)
    for point, root, v2, controllers in mounted:
        paths = []
        if own is None:
            paths = ["/"]
        for line in (own or "").split("\n"):
            if line.count(":") < 2:
                continue
            _, names, path = line.split(":", 2)
            if v2 and not names or not v2 and names and names.split(",")[0] in controllers:
                paths.append(path)
        for path in paths:
            if root != "/" and path.startswith(root):
                path = path[len(root):]
            yield (point + "/" + path).strip("/")


@family("cgroup")
def cgroup(tree):
    found = {}
    for folder in own_groups(tree):
        for file in tree.list(folder):
            if not any(fnmatch.fnmatchcase(file, pattern) for pattern in COUNTING):
                continue
            text = tree.read(folder + "/" + file) or ""
            family_name, name = "cgroup.job", file
            for special, own_name in (("memory.stat", "memory--stat.job"), ("memory.numa_stat", "memory--numa_stat.job")):
                if file == special:
                    family_name, name = own_name, ""
            if file.endswith(".pressure"):
                found.update(pressure_lines(text.split("\n"), family_name, name))
                continue
            for item, value in group_file(text).items():
                if re.fullmatch(r"-?\d+(\.\d+)?", value):
                    found[key(family_name, name, item)] = Decimal(value)
    return found


@family("mdstat")
def mdstat(tree):
    found, array, runs = {}, None, False
    flags = {"(F)": "failed", "(S)": "spare", "(J)": "journal", "(R)": "replacement"}
    for line in tree.lines("proc/mdstat"):
        words = line.split()
        if line and not line[0].isspace():
            array = words[0] if words[1:2] == [":"] and words[0] != "Personalities" else None
            if not array:
                continue
            runs = "active" in words
            counts = dict.fromkeys(("active", "failed", "spare", "journal", "replacement"), 0)
            members = [word for word in words[2:] if "[" in word]
            for member in members:
                counts[next((state for flag, state in flags.items() if flag in member), "active")] += 1
            counts["active"] *= runs
            found[key("mdstat", array, "active")] = int(runs)
            found[key("mdstat", array, "read_only")] = int("read-only)" in line)
            found[key("mdstat", array, "disks")] = len(members)
            found.update({key("mdstat", array, "disks", state): n for state, n in counts.items()})
        elif array and words[1:2] == ["blocks"]:
            found[key("mdstat", array, "blocks")] = number(words[0])
            pair = re.search(r"\[(\d+)/(\d+)\]", line)
            if pair and runs:
                found[key("mdstat", array, "disks.required")] = int(pair[1])
                found[key("mdstat", array, "disks.active")] = int(pair[2])
        elif array and (step := re.search(r"(\w+) *= *([\d.]+)% \((\d+)/\d+\) finish=([\d.]+)min speed=(\d+)K", line)):
            found[key("mdstat", array, step[1])] = Decimal(step[2])
            found[key("mdstat", array, "sync_blocks")] = int(step[3])
            found[key("mdstat", array, "sync_finish")] = int(Decimal(step[4]) * 60)
            found[key("mdstat", array, "sync_speed")] = int(step[5])
        elif array and re.search(r"=(DELAYED|PENDING|REMOTE)", line):
            found[key("mdstat", array, "sync_waiting")] = 1
        elif array and (pages := re.search(r"bitmap: (\d+)/(\d+)", line)):
            found[key("mdstat", array, "bitmap_pages")] = int(pages[1])
            found[key("mdstat", array, "bitmap_pages_total")] = int(pages[2])
    return found
