#!/bin/sh
# Tests of the bot, run with: make test
set -eu
here=$(dirname "$0")
said=$(printf '%s\n' \
    '{"type":"hello","protocol":1,"variant":"crapaud","players":2,"seat":0}' \
    '{"type":"move","id":"3f9c01ab","ply":0,"clocks":[60000,60000],"position":"crapaud 0 play - KH/4C/./8C/5C/TS/5S/QH","legal":["draw","r-t1","t3-f"]}' \
    '{"type":"tick","id":"77aa10c2","tick":1,"clocks":[60000,60000],"position":"vitesse 1 - - -","legal":["turn","wait"]}' \
    '{"type":"end","result":{}}' | node --no-warnings "$here/run.mjs" "$here/../bot.wasm" | tail -n 2)
expected='{"id":"3f9c01ab","moves":["t3-f"]}
{"id":"77aa10c2","action":"turn"}'
[ "$said" = "$expected" ] || { printf 'expected\n%s\ngot\n%s\n' "$expected" "$said" >&2; exit 1; }
echo passed
