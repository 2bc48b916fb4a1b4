// Files that instruct coding agents: those of a project or of a person, rules of editors, and notes that Claude Code keeps for itself. Each file
// is a note, whole; nobody said it in a conversation.

import { slugOf } from '../../../base/text.ts';
import { textOf } from '../source.ts';
import type { Form } from './form.ts';

const names = [
  String.raw`(?:CLAUDE|CLAUDE\.local|AGENTS?|AGENTS\.override|GEMINI|QWEN|WARP|CRUSH)\.md`,
  String.raw`\.(?:cursor|windsurf|cline|roo)rules(?:-\w+)?`,
  String.raw`(?:[\w.-]+\.)?(?:copilot-)?instructions\.md`,
  String.raw`[^/]+\.mdc`,
  String.raw`(?:\.cursor|\.windsurf|\.continue|\.roo|\.amazonq)/rules(?:-\w+)?/(?:[^/]+/)*[^/]+\.md`,
  // A folder of Claude Code is called as the one that was worked in, with dashes.
  String.raw`(?:\.clinerules|\.kiro/steering|(?:-|[A-Z]--)[^/]*/memory)/[^/]+\.md`,
  String.raw`global_rules\.md`,
];
const known = new RegExp(`(?:^|/)(?:${names.join('|')})$`);

export const rules: Form = {
  channel: '',
  isKnowledge: true,
  places: [
    { root: '~/.claude', variable: 'CLAUDE_CONFIG_DIR', files: 'CLAUDE.md' },
    { root: '~/.claude', variable: 'CLAUDE_CONFIG_DIR', files: 'projects/*/memory/*.md' },
    { root: '~/.codex', variable: 'CODEX_HOME', files: 'AGENTS.md' },
    { root: '~/.gemini', files: 'GEMINI.md' },
    { root: '~/.codeium', files: 'windsurf/memories/*.md' },
  ],

  detect: (path) => (known.test(path) ? 0.9 : 0),

  *read(file, reading) {
    const text = textOf(file.read());
    if (text === null || text.includes('\0')) return reading.broken('is not UTF-8 text');
    if (text.trim() === '') return reading.leave('are empty');
    // A file alone and the folder that it lies in go to the same place.
    const { path, folder } = file;
    const place = path.includes('/') || folder === undefined ? path : `knowledge/reference/${slugOf(folder)}/${path}`;
    yield { kind: 'note', path: place, text };
  },
};
