// What machines have acknowledged, word by word: each sentence holds one word that no other has, so that it can be found wherever it went.

import { isSealed, openText, parseKey } from '../../src/store/records/private-text.ts';

/** A sentence that somebody was told is kept. */
export interface Word {
  /** `w<seed>x<step><letter>`. */
  readonly word: string;
  readonly sentence: string;
  readonly step: number;
  readonly machine: string;
  /** Where it was written; it may have moved since. */
  path: string;
  /** Written where the writer's own memory.yaml says that it is private. */
  isPrivate: boolean;
  isPurged: boolean;
  /** Who took it away, and how. */
  readonly takenBy: string[];
  /** The branch of one machine that alone has it. */
  branch: string | null;
}

const wordForm = /w\d+x\d+[a-d]/g;

/** Gives every word that stands in a text, each once. */
export const wordsIn = (text: string): Set<string> => new Set(text.match(wordForm) ?? []);

const things = ['lantern', 'kettle', 'ladder', 'anchor', 'mirror', 'basket', 'hammer', 'violin', 'carpet', 'candle'];
const colours = ['copper', 'silver', 'yellow', 'narrow', 'wooden', 'ragged', 'hollow', 'golden', 'scarlet', 'polished'];
const places = ['mill', 'barn', 'harbour', 'chapel', 'cellar', 'orchard', 'station', 'library', 'garden', 'bakery'];

/** All that the fleet has acknowledged. */
export class Acknowledged {
  readonly words = new Map<string, Word>();
  /** Keys of private texts of any machine, as people pass them on. */
  readonly keys: string[] = [];
  /** Words that were tried at private places and never acknowledged: these may not lie open either. */
  readonly hidden = new Set<string>();
  private readonly seed: number;

  constructor(seed: number) {
    this.seed = seed;
  }

  /** Makes a sentence that nobody has said yet. */
  sentence(step: number, letter: string, next: (below: number) => number): { word: string; sentence: string } {
    const word = `w${this.seed}x${step}${letter}`;
    const pick = (list: readonly string[]) => list[next(list.length)]!;
    return { word, sentence: `The ${pick(colours)} ${pick(things)} ${word} stands behind the ${pick(places)}.` };
  }

  acknowledge(word: Omit<Word, 'isPurged' | 'takenBy' | 'branch' | 'isPrivate'> & Partial<Word>): void {
    this.words.set(word.word, { isPurged: false, takenBy: [], branch: null, isPrivate: false, ...word });
  }

  /** Notes that the owner took away what these texts hold, unless `after` holds it still. */
  take(how: string, before: string, after = ''): void {
    const left = wordsIn(after);
    for (const word of wordsIn(before)) if (!left.has(word)) this.words.get(word)?.takenBy.push(how);
  }

  /** Gives the text that is meant by the bytes of a blob, whether it is private or not. */
  textOf(bytes: Buffer): string {
    if (!isSealed(bytes)) return bytes.toString('utf8');
    for (const key of this.keys) {
      try {
        return openText(parseKey(key)!, bytes, 'a private text').toString('utf8');
      } catch {
        // It is under another one.
      }
    }
    return '';
  }
}
