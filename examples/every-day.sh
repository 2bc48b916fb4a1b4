#!/usr/bin/env bash
# A script over the command line: takes notes from a pipe, answers as JSON, and stops at the first error by the exit code.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

git memory init notes > /dev/null
cd notes
printf '%s\n' 'The router is in the attic' 'The boiler was serviced in May' | while read -r line; do
  git memory remember "$line" > /dev/null
done
git memory recall --json --limit 1 where is the router | node -e '
  const { hits } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
  console.log(hits[0].snippet);
'
git memory show knowledge/nobody.md 2> error.txt && exit 1 || echo "exit code $? for what is not there"
git log --format=%s
