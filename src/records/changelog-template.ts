// What a new changelog says before its first event: the form of an event, for people and for agents that know nothing of this program.

import { changelogEventTypes } from './changelog-types.ts';

const types = changelogEventTypes.filter((type) => type !== 'archive').join(' · ');

/** Gives a changelog without events. */
export function newChangelog(): string {
  return `# Changelog

What was done in this project, event by event. It is the source of truth: graph, context and tasks follow from it, never the other way.

- Only append. Events that stand here are never changed, moved or removed; a later event corrects an earlier one.
- One event for each action, with the next number. The summary makes sense by itself; refs name the events that led to it.
- Types: ${types}

\`\`\`markdown
### evt-NNN | YYYY-MM-DD HH:MM | agent-name | type

**Scope**: area affected
**Summary**: one-line description

**Details**:
- key: value

**Refs**: evt-XXX (or "none")
**Tags**: tag1, tag2
\`\`\`

## Event Log
`;
}

/** Gives an archive without events. */
export function newChangelogArchive(): string {
  return '# Changelog archive\n\nEvents that were moved out of the changelog, word for word. They can still be referred to.\n';
}
