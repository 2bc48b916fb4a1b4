#!/usr/bin/env bash
# Hooks of an agent's harness, such as Claude Code: what it reads when a session begins, what is kept when it ends. In its settings they are
#   SessionStart: git memory context start        SessionEnd: git memory import claude-code "$transcript_path" && git memory extract
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
git memory init notes > /dev/null
cd notes

# The file that the harness has written of its session.
cat > ../session.jsonl <<'END'
{"type":"user","sessionId":"s1","timestamp":"2026-11-02T09:00:00Z","uuid":"a","message":{"role":"user","content":"Decision: releases leave on Tuesdays."}}
{"type":"assistant","sessionId":"s1","timestamp":"2026-11-02T09:00:05Z","uuid":"b","message":{"role":"assistant","content":[{"type":"text","text":"Agreed."}]}}
END
git memory import claude-code ../session.jsonl > /dev/null
git memory extract > /dev/null

# The next session begins.
git memory context pack > /dev/null
git memory context start
