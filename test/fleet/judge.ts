// What has to hold at the end, asked of native git: one tree everywhere, nothing lost, nothing that was to be gone, nothing broken.

import fs from 'node:fs';
import path from 'node:path';
import { runApart } from '../helpers/attendant.ts';
import { fsck, git, tryGit } from '../helpers/native-git.ts';
import { tracesOf } from '../helpers/traces.ts';
import type { Machine } from './machine.ts';
import { type Acknowledged, wordsIn } from './words.ts';

/** Everything that a repository holds and that leads somewhere: the words of its tree, and those of all its objects and names. */
interface Holdings {
  readonly tree: Set<string>;
  readonly history: Set<string>;
}

/** Gives each object with its bytes, as `git cat-file --batch` prints them; `input` names them, null means all there are. */
export function objectsOf(directory: string, input: string | null): { type: string; bytes: Buffer }[] {
  const all = input === null ? ['--batch-all-objects', '--unordered'] : [];
  const { stdout, status, stderr } = runApart('git', ['-C', directory, 'cat-file', '--batch', ...all], {
    ...(input === null ? {} : { input }),
  });
  if (status !== 0) throw new Error(`git cat-file: ${stderr}`);
  const objects: { type: string; bytes: Buffer }[] = [];
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf(10, at);
    const [, type = '', size = ''] = stdout.toString('latin1', at, end).split(' ');
    if (!/^\d+$/.test(size)) throw new Error(`git cat-file: ${stdout.toString('latin1', at, end)}`);
    objects.push({ type, bytes: stdout.subarray(end + 1, end + 1 + Number(size)) });
    at = end + 2 + Number(size);
  }
  return objects;
}

function holdingsOf(directory: string, acknowledged: Acknowledged): Holdings {
  const read = (oids: string | null) =>
    wordsIn(
      objectsOf(directory, oids)
        .map(({ type, bytes }) => (type === 'blob' ? acknowledged.textOf(bytes) : bytes))
        .join('\n'),
    );
  const blobs = git(directory, 'ls-tree', '-r', '--format=%(objectname)', 'HEAD');
  const reached = git(directory, 'rev-list', '--objects', '--no-object-names', '--all');
  const names = git(directory, 'log', '--all', '--format=%B', '--name-only');
  return { tree: read(blobs), history: new Set([...read(reached), ...wordsIn(names)]) };
}

/** Looks at all of them when everybody is in step and has closed; gives what is wrong. */
export function judge(
  machines: readonly Machine[],
  remote: string,
  clone: string,
  acknowledged: Acknowledged,
): string[] {
  const problems: string[] = [];
  const places: (readonly [string, string])[] = [
    ...machines.map(({ name, directory }) => [name, directory] as const),
    ['the remote', remote],
    ['a fresh clone', clone],
  ];
  const treeOf = (directory: string) => tryGit(directory, ['rev-parse', 'refs/heads/main^{tree}']).stdout.trim();
  const trees = new Map(places.map(([name, directory]) => [name, treeOf(directory)]));
  if (new Set(trees.values()).size > 1) {
    problems.push(`different trees: ${[...trees].map(([name, tree]) => `${name} ${tree.slice(0, 8)}`).join(', ')}`);
  }
  const { tree, history } = holdingsOf(clone, acknowledged);
  const kept = new Map(machines.map((machine) => [machine.name, null as Holdings | null]));
  const keptBy = (machine: Machine) => {
    if (!kept.get(machine.name)) kept.set(machine.name, holdingsOf(machine.directory, acknowledged));
    return kept.get(machine.name)!.history;
  };
  const contradicted = new Set(
    git(clone, 'log', '--format=%(trailers:key=Conflict,valueonly)')
      .split('\n')
      .filter((line) => line !== ''),
  );
  for (const { word, sentence, path: where, machine, isPurged, takenBy, branch } of acknowledged.words.values()) {
    const story = `${word} of ${machine} at ${where}${takenBy.length > 0 ? ` (${takenBy.join('; ')})` : ''}`;
    if (isPurged) continue;
    if (branch !== null) {
      const owner = machines.find(({ name }) => branch.startsWith(`${name}:`))!;
      if (!keptBy(owner).has(word)) problems.push(`lost from its branch: ${story}`);
    } else if (tree.has(word)) continue;
    else if (takenBy.length === 0 && !contradicted.has(where))
      problems.push(
        `lost from the present, ${history.has(word) ? 'in history' : 'and from history'}: ${story}, "${sentence}"`,
      );
    else if (!history.has(word)) problems.push(`lost from history: ${story}`);
  }
  problems.push(...leaks(places, machines, acknowledged));
  if (tryGit(clone, ['grep', '-E', '^(<<<<<<<|>>>>>>>)', 'main']).stdout !== '') problems.push('markers of a conflict');
  for (const machine of machines.filter(({ placement }) => placement === 'repository')) {
    const left = machine.git('status', '--porcelain').stdout;
    if (left !== '') problems.push(`git status of ${machine.name}: ${left}`);
  }
  for (const [name, directory] of places) {
    const complaint = fsck(directory);
    if (complaint !== '') problems.push(`git fsck of ${name}: ${complaint}`);
  }
  return problems;
}

/** Finds purged words anywhere, and words of private pages where they lie open. */
function leaks(
  places: readonly (readonly [string, string])[],
  machines: readonly Machine[],
  acknowledged: Acknowledged,
): string[] {
  const purged = [...acknowledged.words.values()].filter(({ isPurged }) => isPurged).map(({ word }) => word);
  const hidden = [...acknowledged.hidden];
  const wanted = [...new Set([...purged, ...hidden])];
  if (wanted.length === 0) return [];
  return places.flatMap(([name, directory]) => {
    const dotGit = path.join(directory, '.git');
    const whole = fs.existsSync(dotGit) ? dotGit : directory;
    const found = tracesOf(whole, wanted).map((trace) => `${name} still holds ${oneLine(trace)}`);
    const machine = machines.find((one) => one.name === name);
    // Who has the key may read what is private in the work tree; nobody else may, and nobody what was purged.
    const open = whole === directory ? [] : openIn(directory, machine?.hasKey ? purged : wanted);
    return [...found, ...open.map((file) => `${file} in the work tree of ${name} lies open`)];
  });
}

function openIn(directory: string, wanted: readonly string[]): string[] {
  return (fs.readdirSync(directory, { recursive: true, withFileTypes: true }) as fs.Dirent[])
    .filter((entry) => entry.isFile() && !`${entry.parentPath}/`.includes('/.git/'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => {
      const held = wordsIn(fs.readFileSync(file, 'utf8'));
      return wanted.some((word) => held.has(word));
    })
    .map((file) => path.relative(directory, file));
}

const oneLine = (text: string) => text.replace(/[^\x20-\x7e]+/g, ' ').trim();
