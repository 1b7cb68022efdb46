#!/usr/bin/env bash
# Runs Go's fuzzer over every target of the repository, for the given time each (30s if none is given), and fails if
# any of them fails. Inputs that fail are left in testdata/fuzz of their package.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
failed=0
while IFS=: read -r file target; do
  echo "== $(dirname "$file") $target"
  go test "./$(dirname "$file")" -run '^$' -fuzz "^$target\$" -fuzztime "${1:-30s}" || failed=1
done < <(grep -rhoE --include='*_test.go' -H '^func Fuzz[A-Za-z0-9_]*' core wasm cmd build | sed 's/:func /:/')
exit $failed
