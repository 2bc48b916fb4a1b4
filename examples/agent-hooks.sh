#!/usr/bin/env bash
# Hooks of a coding agent: what it reads when a session begins, what is kept while it runs. In .claude/settings.json of Claude Code they are
#   "SessionStart": [{ "hooks": [{ "type": "command", "command": "git memory context start" }] }],
#   "Stop":         [{ "hooks": [{ "type": "command", "command": "git memory hook" }] }],
#   "SessionEnd":   [{ "hooks": [{ "type": "command", "command": "git memory hook", "timeout": 20 }] }]
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
git memory init notes > /dev/null
cd notes
git memory remember "Releases leave on Mondays" > /dev/null

# The file that the agent's program has written of its session, and the event that it sends at the end of each turn.
cat > ../session.jsonl <<'END'
{"type":"user","sessionId":"s1","version":"2.1.200","timestamp":"2026-11-02T09:00:00Z","uuid":"a","message":{"role":"user","content":"Decision: releases leave on Tuesdays from now on."}}
{"type":"assistant","sessionId":"s1","version":"2.1.200","timestamp":"2026-11-02T09:00:05Z","uuid":"b","message":{"role":"assistant","content":[{"type":"text","text":"Agreed."}]}}
END
event() { printf '{"hook_event_name": "%s", "transcript_path": "%s/session.jsonl", "session_id": "s1"}' "$1" "$folder"; }

# What the agent is told at the end of its turn; it answers by memory_add.
event Stop | git memory hook | node -e '
  const told = JSON.parse(require("node:fs").readFileSync(0, "utf8")).hookSpecificOutput.additionalContext;
  console.log(told.split("\n").slice(1, 3).join("\n").replace(/\[\w+\] [\d-]+/, "[id]"));'
event SessionEnd | git memory hook

# The next session begins.
git memory context start
