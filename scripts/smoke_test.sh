#!/usr/bin/env bash
# Tries a running server with a worker: success, events, artifact, failure, delete, what may not be deleted, and three cancels.
# Needs GJM_URL and GJM_TOKEN (scripts/login.sh), and a server that allows the kind diagnostic (GJM_DIAGNOSTIC_JOBS=1).
# One line a check, PASS or FAIL; exits 1 when one failed. It leaves no job behind that it could delete.
set -euo pipefail

: "${GJM_URL:?set it, or: eval \"\$(scripts/login.sh EMAIL)\"}"
: "${GJM_TOKEN:?set it, or: eval \"\$(scripts/login.sh EMAIL)\"}"
url="${GJM_URL%/}"
limit="${GJM_SMOKE_SECONDS:-60}"
failed=0
made=()

check() { # check NAME EXPECTED GIVEN
  if [ "$2" = "$3" ]; then
    echo "PASS $1"
  else
    echo "FAIL $1: expected '$2', got '$3'"
    failed=1
  fi
}

# gql QUERY VARIABLES PATH: sends an operation and prints the value at the path, or nothing. The token is on no command line.
gql() {
  QUERY="$1" VARIABLES="$2" node -e '
    const { QUERY: query, VARIABLES: variables } = process.env;
    process.stdout.write(JSON.stringify({ query, variables: JSON.parse(variables) }));' |
    curl --silent --show-error --max-time 30 -H 'content-type: application/json' -H @<(printf 'authorization: Bearer %s' "$GJM_TOKEN") \
      --data-binary @- "$url/graphql" |
    node -e '
      let text = ""; process.stdin.on("data", (part) => (text += part)).on("end", () => {
        const at = (value, name) => value?.[name];
        let answer; try { answer = JSON.parse(text); } catch { answer = {}; }
        process.stdout.write(String(process.argv[1].split(".").reduce(at, answer) ?? ""));
      });' "$3"
}

submit() { # submit PARAMS [MORE]: prints the id of the job
  gql 'mutation ($input: SubmitJobInput!) { submitJob(input: $input) { ... on SubmitJobSuccess { job { id } } ... on Problem { message } } }' \
    "{\"input\":{\"kind\":\"diagnostic\",\"params\":$1${2:+,$2}}}" data.submitJob.job.id
}

act() { # act cancelJob|deleteJob ID: prints OK or the code of the refusal
  local code
  code="$(gql "mutation (\$id: ID!) { $1(input: { id: \$id }) { __typename ... on Problem { code } } }" "{\"id\":\"$2\"}" "data.$1.code")"
  printf '%s' "${code:-OK}"
}

status_of() { gql 'query ($id: ID!) { job(id: $id) { status } }' "{\"id\":\"$1\"}" data.job.status; }

await_status() { # await_status ID STATUS: prints the status once it is that or the time is up
  local deadline=$((SECONDS + limit)) now=''
  while [ "$SECONDS" -lt "$deadline" ]; do
    now="$(status_of "$1")"
    case "$now" in "$2" | SUCCEEDED | FAILED | CANCELLED) break ;; esac
    sleep 0.1
  done
  printf '%s' "$now"
}

job="$(submit '{"logLines":3,"artifactBytes":1000}')"
if [ -z "$job" ]; then
  echo "FAIL submit: no job was taken; is the token good, and does the server allow diagnostic jobs?"
  exit 1
fi
made+=("$job")
check 'a job succeeds' SUCCEEDED "$(await_status "$job" SUCCEEDED)"
last="$(gql 'query ($id: ID!) { job(id: $id) { events(first: 1) { lastSequence } } }' "{\"id\":\"$job\"}" data.job.events.lastSequence)"
events="$(gql 'query ($id: ID!) { job(id: $id) { events(first: 1000) { nodes { sequence } } } }' "{\"id\":\"$job\"}" data.job.events.nodes.length)"
check 'its events are all there' "$last" "$events"
artifact="$(gql 'query ($id: ID!) { job(id: $id) { artifacts { url bytes } } }' "{\"id\":\"$job\"}" data.job.artifacts.0.url)"
bytes="$(curl --silent --max-time 30 "$url$artifact" | wc -c | tr -d ' ')"
check 'its artifact can be fetched' 1000 "$bytes"

bad="$(submit '{"shouldFail":true}')"
made+=("$bad")
check 'a job that should fail fails' FAILED "$(await_status "$bad" FAILED)"
code="$(gql 'query ($id: ID!) { job(id: $id) { failure { code } } }' "{\"id\":\"$bad\"}" data.job.failure.code)"
check 'it says why' WORKLOAD_ERROR "$code"

long="$(submit '{"steps":600,"stepMs":100}')"
made+=("$long")
check 'a long job runs' RUNNING "$(await_status "$long" RUNNING)"
check 'a running job is not deleted' JOB_NOT_TERMINAL "$(act deleteJob "$long")"
check 'a running job takes a cancel' OK "$(act cancelJob "$long")"
check 'it ends cancelled' CANCELLED "$(await_status "$long" CANCELLED)"
check 'an ended job takes no cancel' JOB_TERMINAL "$(act cancelJob "$long")"

queued="$(submit '{}' '"deviceSelector":{"name":"no such device"}')"
made+=("$queued")
check 'a job that fits no device waits' QUEUED "$(status_of "$queued")"
check 'a queued job takes a cancel' OK "$(act cancelJob "$queued")"
check 'it is cancelled at once' CANCELLED "$(status_of "$queued")"

for id in "${made[@]}"; do
  check "the job $id is deleted" OK "$(act deleteJob "$id")"
done
check 'a deleted job is gone' '' "$(status_of "$job")"
exit "$failed"
