# SPDX-License-Identifier: GPL-3.0-or-later
"""The scheduler's files."""
import re
from decimal import Decimal

from tree import family, key, number

LOOK_15 = "lb_count lb_balanced lb_failed lb_imbalance lb_gained lb_hot_gained lb_nobusyq lb_nobusyg".split()
LOOK_17 = ("lb_count lb_balanced lb_failed lb_imbalance_load lb_imbalance_util lb_imbalance_task lb_imbalance_misfit "
           "lb_gained lb_hot_gained lb_nobusyq lb_nobusyg").split()
REST = ("alb_count alb_failed alb_pushed sbe_count sbe_balanced sbe_pushed sbf_count sbf_balanced sbf_pushed "
        "ttwu_wake_remote ttwu_move_affine ttwu_move_balance").split()
OLD = "yld_both_empty yld_act_empty yld_exp_empty".split()
CPU = "yld_count sched_switch sched_count sched_goidle ttwu_count ttwu_local rq_cpu_time run_delay pcount".split()


@family("schedstat")
def schedstat(tree):
    found = {}
    version = cpu = None
    for line in tree.lines("proc/schedstat"):
        words = line.split()
        if line.startswith("version"):
            version = int(words[1])
            looks = LOOK_17 if version == 17 else LOOK_15
            states = ["busy", "idle", "newly_idle"] if version >= 16 else ["idle", "busy", "newly_idle"]
            of_domain = [state + "." + look for state in states for look in looks] + REST
        elif line.startswith("timestamp"):
            found["schedstat.timestamp"] = int(words[1])
        elif line.startswith("cpu"):
            cpu = words[0]
            for name, word in zip((OLD if version == 14 else []) + CPU, words[1:]):
                found[key("schedstat", cpu, name)] = int(word)
        elif line.startswith("domain"):
            for name, word in zip(of_domain, words[3 if version == 17 else 2:]):
                found[key("schedstat", cpu, words[0], name)] = int(word)
    return found


@family("sched_debug")
def sched_debug(tree):
    text = tree.read("sys/kernel/debug/sched/debug") or tree.read("proc/sched_debug") or ""
    found = {}
    block, of_cpu, ignored = "", "", False
    for line in text.split("\n"):
        field = re.match(r"\s*\.?([^\s:]+)\s*:\s*(-?\d+(\.\d+)?)(\s|$)", line)
        numbered = re.match(r"([a-z_]+)(?:#(\d+)|\[(\d+)\](:.*))", line)
        if numbered:
            block = numbered[1] + (numbered[4] or "").rstrip()
            of_cpu = numbered[2] or numbered[3]
            ignored = ":/autogroup-" in block
        elif line.startswith("runnable tasks"):
            ignored = True
        elif field and not ignored and (line.lstrip().startswith(".") or not block):
            found.setdefault(key("sched_debug", block, field[1], of_cpu), Decimal(field[2]))
        elif line.strip() and not ignored and ":" not in line:
            block, of_cpu = line.split()[0].rstrip(","), ""
    return found


@family("lock_stat")
def lock_stat(tree):
    found = {}
    columns, dashes = [], 0
    for line in tree.lines("proc/lock_stat"):
        point = re.match(r"\s*(.*\S)\s+(\d+)\s+\[<[^\]]*\]\s+([^\s+]+)", line)
        of_class = re.match(r"\s*(\S.*):\s+(\d[\d. ]*)$", line)
        if line.strip().startswith("class name"):
            columns = line.split()[2:]
        elif line.strip().startswith("--"):
            dashes += 1
        elif point:
            name = key("lock_stat", re.sub(r"[ \t]", "", point[1]), "contending" if dashes > 1 else "contentions", point[3])
            found[name] = found.get(name, 0) + int(point[2])
        elif of_class:
            dashes = 0
            for column, word in zip(columns, of_class[2].split()):
                found.setdefault(key("lock_stat", re.sub(r"[ \t]", "", of_class[1]), column), Decimal(word))
    return found


@family("latency_stats")
def latency_stats(tree):
    found = {}
    for line in tree.lines("proc/latency_stats"):
        words = line.split()
        if len(words) < 4 or not all(word.isdigit() for word in words[:3]):
            continue
        chain = ".".join(re.sub(r"(\.(isra|constprop|part)\.\d+)+$", "", word) for word in words[3:])
        hits, total, longest = (key("latency_stats", name, chain) for name in ("hits", "sum", "max"))
        found[hits] = found.get(hits, 0) + int(words[0])
        found[total] = found.get(total, 0) + int(words[1])
        found[longest] = max(found.get(longest, 0), int(words[2]))
    return found


PROCESS_IO = ["rchar", "wchar", "syscr", "syscw", "read_bytes", "write_bytes", "cancelled_write_bytes"]


def threads_of(tree, pid, count):
    tasks = tree.numbered("proc/%s/task" % pid, "") if count > 1 else []
    return ["proc/%s/task/%s/status" % (pid, task) for task in tasks] or ["proc/%s/status" % pid]


@family("process")
def process(tree):
    """A recording knows no command: all processes of it."""
    found = dict.fromkeys(["processes", "running", "blocked", "zombies", "threads", "vsize", "rss", "unread", "seen",
                           "utime", "stime", "minflt", "majflt"], 0)

    def add(name, value):
        found[name] = found.get(name, 0) + value

    for pid in tree.numbered("proc", ""):
        stat = tree.read("proc/%s/stat" % pid)
        if not stat or ")" not in stat:
            continue
        words = stat[stat.rindex(")") + 1:].split()
        if len(words) < 22:
            continue
        value = [0 if word.startswith("-") else number(word) for word in words[1:22]]
        for name, amount in (("processes", 1), ("seen", 1), ("running", words[0] == "R"), ("blocked", words[0] == "D"),
                             ("zombies", words[0] == "Z"), ("threads", value[16]), ("vsize", value[19]),
                             ("rss", value[20] * 4096), ("minflt", value[6] + value[7]),
                             ("majflt", value[8] + value[9]), ("utime", value[10] + value[12]),
                             ("stime", value[11] + value[13])):
            add(name, int(amount))
        if tree.read("proc/%s/io" % pid):
            pairs = dict(line.split(": ") for line in tree.lines("proc/%s/io" % pid) if ": " in line)
            for name in PROCESS_IO:
                add(name, int(pairs.get(name, 0)))
        for status in threads_of(tree, pid, value[16]):
            for line in tree.lines(status):
                if "voluntary_ctxt_switches:" in line:
                    add(line.split(":")[0], int(line.split()[1]))
        if tree.has("proc/%s/fd" % pid):
            add("fds", len(tree.numbered("proc/%s/fd" % pid, "")))
    return {key("process", name): value for name, value in found.items()} if found["processes"] else {}
