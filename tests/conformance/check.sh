#!/bin/bash
# check.sh CLASS: runs one class against fresh Musters (launch.sh) and holds the outcome against expected.tsv. Fails where an
# expected test does not pass; one that passes unexpectedly is only told. Environment: as launch.sh.
set -u
here=$(cd "$(dirname "$0")" && pwd)
class=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
[ -x "${MUSTER_BUILD:-$here/../../build/release}/bin/muster" ] || { echo "check.sh: muster is not built" >&2; exit 2; }
OUT=$out TEST_TIMEOUT="${TEST_TIMEOUT:-60 s}" "$here/conform.sh" tests "launch:$here/launch.sh" "$class"
status=$?
[ $status != 77 ] || exit 77
[ -s "$out/results.tsv" ] || { echo "check.sh: the run gave no results (status $status)" >&2; exit 1; }
awk -F'\t' -v class="$class" '
  FNR == NR { if ($1 == class) want[$2] = 1; next }
  $2 == class { seen[$3] = $1; why[$3] = $5; if ($1 == "PASS" && !($3 in want)) print "passes too, expected.tsv does not have it: " $3 }
  END {
    for (t in want) {
      ++total
      if (seen[t] == "PASS") { ++good; continue }
      print "expected to pass: " t " -- " (t in seen ? seen[t] " " why[t] : "did not run")
    }
    print class ": " good + 0 " of " total + 0 " expected tests pass"
    exit !(total > 0 && good == total)
  }' "$here/expected.tsv" "$out/results.tsv"
status=$?
[ $status = 0 ] || { echo "--- failures"; sed -n '1,/^$/p' "$out/failures.txt" | head -c 20000; }
exit $status
