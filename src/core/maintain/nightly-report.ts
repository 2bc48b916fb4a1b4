// What a night reports, as knowledge/consolidation-reports/YYYY-MM-DD.md: for people, and outside of recall.

import { count } from '../../base/count.ts';
import { defined } from '../../base/errors.ts';
import { singleSpaced } from '../../base/text.ts';
import { dayOf } from '../../base/time.ts';
import type { NightlyResult, NightlyStep } from '../../base/types.ts';
import { permanentWords } from '../../logs/index.ts';
import { reportsFolder } from '../../store/records/knowledge-facts.ts';
import { memoriesOfLine, memoryMark } from '../../store/records/knowledge-marks.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { askKnowledge, type KnowledgeQuestion } from '../knowledge/knowledge-questions.ts';
import { integrityOf } from '../ledger/ledger-questions.ts';
import { memoriesNamedIn } from '../lifecycle/memory-lines.ts';
import type { Pass, PassItem } from '../lifecycle/pass.ts';
import { changedFile } from '../lifecycle/record-changes.ts';

/** So many of one kind are named; the question `knowledge` lists all. */
const mostNamed = 20;

/** Said of a ledger in which something is wrong. */
export const notWhole = 'The ledger is not whole.';

/** Gives the report of a day. */
export const reportPath = (day: string): string => `${reportsFolder}${day}.md`;

/** Plans to add a section to the report of the day. */
export const nightlyReport: Pass<{ readonly day: string; readonly text: string } & Pick<PassItem, 'mayWait'>> = {
  name: 'nightly',
  plan({ snapshot }, _ports, { day, text, mayWait }) {
    const path = reportPath(day);
    const before = snapshot.readText(path);
    const head = before === null ? `# Consolidation of ${day}\n` : `${before.trimEnd()}\n`;
    const changes = [changedFile(snapshot, path, `${head}\n${text}`)];
    const why = `what was done on ${day}`;
    return { items: [{ action: 'report', ids: [], why, changes, ...defined({ mayWait }) }], left: [] };
  },
  describe: ([item]) => ({ subject: `consolidation: ${item!.why}` }),
};

/** A month that ended so many days ago has one report. */
const foldedAfterDays = 31;

/** Plans to make one report of those of a month: a line for each night. History keeps the whole. */
export const reportFolding: Pass<void> = {
  name: 'reports',
  keepsWhatItRemoves: true,
  plan({ snapshot, now, configuration }) {
    const last = dayOf(now - foldedAfterDays * 86_400_000, configuration.timezone).slice(0, 7);
    const months = new Map<string, string[]>();
    for (const path of [...snapshot.list(reportsFolder).keys()].sort()) {
      const [, month = ''] = ofDay.exec(path) ?? [];
      if (month !== '' && month < last) months.set(month, [...(months.get(month) ?? []), path]);
    }
    const items = [...months].map(([month, paths]) => {
      const nights = paths.flatMap((path) =>
        (snapshot.readText(path) ?? '')
          .split(/^## /m)
          .slice(1)
          .map((night) => `- ${night.trim().replace(/\s+/, ': ').split('\n', 1)[0]}`),
      );
      const to = `${reportsFolder}${month}.md`;
      const text = `${snapshot.readText(to) ?? `# Consolidation of ${month}\n\n`}${nights.join('\n')}\n`;
      const gone = paths.map((path) => ({ path, before: snapshot.oidOf(path), after: null }));
      const why = `${count(paths.length, 'report')} of ${month}`;
      return { action: 'fold', ids: [], why, changes: [changedFile(snapshot, to, text), ...gone] };
    });
    return { items, left: [] };
  },
  describe: (items) => ({ subject: `${items.map(({ why }) => why).join(', ')} folded` }),
};

/** The report of a day, and its month. */
const ofDay = /(\d{4}-\d\d)-\d\d\.md$/;

/** Formats the section of one run: counts, files, what contradicts, what is old, and how to take it back. */
export function formatNight(
  night: Pick<NightlyResult, 'run' | 'before' | 'steps' | 'events' | 'memories' | 'knowledge' | 'day'>,
  question: KnowledgeQuestion,
  time: string,
): string {
  const { events, memories, knowledge, steps, run, before, day } = night;
  const { facts, counts, conflicts, unreadable } = askKnowledge(question, { day, states: ['stale', 'aging'] });
  const { checks, permanent } = integrityOf(question);
  const problems = checks.flatMap((check) => check.problems);
  const place = (path: string, line: number | undefined) => `${path}${line === undefined ? '' : `:${line}`}`;
  const parts: [string, readonly string[]][] = [
    [
      'Steps',
      steps
        .filter(({ state }) => state !== 'nothing')
        .map((step) => {
          if (step.state === 'failed') return failureOf(step);
          const made = count(step.result?.items.length ?? 0, 'thing');
          return `${step.step}: ${made}${step.why === undefined ? '' : `, since ${step.why}`}`;
        }),
    ],
    ['Knowledge files created', knowledge.created.map((path) => `${path}${ownersOf(question.snapshot, path)}`)],
    ['Knowledge files updated', knowledge.updated],
    [
      'Conflicts',
      conflicts.map(({ sides }) => {
        const [one, other] = sides.map(({ id, text }) => `${id} says "${text}"`);
        return `${one}, ${other}${sides.map(({ id }) => memoryMark(id)).join('')}`;
      }),
    ],
    [
      'Not verified lately',
      facts.map(({ path, line, text, state, why }) => {
        return `${state}: ${place(path, line)} ${text} (${why})${ownersOf(question.snapshot, path, line)}`;
      }),
    ],
    ['Left by hand', left(steps)],
    ['Cannot be read', unreadable.map(({ path, why }) => `${path}: ${why}`)],
    ['Integrity', problems.map(({ path, line, why }) => `${place(path, line)} ${why}`)],
  ];
  const sum = [
    `${count(events.length, 'event')} since the last night${events.length === 0 ? '' : ` (${named(events)})`}, ` +
      `${count(memories.length, 'memory', 'memories')} extracted.`,
    `Facts: ${counts.fresh} fresh, ${counts.aging} aging, ${counts.stale} stale, ${counts.undated} without a day. ${
      problems.length === 0 ? 'The ledger is whole.' : notWhole
    }`,
    ...(permanent === undefined ? [] : [`${permanentWords(permanent, question.configuration.ledger.compactAbove)}.`]),
    `Taken back as one by \`git memory undo --run ${run}\`${before === null ? '' : `; the state before is \`${before}\``}.`,
  ];
  const sections = parts
    .filter(([, lines]) => lines.length > 0)
    .map(([heading, lines]) => {
      const more = lines.length - mostNamed;
      const items = lines.slice(0, mostNamed).map((line) => `- ${singleSpaced(line)}`);
      return `\n### ${heading}\n\n${[...items, ...(more > 0 ? [`- … and ${more} more`] : [])].join('\n')}\n`;
    });
  return `## ${time}\n\n${sum.join('\n')}\n${sections.join('')}`;
}

/** Marks a line of the report as written from the memory whose words it quotes, or after whose words a file is called. */
function ownersOf(snapshot: Snapshot, path: string, line?: number): string {
  const text = snapshot.readText(path) ?? '';
  if (line === undefined) {
    const owners = memoriesNamedIn(text);
    // What several memories made is called after none of them.
    return owners.size === 1 ? memoryMark([...owners][0]) : '';
  }
  const said = text.split('\n')[line - 1] ?? '';
  const told = /"memory":"([^"]+)"/.exec(said)?.[1];
  return [...memoriesOfLine(said), ...(told === undefined ? [] : [told])].map(memoryMark).join('');
}

const failureOf = ({ step, why }: NightlyStep): string => `${step}: failed, ${why}`;

/** Gives what the last night that left a report wrote into it; empty where there was none. */
export function lastNightIn(snapshot: Snapshot): string {
  const last = [...snapshot.list(reportsFolder).keys()]
    .filter((path) => ofDay.test(path))
    .sort()
    .at(-1);
  const text = last === undefined ? '' : (snapshot.readText(last) ?? '');
  return text.slice(text.lastIndexOf('\n## ') + 1);
}

/** Tells whether the section of an earlier night names each of the steps that failed, with the same reason. */
export const areTold = (failures: readonly NightlyStep[], night: string): boolean =>
  failures.every((step) => night.includes(`- ${singleSpaced(failureOf(step))}\n`));

const left = (steps: NightlyResult['steps']): string[] =>
  steps.flatMap(({ result }) => result?.left ?? []).map(({ id, why }) => `${id}: ${why}`);

const named = (ids: readonly string[]): string => (ids.length === 1 ? ids[0]! : `${ids[0]} to ${ids.at(-1)}`);
