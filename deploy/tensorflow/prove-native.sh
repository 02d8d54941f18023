#!/usr/bin/env bash
# Proves the engine native on this machine, by hand: fetches TensorFlow's CPU build with pip, sets it up, runs the contract suite of engines with
# it, a picture through the whole stack, then measures it against wasm. Takes some minutes and 1.5 GB.
#   deploy/tensorflow/prove-native.sh [FOLDER]      FOLDER keeps what was fetched; without it a temporary one is removed at the end
#   TENSORFLOW=/path/to/site-packages/tensorflow    takes an installed one instead of fetching
set -euo pipefail
cd "$(dirname "$0")/../.."
version=2.21.0
if [ $# -gt 0 ]; then
  mkdir -p "$1"
  folder="$(cd "$1" && pwd)"
else
  folder="$(mktemp -d)"
  trap 'rm -rf "$folder"' EXIT
fi
export GJM_PACKAGES_DIR="$folder/packages"
tensorflow="${TENSORFLOW:-$folder/python/tensorflow}"

node stack/boot.mjs build
if [ ! -e "$tensorflow/libtensorflow_cc.so.2" ]; then
  python3 -m pip install --quiet --no-deps --no-compile --only-binary=:all: --target "$folder/python" "tensorflow-cpu==$version"
fi
npm run --silent setup:tensorflow -- --from "$tensorflow"
node --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js --config dist/jest.config.js --rootDir . \
  worker/engines/contract.test.ts
GJM_DATA_DIR="$folder/stack" npm run --silent demo | tee "$folder/demo.log"
grep -q 'on native:' "$folder/demo.log" || { echo 'The picture was not enlarged on native.' >&2; exit 1; }
for engine in wasm native; do node deploy/tensorflow/measure-engine.mjs "$engine"; done
echo 'PASS native'
