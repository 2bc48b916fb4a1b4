// What other programs remember, made up: the same facts in each form that is read.

import { sqliteFile } from './sqlite-file.ts';

/** What is known. */
export interface Knowledge {
  readonly facts: readonly string[];
  /** As the program calls it: a file, a title. */
  readonly name: string;
  /** Something in the middle cannot be read. */
  readonly isBroken?: boolean;
}

interface ForeignMemory {
  make(knowledge: Knowledge): Readonly<Record<string, string | Buffer>>;
  /** The form has no times. */
  readonly isUndated?: boolean;
  /** Facts become notes, one for each. */
  readonly isNotes?: boolean;
}

const iso = (at: number) => new Date(Date.parse('2026-01-05T10:00:00Z') + at * 60_000).toISOString();
const uuid = (at: number) => `9c1d0c1e-0000-4000-8000-${String(at).padStart(12, '0')}`;
const json = (value: unknown) => `${JSON.stringify(value)}\n`;

/** Puts something that is none of them behind the first. */
const broken = <Value>({ isBroken }: Knowledge, values: readonly Value[], wrong: Value): Value[] =>
  isBroken === true ? [values[0]!, wrong, ...values.slice(1)] : [...values];

export const foreignMemories: Readonly<Record<string, ForeignMemory>> = {
  'mcp-memory': {
    isUndated: true,
    make: (known) => ({
      [`${known.name}.jsonl`]: broken(
        known,
        known.facts.map((fact) =>
          json({ type: 'entity', name: fact.split(' ')[0], entityType: 'thing', observations: [fact] }),
        ),
        '{"type":"entity",\n',
      ).join(''),
    }),
  },
  mem0: {
    make: (known) => ({
      [`${known.name}.json`]: json({
        results: broken<unknown>(
          known,
          known.facts.map((memory, at) => ({ id: uuid(at), memory, hash: 'h', user_id: 'ada', created_at: iso(at) })),
          5,
        ),
      }),
    }),
  },
  beads: {
    make: (known) => ({
      [`.beads/${known.name}.jsonl`]: broken(
        known,
        known.facts.map((title, at) =>
          json({ id: `bd-${at}`, title, status: 'open', priority: 2, issue_type: 'task', created_at: iso(at) }),
        ),
        '{"id":"bd-x"}\n',
      ).join(''),
    }),
  },
  'basic-memory': {
    make: (known) => ({
      [`${known.name}.md`]: [
        `---\ntitle: ${known.name}\npermalink: bakery/oven\ncreated: ${iso(0)}\ntype: note\n---\n\n# ${known.name}\n\n## Observations\n`,
        ...known.facts.map((fact) => `- [fact] ${fact} #oven`),
        ...(known.isBroken === true ? ['- [ ] order flour'] : []),
        '',
      ].join('\n'),
    }),
  },
  rules: {
    isUndated: true,
    isNotes: true,
    make: (known) =>
      Object.fromEntries(
        broken<readonly [string, string | Buffer]>(
          known,
          known.facts.map((fact, at) => [`${known.name}${at}/CLAUDE.md`, `# Rules\n\n- ${fact}\n`] as const),
          ['between/AGENTS.md', Buffer.from([0xff, 0xfe, 0x00])],
        ),
      ),
  },
};

/** The history that mem0 keeps in a file of SQLite. */
export function mem0History(rows: readonly (readonly (string | number | null)[])[]): Buffer {
  const columns =
    'id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT, created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT';
  return sqliteFile([{ sql: `CREATE TABLE history (${columns})`, rows }]);
}
