// What was promised about a memory over all the processes that worked on it, and whether it is so.

import { openMemory } from '../../src/memory/open-memory.ts';
import { fsck, git, hasGit, tryGit } from '../helpers/native-git.ts';

interface Fact {
  readonly path: string;
  readonly text: string;
}

/** One call as its caller saw it. */
interface Line {
  readonly call: string;
  readonly has?: readonly Fact[];
  readonly lacks?: readonly Fact[];
  readonly commits?: readonly (string | null)[];
  readonly tag?: string;
}

const keyOf = ({ path, text }: Fact) => `${path}\n${text}`;

export class Promises {
  /** Whether a text is in a file: what may be, by path and text. A call under way at the end makes both right. */
  private readonly facts = new Map<string, Set<boolean>>();
  private readonly commits = new Set<string>();
  private readonly tags = new Set<string>();
  private readonly dir: string;
  private readonly ref: string;
  /** Calls that were answered. */
  acknowledged = 0;

  constructor(dir: string, ref: string) {
    this.dir = dir;
    this.ref = ref;
  }

  /** Takes in what a process said until it died; gives the call it was in, if any. */
  take(output: string): string | null {
    let interrupted: string | null = null;
    // What stands behind the last line end was never said in full.
    for (const line of output.split('\n').slice(0, -1)) {
      const said = JSON.parse(line) as { try?: Line; done?: Line };
      if (said.try) {
        interrupted = said.try.call;
        for (const fact of said.try.has ?? []) this.allow(fact, true);
        for (const fact of said.try.lacks ?? []) this.allow(fact, false);
      }
      if (said.done) {
        interrupted = null;
        this.acknowledge(said.done);
      }
    }
    return interrupted;
  }

  acknowledge(line: Line): void {
    this.acknowledged += 1;
    for (const fact of line.has ?? []) this.facts.set(keyOf(fact), new Set([true]));
    for (const fact of line.lacks ?? []) this.facts.set(keyOf(fact), new Set([false]));
    for (const commit of line.commits ?? []) if (commit !== null) this.commits.add(commit);
    if (line.tag !== undefined) this.tags.add(line.tag);
  }

  private allow(fact: Fact, is: boolean): void {
    const key = keyOf(fact);
    const allowed = this.facts.get(key) ?? new Set([!is]);
    this.facts.set(key, allowed.add(is));
  }

  /** Checks with a fresh memory, and with native git when `isNative`; what is seen once may not change by itself later. */
  async check(isNative: boolean): Promise<string[]> {
    const complaints: string[] = [];
    const memory = await openMemory({ dir: this.dir });
    const texts = new Map<string, string>();
    for (const path of await memory.files()) texts.set(path, await memory.read(path));
    const { pending, warnings } = await memory.status();
    const tags = new Set((await memory.snapshots.list()).map(({ tag }) => tag));
    await memory.close();
    complaints.push(...warnings);
    for (const [key, allowed] of this.facts) {
      const [path, text] = key.split('\n') as [string, string];
      const is = texts.get(path)?.includes(text) ?? false;
      if (!allowed.has(is)) complaints.push(`${path} ${is ? 'still has' : 'has lost'} "${text}"`);
      this.facts.set(key, new Set([is]));
    }
    for (const tag of this.tags) if (!tags.has(tag)) complaints.push(`the snapshot ${tag} is lost`);
    if (!isNative || !hasGit) return complaints;
    const history = new Set(git(this.dir, 'rev-list', '--first-parent', this.ref).split('\n'));
    for (const oid of this.commits) if (!history.has(oid)) complaints.push(`commit ${oid} is lost`);
    const waiting = new Set(pending.map(({ path }) => path));
    const committed = [...texts.keys()].filter((path) => !waiting.has(path));
    const asked = committed.map((path) => `${this.ref}:${path}\n`).join('');
    const answers = tryGit(this.dir, ['cat-file', '--batch-check'], asked).stdout.split('\n');
    for (const line of answers) {
      if (line !== '' && !/^[0-9a-f]{40} blob \d+$/.test(line)) complaints.push(`git cat-file: ${line}`);
    }
    const verdict = fsck(this.dir);
    if (verdict !== '') complaints.push(`git fsck: ${verdict}`);
    return complaints;
  }
}
