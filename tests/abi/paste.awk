# paste.awk -v folder=F writing-a-plugin.md: does what a reader does. A line that names a file and
# ends with a colon says where the block behind it goes; blocks of one file are joined.
/^```/ {
  if (inside) { inside = 0; name = "" }
  else inside = 1
  next
}
inside && name != "" { print > (folder "/" name); next }
!inside && match($0, /`[a-zA-Z_]+[.](txt|hpp|cpp)`.*:$/) {
  name = substr($0, RSTART + 1)
  sub(/`.*/, "", name)
  next
}
!inside && NF > 0 { name = "" }
