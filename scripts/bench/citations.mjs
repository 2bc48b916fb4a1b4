// Citations beside native git: random ranges of lines, noted at one commit and judged at a later one, against `git blame --reverse`.
//   node scripts/bench/citations.mjs REPOSITORY [RANGES] [COMMITS BETWEEN]
// Prints how many verdicts are git's, and how many of `since`; then how long 10,000 standings take when HEAD moves.

import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { randomOf } from '../random.mjs';
import { gitIn } from './code-history.mjs';

/** Notes so many ranges of 1 to 20 lines at random commits; gives each with a later commit to judge it at. */
export function randomCitations(code, dir, { count, ahead, seed = 42 }) {
  const random = randomOf(seed);
  const below = (limit) => Math.floor(random() * limit);
  const chain = gitIn(dir, ['rev-list', '--first-parent', '--reverse', 'HEAD']).trim().split('\n');
  const listed = new Map();
  const filesOf = (commit) => {
    const list = () => gitIn(dir, ['ls-tree', '-r', '--name-only', '-z', commit]).split('\0').filter(Boolean);
    if (!listed.has(commit)) listed.set(commit, list());
    return listed.get(commit);
  };
  const found = [];
  for (let tries = 0; found.length < count && tries < 50 * count; tries++) {
    const from = below(Math.max(1, chain.length - 20));
    const [commit, at] = [chain[from], chain[Math.min(chain.length - 1, from + ahead)]];
    const files = filesOf(commit);
    const path = files[below(files.length)];
    const whole = path && code.cite(path, { from: 1, to: 1_000_000 }, commit);
    if (!whole?.lines || whole.lines.to < 2) continue;
    const start = 1 + below(whole.lines.to);
    const citation = code.cite(path, { from: start, to: start + below(20) }, commit);
    if (citation) found.push({ citation, at });
  }
  return found;
}

/** Tells what native git says of cited lines: their state, the commits in which lost ones were seen last, where the others are. */
export function nativeVerdict(dir, { commit, path, lines }, at) {
  const { from, to } = lines;
  const args = ['blame', '--reverse', '-p', '-L', `${from},${to}`, `${commit}..${at}`, '--', path];
  const told = commit === at ? null : gitIn(dir, args, { mayFail: true });
  if (told === null) return null;
  const seen = [];
  let nameAt = path;
  for (const line of told.split('\n')) {
    const [, oid, place] = /^([0-9a-f]{40}) (\d+) \d+/.exec(line) ?? [];
    if (oid) seen.push({ oid, line: Number(place) });
    else if (line.startsWith('filename ') && seen.at(-1).oid === at) nameAt = line.slice(9);
  }
  const kept = seen.filter(({ oid }) => oid === at);
  const lost = [...new Set(seen.filter(({ oid }) => oid !== at).map(({ oid }) => oid))];
  const state = () => {
    if (kept.length === 0) return 'lost';
    if (lost.length > 0) return 'changed';
    if (kept.at(-1).line - kept[0].line >= kept.length) return 'grown';
    return kept[0].line === from && nameAt === path ? 'holds' : 'moved';
  };
  return { state: state(), lost, line: kept[0]?.line };
}

/** Tells whether a verdict is git's. What is lost may have another text in its place. */
export function agrees(verdict, native) {
  if (native.state === 'lost') return verdict.state === 'gone' || verdict.state === 'changed';
  if (verdict.state !== native.state) return false;
  return native.state === 'changed' || verdict.lines.from === native.line;
}

/** Tells whether `since` is right: right before it, a line that is lost was seen last. */
export function isFirst(dir, { path }, { since, path: now }, lost) {
  const parents = gitIn(dir, ['rev-list', '--parents', '-n', '1', since]).trim().split(' ').slice(1);
  const blobOf = (commit) => {
    for (const name of [path, now]) {
      const oid = name && gitIn(dir, ['rev-parse', '-q', '--verify', `${commit}:${name}`], { mayFail: true });
      if (oid) return oid;
    }
    return null;
  };
  return lost.some((last) => parents.includes(last) || parents.some((one) => blobOf(one) === blobOf(last)));
}

async function main([dir, count = '250', ahead = '200']) {
  const { openCode } = await import('../../dist/features/code/index.js');
  const { nodeFileSystem } = await import('../../dist/adapters/node.js');
  const code = openCode(nodeFileSystem, dir);
  const all = randomCitations(code, dir, { count: Number(count), ahead: Number(ahead) });
  const time = () => {
    const start = performance.now();
    const verdicts = all.map(({ citation, at }) => code.judge(citation, at));
    return { verdicts, each: ((performance.now() - start) / all.length).toFixed(4) };
  };
  const cold = time();
  const warm = time();
  code.save();
  const tally = {};
  let [judged, agreed, dated, right] = [0, 0, 0, 0];
  for (const [index, { citation, at }] of all.entries()) {
    const verdict = cold.verdicts[index];
    const native = nativeVerdict(dir, citation, at);
    if (native === null) continue;
    judged += 1;
    tally[verdict.state] = (tally[verdict.state] ?? 0) + 1;
    const isRight = agrees(verdict, native);
    if (isRight) agreed += 1;
    else if (process.env.SHOW) console.log(JSON.stringify({ citation, verdict, native }));
    if (!isRight || native.lost.length === 0) continue;
    dated += 1;
    if (isFirst(dir, citation, verdict, native.lost)) right += 1;
    else if (process.env.SHOW) console.log('since', JSON.stringify({ citation, verdict, native }));
  }
  const figures = { dir, judged, agreed, dated, right, tally, msCold: cold.each, msWarm: warm.each };
  console.log(JSON.stringify(figures));
}

/** Times where 10,000 claims stand: when it is first asked, and each time HEAD has moved by a commit. */
async function standings(dir) {
  const { openCode } = await import('../../dist/features/code/index.js');
  const { nodeFileSystem } = await import('../../dist/adapters/node.js');
  const copy = mkdtempSync(path.join(os.tmpdir(), 'git-memory-standings-'));
  gitIn(dir, ['clone', '-q', '--bare', '--shared', '.', copy]);
  const commits = gitIn(copy, ['rev-list', '--all']).trim().split('\n');
  const random = randomOf(7);
  const claims = Array.from({ length: 10_000 }, () => commits[Math.floor(random() * commits.length)]);
  const code = openCode(nodeFileSystem, copy);
  const times = [];
  for (let move = 0; move < 6; move++) {
    const start = performance.now();
    const standingOf = code.standings();
    for (const commit of claims) standingOf(commit);
    times.push(Math.round(performance.now() - start));
    const parents = ['-p', 'HEAD', '-p', commits[(move * 97) % commits.length]];
    const next = gitIn(copy, ['commit-tree', ...parents, '-m', 'Move', 'HEAD^{tree}']).trim();
    gitIn(copy, ['update-ref', 'HEAD', next]);
  }
  rmSync(copy, { recursive: true });
  console.log(
    JSON.stringify({ dir, commits: commits.length, claims: 10_000, msFirst: times[0], msMoved: times.slice(1) }),
  );
}

if (process.argv[1]?.endsWith('citations.mjs')) {
  await main(process.argv.slice(2));
  await standings(process.argv[2]);
}
