#!/bin/bash
# compare.sh [--kafka] [PATTERN...]: Kafka's own tests against fresh Musters (launch.sh) beside what Kafka 4.4.0 passes: by default
# kafka.tsv, with --kafka measured now. PATTERN as for conform.sh; by default the classes of expected.tsv. Results: $OUT.
set -u
here=$(cd "$(dirname "$0")" && pwd)
measure=
[ "${1:-}" != --kafka ] || { measure=1; shift; }
[ $# -gt 0 ] || set -- $(grep -v '^#' "$here/expected.tsv" | cut -f1 | sort -u)
out=${OUT:-$(mktemp -d)}
mkdir -p "$out"

# run NAME LAUNCHER PATTERN...: a line a test on stderr, the counts by class in NAME.tsv.
run() {
  local name=$1 launcher=$2
  shift 2
  OUT=$out/$name "$here/conform.sh" tests "launch:$launcher" "$@" >"$out/$name.out" 2>&1 &
  local pid=$!
  tail -n +1 -f --pid=$pid "$out/$name.out" 2>/dev/null | sed -n "s/^\(PASS\|FAIL\|NOTREMOTE\|NEEDCFG\|SKIPPED\) /$name: &/p" >&2
  wait $pid
  [ $? != 77 ] || exit 77
  [ -s "$out/$name/results.tsv" ] || { tail -5 "$out/$name.out" >&2; exit 1; }
  awk -F'\t' '{ ++run[$2]; if ($1 == "PASS") ++pass[$2] } END { for (c in run) print c "\t" pass[c] + 0 "\t" run[c] }' \
    "$out/$name/results.tsv" | sort >"$out/$name.tsv"
}

run muster "$here/launch.sh" "$@"
if [ -n "$measure" ]; then run kafka "$here/launch-kafka.sh" "$@"; else grep -v '^#' "$here/kafka.tsv" >"$out/kafka.tsv"; fi
awk -F'\t' '
  FNR == NR { kafka[$1] = $2 "/" $3; next }
  FNR == 1 { printf "%-50s %10s %14s\n", "class", "Muster", "Kafka 4.4.0" }
  { printf "%-50s %10s %14s\n", $1, $2 "/" $3, ($1 in kafka ? kafka[$1] : "not measured"); pass += $2; run += $3 }
  END { printf "%-50s %10s\n", "together", pass "/" run }' "$out/kafka.tsv" "$out/muster.tsv"
echo "what did not pass and why: $out/muster/failures.txt"
