#!/bin/sh
# What a build does: hold the runs against the committed baseline. The first argument is the program; QRELS, RUNS (one or more files) and
# BASELINE say of what, GATES and MEASURES may say more. It leaves rankbox-junit.xml and rankbox-comment.md, and fails where a measure
# regressed or a gate is not met. UPDATE=1 makes the report the new baseline instead, to be committed.
set -eu
program=$1
set -- -quiet -m "${MEASURES:-nDCG@10 AP R@20}" -against "$BASELINE" -junit rankbox-junit.xml -comment rankbox-comment.md
for gate in ${GATES:-}; do
  set -- "$@" -gate "$gate"
done
if [ "${UPDATE:-}" = 1 ]; then
  set -- "$@" -update
fi
# shellcheck disable=SC2086 # RUNS is several words
exec "$program" compare "$@" "$QRELS" $RUNS
