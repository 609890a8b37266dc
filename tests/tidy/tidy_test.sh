#!/bin/bash
# Holds tidy.sh itself: a tree with one offence of each kind, and what must be said about it; nothing about the rest.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cd "$tree"

# put FILE: writes it from standard input below a first line that says what it is.
put() {
  mkdir -p "$(dirname "$1")"
  { echo "// A fixture."; cat; } >"$1"
}
lines() { seq -f '// %g' "$1"; }

put host/net/wide.cpp <<<"// $(printf 'x%.0s' {1..97})
// $(printf 'é%.0s' {1..97})
// $(printf 'x%.0s' {1..98})"
put host/net/loads.cpp <<<'#include <boost/asio/post.hpp>
#include <boost/dll/shared_library.hpp>'
put host/runtime/knows.cpp <<<'constexpr int key = ConsumerGroupHeartbeat;
// share.version is no business of this file'
put host/config/group_configs.cpp <<<'// consumer groups have options'
put host/runtime/near.hpp <<<'#pragma once'
put host/runtime/uses.cpp <<<'#include "near.hpp"
#include "host/runtime/near.hpp"
#include "plugins/groups/consumer/group.hpp"
#include <muster/abi/plugin.h>
#include <muster/sdk/plugin.hpp>
#include <unistd.h>'
put plugins/groups/streams/tasks.hpp <<<'#pragma once'
put plugins/groups/consumer/group.hpp <<<'#pragma once'
put plugins/groups/consumer/deep/join.cpp <<<'#include "group.hpp"
#include "plugins/groups/streams/tasks.hpp"
#include "../../streams/tasks.hpp"
#include "host/runtime/near.hpp"
#include <muster/sdk/plugin.hpp>
#include <re2/re2.h>
#include <spdlog/spdlog.h>
#include <vector>'
put protocol/src/codec.cpp <<<'#include <zlib.h>'
put sdk/include/muster/abi/types.h <<<'#ifndef MUSTER_ABI_TYPES_H
#include <stdint.h>
#include <string>'
put host/cli/twice.hpp <<<'#include <string>'
lines 250 | put host/cli/tall.hpp
sed -i '2s/.*/#pragma once/' host/cli/tall.hpp
lines 600 | put host/cli/tall.cpp
put host/cli/names.cpp <<<'struct ConnectionManager {};
// a helper in words is fine, "utils" in a text too
const char* text = "helper";'
put host/cli/text_utils.cpp </dev/null
put host/cli/open.cpp <<<'// TODO: this
auto name = "/tmp/XXXXXX";'
mkdir -p plugins/offsets
echo 'int x;' >plugins/offsets/bare.cpp
put plugins/offsets/functions.cpp <<<"$(
  echo 'namespace muster {'
  echo 'int five(int a, std::map<int, int> b, int c, int (*d)(int, int), int e) { return a; }'
  echo 'int four(int a, std::map<int, int> b, int c, int (*d)(int, int)) { return a; }'
  echo 'int slot(void* self, int a, int b, int c, int d) { return a; }'
  echo 'void long_one() {'
  echo '  if (true) {'
  lines 67
  echo '  }'
  echo '}'
  echo 'class Holder {'
  echo '  explicit Holder(int a) : a_{a}, b_(a) {'
  lines 68
  echo '  }'
  lines 3
  echo '};'
  echo 'constexpr int table[] = {'
  lines 80
  echo '};'
  echo 'const char* raw = R"x(void f() { {{ " )x";'
  echo "const int big = 1'000'000; const char brace = '{';  // don't {"
  echo 'auto visit = call([](int a) {'
  lines 30
  echo '  return a; });'
  echo '}  // namespace muster'
  echo 'int after() {'
  lines 68
  echo '}')"

"$here/tidy.sh" "$tree" >found.txt 2>&1 && { echo "tidy.sh found nothing"; exit 1; }
sort found.txt | diff - <(sort <<'W'
host/cli/text_utils.cpp:1: 'helper', 'manager' or 'utils' in a file's name
host/cli/names.cpp:2: 'Manager' in a name says nothing; say what it does
host/cli/open.cpp:2: an open end: finish it, or name it in docs/gaps.md
host/cli/tall.cpp:601: 601 lines, 600 are allowed
host/cli/tall.hpp:251: 251 lines in a header, 250 are allowed
host/cli/twice.hpp:1: nothing keeps it from being included twice
host/net/loads.cpp:3: may not include boost/dll/shared_library.hpp here
host/net/wide.cpp:4: 101 columns, 100 are allowed
host/runtime/knows.cpp:2: 'ConsumerGroup': the host knows no group type
host/runtime/knows.cpp:3: 'share.version': the host knows no group type
host/runtime/uses.cpp:4: may not include plugins/groups/consumer/group.hpp here
host/runtime/uses.cpp:6: may not include muster/sdk/plugin.hpp here
plugins/groups/consumer/deep/join.cpp:3: may not include plugins/groups/streams/tasks.hpp here
plugins/groups/consumer/deep/join.cpp:4: may not include ../../streams/tasks.hpp here
plugins/groups/consumer/deep/join.cpp:5: may not include host/runtime/near.hpp here
plugins/groups/consumer/deep/join.cpp:8: may not include spdlog/spdlog.h here
plugins/offsets/bare.cpp:1: starts without a comment that says what it is
plugins/offsets/functions.cpp:3: 5 parameters, 4 are allowed
plugins/offsets/functions.cpp:6: a function of 71 lines, 70 are allowed
protocol/src/codec.cpp:2: may not include zlib.h here
sdk/include/muster/abi/types.h:4: may not include string here
W
) && echo "tidy.sh says what it should"
