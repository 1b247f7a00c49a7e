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
