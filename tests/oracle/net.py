# SPDX-License-Identifier: GPL-3.0-or-later
"""The network's counters."""
from decimal import Decimal

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


V2 = """null getattr setattr root lookup readlink read wrcache write create remove rename link symlink mkdir rmdir readdir
fsstat"""
V3 = """null getattr setattr lookup access readlink read write create mkdir symlink mknod remove rmdir rename link readdir
readdirplus fsstat fsinfo pathconf commit"""
SHARES = " ".join("%d-%d%%" % (i, i + 10) for i in range(0, 100, 10))
# Procedures of the client as kernels before 3.13 have them, without the later "fsid_present".
CLIENT4 = """null read write commit open open_conf open_noat open_dgrd close setattr fsinfo renew setclntid confirm lock
lockt locku access getattr lookup lookup_root remove rename link symlink create pathconf statfs readlink readdir
server_caps delegreturn getacl setacl fs_locations rel_lkowner secinfo exchange_id create_session destroy_session
sequence get_lease_time reclaim_comp layoutget getdevinfo layoutcommit layoutreturn secinfo_no test_stateid free_stateid
getdevicelist bind_conn_to_ses destroy_clientid"""
SERVER4 = """op0-unused op1-unused op2-future access close commit create delegpurge delegreturn getattr getfh link lock
lockt locku lookup lookup_root nverify open openattr open_conf open_dgrd putfh putpubfh putrootfh read readdir readlink
remove rename renew restorefh savefh secinfo setattr setcltid setcltidconf verify write rellockowner bc_ctl bind_conn
exchange_id create_ses destroy_ses free_stateid getdirdeleg getdevinfo getdevlist layoutcommit layoutget layoutreturn
secinfononam sequence set_ssv test_stateid want_deleg destroy_clid reclaim_comp allocate copy copy_notify deallocate
ioadvise layouterror layoutstats offloadcancel offloadstatus readplus seek write_same clone"""
NFS = {
    "Client": {"net": ("packet", "packets udp tcp tcpconn"), "rpc": ("rpc", "calls retrans authrefrsh"),
               "proc2": ("nfs.v2", V2), "proc3": ("nfs.v3", V3), "proc4": ("nfs.v4", CLIENT4)},
    "Server": {"net": ("packet", "packets udp tcp tcpconn"), "rpc": ("rpc", "calls badcalls badfmt badauth badclnt"),
               "rc": ("reply.cache", "hits misses nocache"), "io": ("io", "read write"),
               "fh": ("file.handle.cache", "stale lookup anon ncachedir ncachenondir"),
               "th": ("threads", "threads fullcnt " + SHARES),
               "ra": ("read.ahead.cache", "size " + SHARES + " notfound"),
               "proc2": ("nfs.v2", V2), "proc3": ("nfs.v3", V3), "proc4": ("nfs.v4", "null compound"),
               "proc4ops": ("nfs.v4.operations", SERVER4)},
}


@family("nfsstat")
def nfsstat(tree):
    found = {}
    for side, path in (("Client", "proc/net/rpc/nfs"), ("Server", "proc/net/rpc/nfsd")):
        for line in tree.lines(path):
            head, *words = line.split() or [""]
            section, names = NFS[side].get(head, (head, ""))
            names = names.split()
            counted = head.startswith("proc")
            for i, word in enumerate(words[1:] if counted else words):
                name = names[i] if i < len(names) else "%s%d" % ("op" if counted else "field", i)
                if head not in NFS[side]:
                    name = "" if len(words) == 1 else name
                found[key("nfsstat", side, section, name)] = Decimal(word) if "." in word else number(word)
    return found


@family("xfrm-stat")
def xfrm_stat(tree):
    lines = [line.split() for line in tree.lines("proc/net/xfrm_stat")]
    return {key("xfrm-stat", words[0]): number(words[1]) for words in lines if len(words) == 2}


@family("protocols")
def protocols(tree):
    found = {}
    for line in tree.lines("proc/net/protocols")[1:]:
        words = line.split()
        if not words:
            continue
        for name, word in zip(["size", "sockets", "memory", "press", "maxhdr"], words[1:]):
            if word not in ("-1", "NI"):
                found[key("protocols", words[0], name)] = {"yes": 1, "no": 0}.get(word, number(word))
    return found


@family("conntrack")
def conntrack(tree):
    return {key("conntrack", name): tree.number("proc/sys/net/netfilter/nf_conntrack_" + name)
            for name in ("count", "max", "buckets")}
