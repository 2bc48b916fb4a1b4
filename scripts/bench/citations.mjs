// Citations beside native git: random ranges of lines, noted at one commit and judged at a later one, against `git blame --reverse`. They are of
// this repository and of three that are made, each with a thousand commits, merges and renames. Then how long it takes to say where 10,000 claims
// stand when HEAD has moved, with 30 branches that are not merged.
//   npm run bench -- citations [--sizes RANGES,COMMITS]     SHOW=1 prints what is not as git has it

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomOf } from '../random.mjs';
import { gitIn, makeCodeHistory } from './code-history.mjs';
import { heading, median, ms, table, verdict } from './measure.mjs';

const project = fileURLToPath(new URL('../..', import.meta.url));
const ahead = 200;
const least = { verdicts: 0.98, since: 0.95 };
const most = { warm: 0.5, moved: 150 };
const [claims, branches] = [10_000, 30];
/** What the files of the made ones are made of. */
const corpora = [
  ['TypeScript', 'src', ['.ts']],
  ['JavaScript', 'scripts', ['.mjs', '.js']],
  ['JavaScript of others', 'node_modules/commander', ['.js']],
];

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

/** Judges random citations of a repository, and compares them with what native git says. */
function judgedIn(code, dir, count) {
  const all = randomCitations(code, dir, { count, ahead });
  const time = () => {
    const start = performance.now();
    const verdicts = all.map(({ citation, at }) => code.judge(citation, at));
    return { verdicts, each: (performance.now() - start) / all.length };
  };
  const [cold, warm] = [time(), time()];
  const tally = { judged: 0, agreed: 0, dated: 0, right: 0 };
  for (const [index, { citation, at }] of all.entries()) {
    const own = cold.verdicts[index];
    const native = nativeVerdict(dir, citation, at);
    if (native === null) continue;
    tally.judged += 1;
    const isRight = agrees(own, native);
    if (isRight) tally.agreed += 1;
    const isDated = isRight && native.lost.length > 0;
    if (isDated) tally.dated += 1;
    const isSince = isDated && isFirst(dir, citation, own, native.lost);
    if (isSince) tally.right += 1;
    if (process.env.SHOW && !(isRight && (isSince || !isDated))) console.log(JSON.stringify({ citation, own, native }));
  }
  return { ...tally, cold: cold.each, warm: warm.each };
}

/** Makes the tree of a commit with one file more, or another one in its place. */
function withFile(dir, commit, name, input) {
  const env = { GIT_INDEX_FILE: path.join(dir, 'index-of-bench') };
  const blob = gitIn(dir, ['hash-object', '-w', '--stdin'], { input }).trim();
  gitIn(dir, ['read-tree', commit], { env });
  gitIn(dir, ['update-index', '--add', '--cacheinfo', `100644,${blob},${name}`], { env });
  return gitIn(dir, ['write-tree'], { env }).trim();
}

/** Times where claims stand: when it is first asked, and each time HEAD has moved by a commit. */
function standingsIn(openCode, fs, dir, root) {
  const copy = path.join(root, 'moved');
  gitIn(dir, ['clone', '-q', '--bare', '--shared', '.', copy]);
  const commits = gitIn(copy, ['rev-list', '--first-parent', 'HEAD']).trim().split('\n');
  const random = randomOf(7);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const commit = (tree, parents) => {
    const args = parents.flatMap((parent) => ['-p', parent]);
    return gitIn(copy, ['commit-tree', ...args, '-m', 'Change', tree]).trim();
  };
  const made = Array.from({ length: branches }, (_, number) => {
    const chain = [pick(commits.slice(0, 300))];
    for (let length = 0; length < 3; length++) {
      const tree = withFile(copy, chain.at(-1), `src/topic-${number}.ts`, `const step = ${length};\n`);
      chain.push(commit(tree, [chain.at(-1)]));
    }
    gitIn(copy, ['update-ref', `refs/heads/topic-${number}`, chain.at(-1)]);
    return { name: `topic-${number}`, chain };
  });
  const asked = Array.from({ length: claims }, (_, number) => {
    if (number % 2 === 0) return [pick(commits), 'main'];
    const { name, chain } = pick(made);
    return [pick(chain), name, 0];
  });
  const code = openCode(fs, copy);
  const times = Array.from({ length: 16 }, () => {
    const start = performance.now();
    const standingOf = code.standings();
    for (const one of asked) standingOf(...one);
    const spent = performance.now() - start;
    const tree = gitIn(copy, ['rev-parse', 'HEAD^{tree}']).trim();
    gitIn(copy, ['update-ref', 'HEAD', commit(tree, ['HEAD', pick(commits)])]);
    return spent;
  });
  return { first: times[0], moved: times.slice(1) };
}

export async function benchCitations({ root, chosenSizes: [ranges = 1000, commits = 1000] = [], hasGit }) {
  if (!hasGit) return;
  const { openCode } = await import('../../dist/features/code/index.js');
  const { nodeFileSystem } = await import('../../dist/adapters/node.js');
  heading(`citations against git blame --reverse, ${ranges.toLocaleString('en')} ranges`);
  const made = corpora.map(([name, corpus, endings], at) => {
    const dir = path.join(root, `made-${at}`);
    mkdirSync(dir, { recursive: true });
    makeCodeHistory(dir, { corpus: path.join(project, corpus), endings, commits, seed: at + 1 });
    return [`made, ${name}`, dir];
  });
  const rows = [['', 'judged', 'as git', 'since', 'cold, ms', 'warm, ms']];
  const all = [['this repository', project], ...made].map(([name, dir]) => {
    const one = judgedIn(openCode(nodeFileSystem, dir), dir, Math.ceil(ranges / (corpora.length + 1)));
    const counts = [one.judged, `${one.agreed}`, `${one.right} of ${one.dated}`];
    rows.push([name, ...counts, one.cold.toFixed(3), one.warm.toFixed(4)]);
    return one;
  });
  table(rows);
  const sum = (key) => all.reduce((total, one) => total + one[key], 0);
  const share = (some, of) => `${((100 * sum(some)) / sum(of)).toFixed(1)} %`;
  verdict(sum('agreed') >= least.verdicts * sum('judged'), `verdicts as git has them: ${share('agreed', 'judged')}`);
  verdict(sum('right') >= least.since * sum('dated'), `since when: ${share('right', 'dated')}`);
  const warm = Math.max(...all.map((one) => one.warm));
  verdict(warm <= most.warm, `judged again within ${most.warm} ms (${ms(warm)})`);
  const { first, moved } = standingsIn(openCode, nodeFileSystem, project, root);
  const worst = Math.max(...moved);
  const told = `median ${ms(median(moved))}, most ${ms(worst)}, the first time ${ms(first)}`;
  verdict(
    worst <= most.moved,
    `where ${claims} claims stand, ${branches} branches, HEAD moves, within ${most.moved} ms (${told})`,
  );
}
