# SPDX-License-Identifier: GPL-3.0-or-later
"""The network's counters."""
from tree import family, key, number

RECEIVE = ["bytes", "packets", "errs", "drop", "fifo", "frame", "compressed", "multicast"]
SEND = ["bytes", "packets", "errs", "drop", "fifo", "colls", "carrier", "compressed"]


@family("netdev")
def netdev(tree):
    names = ["rx_" + name for name in RECEIVE] + ["tx_" + name for name in SEND]
    found = {}
    for line in tree.lines("proc/net/dev"):
        device, colon, rest = line.rpartition(":")
        if colon and "|" not in line:
            for name, word in zip(names, rest.split()):
                found[key("netdev", device.strip(), name)] = number(word)
    return found


@family("snmp6")
def snmp6(tree):
    found = {}
    for line in tree.lines("proc/net/snmp6"):
        words = line.split()
        if len(words) == 2:
            found[key("snmp6", words[0])] = number(words[1])
    return found


def pairs_of_lines(collector, tree, path):
    found, above = {}, None
    for line in tree.lines(path):
        section, _, rest = line.partition(":")
        words = rest.split()
        if above and above[0] == section:
            for name, word in zip(above[1], words):
                found.setdefault(key(collector, section, name), number(word))
            above = None
        else:
            above = (section, words)
    return found


@family("netstat")
def netstat(tree):
    return pairs_of_lines("netstat", tree, "proc/net/netstat")


@family("snmp")
def snmp(tree):
    return pairs_of_lines("snmp", tree, "proc/net/snmp")


def words_before_numbers(collector, tree, path):
    found = {}
    for line in tree.lines(path):
        section, _, rest = line.partition(":")
        words = rest.split()
        for name, word in zip(words[0::2], words[1::2]):
            found[key(collector, section, name)] = number(word)
    return found


@family("sockstat")
def sockstat(tree):
    return words_before_numbers("sockstat", tree, "proc/net/sockstat")


@family("sockstat6")
def sockstat6(tree):
    return words_before_numbers("sockstat6", tree, "proc/net/sockstat6")


SOFTNET = ["processed", "dropped", "time_squeeze", "throttled", "fastroute_hit", "fastroute_success", "fastroute_defer",
           "fastroute_deferred_out", "cpu_collision", "received_rps", "flow_limit_count", "softnet_backlog_len", "cpu",
           "input_qlen", "process_qlen"]


def cpus_of_list(text):
    found = []
    for part in (text or "").strip().split(","):
        first, _, last = part.partition("-")
        if first:
            found += range(int(first), int(last or first) + 1)
    return found


@family("softnet")
def softnet(tree):
    rows = [line.split() for line in tree.lines("proc/net/softnet_stat") if line.strip()]
    listed = cpus_of_list(tree.read("sys/devices/system/cpu/online"))
    counted = [int(line.split()[0][3:]) for line in tree.lines("proc/stat") if line.startswith("cpu")
               and line.split()[0] != "cpu"]
    cpus = next((c for c in (listed, counted) if len(c) == len(rows)), None)
    found = {}
    for i, row in enumerate(rows):
        if len(row) >= 13:
            cpu = "CPU%d" % int(row[12], 16)
        elif cpus:
            cpu = "CPU%d" % cpus[i]
        else:
            cpu = "%s%d" % ("row" if listed or counted else "CPU", i)
        for name, word in zip(SOFTNET, row):
            if name != "cpu" or len(row) < 13:
                found[key("softnet", cpu, name)] = int(word, 16)
    return found


def table_of_cpus(collector, tree, path):
    head, *rows = [line.split() for line in tree.lines(path) if line.strip()] or [[]]
    cpus = cpus_of_list(tree.read("sys/devices/system/cpu/possible"))
    found = {}
    for i, row in enumerate(rows):
        if not cpus:
            cpu = "CPU%d" % i
        else:
            cpu = "CPU%d" % cpus[i] if len(cpus) == len(rows) else "row%d" % i
        for name, word in zip(head, row):
            found[key(collector, cpu, name)] = int(word, 16)
    return found


@family("nf-conntrack")
def nf_conntrack(tree):
    return table_of_cpus("nf-conntrack", tree, "proc/net/stat/nf_conntrack")


@family("arp-cache")
def arp_cache(tree):
    return table_of_cpus("arp-cache", tree, "proc/net/stat/arp_cache")


@family("ndisc-cache")
def ndisc_cache(tree):
    return table_of_cpus("ndisc-cache", tree, "proc/net/stat/ndisc_cache")


@family("rt-cache")
def rt_cache(tree):
    return table_of_cpus("rt-cache", tree, "proc/net/stat/rt_cache")
