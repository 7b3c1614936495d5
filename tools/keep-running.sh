#!/bin/sh
# Runs a program, and again whenever it falls: sh keep-running.sh PROGRAM ARGUMENT…
# It is not started again when it ended well (0), when it was asked to end, or when its very first start told somebody why it cannot (1).
# One that was killed cannot end what it started: asked to end then, it is run once more with MASTHEAD_END_LEFT_BEHIND=on, for that alone.
# A shell, because a second Node would take forty times the memory for this.

asked=
wait_for=1
first=yes
end() {
  asked=yes
  kill -TERM "$child" 2>/dev/null
}
trap end TERM INT HUP
end_left_behind() {
  trap '' TERM INT HUP
  MASTHEAD_END_LEFT_BEHIND=on "$@"
}
export MASTHEAD_STARTED_BY="$PPID"

while :; do
  began=$(date +%s)
  "$@" &
  child=$!
  # A signal ends a wait, but not the program.
  while :; do
    wait "$child"
    code=$?
    kill -0 "$child" 2>/dev/null || break
  done
  [ -n "$asked" ] && [ "$code" -ge 128 ] && end_left_behind "$@"
  [ -n "$asked" ] && exit "$code"
  [ "$code" = 0 ] && exit 0
  [ "$code" = 1 ] && [ -n "$first" ] && exit 1
  [ $(($(date +%s) - began)) -ge 60 ] && wait_for=1
  printf '{"level":60,"time":%s000,"code":%s,"msg":"Masthead ended unexpectedly and is started again in %s s"}\n' "$(date +%s)" "$code" "$wait_for" >&2
  sleep "$wait_for" &
  child=$!
  wait "$child"
  [ -n "$asked" ] && { end_left_behind "$@"; exit; }
  wait_for=$((wait_for * 2))
  [ "$wait_for" -gt 30 ] && wait_for=30
  first=
done
