#!/bin/bash
# Holds the rules of STYLE.md that need no compiler: tidy.sh [ROOT]. A line a finding; exit 1 if there is any.
set -u
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/../..}" || exit 2

# Without a git tree (an unpacked archive, the fixtures) everything but build folders counts.
list() {
  if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$PWD" ]; then
    git ls-files --cached --others --exclude-standard
  else
    find . -type f ! -path './build/*' ! -path './.git/*' | sed 's|^\./||'
  fi | grep -v '^tests/tidy/' | sort -u | while IFS= read -r file; do [ ! -f "$file" ] || printf '%s\n' "$file"; done
}
files=$(list)
status=0

names=$(grep -iE '(^|/)[^/]*(helper|manager|utils)[^/]*$' <<<"$files" | grep -v '\.json$')
if [ -n "$names" ]; then
  sed "s/\$/:1: 'helper', 'manager' or 'utils' in a file's name/" <<<"$names"
  status=1
fi

# mawk counts bytes whatever the locale says, so all do.
grep -E '\.(c|cpp|h|hpp)$' <<<"$files" | LC_ALL=C xargs -r awk -f "$here/tidy.awk" -v "third_party=$here/third_party.txt" \
  -v 'allowed_group_words=^host/(config/|.*/)?[^/]*(api_versions|find_coordinator|config)[^/]*$|^host/config/|^host/cli/group_' || status=1

# The other texts: no open ends, no path of one machine.
grep -E '(CMakeLists\.txt|\.cmake|\.sh|\.awk|\.toml|\.py|\.java|\.go|\.mjs|(^|/)dev)$' <<<"$files" | grep -v '^tests/vectors/' |
  xargs -r grep -HnE '(TODO|FIXME)|/(home|root|Users|mnt)/' | sed 's/$/   <- an open end, or a path of one machine/' | grep . && status=1
exit $status
