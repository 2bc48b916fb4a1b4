// What a person feels: processor and wall time of commands in processes of their own. Beside them stands the floor that stops them: bare Node,
// native git, SQLite with FTS5 where Node has it.
//   npm run bench -- felt [--sizes 2000]      at 100,000 memories, which takes minutes to fill, or few

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openMemory } from '../../dist/index.js';
import { heading, inTurns, median, ms, quantile, ratio, table, verdict } from './measure.mjs';
import { checkOut, git, makeBare, textOf } from './repositories.mjs';
import { fill } from './start.mjs';

const program = fileURLToPath(new URL('../../dist/program/main.js', import.meta.url));
const author = '-c user.name=Bench -c user.email=bench@example.org';
const question = 'which token plan did the project deploy';

/** Runs a script in its own process, which says what it took. On Linux its own peak is in /proc: the other one begins with its parent's. */
const teller = `const fs = require('node:fs');
const [, , out, run] = process.argv;
process.argv.splice(1, 2);
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const own = fs.existsSync('/proc/self/status') && /VmHWM:\\s*(\\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'));
  fs.writeFileSync(out, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, mb: (own ? own[1] : maxRSS) / 1024 }));
});
if (run !== undefined) require(run);
`;

const sqliteQuestion = `const { DatabaseSync } = require('node:sqlite');
const words = process.argv[3].split(' ').join(' OR ');
new DatabaseSync(process.argv[2]).prepare('select rowid from texts where texts match ? order by rank limit 10').all(words);
`;

/** What nobody gets around: reading the bytes that are kept, looking at each file of the work tree. */
const readAll = `const fs = require('node:fs');
for (const name of fs.readdirSync(process.argv[2], { recursive: true, withFileTypes: true }))
  if (name.isFile()) fs.readFileSync((name.parentPath ?? name.path) + '/' + name.name);
`;
const lookAtAll = `const fs = require('node:fs');
for (const folder of fs.readdirSync('memories'))
  for (const name of fs.readdirSync('memories/' + folder)) fs.lstatSync('memories/' + folder + '/' + name);
`;

/** Gives what takes the time of commands: of scripts of Node (bare Node where none is named), of ours, and of lines for the shell. */
function stopwatch(root) {
  const [script, out] = [path.join(root, 'teller.cjs'), path.join(root, 'took.json')];
  fs.writeFileSync(script, teller);
  const timed = (cwd, command, args, told) => {
    const start = performance.now();
    const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
    const wall = performance.now() - start;
    if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
    return { wall, ...told(stderr) };
  };
  const node = (cwd, ...args) =>
    timed(cwd, process.execPath, [script, out, ...args], () => JSON.parse(fs.readFileSync(out, 'utf8')));
  const shell = (cwd, line) =>
    timed(cwd, 'bash', ['-c', `TIMEFORMAT='%U %S'; time { ${line}; } >/dev/null 2>&1`], (said) => {
      const [user, system] = said.trim().split('\n').at(-1).split(' ').map(Number);
      return { cpu: (user + system) * 1000, mb: 0 };
    });
  return { node, shell, ours: (cwd, ...args) => node(cwd, program, ...args) };
}

/** Measures commands in turns; the first rounds fill the caches and do not count. Prints and gives what the quicker ones of each took. */
function compare(commands, { rounds = 9, warmUp = 3, known = {} } = {}) {
  const taken = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round < rounds + warmUp; round++)
    for (const [name, run] of Object.entries(commands)) taken[name].push(run(round));
  for (const all of Object.values(taken)) all.splice(0, warmUp);
  const least = (all, of) => quantile(all.map(of), 0.2);
  const told = { ...known };
  for (const [name, all] of Object.entries(taken)) {
    const [cpu, wall, mb] = [least(all, (one) => one.cpu), least(all, (one) => one.wall), least(all, (one) => one.mb)];
    told[name] = { cpu, wall, mb };
  }
  const { cpu: first } = told[Object.keys(commands)[0]];
  const row = ([name, { cpu, wall, mb }]) => [name, ms(cpu), ms(wall), mb ? mb.toFixed(0) : '', ratio(cpu / first)];
  table([['milliseconds', 'processor', 'wall', 'peak MB', 'of the floor'], ...Object.entries(told).map(row)]);
  return told;
}

/** Says whether commands keep to so many times what a floor takes. */
function within(taken, most, names, floor = 'node alone') {
  for (const name of names) {
    const times = taken[name].cpu / taken[floor].cpu;
    verdict(times <= most, `${name} within ${ratio(most)} of ${floor} (${ratio(times)})`);
  }
}

const upTo = ({ cpu }, name, most) => verdict(cpu <= most, `${name} in ${most} ms of the processor (${ms(cpu)})`);

async function withMemory(dir, use) {
  const memory = await openMemory({ dir, create: true, durability: 'fast' });
  await use(memory);
  await memory.close();
}

async function spentBy(count, call) {
  const spent = [];
  for (let at = 0; at < count; at++) {
    const before = process.cpuUsage();
    await call(at);
    const { user, system } = process.cpuUsage(before);
    spent.push((user + system) / 1000);
  }
  return spent;
}

async function verbs(root, { node, ours }) {
  heading('verbs at 1,000 commits, beside a node that does nothing');
  const dir = path.join(root, 'commits');
  await withMemory(dir, (memory) => spentBy(1000, (at) => memory.capture(textOf(at, 40))));
  const taken = compare({
    'node alone': () => node(dir),
    log: () => ours(dir, 'log'),
    list: () => ours(dir, 'list'),
    status: () => ours(dir, 'status'),
    capture: (round) => ours(dir, 'capture', '--text', `round ${round}: ${textOf(round, 20)}`),
  });
  within(taken, 2, ['log', 'list', 'status', 'capture']);
}

/** Makes a table of the same texts with an index of their words, and gives how to ask it; null where this Node has none. */
async function sqliteOf(root, count) {
  const { DatabaseSync } = await import('node:sqlite').catch(() => ({}));
  if (DatabaseSync === undefined) return null;
  const [file, script] = [path.join(root, `texts-${count}.db`), path.join(root, 'question.cjs')];
  const texts = new DatabaseSync(file);
  texts.exec('create virtual table texts using fts5(content); begin');
  const insert = texts.prepare('insert into texts values (?)');
  for (let at = 0; at < count; at++) insert.run(textOf(at, 20));
  texts.exec('commit');
  fs.writeFileSync(script, sqliteQuestion);
  return [script, file, question];
}

async function questions(root, { node, ours }) {
  for (const [count, most] of Object.entries({ 1000: 2.6, 10000: 3 })) {
    heading(`a question in a process of its own, ${count} memories`);
    const dir = path.join(root, `memories-${count}`);
    await fill(dir, count);
    const sqlite = await sqliteOf(root, count);
    if (sqlite === null) console.log(`  SQLite is not in Node ${process.version}: from 22.13 on it stands beside.`);
    const taken = compare({
      'node alone': () => node(dir),
      ...(sqlite === null ? {} : { 'SQLite with FTS5': () => node(dir, ...sqlite) }),
      recall: () => ours(dir, 'recall', question),
      context: () => ours(dir, 'context', question),
    });
    within(taken, most, ['recall', 'context']);
  }
}

/** Waits until nothing goes on beside commands: of what the first one left, the next process takes the lock within a moment. */
async function settled(dir) {
  const lock = path.join(dir, '.git/git-memory/cache/indexing/lock');
  for (let free = 0; free < 12; free = fs.existsSync(lock) ? 0 : free + 1)
    await new Promise((resolve) => setTimeout(resolve, 500));
}

async function large(root, { node, ours, shell }, count) {
  heading(`${count.toLocaleString('en')} memories`);
  const dir = checkOut(await makeBare(path.join(root, 'large.git'), count, 1, {}, 100), path.join(root, 'large'));
  const known = {
    'git cat-file of all blobs': shell(
      dir,
      'git ls-tree -r HEAD memories | cut -c13-52 | git cat-file --batch --buffer',
    ),
    'first recall, no cache': ours(dir, 'recall', question),
  };
  await settled(dir);
  const [reading, looking] = ['reading', 'looking'].map((name) => path.join(root, `${name}.cjs`));
  fs.writeFileSync(reading, readAll);
  fs.writeFileSync(looking, lookAtAll);
  const floors = {
    'node alone': () => node(dir),
    'node reads what is kept': () => node(dir, reading, '.git/git-memory/cache'),
    'node looks at each file': () => node(dir, looking),
    'git status': () => shell(dir, 'git status --porcelain'),
    'git add and commit': (at) => shell(dir, `echo ${at} > n${at} && git add n${at} && git ${author} commit -qm ${at}`),
  };
  const commands = {
    'first recall, with cache': () => ours(dir, 'recall', question),
    'list --limit 50': () => ours(dir, 'list', '--limit', '50'),
    status: () => ours(dir, 'status'),
    'remember and its commit': (at) => ours(dir, 'remember', `of round ${at} ${textOf(at + 7_000_000, 12)}`),
    context: () => ours(dir, 'context', question),
  };
  const taken = compare({ ...floors, ...commands }, { rounds: 5, warmUp: 1, known });
  const names = ['first recall, no cache', ...Object.keys(commands)];
  for (const [at, most] of [4000, 500, 50, 100, 150, 300].entries()) upTo(taken[names[at]], names[at], most);
  const peak = Math.max(...Object.values(taken).map(({ mb }) => mb));
  verdict(peak <= 400, `at most 400 MB resident (${peak.toFixed(0)})`);
}

async function turns(root, { node, ours }) {
  heading('a question over 12,000 turns of 120 conversations');
  const dir = path.join(root, 'turns');
  const talk = (at) =>
    Array.from({ length: 100 }, (_, turn) => ({ role: 'user', text: textOf(at * 100 + turn + 9_000_000, 30) }));
  await withMemory(dir, (memory) =>
    spentBy(120, (at) => memory.capture({ session: `ses_turns${at}`, messages: talk(at) })),
  );
  const taken = compare({ 'node alone': () => node(dir), recall: () => ours(dir, 'recall', question) });
  upTo(taken.recall, 'recall', 500);
}

async function captures(root) {
  heading('captures in one process; wall time of one that is checked out, beside git');
  await withMemory(path.join(root, 'captures'), async (memory) => {
    const spent = await spentBy(3000, (at) => memory.capture(`note ${at}: ${textOf(at, 90)}`));
    const [early, late] = [spent.slice(40, 300), spent.slice(-260)].map(median);
    verdict(
      early <= 12 && late <= Math.min(12, 1.1 * early),
      `flat, and at most 12 ms of the processor: ${ms(early)} among the first 300, ${ms(late)} among the last of 3,000`,
    );
  });
  const rows = [];
  for (const size of [100, 20_000]) {
    const bare = await makeBare(path.join(root, `bare-${size}`), size);
    const [ours, native] = ['ours', 'native'].map((name) => checkOut(bare, path.join(root, `${name}-${size}`)));
    const entries = { ours: { options: { dir: ours } }, native: { options: { dir: native }, rounds: 15 } };
    const module = new URL('./capture.mjs', import.meta.url).href;
    const { times } = await inTurns(module, entries, { rounds: 60, warmUp: 20 });
    rows.push([size, median(times.ours), median(times.native)]);
  }
  const [[, few, fewOfGit], [, many, manyOfGit]] = rows;
  for (const [size, ours, native] of rows) console.log(`  ${size} files: ${ms(ours)} ms, git ${ms(native)} ms`);
  const least = Math.min(fewOfGit / few, manyOfGit / many);
  verdict(least >= 6, `at least 6x cheaper than git add and commit (${ratio(least)})`);
  verdict(many / few <= 1.3, `grows by at most 1.3x (${ratio(many / few)}; git by ${ratio(manyOfGit / fewOfGit)})`);
}

async function sync(root, { node, ours, shell }) {
  heading('a sync with nothing new, beside git fetch');
  const remote = path.join(root, 'remote.git');
  git(root, ['clone', '-q', '--bare', await makeBare(path.join(root, 'synced'), 1000), remote]);
  const dir = checkOut(remote, path.join(root, 'syncing'));
  let inProcess = 0;
  await withMemory(dir, async (memory) => {
    inProcess = median((await spentBy(60, () => memory.sync())).slice(20));
  });
  const taken = compare({
    'git fetch': () => shell(dir, 'git fetch -q origin'),
    // A sync takes in what was edited by hand, and looks for it.
    'git fetch and status': () => shell(dir, 'git fetch -q origin && git status --porcelain'),
    'node alone': () => node(dir),
    'git memory sync': () => ours(dir, 'sync'),
  });
  within(taken, 1.5, ['git memory sync'], 'git fetch');
  for (const floor of ['git fetch', 'git fetch and status'])
    console.log(
      `  of an open process it takes ${ms(inProcess)} ms, ${ratio(inProcess / taken[floor].cpu)} of ${floor}`,
    );
}

function install(root) {
  heading('what npm installs');
  const folder = path.join(root, 'installed');
  fs.mkdirSync(path.join(folder, 'node_modules'), { recursive: true });
  const npm = (cwd, ...args) => spawnSync('npm', [...args, '--ignore-scripts'], { cwd, encoding: 'utf8' });
  npm(fileURLToPath(new URL('../..', import.meta.url)), 'pack', '--pack-destination', folder);
  const [packed] = fs.readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const { status, stderr } = npm(folder, 'install', '--prefer-offline', '--no-audit', '--no-fund', `./${packed}`);
  if (status !== 0) return console.log(`  npm could not install it: ${stderr.trim().split('\n').at(-1)}`);
  const modules = path.join(folder, 'node_modules');
  const { packages } = JSON.parse(fs.readFileSync(path.join(modules, '.package-lock.json'), 'utf8'));
  const stats = fs.readdirSync(modules, { recursive: true }).map((name) => fs.lstatSync(path.join(modules, name)));
  const bytes = stats.reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
  verdict(Object.keys(packages).length <= 45, `at most 45 packages (${Object.keys(packages).length})`);
  verdict(bytes <= 36e6, `at most 36 MB (${(bytes / 1e6).toFixed(1)})`);
}

export async function benchFelt({ root, chosenSizes, hasGit }) {
  if (!hasGit) return console.log('  needs native git to compare with');
  fs.mkdirSync(root, { recursive: true });
  const watch = stopwatch(root);
  for (const section of [verbs, questions, turns, captures, sync, install]) await section(root, watch);
  for (const count of chosenSizes ?? [100_000]) await large(root, watch, count);
}
