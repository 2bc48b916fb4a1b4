// A changelog of 5,000 events: its graph and narrative from nothing, as the commit of each event makes them.

import { Buffer } from 'node:buffer';
import { materialise } from '../../dist/logs/graph.js';
import { narrate } from '../../dist/logs/narrative.js';
import { formatChangelogEvent, parseChangelog } from '../../dist/store/records/changelog.js';
import { formatGraph } from '../../dist/store/records/graph-file.js';
import { formatNarrative } from '../../dist/store/records/narrative-file.js';
import { heading, median, ms, table, time, verdict } from './measure.mjs';

const count = 5_000;
const mostMs = 500;

/** Events of a project with 400 parts: mostly changes, with decisions, dependencies, blockers and what fixes them. */
function events() {
  const types = [
    'create',
    'modify',
    'test',
    'decision',
    'modify',
    'dependency',
    'blocker',
    'fix',
    'handoff',
    'milestone',
  ];
  return Array.from({ length: count }, (_, at) => {
    const type = types[at % types.length];
    const part = `part-${(at * 7) % 400}`;
    const details = {
      create: { entity: part, path: `src/${part}.ts`, purpose: 'does its part of the whole' },
      modify: { entity: part, changes: 'another way to do it' },
      test: { target: part, result: 'pass', coverage: `${50 + (at % 50)}%` },
      decision: { entity: part, attribute: 'store', to: `choice ${at % 9}`, rationale: 'it is simpler' },
      dependency: { entity: `library-${at % 60}`, from: part, version: `${at % 9}.0` },
      blocker: { blocking_entity: `issue-${at}`, blocked_entity: part },
      fix: { entity: part, resolves: `issue-${at - 1}` },
      handoff: { entity: `task-${at % 300}`, from_agent: 'a', to_agent: 'b', phase: 'review' },
      milestone: { name: `milestone-${at}` },
    }[type];
    return {
      id: `evt-${String(at + 1).padStart(3, '0')}`,
      number: at + 1,
      time: new Date(Date.UTC(2026, 0, 1, 0, at * 7)).toISOString().slice(0, 16).replace('T', ' '),
      agent: 'builder',
      type,
      scope: part,
      summary: `Number ${at}: what was done to ${part}, in a few words`,
      details: Object.entries(details).map(([key, value]) => ({ key, value })),
      refs: [],
      tags: [],
    };
  });
}

export async function benchGraph() {
  heading(`${count.toLocaleString('en')} events of a changelog, milliseconds`);
  const text = `# Changelog\n\n## Event Log\n${events().map(formatChangelogEvent).join('')}`;
  const rounds = [];
  let sizes = { graph: 0, context: 0 };
  for (let round = 0; round < 5; round++) {
    let read;
    const parse = await time(() => {
      read = parseChangelog(text, 'CHANGELOG.md').flatMap((piece) => (piece.kind === 'entry' ? [piece.value] : []));
    });
    const derive = await time(() => {
      const graph = materialise(read);
      const page = narrate(read, graph);
      sizes = { graph: Buffer.byteLength(formatGraph(graph)), context: Buffer.byteLength(formatNarrative(page)) };
    });
    rounds.push({ parse, derive });
  }
  const of = (name) => rounds.map((round) => round[name]);
  table([
    ['', 'first', 'median'],
    ['parse the log', ms(rounds[0].parse), ms(median(of('parse')))],
    ['graph and narrative', ms(rounds[0].derive), ms(median(of('derive')))],
  ]);
  const first = rounds[0].parse + rounds[0].derive;
  verdict(
    first < mostMs,
    `${Buffer.byteLength(text)} bytes become ${sizes.graph} and ${sizes.context} in ${ms(first)} ms, cold (at most ${mostMs})`,
  );
}
