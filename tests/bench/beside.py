#!/usr/bin/env python3
"""Our benchmarks and scripts that do the same elsewhere, in turn and in one run: medians and ratios.

BENCH is the program of this folder's benchmarks. Beside this script is a folder of peers with a NAME.py
for each NAME: it prints, like BENCH NAME, one line of JSON a measurement, with members of the same names
("bench", "threads", "mode", "size" if there are several, "ms_per_token" or "step_ms"). Each round runs
ours, then theirs, so that a neighbour on the machine slows both. A time is the median of the rounds'
medians; a ratio is how many times ours it is, at the same size and number of threads.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

NAMES = ("train_transformer", "decode_transformer")
TIMES = ("ms_per_token", "step_ms")
OURS = "attnscope"


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("bench", metavar="BENCH")
    p.add_argument("names", metavar="NAME", nargs="*", default=NAMES)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--peers", default=os.path.join(os.path.dirname(__file__), "peers"), metavar="DIR",
                   help="another folder of such scripts")
    p.add_argument("--python", default="/usr/bin/python3", help="runs the peers (default: %(default)s)")
    p.add_argument("--arg", action="append", default=[], help="one more argument for the peers")
    p.add_argument("--blas", action="append", default=[], metavar="DIR",
                   help="run the peers once more with the libblas.so.3 in DIR and threads that spin")
    return p.parse_intermixed_args()


def measure(command, env, label=""):
    """{(size, threads, mode): milliseconds} of one run."""
    out = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True).stdout
    times = {}
    for line in map(json.loads, out.splitlines()):
        ms = next(line[t] for t in TIMES if t in line)
        times[line.get("size", "-"), line["threads"], line["mode"] + label] = (ms, line.get("other_cpu", 0))
    return times


def one_round(a, name):
    script = [a.python, os.path.join(a.peers, name + ".py"), "--threads", "1,2", *a.arg]
    times = measure([a.bench, name], os.environ)
    times.update(measure(script, os.environ))
    for folder in a.blas:
        env = dict(os.environ, LD_LIBRARY_PATH=folder, OMP_WAIT_POLICY="unset")
        times.update(measure(script, env, "/" + os.path.basename(folder.rstrip("/"))))
    return times


def report(name, rounds):
    """One row a mode: median, least, how busy others kept the machine, ratio to ours."""
    print(f"\n{name}\n| size | threads | mode | ms, median | least | others' cores | ratio |\n|" + " --- |" * 7)
    keys = sorted({k for r in rounds for k in r}, key=lambda k: (k[0], k[1], not k[2].startswith(OURS), k[2]))
    for key in keys:
        times = [r[key] for r in rounds if key in r]
        ours = statistics.median(r[key[:2] + (OURS,)][0] for r in rounds)
        ms = statistics.median(t[0] for t in times)
        print(f"| {key[0]} | {key[1]} | {key[2]} | {ms:.4g} | {min(t[0] for t in times):.4g} | "
              f"{statistics.median(t[1] for t in times):.2f} | {ms / ours:.2f} |", flush=True)


def main():
    a = arguments()
    for name in a.names:
        report(name, [one_round(a, name) for _ in range(a.rounds)])


sys.exit(main())
