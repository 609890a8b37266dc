#!/bin/bash
# Makes ../messages.txt.gz anew from Kafka 4.4.0's own serializers. Needs Java 17 and Maven.
#   make.sh [--libs DIR]    DIR: a folder with Kafka's jars; without it Maven fetches them
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
libs=$work/libs
if [ "${1:-}" = --libs ]; then
  libs=$2
else
  mvn -q -B -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$libs" >&2
fi
javac -encoding UTF-8 -Xlint:all -d "$work/classes" -cp "$libs/*" "$here"/*.java
java -Dorg.slf4j.simpleLogger.defaultLogLevel=error -cp "$work/classes:$libs/*" MessageVectors \
  "$libs" "$here/../messages.txt.gz"
