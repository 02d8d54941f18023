#!/bin/sh
# Behaves like `nvidia-smi` as far as a worker asks it: prints the answers that stand in a folder, which the test exchanges while this runs.
# Usage: stand-in-smi.sh <folder> [options of nvidia-smi]
trap '' TERM
folder=$1
shift
question= id= every=
for option in "$@"; do
  case $option in
    --query-gpu=*) question=gpus; columns=${option#*=} ;;
    --query-compute-apps=*) question=processes ;;
    -L) question=list ;;
    --id=*) id=.${option#*=} ;;
    --loop-ms=*) every=${option#*=} ;;
  esac
done
if [ "$question" = gpus ]; then
  IFS=,
  set -- $columns
  unset IFS
  question=gpus-$#$id
fi

# Pids of the worker's children that were pinned to this device.
children() {
  grep -lza "^GJM_RUNNER_DEVICE_UID=$1\$" /proc/[0-9]*/environ 2>/dev/null | tr -dc '0-9\n'
}

answer() {
  now=$(readlink "$folder/current")
  [ ! -e "$now/hangs" ] || sleep 1000
  edits= listed=
  while read -r uuid each used; do
    for pid in $(children "$uuid"); do
      used=$((used + each))
      listed="$listed$uuid, $pid, $each
"
    done
    edits="$edits;s/@$uuid@/$used/"
  done <"$now/children"
  # Nobody reads any more, or the test is over.
  sed "$edits" "$now/$question" || exit 1
  if [ "$question" = processes ] && [ ! -e "$now/hidden" ]; then printf '%s' "$listed"; fi
  [ ! -e "$now/$question.code" ] || exit "$(cat "$now/$question.code")"
}

answer
while [ -n "$every" ]; do
  sleep "$(printf '%d.%03d' $((every / 1000)) $((every % 1000)))"
  answer
done
