#!/usr/bin/env bash
# Signs in, or registers when there is no such account, and prints lines for the shell:
#   eval "$(scripts/login.sh me@example.com)"
# The password is read from GJM_PASSWORD, else asked for. Set GJM_INVITE where registering needs one. The server is GJM_URL, else :4000.
set -euo pipefail

url="${GJM_URL:-http://127.0.0.1:4000}"
url="${url%/}"
email="${1:-${GJM_EMAIL:-}}"
if [ -z "$email" ]; then
  echo "Usage: scripts/login.sh EMAIL   (GJM_URL, GJM_PASSWORD, GJM_INVITE)" >&2
  exit 2
fi
if [ -z "${GJM_PASSWORD:-}" ]; then
  read -rsp "Password of $email: " GJM_PASSWORD </dev/tty
  echo >&2
fi

# Node writes and reads the JSON: a password may hold any character, and is on no command line.
ask() {
  EMAIL="$email" PASSWORD="$GJM_PASSWORD" INVITE="${GJM_INVITE:-}" node -e '
    const [field] = process.argv.slice(1);
    const { EMAIL: email, PASSWORD: password, INVITE: invite } = process.env;
    const input = { email, password, ...(field === "register" && invite ? { invite } : {}) };
    const type = field === "login" ? "LoginInput" : "RegisterInput";
    const query = `mutation ($input: ${type}!) { ${field}(input: $input) {
      __typename ... on SignInSuccess { accessToken } ... on Problem { code message } } }`;
    process.stdout.write(JSON.stringify({ query, variables: { input } }));' "$1" |
    curl --silent --show-error --max-time 30 -H 'content-type: application/json' --data-binary @- "$url/graphql"
}

# Prints the value at a path of the JSON on standard input, or nothing.
pick() {
  node -e '
    let text = ""; process.stdin.on("data", (part) => (text += part)).on("end", () => {
      const at = (value, name) => value?.[name];
      let answer; try { answer = JSON.parse(text); } catch { answer = {}; }
      process.stdout.write(String(process.argv[1].split(".").reduce(at, answer) ?? ""));
    });' "$1"
}

answer="$(ask login)"
token="$(printf '%s' "$answer" | pick data.login.accessToken)"
if [ -z "$token" ] && [ "$(printf '%s' "$answer" | pick data.login.code)" = BAD_CREDENTIALS ]; then
  # An unknown account and a wrong password look the same: registering tells them apart.
  second="$(ask register)"
  token="$(printf '%s' "$second" | pick data.register.accessToken)"
  if [ -z "$token" ] && [ "$(printf '%s' "$second" | pick data.register.code)" != EMAIL_TAKEN ]; then
    answer="$second"
  fi
fi
if [ -z "$token" ]; then
  message="$(printf '%s' "$answer" | node -e '
    let text = ""; process.stdin.on("data", (part) => (text += part)).on("end", () => {
      let data; try { ({ data } = JSON.parse(text)); } catch {}
      process.stdout.write(Object.values(data ?? {})[0]?.message ?? "the server does not answer as it should");
    });')"
  echo "Not signed in at $url: $message" >&2
  exit 1
fi
printf 'export GJM_URL=%q\nexport GJM_TOKEN=%q\n' "$url" "$token"
