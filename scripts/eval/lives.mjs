// Lives: memories that come about day by day, and what they must say then. Each is made by the library, gets its expectations as a file
// expect/<id>.yaml, and is judged by `git memory test`.
// Run `npm run eval -- lives` for all below test/evals/lives, or name other files: lists of lives, YAML or JSON. `--only ID --verbose` shows one.
// `--keep FOLDER` leaves the memories there, and `--fast` judges in this process.
//
// A life: { id, area, about, steps, expect }; expect is a mapping as in expect/*.yaml. In its place may be `asks`, which are made such. A
// step: { at, do: remember | capture | ..., ... }; for short { at, remember: words } and { at, say: ['Ruth: words', 'agent: words'] }.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parse, stringify } from 'yaml';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
const ownFolder = join(projectRoot, 'test/evals/lives');
const dayMs = 86_400_000;

/** Reads the lives of files; without any, those of the project. */
export function readLives(files = ownLives()) {
  return files.flatMap((file) => parse(readFileSync(file, 'utf8')));
}

function ownLives() {
  return readdirSync(ownFolder)
    .filter((name) => /\.(?:ya?ml|json)$/.test(name))
    .sort()
    .map((name) => join(ownFolder, name));
}

/** `2026-03-02` is nine o'clock of that day, `2026-03-02 14:30` that time, both in UTC. */
function timeOf(text) {
  const short = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d))?$/.exec(text);
  return Date.parse(short === null ? text : `${short[1]}T${short[2] ?? '09:00'}:00Z`);
}

function stepOf(step) {
  const at = timeOf(String(step.at));
  if (step.say !== undefined) {
    const messages = step.say.map((line) => {
      const [, who, text] = /^([^:]{1,30}): ([\s\S]*)$/.exec(line);
      return who === 'agent' ? { role: 'agent', text } : { role: 'user', speaker: who, text };
    });
    const { say: _, ...rest } = step;
    return { do: 'capture', session: `s-${new Date(at).toISOString().slice(0, 16)}`, ...rest, messages, at };
  }
  if (step.do === undefined && step.remember !== undefined) {
    const { remember, ...rest } = step;
    return { do: 'remember', ...rest, content: remember, at };
  }
  return { ...step, at };
}

const kinds = { 'session-start': 'session_start' };

/** Makes an expectation of an ask; those that only this runner can judge have none. */
function expectationOf(ask, isPast) {
  const time = new Date(timeOf(String(ask.at))).toISOString();
  const kind = kinds[ask.kind] ?? (ask.kind === 'file' ? 'read' : ask.kind);
  const words = kind === 'read' ? ask.path : (ask.message ?? true);
  const pattern = (source) => (/^\/.*\/[a-z]*$/s.test(source) ? source : `/${source}/i`);
  return {
    [kind]: words,
    on: time,
    ...(ask.asOf !== undefined ? { as_of: ask.asOf } : isPast ? { as_of: time } : {}),
    ...(ask.session === undefined ? {} : { session: ask.session }),
    ...(ask.tokens === undefined ? {} : { tokens: ask.tokens }),
    ...(kind === 'recall' ? { limit: ask.limit ?? 5 } : {}),
    ...(ask.must === undefined ? {} : { must: ask.must }),
    ...(ask.mustNot === undefined ? {} : { must_not: ask.mustNot }),
    ...(ask.once === undefined ? {} : { once: ask.once }),
    ...(ask.first === undefined ? {} : { first: ask.first }),
    ...(ask.before === undefined ? {} : { order: ask.before.map((row) => row.map(pattern)) }),
    ...(ask.lines === undefined ? {} : { lines: Object.fromEntries(ask.lines) }),
    ...(ask.notCurrent === undefined ? {} : { not_current: ask.notCurrent }),
    ...(ask.note === undefined ? {} : { note: ask.note }),
  };
}

const conditions = ['must', 'must_not', 'once', 'first', 'order', 'lines', 'not_current', 'tokens'];

/** Lives one life in a folder; gives what `git memory test` says of it, and what else went wrong. */
export async function live(life, directory, { openMemory }, run = byProgram) {
  const problems = [];
  const steps = life.steps.map(stepOf);
  const asks = (life.asks ?? []).map((ask) => ({ ...ask, at: timeOf(String(ask.at)) }));
  let now = steps[0].at;
  const folders = { one: join(directory, 'one'), two: join(directory, 'two') };
  const remote = join(directory, 'remote.git');
  const opened = {};
  const known = new Map();
  const git = (folder, ...given) =>
    execFileSync('git', ['-C', folder, ...given], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim();
  const size = (name) => ({
    commits: Number(git(folders[name], 'rev-list', '--count', 'HEAD')),
    tags: git(folders[name], 'tag').split('\n').filter(Boolean).length,
    files: git(folders[name], 'ls-tree', '-r', '--name-only', 'HEAD').split('\n').length,
  });
  const open = async (name, create) => {
    const options = { dir: folders[name], create, clock: { now: () => now } };
    opened[name] = await openMemory({ ...options, model: null, embedder: null, durability: 'fast' });
    return opened[name];
  };
  mkdirSync(folders.one, { recursive: true });
  await open('one', true);
  if (life.configure !== undefined) await opened.one.configure(life.configure);
  const machine = async (name = 'one') => {
    if (opened[name] !== undefined) return opened[name];
    await opened.one.commit();
    if (!existsSync(remote)) {
      execFileSync('git', ['init', '-q', '--bare', '-b', opened.one.branchName, remote]);
      git(folders.one, 'remote', 'add', 'origin', remote);
    }
    await opened.one.sync({ remote: 'origin' });
    execFileSync('git', ['clone', '-q', remote, folders[name]], { stdio: 'ignore' });
    return open(name, false);
  };
  const idOf = async (memory, { of, match }) => {
    const named = known.get(of)?.id;
    if (named !== undefined) return named;
    const wanted = String(match ?? of).toLowerCase();
    const { memories } = await memory.list({});
    const found = memories.find(({ statement = '', content }) =>
      `${statement}\n${content}`.toLowerCase().includes(wanted),
    );
    if (found === undefined) throw new Error(`no memory says ${wanted}`);
    return found.id;
  };
  const pathOf = async (memory, step) => step.path ?? (await memory.get(await idOf(memory, step))).path;
  const reference = (name) => known.get(name)?.id ?? name;
  const acts = {
    async capture(memory, { extract, text, ...given }, at) {
      const time = new Date(at).toISOString();
      const messages = given.messages?.map((message, index) => ({
        role: 'user',
        time: new Date(at + index * 60_000).toISOString(),
        ...message,
      }));
      const captured =
        text === undefined
          ? await memory.capture({ ...given, started: time, messages })
          : (await memory.captureText(text, { session: given.session, time, path: given.path }))[0];
      if (extract === false) return captured;
      const { transcripts } = await memory.extract({ from: captured.path });
      return { ...captured, id: transcripts.flatMap(({ created }) => created)[0]?.id };
    },
    remember: (memory, { replaces, ...given }) =>
      memory.remember({ ...given, ...(replaces === undefined ? {} : { replaces: reference(replaces) }) }),
    write: (memory, { path, text }) => memory.write(path, text),
    edit: async (memory, step) => memory.edit(await pathOf(memory, step), step.old, step.new),
    forget: async (memory, step) => memory.forget(await idOf(memory, step)),
    undo: (memory, { of, what }) => memory.undo(of === undefined ? what : known.get(of).commit),
    async 'native-commit'(memory, step, _, name) {
      await memory.commit();
      const folder = folders[name];
      git(folder, 'checkout', '-q', '-f', 'HEAD');
      const path = await pathOf(memory, step);
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
      if (step.old !== undefined && !before.includes(step.old)) throw new Error(`${path} does not hold ${step.old}`);
      const appended = step.append === undefined ? before.replace(step.old, step.new) : before + step.append;
      writeFileSync(file, step.text ?? appended);
      git(folder, 'add', '-A', '--', path);
      const who = ['-c', 'user.name=Nora', '-c', 'user.email=nora@example.org'];
      git(folder, ...who, 'commit', '-q', '--no-verify', '-m', step.message ?? 'by hand');
    },
    maintain: (memory, { tasks }) => memory.maintenance.run(tasks === undefined ? {} : { tasks }),
    nightly: (memory) => memory.maintenance.night({}),
    consolidate: (memory) => memory.records.consolidate({}),
    async idle(memory, { days, each }) {
      for (let day = 0; day < days; day += 1) {
        now += dayMs;
        if (each !== 'nothing') await memory.maintenance.run({});
      }
    },
    event(memory, given) {
      const links = ['closes', 'supersedes'].filter((key) => given[key] !== undefined);
      return memory.ledger.add({ ...given, ...Object.fromEntries(links.map((key) => [key, reference(given[key])])) });
    },
    note: (memory, given) => memory.note(given),
    deploy: (memory, { tier }) => memory.project.deploy(tier),
    log: (memory, given) =>
      memory.project.change(given.refs === undefined ? given : { ...given, refs: given.refs.map(reference) }),
    task: (memory, { change }) => memory.project.task(change),
    topic: (memory, given) => memory.topics.new(given),
    configure: (memory, { values }) => memory.configure(values),
    async session(memory, { session, topic, agent, turns, extract }) {
      const running = await memory.startSession({ session, topic, agent });
      for (const { remember, role, text, speaker } of turns) {
        if (remember !== undefined) await memory.remember(remember);
        else await running.message(role, text, speaker === undefined ? {} : { speaker });
      }
      await running.end();
      if (extract !== false) await memory.extract({});
    },
    hand: (memory, { message, session, tokens }) => memory.context(message, { session, tokens }),
    async sync(memory) {
      await memory.commit();
      return memory.sync({ remote: 'origin' });
    },
    async 'sync-other'() {
      await machine('two');
      for (const name of ['one', 'two', 'one']) {
        await opened[name].commit();
        await opened[name].sync({ remote: 'origin' });
      }
    },
  };
  const uncommitted = ['native-commit', 'sync', 'sync-other', 'maintain', 'nightly', 'idle'];
  const isAsked = (ask) => ask.kind === 'git';
  const order = [...steps, ...asks.filter(isAsked).map((ask) => ({ ask, at: ask.at }))];
  for (const step of order
    .map((one, index) => ({ one, index }))
    .sort((a, b) => a.one.at - b.one.at || a.index - b.index)) {
    const { at, do: verb, on, as, ask, ...given } = step.one;
    now = Math.max(now, at);
    try {
      const memory = await machine(on ?? ask?.on);
      if (ask !== undefined) {
        await memory.commit();
        const [was, is] = [known.get(ask.since).size, size(ask.on ?? 'one')];
        for (const [key, most] of Object.entries(ask.max)) {
          if (is[key] - was[key] > most) problems.push(`${key} grew by ${is[key] - was[key]}, ${most} at most`);
        }
        continue;
      }
      if (acts[verb] === undefined) throw new Error(`unknown step ${verb}`);
      const result = await acts[verb](memory, given, at, on ?? 'one');
      const committed = uncommitted.includes(verb) ? null : await memory.commit();
      if (as === undefined) continue;
      const commit = committed?.commits?.at(-1) ?? result?.commit ?? memory.tip;
      known.set(as, { id: result?.id ?? result?.event?.id, commit, size: size(on ?? 'one') });
    } catch (error) {
      problems.push(`${ask === undefined ? verb : 'git'} ${new Date(at).toISOString()}: ${error.message}`);
    }
  }
  const last = Math.max(...steps.map((step) => step.at));
  const end = new Date(now).toISOString();
  const files = new Map();
  const expect = (name, key, expectation) => {
    if (!files.has(name)) files.set(name, {});
    files.get(name)[key] = expectation;
  };
  for (const [key, expectation] of Object.entries(life.expect ?? {})) expect('one', key, { on: end, ...expectation });
  for (const [index, ask] of asks.entries()) {
    if (ask.kind === 'git') continue;
    const expectation = expectationOf({ ...ask, at: new Date(ask.at).toISOString() }, ask.at < last);
    // What can be expanded is asked of the library alone.
    if (ask.expandAll) await expandAll(await machine(ask.on), ask, problems);
    if (conditions.every((condition) => expectation[condition] === undefined)) continue;
    expect(ask.on ?? 'one', `${index + 1} ${ask.kind} ${ask.message ?? ''}`.trim(), expectation);
  }
  const results = [];
  for (const [name, expectations] of files) {
    const memory = await machine(name);
    await memory.write(`expect/${life.id}.yaml`, stringify(expectations, { lineWidth: 0 }));
    await memory.commit();
    const judged = await run(memory, folders[name]);
    results.push(...judged.results);
    problems.push(...judged.problems.map(({ path, line, why }) => `${path}:${line ?? ''} ${why}`));
  }
  for (const memory of Object.values(opened)) await memory.close();
  return { id: life.id, area: life.area, results, problems, text: results.map(describe).join('\n') };
}

async function expandAll(memory, { message, tokens }, problems) {
  const { text } = await memory.context(message, { tokens, counts: false });
  const handles = new Set([...text.matchAll(/\[([0-9a-z]{6,32})\]/g)].map(([, handle]) => handle));
  for (const handle of handles) {
    if (/\d/.test(handle))
      await memory.records.expand(handle).catch(() => problems.push(`${handle} cannot be expanded`));
  }
}

/** Judges by the program, as CI would. */
function byProgram(_, folder) {
  const program = join(projectRoot, 'dist/program/main.js');
  const { stdout, stderr } = spawnSync(process.execPath, [program, 'test', '--json', '--dir', folder], {
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Judges in this process. */
export function inProcess(memory) {
  return memory.test();
}

function describe({ name, asked, holds, failures }) {
  if (holds) return `  holds  ${name}`;
  const told = failures.flatMap(({ kind, wanted, found }) => [
    `    ${kind}: ${wanted}`,
    ...found.map((line) => `      | ${line}`),
  ]);
  return [`  FAILS  ${name}: ${asked}`, ...told].join('\n');
}

/** Runs lives and prints how many come out right. */
export async function evaluateLives(given) {
  const { values, positionals } = parseArgs({
    args: given,
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      verbose: { type: 'boolean' },
      keep: { type: 'string' },
      fast: { type: 'boolean' },
    },
  });
  const library = await import(process.env.LIVES_LIBRARY ?? '../../dist/index.js');
  const root = values.keep ?? mkdtempSync(join(tmpdir(), 'lives-'));
  Object.assign(process.env, {
    HOME: root,
    XDG_CONFIG_HOME: join(root, '.config'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    TZ: 'UTC',
  });
  const lives = readLives(positionals.length === 0 ? undefined : positionals);
  const areas = new Map();
  const sums = { lives: 0, right: 0, asked: 0, held: 0 };
  for (const life of lives.filter(({ id }) => values.only === undefined || id === values.only)) {
    let lived;
    try {
      lived = await live(life, join(root, life.id), library, values.fast ? inProcess : byProgram);
    } catch (error) {
      lived = { results: [], problems: [`it broke off: ${error.stack}`], text: '' };
    }
    const { results, problems, text } = lived;
    const isRight = problems.length === 0 && results.length > 0 && results.every(({ holds }) => holds);
    const area = areas.get(life.area) ?? [0, 0];
    areas.set(life.area, [area[0] + Number(isRight), area[1] + 1]);
    sums.lives += 1;
    sums.right += Number(isRight);
    sums.asked += results.length;
    sums.held += results.filter(({ holds }) => holds).length;
    if (!isRight || values.verbose) {
      console.log(`${isRight ? 'right' : 'wrong'} ${life.id}: ${life.about ?? ''}`);
      for (const problem of problems) console.log(`  PROBLEM  ${problem}`);
      const lines = text.split('\n');
      if (text !== '')
        console.log((values.verbose ? lines : lines.filter((line) => !/^ {2}holds/.test(line))).join('\n'));
    }
    if (values.keep === undefined) rmSync(join(root, life.id), { recursive: true, force: true });
  }
  if (values.keep === undefined) rmSync(root, { recursive: true, force: true });
  console.log([...areas].map(([name, [right, all]]) => `${name} ${right}/${all}`).join(', '));
  console.log(`${sums.right} of ${sums.lives} lives come out right; ${sums.held} of ${sums.asked} expectations hold`);
  return sums.right === sums.lives ? 0 : 1;
}
