// Where the tour speaks: headings, sentences, questions with their answers, and the git commits made since the last word.

import type { Memory } from '../../memory.ts';
import type { LogEntry, RecallHit } from '../../types.ts';
import { cut, type Style, shortOid, shortTime, wrap } from '../../verbs/style.ts';

/** Is thrown when something that the tour promises does not hold. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

/** Throws {@link BrokenPromise} unless the condition holds. */
export function hold(condition: boolean, promise: string): asserts condition {
  if (!condition) throw new BrokenPromise(`this should hold and does not: ${promise}`);
}

/** Prints the tour, at most `style.width` columns wide. */
export class Stage {
  private readonly style: Style;
  private readonly write: (text: string) => void;
  private chapters = 0;
  private lastCommit: string | null = null;

  constructor(style: Style, write: (text: string) => void) {
    this.style = style;
    this.write = write;
  }

  title(text: string): void {
    this.line(this.style.strong(text));
  }

  chapter(text: string): void {
    this.chapters += 1;
    this.line();
    this.line(this.style.strong(`${this.chapters}. ${text}`));
  }

  say(text: string): void {
    for (const line of wrap(text, this.style.width - 3)) this.line(`   ${line}`);
  }

  /** What one would type for it, in a shell or a program. */
  code(text: string): void {
    this.line(`   ${this.style.faint('>')} ${this.style.faint(text)}`);
  }

  /** Words from the memory, behind a bar. */
  quote(text: string): void {
    for (const line of wrap(text, this.style.width - 5)) {
      this.line(`   ${this.style.faint('|')} ${cut(line, this.style.width - 5)}`);
    }
  }

  /** A labelled fact, on one line. */
  fact(label: string, value: string): void {
    this.line(`   ${this.style.faint(label.padEnd(9))} ${cut(value, this.style.width - 13)}`);
  }

  good(text: string): void {
    this.line(`   ${this.style.good('ok')} ${text}`);
  }

  hit(hit: RecallHit): void {
    this.quote(hit.snippet.replace(/\s+/g, ' '));
    const where =
      hit.turn === undefined
        ? `${hit.path.split('/').at(-1)}:${hit.line}`
        : `turn ${hit.turn} of ${hit.path.split('/').at(-1)}`;
    const who = [
      hit.category === 'memory' ? 'a memory' : (hit.speaker ?? hit.role),
      hit.time === undefined ? undefined : shortTime(hit.time),
    ]
      .filter((part) => part !== undefined)
      .join(', ');
    this.line(`     ${this.style.faint(cut(where, this.style.width - 5))}`);
    this.line(
      `     ${this.style.faint(who === '' ? 'commit' : `${who}, commit`)} ${this.style.reference(shortOid(hit.commit))}`,
    );
  }

  /** Lists what was committed since the last call, oldest first. */
  async commits(memory: Memory): Promise<readonly LogEntry[]> {
    const fresh: LogEntry[] = [];
    for (const entry of (await memory.log({ limit: 200 })).commits) {
      if (entry.oid === this.lastCommit) break;
      fresh.unshift(entry);
    }
    for (const entry of fresh) {
      this.line(
        `   ${this.style.reference(shortOid(entry.oid))}  ${this.style.faint(shortTime(entry.time))}  ${cut(entry.subject, this.style.width - 30)}`,
      );
    }
    this.lastCommit = fresh.at(-1)?.oid ?? this.lastCommit;
    return fresh;
  }

  line(text = ''): void {
    this.write(`${text}\n`);
  }
}
