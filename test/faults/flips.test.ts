// One byte of a repository is wrong, anywhere: every question is answered rightly, without what is damaged and naming it, or with an error,
// and a write that is acknowledged is there.
//
//   FAULT_FLIPS=n   of each kind of repository, default 150     FAULT_SEED=n   the same bytes again
//   FAULT_MINUTES=n   as many as fit                            FAULT_FLIP=kind:file:position:mask   one flip

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemoryError } from '../../src/base/errors.ts';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { randomOf } from '../helpers/failing-fs.ts';
import { goingOn, longRunMs, seed } from '../helpers/long-run.ts';
import { ManualClock } from '../helpers/memories.ts';
import { git, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { unpack } from '../hostile/template.ts';

const flips = Number(process.env.FAULT_FLIPS ?? 150);
const replayed = process.env.FAULT_FLIP?.split(':');
/** One flip in so many is also written upon. */
const writeEvery = 10;
/** One flip in so many is undone and everything asked again: nothing that was derived from damage may stay. */
const askAgainEvery = 50;

/** What is asked; each gives something that can be compared. */
const questions: Record<string, (memory: Memory) => Promise<unknown>> = {
  files: (memory) => memory.files(),
  log: async (memory) => listed(await memory.log({ limit: 1000 })),
  'log of a file': async (memory) => listed(await memory.log({ path: 'knowledge/people/ana.md' })),
  list: (memory) => memory.list(),
  recall: (memory) => memory.recall('archive boxes'),
  provenance: (memory) => memory.provenance('old-one'),
  snapshots: (memory) => memory.snapshots.list(),
  status: async (memory) => {
    const { edited: _, warnings: __, ...rest } = await memory.status();
    return rest;
  },
  'edits by hand': async (memory) => {
    const { edited, warnings } = await memory.status();
    // What cannot be told is said in a warning, and the rest of the answer stands.
    if (warnings.length > 0) throw new MemoryError('REPOSITORY_CORRUPT', warnings.join('; '));
    return edited;
  },
  'a past day': async (memory) => {
    const view = await memory.at('2026-02-17');
    const files = await view.files();
    const texts = files.map(async (file) => [file, await view.read(file)]);
    return Object.assign(await Promise.all(texts), { damaged: (files as { damaged?: unknown }).damaged });
  },
  pending: (memory) => memory.read('knowledge/pending.md'),
  session: (memory) => memory.read('raw/conversations/2026/02/16/0900-ses_open-open.md'),
  memory: (memory) => memory.get('old-two'),
  person: (memory) => memory.read('knowledge/people/ana.md'),
};

type Answers = Map<string, string>;

function listed({ commits, ...rest }: Awaited<ReturnType<Memory['log']>>): unknown {
  return Object.assign([...commits], { damaged: (rest as { damaged?: unknown }).damaged });
}

/** Asks everything of a fresh memory; an error stands for itself. Throws what no caller should see. */
async function ask(dir: string): Promise<Answers> {
  const answers: Answers = new Map();
  const clock = new ManualClock('2026-02-20T09:00:00Z');
  const guarded = async (name: string, question: () => Promise<unknown>) => {
    try {
      const answer = await question();
      // A list tells it beside its items.
      const listed = Array.isArray(answer) ? (answer as { damaged?: unknown }).damaged : undefined;
      const isText = typeof answer === 'string' && told.some(({ why }) => why.includes(' is shown as of '));
      const damaged = isText ? told : listed;
      answers.set(name, JSON.stringify(damaged === undefined ? answer : { list: answer, damaged }));
    } catch (error) {
      if (!(error instanceof MemoryError)) throw new Error(`${name} breaks`, { cause: error });
      answers.set(name, `error ${error.code}`);
    }
  };
  let memory: Memory | null = null;
  // An answer that is a text cannot tell of damage: whoever opens the memory hears of it.
  const told: { why: string }[] = [];
  const logger = { warn: (why: string) => void told.push({ why }) };
  await guarded('open', async () => {
    memory = await openMemory({ dir, readOnly: true, clock, logger });
    return null;
  });
  if (memory === null) return answers;
  for (const [name, question] of Object.entries(questions)) await guarded(name, () => question(memory!));
  await (memory as Memory).close().catch(() => {});
  return answers;
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** What an answer says that no right answer says. */
function newWords(answer: string, right: Answers): string[] {
  const { damaged: _, ...rest } = Object(JSON.parse(answer)) as Record<string, unknown>;
  const known = new Set([...right.values()].flatMap((text) => stringsIn(JSON.parse(text))));
  const lines = new Set([...known].flatMap((text) => text.split('\n')));
  // Where one hit is missing another comes, with its words; an earlier version of a file has lines of the present one.
  return stringsIn(rest).filter(
    (text) =>
      !text.split('\n').every((line) => lines.has(line)) &&
      !known.has(text) &&
      !known.has(text.replace(/^\[[\w-]+\] | \(tags: .*\)$/g, '')),
  );
}

/** Tells whether an answer names what it lacks, and says nothing that no right answer says. */
function isPart(answer: string, right: Answers): boolean {
  const { damaged = [] } = Object(JSON.parse(answer)) as { damaged?: readonly { why: string }[] };
  return damaged.length > 0 && damaged.every(({ why }) => why !== '') && newWords(answer, right).length === 0;
}

const isError = (answer: string | undefined) => answer === undefined || answer.startsWith('error ');

/** Makes a memory with everything that can be damaged: captures, records, a tag, and writes that are pending. */
async function makeMemory(kind: 'packed' | 'collected' | 'loose'): Promise<string> {
  const dir = temporaryFolder();
  const clock = new ManualClock();
  const options = { dir, clock, durability: 'fast' } as const;
  const memory = await openMemory({ ...options, create: true });
  for (const name of ['ana', 'rui', 'eva']) {
    const text = `${name} said the office closes. We decided to move the archive of ${name} to Braga.`;
    await memory.capture({ session: `ses_${name}`, messages: [{ role: 'user', text }] });
    clock.advance({ hours: 7 });
  }
  await memory.remember({ id: 'old-one', content: 'Ana prefers letters over calls.', tags: ['people'] });
  await memory.remember({ id: 'old-two', content: 'The archive has 40 boxes.', tags: ['archive'] });
  await memory.write('knowledge/people/ana.md', `# Ana\n\n${'- lawyer, lives in Porto\n'.repeat(30)}`);
  await memory.commit();
  await memory.snapshots.create('first');
  await memory.extract();
  await memory.edit('knowledge/people/ana.md', '# Ana\n', '# Ana\n\n- notary\n');
  await memory.commit();
  await memory.snapshots.create('before/second');
  await memory.close();
  if (kind === 'collected') git(dir, 'gc', '-q');
  if (kind === 'loose') unpack(dir);
  const next = await openMemory({ ...options, clock: new ManualClock('2026-02-16T09:00:00Z') });
  await next.write('knowledge/pending.md', '# Pending\n\n- not yet committed\n');
  await next.remember({ id: 'new-one', content: 'The pending memory of the archive.' });
  const session = await next.startSession({ session: 'ses_open', topic: 'open' });
  await session.message('user', 'A first message.');
  await session.message('user', 'A second message.');
  next.dispose();
  return dir;
}

function filesOf(dir: string): string[] {
  return fs
    .readdirSync(path.join(dir, '.git'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
    .filter((name) => fs.statSync(path.join(dir, name)).size > 0 && !name.includes('/hooks/'))
    .sort();
}

/**
 * Tells whether a byte belongs to the name of a tag in packed-refs. That name is all there is of it, so nothing, native git
 * included, can tell that it was another.
 */
function isTagName(dir: string, file: string, position: number): boolean {
  if (file !== '.git/packed-refs') return false;
  const text = fs.readFileSync(path.join(dir, file), 'latin1');
  const start = text.lastIndexOf('\n', position - 1) + 1;
  return text.startsWith(' refs/tags/memory/', start + 40) && position > start + 40 && text[position] !== '\n';
}

interface Flip {
  readonly file: string;
  readonly position: number;
  /** What the byte is XORed with. */
  readonly mask: number;
}

function apply(dir: string, { file, position, mask }: Flip): void {
  const target = path.join(dir, file);
  const bytes = fs.readFileSync(target);
  bytes[position]! ^= mask;
  const { mode } = fs.statSync(target);
  // Written anew as another file: nobody may believe it is the one he knows.
  fs.rmSync(target);
  fs.writeFileSync(target, bytes, { mode });
}

/** Writes upon a flip in a copy: what is acknowledged is there, and no answer becomes wrong by it. */
async function write(dir: string, flip: Flip, right: Answers): Promise<string[]> {
  const copy = temporaryFolder();
  fs.cpSync(dir, copy, { recursive: true, preserveTimestamps: true });
  apply(copy, flip);
  const complaints: string[] = [];
  const clock = new ManualClock('2026-02-20T09:00:00Z');
  const acknowledged: { path: string; text: string }[] = [];
  let isTold = false;
  let memory: Memory | null = null;
  try {
    memory = await openMemory({ dir: copy, clock, durability: 'fast', lockWaitMs: 200, indexWaitMs: 0 });
    const text = 'Captured upon damage.';
    acknowledged.push({ path: (await memory.capture({ text, topic: 'damage' })).path, text });
    const content = 'Remembered upon damage.';
    acknowledged.push({ path: (await memory.remember({ id: 'upon-damage', content })).path, text: content });
    await memory.commit();
  } catch (error) {
    // The caller was told that pending writes are lost.
    if (error instanceof MemoryError && error.code === 'JOURNAL_CORRUPT') isTold = true;
    if (!(error instanceof MemoryError)) complaints.push(`writing breaks: ${(error as Error).stack}`);
  } finally {
    memory?.dispose();
  }
  try {
    const warnings: string[] = [];
    const logger = { warn: (why: string) => void warnings.push(why) };
    const reader = await openMemory({ dir: copy, readOnly: true, clock, logger });
    // An earlier commit is shown, and said to be that; writes were refused.
    const isEarlier = warnings.some((why) => why.includes(' is shown as of '));
    const files = await reader.files();
    const { damaged = [] } = files as { damaged?: readonly { path?: string }[] };
    const isLeftOut = (file: string) => damaged.some(({ path: folder }) => file.startsWith(`${folder}/`));
    for (const { path: file, text } of acknowledged) {
      if (!(await reader.read(file)).includes(text))
        complaints.push(`${file} was acknowledged and says something else`);
    }
    for (const file of JSON.parse(right.get('files')!) as string[]) {
      if (!files.includes(file) && !isTold && !isEarlier && !isLeftOut(file))
        complaints.push(`${file} is gone after a write`);
    }
    const oids = new Set((await reader.log({ limit: 1000 })).commits.map(({ oid }) => oid));
    for (const { oid } of JSON.parse(right.get('log')!) as { oid: string }[]) {
      if (!oids.has(oid) && !isEarlier) complaints.push(`commit ${oid} is gone after a write`);
    }
    await reader.close();
  } catch (error) {
    // Damage may make what was there unreadable; what was acknowledged upon it may not be lost by it.
    if (!(error instanceof MemoryError)) complaints.push(`reading after a write breaks: ${(error as Error).stack}`);
  }
  fs.rmSync(copy, { recursive: true, force: true });
  return complaints;
}

describe(`a byte that is wrong (FAULT_SEED=${seed})`, () => {
  const kinds = (['packed', 'collected', 'loose'] as const).filter((kind) => kind === 'packed' || hasGit);

  it.each(kinds.filter((kind) => replayed === undefined || replayed[0] === kind))(
    'gives the right answer or an error, never another: %s objects',
    async (kind) => {
      const random = randomOf(seed + kind.length);
      const dir = await makeMemory(kind);
      const right = await ask(dir);
      expect([...right].filter(([, answer]) => isError(answer))).toEqual([]);
      const names = filesOf(dir);
      const counts = { flips: 0, noticed: 0, written: 0 };
      const failures: string[] = [];
      const chosen = (): Flip => {
        if (replayed) return { file: replayed[1]!, position: Number(replayed[2]), mask: Number(replayed[3]) };
        // Every file is as likely as another, or most flips would hit the pack.
        const file = names[Math.floor(random() * names.length)]!;
        const position = Math.floor(random() * fs.statSync(path.join(dir, file)).size);
        return { file, position, mask: 1 + Math.floor(random() * 255) };
      };
      const hasMore = goingOn(replayed ? 1 : flips);
      for (; hasMore(counts.flips) && failures.length < 20; counts.flips++) {
        const flip = chosen();
        if (isTagName(dir, flip.file, flip.position)) continue;
        const name = `${kind}:${flip.file}:${flip.position}:${flip.mask}`;
        const original = fs.readFileSync(path.join(dir, flip.file));
        const { mode, mtimeMs, atimeMs } = fs.statSync(path.join(dir, flip.file));
        apply(dir, flip);
        const answers = await ask(dir).catch((error: Error) => {
          failures.push(
            `FAULT_FLIP=${name} ${error.message}: ${(error.cause as Error | undefined)?.stack ?? error.stack}`,
          );
          return null;
        });
        for (const [question, answer] of answers ?? []) {
          if (answer !== right.get(question) && !isError(answer) && !isPart(answer, right)) {
            failures.push(
              `FAULT_FLIP=${name} answers ${question} wrongly: ${newWords(answer, right)} ${answer.slice(0, 300)}`,
            );
            break;
          }
        }
        if ([...(answers ?? [])].some(([question, answer]) => answer !== right.get(question))) counts.noticed += 1;
        fs.rmSync(path.join(dir, flip.file));
        fs.writeFileSync(path.join(dir, flip.file), original, { mode });
        fs.utimesSync(path.join(dir, flip.file), atimeMs / 1000, mtimeMs / 1000);
        if (replayed || counts.flips % writeEvery === 0) {
          counts.written += 1;
          for (const complaint of await write(dir, flip, right)) failures.push(`FAULT_FLIP=${name} ${complaint}`);
        }
        if (replayed || counts.flips % askAgainEvery === 0) {
          const again = await ask(dir);
          for (const [question, answer] of again) {
            if (answer !== right.get(question))
              failures.push(`after FAULT_FLIP=${name}, undone: ${question} ${answer.slice(0, 200)}`);
          }
        }
      }
      if (counts.flips > flips || failures.length > 0) console.log(`${kind}: ${JSON.stringify(counts)}`);
      expect(failures.join('\n')).toBe('');
      expect(counts.noticed).toBeGreaterThan(0);
    },
    longRunMs + flips * 1000,
  );
});
