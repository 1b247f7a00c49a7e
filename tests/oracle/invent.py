#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""
Trees of machines that nobody has: odd, but as a kernel could print them. The same seed makes the same tree.

    invent.py FOLDER SEED...
"""
import os
import random
import sys

BIG = [0, 1, 7, 10, 99, 4095, 4096, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 + 1, 2 ** 63 - 1]


class Machine:
    def __init__(self, folder, seed):
        self.random = random.Random(seed)
        self.folder = folder
        count = self.random.choice([1, 2, 3, 8, 40])
        self.cpus = sorted(self.random.sample(range(count + self.random.choice([0, 0, 3, 100])), count))

    def number(self):
        return self.random.choice(BIG + [self.random.randrange(10 ** self.random.randrange(1, 12))] * 10)

    def chance(self, share):
        return self.random.random() < share

    def some(self, items):
        """In their order, most of them."""
        return [item for item in items if self.chance(0.9)]

    def put(self, path, text):
        path = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text.encode("latin-1"))

    def columns(self, count):
        return " ".join("%10d" % self.number() for _ in range(count))


def interrupts(m):
    text = "           " + "".join("CPU%-8d" % cpu for cpu in m.cpus) + "\n"
    devices = ["eth0", "nvme0q0, nvme0q1", "ehci_hcd:usb1, eth1-rx-0", "i2c designware.1", "", "\xb5-odd"]
    for irq in sorted(m.random.sample(range(600), m.random.randrange(1, 30))):
        text += "%4d: %s  %s %s\n" % (irq, m.columns(len(m.cpus)),
                                      m.random.choice(["IO-APIC   2-edge", "PCI-MSI 524288-edge", "GICv3  27 Level"]),
                                      m.random.choice(devices))
    for label, words in m.some([("NMI", "Non-maskable interrupts"), ("LOC", "Local timer interrupts"),
                                ("IPI0", "Rescheduling interrupts"), ("Err", ""), ("PIW", "Posted-interrupt wakeup event")]):
        text += "%4s: %s   %s\n" % (label, m.columns(len(m.cpus)), words)
    if m.chance(0.3):
        text += " FIQ:              usb_fiq\n"
    if len(m.cpus) > 1:
        text += " ERR: %10d\n MIS: %10d\n" % (m.number(), m.number())
    m.put("proc/interrupts", text)


def softirqs(m):
    possible = range(max(m.cpus) + 1 + m.random.choice([0, 0, 8]))
    text = "                    " + "".join("CPU%-8d" % cpu for cpu in possible) + "\n"
    for kind in m.some(["HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "SCHED", "RCU", "NEWKIND9"]):
        text += "%12s: %s\n" % (kind, m.columns(len(possible)))
    m.put("proc/softirqs", text)


def stat(m):
    columns = m.random.choice([4, 7, 8, 9, 10, 10, 10, 12])
    lines = [[m.random.randrange(10 ** 9) for _ in range(columns)] for _ in m.cpus]
    if m.chance(0.1):
        lines[0][-1] = 2 ** 64 - 5
    text = "cpu  " + " ".join(str(min(sum(column), 2 ** 64 - 1)) for column in zip(*lines)) + "\n"
    for cpu, line in zip(m.cpus, lines):
        text += "cpu%d %s\n" % (cpu, " ".join(map(str, line)))
    text += "intr %d%s\n" % (m.number(), " 0" * m.random.choice([3, 300, 40000]))
    for key in m.some(["ctxt", "btime", "processes", "procs_running", "procs_blocked", "brand_new_key"]):
        text += "%s %d\n" % (key, m.number())
    if m.chance(0.8):
        text += "softirq %s\n" % " ".join(str(m.number()) for _ in range(m.random.choice([11, 11, 12])))
    m.put("proc/stat", text)


def tables(m):
    text = ""
    for name in m.some(["MemTotal", "MemFree", "Active(anon)", "HugePages_Total", "Hugetlb", "DirectMap1G", "Frob_Pages.new"]):
        text += "%-15s %8d%s\n" % (name + ":", m.number(), "" if name.startswith("HugeP") else " kB")
    m.put("proc/meminfo", text)
    text = ""
    for name in m.some(["nr_free_pages", "numa_hit", "pgpgin", "pswpout", "pgfault", "thp_split", "nr_free_pages", "new_9x"]):
        text += "%s %d\n" % (name, m.number())
    m.put("proc/vmstat", text)
    text = ""
    for name in m.some(["Ip6InReceives", "Icmp6InType134", "Udp6InErrors", "Udp6MemErrors"]):
        text += "%-32s\t%d\n" % (name, m.number())
    m.put("proc/net/snmp6", text)
    m.put("proc/uptime", "%d.%02d %d.%02d\n" % (m.random.randrange(10 ** 8), m.random.randrange(100),
                                              m.random.randrange(10 ** 9), m.random.randrange(100)))
    m.put("proc/loadavg", "%d.%02d 0.18 12.00 %d/%d %d\n" % (m.random.randrange(999), m.random.randrange(100),
                                                            m.random.randrange(9), m.random.randrange(9999),
                                                            m.random.randrange(2 ** 22)))


def pairs(m):
    for path, tables_of in (("proc/net/snmp", {"Ip": ["Forwarding", "InReceives"], "Tcp": ["MaxConn", "InSegs", "CurrEstab"],
                                               "Udp": ["InDatagrams", "NoPorts", "MemErrors"]}),
                            ("proc/net/netstat", {"TcpExt": ["SyncookiesSent", "TCPNew9"], "IpExt": ["InOctets"],
                                                  "MPTcpExt": ["MPCapableSYNRX"]})):
        text = ""
        for table in m.some(list(tables_of)):
            names = m.some(tables_of[table]) or ["Odd"]
            values = [-1 if name == "MaxConn" else m.number() for name in names]
            text += "%s: %s\n%s: %s\n" % (table, " ".join(names), table, " ".join(map(str, values)))
        m.put(path, text)
    text = "sockets: used %d\n" % m.number()
    for protocol in m.some(["TCP", "UDP", "UDPLITE", "RAW"]):
        text += "%s: inuse %d mem %d\n" % (protocol, m.number(), m.number())
    m.put("proc/net/sockstat", text)


def devices(m):
    text = "Inter-|   Receive |  Transmit\n face |bytes    packets|bytes    packets\n"
    for name in m.some(["lo", "eth0", "tun10:1", "verylonginterf", "a.b-c_d", "br-12ab"]):
        text += "%6s:%s%s\n" % (name, m.random.choice(["", " "]), " ".join(str(m.number()) for _ in range(16)))
    m.put("proc/net/dev", text)
    text = ""
    for major, name in enumerate(m.some(["sda", "sda1", "nvme0n1", "nvme0n1p2", "cciss/c0d0", "dm-0", "md127", "mmcblk0"])):
        count = m.random.choice([11, 15, 17, 17, 20] + ([4] if name[-1].isdigit() else []))
        text += "%4d %7d %s %s\n" % (major, major * 16, name, " ".join(str(m.number()) for _ in range(count)))
    m.put("proc/diskstats", text)
    text = "slabinfo - version: 2.1\n# name            <active_objs> <num_objs> <objsize> <objperslab>\n"
    for name in m.some(["kmalloc-rcl-2k", ":A-0000192", "odd cache 12", "2xyz.1k", "dm_clone (a)", "\xe9t\xe9"]):
        text += "%-17s %6d %6d %6d %4d %4d : tunables %4d %4d %4d : slabdata %6d %6d %6d\n" % (
            (name,) + tuple(m.random.randrange(10 ** 6) for _ in range(11)))
    m.put("proc/slabinfo", text)


def waits(m):
    for resource in m.some(["cpu", "io", "memory", "irq"]):
        text = ""
        for head in m.some(["some", "full"]):
            text += "%s avg10=%d.%02d avg60=0.00 avg300=99.99 total=%d\n" % (
                head, m.random.randrange(100), m.random.randrange(100), m.number())
        m.put("proc/pressure/" + resource, text)


def nodes(m):
    numbers = sorted(m.random.sample(range(80), m.random.choice([1, 2, 5])))
    m.put("sys/devices/system/node/online", ",".join(map(str, numbers)) + "\n")
    m.put("sys/devices/system/cpu/online", ",".join(map(str, m.cpus)) + "\n")
    for node in numbers:
        folder = "sys/devices/system/node/node%d/" % node
        m.put(folder + "meminfo", "".join("Node %d %s:%9d%s\n" % (node, name, m.number(), unit) for name, unit in m.some(
            [("MemTotal", " kB"), ("Active(anon)", " kB"), ("HugePages_Total", ""), ("NewOne", " kB")])) or "\n")
        m.put(folder + "numastat", "".join("%s %d\n" % (name, m.number()) for name in ["numa_hit", "numa_miss", "local_node"]))
        m.put(folder + "vmstat", "".join("%s %d\n" % (name, m.number()) for name in m.some(["nr_dirty", "nr_written", "zz"])))
        m.put(folder + "hugepages/hugepages-2048kB/nr_hugepages", "%d\n" % m.number())


def memory(m):
    zones = ["DMA", "DMA32", "Normal", "HighMem", "Movable"]
    text = buddy = types = ""
    for node in range(m.random.choice([1, 2])):
        for i, zone in enumerate(m.some(zones)):
            text += "Node %d, zone %8s\n" % (node, zone)
            if i == 0:
                text += "  per-node stats\n      nr_inactive_anon %d\n      nr_new %d\n" % (m.number(), m.number())
            text += "  pages free     %d\n        min      %d\n        low      %d\n" % (m.number(), m.number(), m.number())
            text += "        protection: (%s)\n      nr_free_pages %d\n" % (
                ", ".join(str(m.number()) for _ in range(m.random.choice([1, 4, 5]))), m.number())
            text += "  pagesets\n"
            for cpu in m.cpus[:4]:
                text += "    cpu: %d\n              count: %d\n              high:  %d\n  vm stats threshold: %d\n" % (
                    cpu, m.number(), m.number(), m.number())
            text += "  node_unreclaimable:  0\n  start_pfn:           %d\n" % m.number()
            buddy += "Node %d, zone %8s %s \n" % (node, zone, m.columns(m.random.choice([10, 11, 14])))
            for kind in m.some(["Unmovable", "Movable", "HighAtomic"]):
                types += "Node %4d, zone %8s, type %12s %s \n" % (node, zone, kind, m.columns(11))
    m.put("proc/zoneinfo", text)
    m.put("proc/buddyinfo", buddy)
    m.put("proc/pagetypeinfo", "Page block order: 9\nPages per block:  512\n\nFree pages count per migrate type at order "
          "      0      1      2      3      4      5      6      7      8      9     10 \n" + types)
    for name in m.some(["pages_shared", "full_scans", "general_profit"]):
        m.put("sys/kernel/mm/ksm/" + name, "%d\n" % (m.number() if name != "general_profit" else -m.number()))
    for device in m.some(["zram0", "zram11"]):
        count = m.random.choice([7, 8, 9])
        m.put("sys/block/%s/mm_stat" % device, m.columns(count) + "\n")


def sensors(m):
    for zone in m.random.sample(range(30), 3):
        m.put("sys/class/thermal/thermal_zone%d/temp" % zone, m.random.choice(["27800\n", "-5000\n", "0\n", "105000"]))
    m.put("sys/class/thermal/cooling_device12/cur_state", "%d\n" % m.number())
    for i, chip in enumerate(m.some(["coretemp", "coretemp", "nvme", "odd chip", ""])):
        folder = "sys/class/hwmon/hwmon%d/" % i
        if chip:
            m.put(folder + "name", chip + "\n")
        m.put(folder + "temp1_input", "%d\n" % m.random.randrange(-40000, 120000))
        m.put(folder + "temp1_label", "Package id 0\n")
        m.put(folder + "power1_average", "%d\n" % m.number())
        m.put(folder + "fan2_input", "%d\n" % m.number())
    for zone, name in m.some([("intel-rapl:0", "package-0"), ("intel-rapl:0:0", "core"), ("intel-rapl-mmio:0", "package-0")]):
        m.put("sys/class/powercap/%s/name" % zone, name + "\n")
        m.put("sys/class/powercap/%s/energy_uj" % zone, "%d\n" % m.number())
    for cpu in m.cpus[:6]:
        folder = "sys/devices/system/cpu/cpu%d/" % cpu
        for state in range(m.random.choice([1, 3, 11])):
            name = m.random.choice(["POLL", "C1", "C1", "haltpoll idle", "C6-IVT", "", "<null>"])
            m.put("%scpuidle/state%d/name" % (folder, state), name + "\n")
            m.put("%scpuidle/state%d/time" % (folder, state), "%d\n" % m.number())
            m.put("%scpuidle/state%d/usage" % (folder, state), "%d\n" % m.number())
        m.put(folder + "cpufreq/scaling_cur_freq", m.random.choice(["1200000\n", "<unknown>\n", "0\n"]))
        m.put(folder + "cpufreq/stats/total_trans", "%d\n" % m.number())
        m.put(folder + "cpufreq/stats/time_in_state", "800000 12\n%d %d\n" % (m.random.randrange(900000, 5000000), m.number()))


KINDS = [interrupts, softirqs, stat, tables, pairs, devices, waits, nodes, memory, sensors]


def main(folder, seeds):
    for seed in seeds:
        machine = Machine(os.path.join(folder, "invented-" + seed), seed)
        for kind in KINDS:
            kind(machine)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
