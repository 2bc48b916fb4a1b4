// Where the tour speaks: headings, sentences, questions with their answers, and the git commits made since the last word.

import { cut, shortOid, shortTime, wrap } from '../../dist/apps/verbs/style.js';

/** Is thrown when something that the tour promises does not hold. */
export class BrokenPromise extends Error {
  name = 'BrokenPromise';
}

/** Throws {@link BrokenPromise} unless the condition holds. */
export function hold(condition, promise) {
  if (!condition) throw new BrokenPromise(`this should hold and does not: ${promise}`);
}

/** Prints the tour, at most `style.width` columns wide. */
export class Stage {
  style;
  write;
  chapters = 0;
  lastCommit = null;

  constructor(style, write) {
    this.style = style;
    this.write = write;
  }

  title(text) {
    this.line(this.style.strong(text));
  }

  chapter(text) {
    this.chapters += 1;
    this.line();
    this.line(this.style.strong(`${this.chapters}. ${text}`));
  }

  say(text) {
    for (const line of wrap(text, this.style.width - 3)) this.line(`   ${line}`);
  }

  /** What one would type for it, in a shell or a program. */
  code(text) {
    this.line(`   ${this.style.faint('>')} ${this.style.faint(text)}`);
  }

  /** Words from the memory, behind a bar. */
  quote(text) {
    for (const line of wrap(text, this.style.width - 5)) {
      this.line(`   ${this.style.faint('|')} ${cut(line, this.style.width - 5)}`);
    }
  }

  /** A labelled fact, on one line. */
  fact(label, value) {
    this.line(`   ${this.style.faint(label.padEnd(9))} ${cut(value, this.style.width - 13)}`);
  }

  good(text) {
    this.line(`   ${this.style.good('ok')} ${text}`);
  }

  hit(hit) {
    this.quote(hit.snippet.replace(/\s+/g, ' '));
    const where =
      hit.turn === undefined
        ? `${hit.path.split('/').at(-1)}:${hit.line}`
        : `turn ${hit.turn} of ${hit.path.split('/').at(-1)}`;
    const who = [
      hit.category === 'memory' ? 'a memory' : (hit.speaker ?? hit.role),
      hit.time === undefined ? undefined : shortTime(hit.time, this.style),
    ]
      .filter((part) => part !== undefined)
      .join(', ');
    this.line(`     ${this.style.faint(cut(where, this.style.width - 5))}`);
    this.line(
      `     ${this.style.faint(who === '' ? 'commit' : `${who}, commit`)} ${this.style.reference(shortOid(hit.commit))}`,
    );
  }

  /** Lists what was committed since the last call, oldest first. */
  async commits(memory) {
    const fresh = [];
    for (const entry of (await memory.log({ limit: 200 })).commits) {
      if (entry.oid === this.lastCommit) break;
      fresh.unshift(entry);
    }
    for (const entry of fresh) {
      this.line(
        `   ${this.style.reference(shortOid(entry.oid))}  ${this.style.faint(shortTime(entry.time, this.style))}  ${cut(entry.subject, this.style.width - 30)}`,
      );
    }
    this.lastCommit = fresh.at(-1)?.oid ?? this.lastCommit;
    return fresh;
  }

  line(text = '') {
    this.write(`${text}\n`);
  }
}
