import fs from 'node:fs';
import { posix as path } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Disk } from '../../src/store/git/disk.ts';
import { hashObject } from '../../src/store/git/object-codec.ts';
import { Journal } from '../../src/store/journal.ts';
import type { NewPendingEntry } from '../../src/store/journal-records.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

function entry(where: string, text: string | Buffer | null, before: string | null = null): NewPendingEntry {
  const after = text === null ? null : Buffer.from(text);
  return {
    run: 'r',
    kind: 'memory',
    name: 'write',
    trailers: [],
    changes: [{ path: where, before, after }],
    time: 1000,
  };
}

function open(file: string): Journal {
  const journal = new Journal(new Disk(fs, false), file);
  journal.refresh();
  return journal;
}

function newJournal() {
  const file = path.join(temporaryFolder(), 'journal', 'main.journal');
  return { file, journal: open(file) };
}

const texts = (journal: Journal) => journal.pending().map((pending) => pending.changes[0]!.after?.toString() ?? null);

describe('the journal', () => {
  it('gives back what was appended, whatever the bytes, also to a reader that follows along', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { minLength: 1, maxLength: 12 }), (contents) => {
        const { file, journal } = newJournal();
        const reader = open(file);
        for (const bytes of contents) {
          journal.append([entry('a', Buffer.from(bytes))]);
          reader.refresh();
        }
        for (const one of [journal, reader, open(file)]) {
          expect(one.pending().map((pending) => [...pending.changes[0]!.after!])).toEqual(
            contents.map((bytes) => [...bytes]),
          );
        }
      }),
      { numRuns: 50 },
    );
  });

  it('stores a file that grows as what was added', () => {
    const { file, journal } = newJournal();
    let text = 'x'.repeat(10_000);
    journal.append([entry('a', text)]);
    for (let i = 0; i < 20; i++) {
      const before = hashObject('blob', Buffer.from(text));
      text += `line ${i}\n`;
      journal.append([entry('a', text, before)]);
    }
    expect(fs.statSync(file).size).toBeLessThan(20_000);
    expect(open(file).overlay(null)!.files.get('a')!.bytes!.toString()).toBe(text);
  });

  it('cut at any byte keeps every whole entry before the cut, and goes on from there', () => {
    const { file, journal } = newJournal();
    const sizes = ['one', 'two', 'three'].map((text) => {
      journal.append([entry('a', text)]);
      return fs.statSync(file).size;
    });
    const whole = fs.readFileSync(file);
    for (let cut = 0; cut < whole.length; cut++) {
      fs.writeFileSync(file, whole.subarray(0, cut));
      const reopened = open(file);
      const kept = sizes.filter((size) => size <= cut).length;
      expect(texts(reopened)).toEqual(['one', 'two', 'three'].slice(0, kept));
      reopened.append([entry('b', 'more')]);
      expect(texts(open(file))).toEqual([...['one', 'two', 'three'].slice(0, kept), 'more']);
    }
  });

  it('damaged in the middle keeps what is whole, and a copy of what is not', () => {
    const { file, journal } = newJournal();
    for (const text of ['one', 'two', 'three']) journal.append([entry(text, text)]);
    const bytes = fs.readFileSync(file);
    bytes[bytes.indexOf('two') + 1]! ^= 1;
    fs.writeFileSync(file, bytes);
    const reopened = open(file);
    expect(texts(reopened)).toEqual(['one', 'three']);
    expect(() => reopened.checkWhole()).toThrow(/JOURNAL|journal/);
    const copy = reopened.keepCopy();
    reopened.compact();
    expect(texts(open(file))).toEqual(['one', 'three']);
    expect(() => open(file).checkWhole()).not.toThrow();
    expect(open(file).copies()).toEqual([copy]);
    expect(fs.readFileSync(copy).equals(bytes)).toBe(true);
  });

  it('with one byte wrong anywhere says so, or still gives back everything', () => {
    const { file, journal } = newJournal();
    for (const text of ['one', 'two', 'three']) journal.append([entry(text, text)]);
    const text = 'a line\n';
    journal.append([entry('grown', text)]);
    journal.append([entry('grown', `${text}another\n`, hashObject('blob', Buffer.from(text)))]);
    const all = texts(journal);
    const whole = fs.readFileSync(file);
    for (let position = 0; position < whole.length; position++) {
      for (const mask of [1, 4, 0x2a]) {
        const bytes = Buffer.from(whole);
        bytes[position]! ^= mask;
        fs.rmSync(file);
        fs.writeFileSync(file, bytes);
        const reopened = open(file);
        if (!reopened.isDamaged) expect(texts(reopened)).toEqual(all);
        else expect(texts(reopened).length).toBeGreaterThanOrEqual(3);
      }
    }
  });

  it('forgets what a commit holds, and does not grow without end', () => {
    const { file, journal } = newJournal();
    const entries = journal.append([entry('a', 'one'), entry('b', 'two'), entry('c', 'three')]);
    const covers = entries.slice(0, 2).map(({ sequence }) => sequence);
    journal.mark({ id: 'x', from: null, to: 'x', covers });
    expect(open(file).openMark).toMatchObject({ id: 'x', covers });
    expect([...open(file).overlay('x')!.files.keys()]).toEqual(['c']);
    journal.done('x', true);
    expect(texts(open(file))).toEqual(['three']);
    journal.mark({ id: 'y', from: 'x', to: 'y', covers: [entries[2]!.sequence] });
    journal.done('y', false);
    expect(texts(open(file))).toEqual(['three']);
    journal.mark({ id: 'z', from: 'x', to: 'z', covers: [entries[2]!.sequence] });
    journal.done('z', true);
    expect(texts(open(file))).toEqual([]);
    const reader = open(file);
    for (let i = 0; i < 60; i++) {
      const [big] = journal.append([entry('d', `${i} ${'x'.repeat(3000)}`)]);
      reader.refresh();
      expect(texts(reader)).toHaveLength(1);
      journal.mark({ id: `${i}`, from: 'x', to: `${i}`, covers: [big!.sequence] });
      journal.done(`${i}`, true);
    }
    expect(fs.existsSync(file) ? fs.statSync(file).size : 0).toBeLessThan(80_000);
    journal.append([entry('e', 'last')]);
    reader.refresh();
    expect(texts(reader)).toEqual(['last']);
  });
});
