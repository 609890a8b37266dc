# The rules of STYLE.md that a line-by-line reading can hold. Called by tidy.sh with all C and C++ files, relative to the root.
# Variables: third_party (file), allowed_group_words (regular expression of host files). Prints FILE:LINE: what; exit 1 if any.

BEGIN {
  while ((getline row < third_party) > 0)
    if (row !~ /^#/ && split(row, part, " ") >= 2) { ++rows; owner[rows] = part[1]; header[rows] = part[2] }
  for (i = 1; i < ARGC; i++) exists[ARGV[i]] = 1
  # Names that belong to one group type: its APIs, its records, its feature.
  group_words = "consumer[ _.-]?groups?|streams?[ _.-]?groups?|share[ _.-]?groups?|classic[ _.-]?groups?" \
    "|join[ _]?group|sync[ _]?group|leave[ _]?group|describe[ _]?groups|list[ _]?groups|delete[ _]?groups" \
    "|offset[ _]?commit|offset[ _]?fetch|offset[ _]?delete|share[ _]?fetch|share[ _]?acknowledge" \
    "|(group|share|streams|transaction)[.]version"
}

function report(line, what) {
  print FILENAME ":" line ": " what
  ++found
}

FNR == 1 {
  end_of_file()
  file = FILENAME
  is_header = file ~ /\.(h|hpp)$/
  depth = paren = in_comment = in_raw = in_function = once = 0
  head = ""
  own_header = file
  sub(/^.*\//, "", own_header)
  sub(/\.(c|cpp)$/, ".h", own_header)
  # What a .cpp with a header of its own is, its header says; what a test is, its tests' names say.
  if ($0 !~ /^(\/\/|\/\*)/ && !($0 ~ /^#include/ && index($0, own_header)) && file !~ /_test\.cpp$/)
    report(1, "starts without a comment that says what it is")
}

{
  lines = FNR
  if (/^ *#pragma once/ || (file ~ /\.h$/ && /^#ifndef [A-Z_0-9]+_H_?$/)) once = 1
  width = $0
  gsub(/[\200-\277]/, "", width)  # continuation bytes of UTF-8
  if (length(width) > 100) report(FNR, length(width) " columns, 100 are allowed")
  if (/(^|[^A-Za-z])(TODO|FIXME|XXX)([^A-Za-z]|$)/) report(FNR, "an open end: finish it, or name it in docs/gaps.md")
  if (/\/(home|root|Users|mnt)\//) report(FNR, "a path of one machine")
  if (file ~ /^host\// && file !~ allowed_group_words && match(tolower($0), group_words))
    report(FNR, "'" substr($0, RSTART, RLENGTH) "': the host knows no group type")
  if (/^ *# *include/) { include_line(); next }
  code = strip($0)
  if (match(tolower(code), /(helper|manager|utils)/))
    report(FNR, "'" substr(code, RSTART, RLENGTH) "' in a name says nothing; say what it does")
  if (code ~ /^ *#/ || continues) { continues = code ~ /\\$/; next }  # the preprocessor's braces need not pair
  blocks(code)
}

END {
  end_of_file()
  exit found > 0
}

# Only here the length of a file is known; FILENAME is already the next one's.
function end_of_file() {
  if (file == "") return
  if (lines > 600) { print file ":" lines ": " lines " lines, 600 are allowed"; ++found }
  else if (is_header && lines > 250) { print file ":" lines ": " lines " lines in a header, 250 are allowed"; ++found }
  if (is_header && !once) { print file ":1: nothing keeps it from being included twice"; ++found }
}

# --- code without comments and literals

function strip(line,    at, delimiter) {
  if (in_raw) {
    at = index(line, raw_end)
    if (!at) return ""
    line = substr(line, at + length(raw_end))
    in_raw = 0
  }
  if (in_comment) {
    at = index(line, "*/")
    if (!at) return ""
    line = substr(line, at + 2)
    in_comment = 0
  }
  if (match(line, /R"[^( ]*\(/)) {
    delimiter = substr(line, RSTART + 2, RLENGTH - 3)
    raw_end = ")" delimiter "\""
    at = index(substr(line, RSTART), raw_end)
    if (at) return strip(substr(line, 1, RSTART - 1) "\"\"" substr(line, RSTART + at - 1 + length(raw_end)))
    in_raw = 1
    line = substr(line, 1, RSTART - 1)
  }
  gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
  gsub(/'([^'\\]|\\.)'/, "0", line)
  sub(/\/\/.*/, "", line)
  while (match(line, /\/\*([^*]|\*+[^*\/])*\*+\//)) line = substr(line, 1, RSTART - 1) " " substr(line, RSTART + RLENGTH)
  at = index(line, "/*")
  if (at) { in_comment = 1; line = substr(line, 1, at - 1) }
  return line
}

# --- functions: how long, how many parameters

function blocks(code,    c) {
  while (match(code, /[{}();]/)) {
    grow(substr(code, 1, RSTART - 1))
    c = substr(code, RSTART, 1)
    code = substr(code, RSTART + 1)
    if (c == "(") { ++paren; grow(c) }
    else if (c == ")") { --paren; grow(c) }
    else if (c == ";") { if (paren > 0) grow(c); else forget() }
    else if (c == "{") open_block()
    else close_block()
  }
  grow(code)
  if (head != "") head = head " "
}

function grow(text) {
  if (in_function || text ~ /^ *$/ && head == "") return
  if (head == "") head_line = FNR
  head = head text
}

function forget() { if (!in_function) head = "" }

function open_block() {
  ++depth
  saved_paren[depth] = paren
  paren = 0
  if (!in_function && saved_paren[depth] == 0 && head ~ /\)/ && head !~ /(^|[^A-Za-z_])(namespace|class|struct|union|enum)[^A-Za-z_]/ &&
      head !~ /=[^=]*$/) {
    in_function = depth
    start = head_line
    parameters(head)
  } else if (!in_function && head ~ /=[^=]*$/) {
    in_function = depth  # an initializer: nothing in it is a declaration, and tables may be long
    start = 0
  }
  head = ""
}

function close_block() {
  if (in_function == depth) {
    if (start && FNR - start + 1 > 70) report(start, "a function of " (FNR - start + 1) " lines, 70 are allowed")
    in_function = 0
  }
  paren = saved_paren[depth]
  if (depth > 0) --depth
  forget()
}

# The border's own signatures (first parameter void*, and the SDK that mirrors them) are what they are.
function parameters(head,    at, i, c, round, angle, count, text) {
  if (file ~ /^sdk\//) return
  sub(/operator *\(\)/, "operator", head)
  at = index(head, "(")
  text = substr(head, at + 1)
  if (text ~ /^ *void *\*/) return
  round = 1
  count = text ~ /^ *\)/ ? 0 : 1
  for (i = 1; i <= length(text) && round > 0; i++) {
    c = substr(text, i, 1)
    if (c == "(") ++round
    else if (c == ")") --round
    else if (c == "<") ++angle
    else if (c == ">") --angle
    else if (c == "," && round == 1 && angle == 0) ++count
  }
  if (count > 4) report(start, count " parameters, 4 are allowed")
}

# --- who may include what

function include_line(    name, quoted) {
  name = $0
  sub(/^ *# *include *[<"]/, "", name)
  sub(/[>"].*$/, "", name)
  quoted = $0 ~ /include *"/
  if (name ~ /^(muster\/abi|muster\/sdk|muster\/protocol|muster\/testing)\// && quoted) quoted = 0
  if (!may_include(name, quoted)) report(FNR, "may not include " name " here")
}

function standard(name) {
  return name ~ /^[a-z_0-9]+$/ || name ~ /^(stddef|stdint|string|stdio|stdlib|errno|math|limits|assert)\.h$/ ||
    name ~ /^([a-z]+intrin|arm_acle)\.h$/
}

function posix(name) { return name ~ /^(sys\/[a-z]+|unistd|fcntl|signal|dlfcn|poll|spawn|pthread|sched|link|elf|execinfo|malloc)\.h$/ }

function third(name,    i) {
  for (i = 1; i <= rows; i++) if (file ~ owner[i] && name ~ header[i]) return 1
  return 0
}

# room: the folder whose own headers a file may name in quotes.
function own(name, room,    base) {
  base = file
  sub(/[^\/]*$/, "", base)
  if (name ~ /\.\./) return 0
  return (base name) in exists || (room name) in exists || (name in exists && index(name, room) == 1)
}

function may_include(name, quoted,    room) {
  if (file ~ /^sdk\/include\/muster\/abi\//)
    return quoted ? own(name, "sdk/include/muster/abi/") : name ~ /^(stddef|stdint)\.h$/ || name ~ /^muster\/abi\//
  if (file ~ /^sdk\/include\//) return quoted ? 0 : standard(name) || name ~ /^muster\/(abi|sdk)\//
  if (file ~ /^sdk\//) return quoted ? own(name, "sdk/") : standard(name) || name ~ /^muster\/(abi|sdk|testing)\// || third(name)
  if (file ~ /^protocol\//) return quoted ? own(name, "protocol/") : standard(name) || name ~ /^muster\/protocol\// || third(name)
  if (file ~ /^plugins\//) {
    room = file
    if (file ~ /^plugins\/(groups|assignors|stores|brokers)\//) match(room, /^plugins\/[^\/]+\/[^\/]+\//)
    else match(room, /^plugins\/[^\/]+\//)
    room = substr(room, 1, RLENGTH)
    return quoted ? own(name, room) : standard(name) || name ~ /^muster\/(abi|sdk|protocol)\// || third(name)
  }
  if (file ~ /^host\//) {
    if (quoted && own(name, "host/")) return 1
    return standard(name) || posix(name) || name ~ /^muster\/(abi|protocol)\// || third(name)
  }
  return 1
}
