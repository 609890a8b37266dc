#!/bin/bash
# Muster beside Apache Kafka 4.4.0 in one run: a classic group of 1,000 members from its first join to stable, and commits
# of offsets of 10 partitions. Prints figures and ratios, asserts nothing. Needs Java 17 and Maven. BENCH_COMMITS (100000).
#
# A commit is on the disk when Muster answers it with store.sync = always, its default; in the page cache when Kafka does,
# and Muster with store.sync = os.
set -eu
. "$(dirname "$0")/servers.sh"
commits=${BENCH_COMMITS:-100000} members=1000 groups=5 partitions=10

# Connections, and commits under way on each.
loads=("1 1" "16 1" "16 16")

join() { "$build/bin/join_load" 127.0.0.1 "$1" "$2" $members "$3" $groups; }
commit() { "$build/bin/commit_load" 127.0.0.1 "$1" "$2" $3 $partitions "$4" "$commits"; }

declare -A ours
for sync in always os; do
  start_muster --set store.sync=$sync
  if [ $sync = always ]; then
    our_join=$(join "$own" "$muster" 1)
    echo "muster $our_join"
  fi
  for load in "${loads[@]}"; do
    ours[$sync $load]=$(commit "$own" "$muster" "$load" 1000)
    echo "muster sync=$sync ${ours[$sync $load]}"
  done
  echo "muster resident: $(resident "$muster")"
  stop_muster
done

echo "one byte appended and brought to disk: $(dd if=/dev/zero of="$work/synced" bs=1 count=1000 oflag=dsync 2>&1 |
  awk -F, '/copied/ {printf "%.0f us\n", $(NF - 1) * 1000}')"

start_kafka
their_join=$(join "$port" "$kafka" 5)
echo "kafka  $their_join"
awk -v a="$(figure "$our_join" seconds_a_group)" -v b="$(figure "$their_join" seconds_a_group)" \
  -v c="$(figure "$our_join" server_cpu_ms_per_group)" -v d="$(figure "$their_join" server_cpu_ms_per_group)" 'BEGIN {
  printf "a classic group of 1,000 is stable after %.2f times of Kafka (%.2f against %.2f s), CPU 1/%.1f of Kafka (%.0f against %.0f ms)\n", a / b, a, b, d / c, c, d }'
for load in "${loads[@]}"; do
  theirs=$(commit "$port" "$kafka" "$load" 50000)
  echo "kafka  $theirs"
  for sync in always os; do
    us=${ours[$sync $load]}
    awk -v s=$sync -v n="${load% *}" -v f="${load#* }" -v a="$(figure "$us" server_cpu_us_per_commit)" \
      -v b="$(figure "$theirs" server_cpu_us_per_commit)" -v p="$(figure "$us" p99_us)" -v q="$(figure "$theirs" p99_us)" 'BEGIN {
      printf "commits over %d connections, %d under way on each, sync=%s: CPU a commit 1/%.1f of Kafka (%.1f against %.1f us), p99 %d against %d us\n", n, f, s, b / a, a, b, p, q }'
  done
done
