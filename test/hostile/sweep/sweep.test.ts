// One thing of a memory is damaged, each in turn: every verb answers rightly, or names what is damaged; never wrongly, and never dead for the rest.
//
//   SWEEP_CASES=500   how many, default 24; `all` for every one      SWEEP_SEED=n   others
//   SWEEP_CASE=words  only those whose name holds the words          SWEEP_FULL=1   every verb in each case, not a choice

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verbTable } from '../../../src/apps/verbs/index.ts';
import { git, tryGit } from '../../helpers/native-git.ts';
import { buildProgram } from '../../helpers/program.ts';
import { random } from '../../helpers/random.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { type Asked, Asker } from './asker.ts';
import { type Damage, damagesOf, isUntold, mayRefuse } from './damages.ts';
import { judge, linesOf, manners, type Sound, soundOf, type Verdict } from './judge.ts';
import { type Form, forms, makeSweptMemory } from './memory.ts';
import {
  askedElsewhere,
  nameOf,
  type Question,
  questions,
  readersQuestions,
  type Write,
  wordsOf,
  writes,
} from './questions.ts';

const seed = Number(process.env.SWEEP_SEED ?? 1);
const wanted = process.env.SWEEP_CASES ?? '24';
const isFull = process.env.SWEEP_FULL !== undefined || process.env.SWEEP_CASE !== undefined;
const mostRssBytes = 300 * 2 ** 20;
const draw = random(seed);
const now = Date.now();
const asker = new Asker(now);
const doctor: Asked = { verb: 'doctor', input: { all: true } };

let root: string;
let place: string;
const sound: Record<Form, ReadonlyMap<Question, Sound>> = { loose: new Map(), packed: new Map(), pending: new Map() };
const known = new Set<string>();
const damages: Damage[] = [];

/** Puts the memory of a form where each case lies, with its remote. */
function copy(form: Form): string {
  execFileSync('sh', ['-c', 'rm -rf "$1" && cp -a "$0" "$1"', path.join(root, form), place]);
  return path.join(place, 'memory');
}

beforeAll(async () => {
  await buildProgram();
  root = temporaryFolder();
  place = path.join(root, 'case');
  for (const form of forms) {
    fs.rmSync(place, { recursive: true, force: true });
    await makeSweptMemory(place, form);
    fs.renameSync(place, path.join(root, form));
    const dir = copy(form);
    damages.push(...damagesOf(dir, form));
    const asked = questionsOf(form);
    const { replies } = await asker.visit(dir, asked);
    sound[form] = new Map(asked.map((question, at) => [question, soundOf(replies[at]!)]));
    for (const reply of replies) linesOf([reply.output], known);
    linesOf(git(dir, 'grep', '-hI', '', 'HEAD'), known);
  }
}, 1_200_000);

afterAll(() => asker.stop());

const questionsOf = (form: Form) => (form === 'pending' ? readersQuestions : questions);

/** Draws some of a list, the same for a seed. */
function some<Item>(items: readonly Item[], count: number): Item[] {
  const left = [...items];
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(draw(left.length), 1)[0]!);
}

/** Draws cases so that each place has its turn before any has a second, and each way of it, however many objects it has. */
function choose(): Damage[] {
  const name = process.env.SWEEP_CASE;
  if (name !== undefined) return damages.filter((damage) => damage.name.includes(name));
  if (wanted === 'all') return damages;
  const groups = new Map<string, Damage[]>();
  for (const damage of damages) {
    const group = `${damage.place} ${damage.way}`;
    groups.set(group, [...(groups.get(group) ?? []), damage]);
  }
  const turns = new Map<string, number>();
  const turnOf = ({ place }: Damage) => turns.set(place, (turns.get(place) ?? 0) + 1).get(place)!;
  const queues = some([...groups.values()], groups.size)
    .map((group) => ({ queue: some(group, group.length), turn: turnOf(group[0]!) }))
    .sort((one, other) => one.turn - other.turn)
    .map(({ queue }) => queue);
  const chosen: Damage[] = [];
  while (chosen.length < Number(wanted) && queues.some((queue) => queue.length > 0)) {
    for (const queue of queues) if (chosen.length < Number(wanted) && queue.length > 0) chosen.push(queue.pop()!);
  }
  return chosen;
}

interface Finding {
  readonly damage: Damage;
  readonly asked: string;
  readonly verdict: Verdict;
}

const fsck = (dir: string) =>
  new Set(
    tryGit(dir, ['fsck', '--full', '--no-dangling'])
      .stdout.split('\n')
      .filter((line) => line !== ''),
  );

async function sweep(damage: Damage): Promise<Finding[]> {
  const findings: Finding[] = [];
  const say = (asked: string, verdict: Verdict) => findings.push({ damage, asked, verdict });
  const answers = sound[damage.form];
  const judged = async (dir: string, asked: readonly Question[], when = '') => {
    const { replies } = await asker.visit(dir, asked);
    const verdicts = asked.map((question, at) => judge(question, replies[at]!, answers.get(question)!, damage, known));
    for (const [at, verdict] of verdicts.entries()) say(`${when}${nameOf(asked[at]!)}`, verdict);
    return verdicts;
  };
  const damaged = () => {
    const dir = copy(damage.form);
    damage.apply(dir);
    return dir;
  };
  const all = questionsOf(damage.form);
  const asked = isFull ? all : some(all, all.length >> 2);
  const verdicts = await judged(damaged(), asked);
  for (const write of isFull ? writes : some(writes, 2)) say(nameOf(write), await judgeWrite(write, damage, damaged));
  // The doctor tells of what an answer suffers from, and mends what can be had elsewhere.
  const dir = damaged();
  const { replies } = await asker.visit(dir, [doctor, { verb: 'doctor', input: { all: true, fix: true } }, doctor]);
  for (const [at, reply] of replies.entries()) {
    const bad = manners(reply);
    if (bad !== undefined) say(`doctor ${at}`, bad);
  }
  const hasFindings = (at: number) =>
    ((replies[at]?.output as { findings?: { severity: string }[] } | undefined)?.findings ?? []).some(
      ({ severity }) => severity !== 'note',
    );
  const isTold = !isUntold(damage);
  if (isTold && verdicts.some((verdict) => verdict !== 'right') && replies[0]?.error === undefined && !hasFindings(0)) {
    say('doctor', 'WRONG healthy: something is not answered, and the doctor finds nothing');
  }
  // What it put aside it has said: refs that cannot be told from damage, writes that waited in a damaged journal.
  const isPutAside = damage.place === 'packed refs' || damage.place === 'journal';
  const after = isPutAside ? [] : await judged(dir, asked, 'after doctor --fix: ');
  const unanswered = asked.filter((_, at) => after[at] !== undefined && after[at] !== 'right').map(nameOf);
  if (isTold && replies[2]?.error === undefined && !hasFindings(2) && unanswered.length > 0) {
    say('doctor --fix', `WRONG mended: it finds nothing more, and something is not answered: ${unanswered.join(', ')}`);
  }
  const isElsewhere = damage.place === 'derived' || (damage.place === 'present blob' && damage.path !== undefined);
  if (isElsewhere && isTold && after.some((verdict) => verdict !== 'right'))
    say('doctor --fix', 'WRONG lost: the bytes were there');
  return findings;
}

async function judgeWrite(write: Write, damage: Damage, again: () => string, isNew = false): Promise<Verdict> {
  const dir = again();
  const before = fsck(dir);
  const proof = write.proof === undefined ? [] : [write.proof.asked];
  const { replies, maxRssBytes } = await asker.visit(dir, [write, ...proof]);
  const [reply, shown] = replies;
  if (maxRssBytes > mostRssBytes) {
    asker.stop();
    // This process has answered hundreds of questions: a new one has a size of its own.
    if (!isNew) return judgeWrite(write, damage, again, true);
    return `WRONG large: ${Math.round(maxRssBytes / 2 ** 20)} MB`;
  }
  const bad = manners(reply!);
  if (bad !== undefined) return bad;
  const worse = [...fsck(dir)].filter((line) => !before.has(line));
  // Of a pack that is cut git tells as far as it comes.
  if (worse.length > 0 && damage.place !== 'pack') return `WRONG worse: ${worse.join('; ').slice(0, 300)}`;
  if (reply!.error !== undefined) {
    if (reply!.error.code === write.refused) return 'right';
    const said = `${reply!.error.code} ${reply!.error.message}`;
    if (!damage.names.some((name) => said.includes(name))) return `WRONG unnamed: ${said}`;
    return mayRefuse(write, damage) ? 'named' : `WRONG refused: ${said}`;
  }
  if (shown !== undefined && !wordsOf(shown).includes(write.proof!.says)) {
    return `WRONG lost: acknowledged, and then ${shown.error?.message ?? wordsOf(shown).slice(0, 200)}`;
  }
  return 'right';
}

describe(`one damaged thing (SWEEP_SEED=${seed})`, () => {
  it('is met by every verb of the table', () => {
    const asked = new Set([...questions, ...writes].map(({ verb }) => verb).concat(askedElsewhere));
    expect(verbTable.map(({ name }) => name).filter((name) => !asked.has(name))).toEqual([]);
  });

  it('leaves every write to a sound memory done and proved', async () => {
    const damage = { ...damages[0]!, apply: () => undefined };
    for (const write of writes) {
      const verdict = await judgeWrite(write, damage, () => copy('loose'));
      expect(`${nameOf(write)}: ${verdict}`).toBe(`${nameOf(write)}: right`);
    }
  }, 1_200_000);

  it('costs itself and no more', async () => {
    const cases = choose();
    const findings: Finding[] = [];
    for (const damage of cases) {
      try {
        findings.push(...(await sweep(damage)));
      } catch (error) {
        findings.push({ damage, asked: 'all', verdict: `WRONG died: ${(error as Error).message}` });
      }
    }
    const lines = findings.map(({ damage, asked, verdict }) => `${damage.name}: ${asked}: ${verdict}`);
    const complaints = lines.filter((line) => line.includes(': WRONG '));
    if (process.env.SWEEP_REPORT !== undefined)
      fs.writeFileSync(process.env.SWEEP_REPORT, report(findings, complaints));
    expect(complaints.join('\n')).toBe('');
  }, 3_600_000);
});

/** A table by what was damaged and how, and every complaint. */
function report(findings: readonly Finding[], complaints: readonly string[]): string {
  const rows = new Map<string, { cases: Set<string>; right: number; partly: number; named: number; wrong: number }>();
  for (const { damage, verdict } of findings) {
    const row = rows.get(damage.place) ?? { cases: new Set(), right: 0, partly: 0, named: 0, wrong: 0 };
    row.cases.add(damage.name);
    row[verdict.startsWith('WRONG') ? 'wrong' : (verdict as 'right' | 'partly' | 'named')] += 1;
    rows.set(damage.place, row);
  }
  const table = [...rows].map(
    ([kind, { cases, right, partly, named, wrong }]) =>
      `${kind.padEnd(16)}${[cases.size, right, partly, named, wrong].map((one) => String(one).padStart(8)).join('')}`,
  );
  return `${'damaged'.padEnd(16)}   cases   right  partly   named   wrong\n${table.join('\n')}\n\n${complaints.join('\n')}\n`;
}
