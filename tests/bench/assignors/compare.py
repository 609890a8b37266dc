#!/usr/bin/env python3
"""Muster's assignors beside Kafka's on the same workloads, as a Markdown table of CPU time a call.

usage: compare.py BENCH [--filter REGEX] [--libs DIR] [--kafka RESULTS.jsonl]

BENCH is the assignors_bench executable. Kafka's side is timed by tests/peers/assignors/run.sh,
about 20 s a workload; with --kafka its results are kept, and what is there is not timed again.
Kafka knows no racks: what has racks here stands beside the same workload without them there.
Owners are expected to be the same for range; uniform's depend on the order of Java's hash maps.
"Moved" leaves out what a member that left had.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RUN = os.path.join(HERE, "..", "..", "peers", "assignors", "run.sh")


def time_muster(bench, pattern):
    command = [bench, "--benchmark_format=json", "--benchmark_repetitions=5",
               "--benchmark_filter=" + pattern]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    runs = {}
    for run in json.loads(output)["benchmarks"]:
        if run["run_type"] == "iteration":
            runs.setdefault(run["run_name"], []).append(run)
    return runs


def time_kafka(flags, results, libs):
    """Kafka's results by flags; run.sh skips the workloads that `results` has already."""
    exact = "^(" + "|".join(flags) + ")$"
    command = ["bash", RUN] + (["--libs", libs] if libs else []) + ["matrix", results, exact]
    subprocess.run(command, check=True, stdout=sys.stderr)
    with open(results) as lines:
        return {d["flags"]: d for d in map(json.loads, lines)}


def without_racks(flags):
    return flags.split(" --racks ")[0]


def row(flags, runs, kafka):
    words = dict(zip(flags.split()[0::2], flags.split()[1::2]))
    racks = flags[len(without_racks(flags)):].replace("--", "")
    ours = sorted(run["cpu_time"] for run in runs)[len(runs) // 2] / 1000
    run = runs[0]
    cells = [words["--assignor"] + " " + words["--subscription"] + racks, words["--scenario"],
             "%s x %d" % (words["--members"],
                          int(words["--topics"]) * int(words["--partitions"]))]
    if "cpu_median_ms" not in kafka:
        return cells + ["%.3f" % ours, "timed out", "", "%d" % run["moved"], ""]
    if "in rack" in run:
        cells[0] += ", %d in rack" % run["in rack"]
    same = run["label"] == kafka["assignment_fnv1a"]
    theirs = kafka["cpu_median_ms"]
    moved = kafka["moved"] - kafka["moved_forced"]
    return cells + ["%.3f" % ours, "%.3f" % theirs, "%.0f" % (theirs / ours),
                    "%d, %d" % (run["moved"], moved), "yes" if same else "no"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("bench")
    arguments.add_argument("--filter", default=".")
    arguments.add_argument("--libs")
    arguments.add_argument("--kafka")
    given = arguments.parse_args()
    muster = time_muster(given.bench, given.filter)
    with tempfile.TemporaryDirectory() as folder:
        results = given.kafka or os.path.join(folder, "kafka.jsonl")
        kafka = time_kafka({without_racks(flags) for flags in muster}, results, given.libs)
    head = ["assignor", "scenario", "members x partitions", "Muster ms", "Kafka ms",
            "Kafka / Muster", "moved (Muster, Kafka)", "same owners"]
    print("| %s |\n|%s" % (" | ".join(head), "---|" * len(head)))
    for flags, runs in muster.items():
        print("| %s |" % " | ".join(row(flags, runs, kafka[without_racks(flags)])))


if __name__ == "__main__":
    main()
