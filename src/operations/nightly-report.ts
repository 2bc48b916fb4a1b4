// What a night reports, as knowledge/consolidation-reports/YYYY-MM-DD.md: for people, and outside of recall.

import { count } from '../base/count.ts';
import type { Pass } from '../lifecycle/pass.ts';
import { reportsFolder } from '../records/knowledge-facts.ts';
import type { NightlyResult } from '../types.ts';
import { askKnowledge } from './knowledge-questions.ts';
import { integrityOf, type LedgerQuestion } from './ledger-questions.ts';

/** So many of one kind are named; the question `knowledge` lists all. */
const mostNamed = 20;

/** Gives the report of a day. */
export function reportPath(day: string): string {
  return `${reportsFolder}${day}.md`;
}

/** Plans to add a section to the report of the day. */
export const nightlyReport: Pass<{ readonly day: string; readonly text: string }> = {
  name: 'nightly',
  plan({ snapshot }, _ports, { day, text }) {
    const path = reportPath(day);
    const before = snapshot.readText(path);
    const head = before === null ? `# Consolidation of ${day}\n` : `${before.trimEnd()}\n`;
    const changes = [{ path, before: snapshot.oidOf(path), after: Buffer.from(`${head}\n${text}`) }];
    return { items: [{ action: 'report', ids: [], why: `what was done on ${day}`, changes }], left: [] };
  },
  describe: ([item]) => ({ subject: `consolidation: ${item!.why}` }),
};

/** Formats the section of one run: counts, files, what contradicts, what is old, and how to take it back. */
export function formatNight(
  night: Pick<NightlyResult, 'run' | 'before' | 'steps' | 'events' | 'memories' | 'knowledge' | 'day'>,
  question: LedgerQuestion,
  { time }: { readonly time: string },
): string {
  const { events, memories, knowledge, steps, run, before, day } = night;
  const { facts, counts, conflicts, unreadable } = askKnowledge(question, { day, states: ['stale', 'aging'] });
  const problems = integrityOf(question).checks.flatMap((check) => check.problems);
  const place = (path: string, line: number | undefined) => `${path}${line === undefined ? '' : `:${line}`}`;
  const parts: [string, readonly string[]][] = [
    [
      'Steps',
      steps
        .filter(({ state }) => state !== 'nothing')
        .map(({ step, state, why, result }) => {
          const made = count(result?.items.length ?? 0, 'thing');
          return `${step}: ${state === 'failed' ? `failed, ${why}` : `${made}${why === undefined ? '' : `, since ${why}`}`}`;
        }),
    ],
    ['Knowledge files created', knowledge.created],
    ['Knowledge files updated', knowledge.updated],
    [
      'Conflicts',
      conflicts.map(({ sides, differ, wins }) => {
        const [one, other] = sides.map(({ path, line, id, text }) => `${id ?? place(path, line)} says "${text}"`);
        return `${one}, ${other}; they differ in ${differ}${wins === null ? '' : ', the ledger is what holds'}`;
      }),
    ],
    [
      'Not verified lately',
      facts.map(({ path, line, text, state, why }) => `${state}: ${place(path, line)} ${text} (${why})`),
    ],
    ['Left by hand', left(steps)],
    ['Cannot be read', unreadable.map(({ path, why }) => `${path}: ${why}`)],
    ['Integrity', problems.map(({ path, line, why }) => `${place(path, line)} ${why}`)],
  ];
  const sum = [
    `${count(events.length, 'event')} since the last night${events.length === 0 ? '' : ` (${named(events)})`}, ` +
      `${count(memories.length, 'memory', 'memories')} extracted.`,
    `Facts: ${counts.fresh} fresh, ${counts.aging} aging, ${counts.stale} stale, ${counts.undated} without a day. ` +
      `The ledger is ${problems.length === 0 ? 'whole' : 'not whole'}.`,
    `Taken back as one by \`git memory undo --run ${run}\`${before === null ? '' : `; the state before is \`${before}\``}.`,
  ];
  const sections = parts
    .filter(([, lines]) => lines.length > 0)
    .map(([heading, lines]) => {
      const more = lines.length - mostNamed;
      const items = lines.slice(0, mostNamed).map((line) => `- ${line.replace(/\s+/g, ' ')}`);
      return `\n### ${heading}\n\n${[...items, ...(more > 0 ? [`- … and ${more} more`] : [])].join('\n')}\n`;
    });
  return `## ${time}\n\n${sum.join('\n')}\n${sections.join('')}`;
}

function left(steps: NightlyResult['steps']): string[] {
  return steps.flatMap(({ result }) => result?.left ?? []).map(({ id, why }) => `${id}: ${why}`);
}

function named(ids: readonly string[]): string {
  return ids.length === 1 ? ids[0]! : `${ids[0]} to ${ids.at(-1)}`;
}
