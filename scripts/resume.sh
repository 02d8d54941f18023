#!/usr/bin/env bash
# Starts what is asked for, in the background, and waits until it is ready; what runs already is left alone.
#   scripts/resume.sh up|all   the whole stack of one machine
#   scripts/resume.sh api      the server alone; needs DATABASE_URL, REDIS_URL, GJM_SECRET
#   scripts/resume.sh worker   a worker; needs GJM_SERVER and GJM_WORKER_TOKEN
# Logs and pids are below GJM_DATA_DIR/resume (.gjm by default). Stop with: kill "$(cat .gjm/resume/up.pid)"
set -euo pipefail
cd "$(dirname "$0")/.."

part="${1:-all}"
[ "$part" = all ] && part=up
folder="${GJM_DATA_DIR:-.gjm}/resume"
limit="${GJM_RESUME_SECONDS:-300}"
case "$part" in
  up) command=(node stack/boot.mjs up) ready='^ready http' ;;
  api) command=(node --enable-source-maps server/dist/index.js) ready='"msg":"the server is ready"' ;;
  worker) command=(node stack/boot.mjs worker) ready='"msg":"worker ready"' ;;
  *)
    echo "Usage: scripts/resume.sh up|api|worker|all" >&2
    exit 2
    ;;
esac

mkdir -p "$folder"
log="$folder/$part.log"
pid_file="$folder/$part.pid"
if [ -f "$pid_file" ] && kill -0 "$(cat "$pid_file")" 2>/dev/null && grep -q "$ready" "$log" 2>/dev/null; then
  echo "$part runs already, pid $(cat "$pid_file")"
  exit 0
fi
if [ "$part" = api ]; then node stack/boot.mjs build >&2; fi

: >"$log"
chmod 600 "$log"
nohup "${command[@]}" >"$log" 2>&1 </dev/null &
pid=$!
echo "$pid" >"$pid_file"
for ((tenths = 0; tenths < limit * 10; tenths++)); do
  if grep -q "$ready" "$log"; then
    echo "$part is ready, pid $pid, log $log"
    grep "$ready" "$log" | head -n 1
    exit 0
  fi
  if ! kill -0 "$pid" 2>/dev/null; then
    echo "$part ended before it was ready:" >&2
    tail -n 8 "$log" >&2
    exit 1
  fi
  sleep 0.1
done
echo "$part was not ready within $limit s; it goes on, log $log" >&2
exit 1
