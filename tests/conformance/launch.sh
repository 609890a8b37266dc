#!/bin/bash
# Launcher for conform.sh: one Muster in the foreground, data under $CONF_DIR. The contract is in README.md.
# Environment: CONF_PORT CONF_PROPS CONF_FEATURES CONF_DIR, and MUSTER_BUILD (build/release of this tree), MUSTER_CONFIG
# (config/kafka-defaults.toml). Kafka's property names are Muster's option names; properties.tsv says which of them mean nothing here.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
muster=${MUSTER_BUILD:-$here/../../build/release}/bin/muster

declare -A wanted=([node.id]=0 [offsets.topic.num.partitions]=1 [group.initial.rebalance.delay.ms]=0 [internal.topics.mirror]=true)

# Java's way of writing a property: NAME=VALUE, with backslashes before blanks, colons and equals signs in the name.
if [ -n "${CONF_PROPS:-}" ]; then
  while IFS= read -r line; do
    case $line in '#'* | '') continue ;; esac
    name=$(sed -E 's/^(([^=\\]|\\.)*)=.*$/\1/; s/\\(.)/\1/g' <<<"$line")
    wanted[$name]=$(sed -E 's/^([^=\\]|\\.)*=//; s/\\(.)/\1/g' <<<"$line")
  done <"$CONF_PROPS"
fi
for feature in ${CONF_FEATURES:-}; do
  wanted[features.${feature%%=*}]=${feature#*=}
done

# word_of NAME: its word and reason from properties.tsv.
word_of() {
  local word glob why
  while IFS=$'\t' read -r word glob why; do
    case $word in '#'* | '') continue ;; esac
    case $1 in $glob) printf '%s\t%s\n' "$word" "$why"; return ;; esac
  done <"$here/properties.tsv"
  printf 'unknown\t\n'
}

# What the plugins of this build declare: options, and features as features.NAME.
declared=$("$muster" plugin list | while read -r id _; do
  "$muster" plugin options "$id" | awk '/^[^ ]/ { print $1 }'
  "$muster" plugin describe "$id" | awk '$1 == "feature" { print "features." $2 }'
done)
sets=()
while IFS= read -r name; do
  IFS=$'\t' read -r word why < <(word_of "$name")
  if [ "$word" = later ] && grep -qxF -- "$name" <<<"$declared"; then word=option; fi
  case $word in
    option) sets+=(--set "$name=${wanted[$name]}") ;;
    later) echo "launch.sh: not yet: $name=${wanted[$name]} ($why)" ;;
    none) echo "launch.sh: dropped: $name=${wanted[$name]} ($why)" ;;
    *) echo "launch.sh: '$name' is not in properties.tsv: say whether it is an option, comes later or means nothing here" >&2; exit 2 ;;
  esac
done < <(printf '%s\n' "${!wanted[@]}" | sort)
exec "$muster" serve "${MUSTER_CONFIG:-$here/../../config/kafka-defaults.toml}" --set "listener.bind=127.0.0.1:$CONF_PORT" \
  --set admin.bind=127.0.0.1:0 --set "host.data_dir=$CONF_DIR/data" "${sets[@]}"
