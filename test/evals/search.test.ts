// The floor of recall: on no whole set more than one point of nDCG@10 below the best of the baselines, whose figures were measured by
// `npm run eval -- --write`. Asked of the index itself, which is what recall asks.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SearchIndex } from '../../src/search/search-index.ts';
import { formatTranscript, transcriptPath } from '../../src/store/records/transcript.ts';
import { Shelf } from '../search/corpus.ts';

interface Store {
  readonly sessions: readonly {
    readonly id: string;
    readonly started: string;
    readonly turns: readonly { readonly role: string; readonly speaker?: string; readonly text: string }[];
  }[];
  readonly documents: readonly { readonly path: string; readonly title: string; readonly text: string }[];
  readonly questions: readonly { readonly text: string; readonly gold: ReadonlySet<string> }[];
}

interface EvaluationSets {
  readonly sets: Readonly<Record<string, { read(): readonly Store[] | undefined }>>;
}

interface Metrics {
  score(ranked: readonly string[], gold: ReadonlySet<string>): readonly number[];
}

const here = path.dirname(fileURLToPath(import.meta.url));
const scripts = path.join(here, '../../scripts/eval');
const isPresent = existsSync(path.join(here, '../../../shared/data/locomo-dev.json'));
const { sets: measured } = JSON.parse(readFileSync(path.join(scripts, 'results.json'), 'utf8')) as {
  sets: Record<string, { systems: Record<string, { 'nDCG@10': number }> }>;
};
const { sets } = (await import(path.join(scripts, 'data.mjs'))) as EvaluationSets;
const { score } = (await import(path.join(scripts, 'metrics.mjs'))) as Metrics;

function filesOf({ sessions, documents }: Store): [string, string][] {
  return [
    ...sessions.map(({ id, started, turns }): [string, string] => {
      const start = Date.parse(started);
      const transcript = {
        sessionId: id,
        started: start,
        ended: start,
        title: 'Talk',
        turns: turns.map(({ role, ...turn }) => ({
          ...turn,
          role: role === 'assistant' ? 'agent' : role,
          time: start,
        })),
      };
      return [transcriptPath(transcript), formatTranscript(transcript)];
    }),
    ...documents.map(({ path: name, title, text }): [string, string] => [name, `# ${title}\n\n${text}\n`]),
  ];
}

/** nDCG@10 in points over all questions of a set. */
function figureOf(stores: readonly Store[]): number {
  const figures = stores.flatMap((store) => {
    const shelf = new Shelf();
    const index = new SearchIndex(shelf.read);
    index.moveTo(shelf.listing(filesOf(store)));
    return store.questions.map(({ text, gold }) => {
      const hits = index.recall(text, { now: Date.parse('2026-01-01T00:00:00Z') });
      const places = hits.map(({ document: { path: file, session, turn } }) =>
        turn === undefined ? file : `${session}#${turn}`,
      );
      return score(places, gold).at(-1)!;
    });
  });
  return (100 * figures.reduce((sum, figure) => sum + figure, 0)) / figures.length;
}

describe.skipIf(!isPresent)(`recall beside plain indexes${isPresent ? '' : ', skipped: data not present'}`, () => {
  it.each(Object.entries(measured))('is not below the best on %s', (name, { systems }) => {
    const best = Math.max(...['minisearch', 'fts5', 'lunr'].map((system) => systems[system]?.['nDCG@10'] ?? 0));
    expect(figureOf(sets[name]!.read()!)).toBeGreaterThanOrEqual(best - 1);
  });
});
