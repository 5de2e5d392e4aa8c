"""What the peers share: arguments, threads, timing, one line of JSON a measurement."""
import argparse
import json
import os
import subprocess
import sys
import time


def arguments(doc, modes):
    """Parses the command line; with several thread counts, runs itself once for each.

    Thread counts must be known before OpenMP and BLAS are loaded, so torch is imported after this.
    OMP_WAIT_POLICY=PASSIVE, unless the caller sets it ("unset": leaves it out), keeps PyTorch's
    spinning threads from fighting with those of a pthread OpenBLAS.
    """
    p = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--threads", default="1,2")
    p.add_argument("--modes", default=",".join(modes))
    p.add_argument("--budget", type=float, default=1.0, help="seconds a measurement")
    p.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    a = p.parse_args()
    if not a.child:
        for n in a.threads.split(","):
            run_child(a, n)
        sys.exit(0)
    a.threads = int(a.threads)
    a.modes = a.modes.split(",")
    return a


def run_child(a, threads):
    env = dict(os.environ, OMP_NUM_THREADS=threads, OPENBLAS_NUM_THREADS=threads)
    if env.setdefault("OMP_WAIT_POLICY", "PASSIVE") == "unset":
        del env["OMP_WAIT_POLICY"]
    command = [sys.executable, sys.argv[0], "--child", "--threads", threads, "--modes", a.modes,
               "--budget", str(a.budget)]
    subprocess.run(command, env=env, check=True)


def busy():
    """CPU seconds of the whole machine, stolen time included, and of this process."""
    with open("/proc/stat") as f:
        user, nice, system, _idle, _wait, irq, soft, steal = map(int, f.readline().split()[1:9])
    return (user + nice + system + irq + soft + steal) / os.sysconf("SC_CLK_TCK"), sum(os.times()[:4])


def collect(once, budget, least, warm_up):
    """Calls once() for so many seconds; returns sorted times and the cores that others used."""
    for _ in range(warm_up):
        once()
    start, (all0, own0), times = time.perf_counter(), busy(), []
    while len(times) < least or time.perf_counter() - start < budget:
        t = time.perf_counter()
        once()
        times.append(time.perf_counter() - t)
    all1, own1 = busy()
    others = (all1 - all0 - own1 + own0) / (time.perf_counter() - start)
    return sorted(times), max(0.0, others)


def blas():
    """Which BLAS serves: Debian's python3-torch alone brings the slow reference one."""
    with open("/proc/self/maps") as f:
        path = next((line.split()[-1] for line in f if "libblas.so" in line or "libmkl_rt" in line), "?")
    known = ("openblas-openmp", "openblas-pthread", "openblas-serial", "blis", "atlas", "mkl")
    return next((k for k in known if k in path), "reference")


def report(line, times, others):
    import torch
    line.update(runs=len(times), blas=blas(), omp_wait=os.environ.get("OMP_WAIT_POLICY", "unset"),
                torch=torch.__version__, other_cpu=round(others, 3))
    print(json.dumps(line), flush=True)
