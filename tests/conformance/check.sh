#!/bin/bash
# check.sh CLASS: runs what expected.tsv has of one class against fresh Musters (launch.sh), or of the lines of tools.sh against
# one (class `tools`). Fails where one does not pass. Environment: as launch.sh.
set -u
here=$(cd "$(dirname "$0")" && pwd)
class=$1
build=${MUSTER_BUILD:-$here/../../build/release}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
[ -x "$build/bin/muster" ] || { echo "check.sh: muster is not built" >&2; exit 2; }
names=$(awk -F'\t' -v class="$class" '$1 == class { sub(/ .*/, "", $2); if (!seen[$2]++) print $2 }' "$here/expected.tsv")
if [ "$class" = tools ]; then
  OUT=$out "$here/../with-muster.sh" --build "$build" "$here/conform.sh" tools {} $names | tee "$out/lines"
  status=${PIPESTATUS[0]}
  sed -n -E 's/^(PASS|FAIL) ([^ ]+)(.*)/\1\ttools\t\2\t0\t\3/p' "$out/lines" >"$out/results.tsv"
  : >"$out/failures.txt"
  while IFS=$'\t' read -r word _ name _; do
    [ "$word" != FAIL ] || tail -n 20 "$out/$name.log" >>"$out/failures.txt"
  done <"$out/results.tsv"
else
  OUT=$out TEST_TIMEOUT="${TEST_TIMEOUT:-60 s}" \
    "$here/conform.sh" tests "launch:$here/launch.sh" "$class#$(paste -sd'|' <<<"$names")"
  status=$?
fi
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
[ $status = 0 ] || { echo "--- failures"; head -c 20000 "$out/failures.txt"; }
exit $status
