// Runs many patterns of people over one text in bounded time. Every turn, some hundred patterns look at a message; most of them lack a word
// they need. Any of them may have been written to hang us: steps are counted, and a pattern that takes too many gives up.
//
//   tree ──► needs: words, at least one has to occur ──► not there: nothing to run
//        └─► program: a nondeterministic automaton ──► all its states at once over the characters (Thompson 1968, Pike 1987)

import { MemoryError } from '../../base/errors.ts';
import { keptIn } from '../../base/once-per.ts';
import { maxPatternSize } from './limits.ts';
import { type Edge, type PatternNode, parsePattern } from './pattern-tree.ts';

/** Where a pattern occurs, in characters of the text. */
export interface PatternMatch {
  readonly start: number;
  readonly end: number;
}

/** A pattern, ready to be looked for. */
export interface ScanPattern {
  /** As it was written. */
  readonly source: string;
  /**
   * Finds the occurrence that ends first; null where there is none, `costly` where it was given up.
   *
   * The same pattern, text and budget give the same answer on every machine: steps are counted, not time.
   */
  find(text: ScannedText, budget: StepBudget): PatternMatch | null | 'costly';
}

/** A longer text is a pasted document: its beginning and end are looked at, half of this each, in UTF-16 units. */
const maxScanned = 8 << 10;
/** Steps for each character that one pattern, and all patterns of one text together, may take: some 20 ns each. */
const stepsEach = 100;
const stepsTogether = 250;

/** A text as patterns look at it. */
export class ScannedText {
  /** In lower case, and shortened where it is long. */
  readonly lower: string;
  private readonly shown: string;
  private made: Uint32Array | undefined;

  constructor(text: string) {
    const half = maxScanned / 2;
    const seen = text.length <= maxScanned ? text : `${text.slice(0, half)}\n${text.slice(-half)}`;
    this.lower = seen.toLowerCase();
    this.shown = this.lower.length === seen.length ? seen : this.lower;
  }

  /** Code points. */
  get points(): Uint32Array {
    if (this.made === undefined) {
      const points = new Uint32Array(this.lower.length);
      let count = 0;
      for (let at = 0; at < this.lower.length; at++) {
        const point = this.lower.codePointAt(at)!;
        if (point > 0xffff) at += 1;
        points[count++] = point;
      }
      this.made = points.subarray(0, count);
    }
    return this.made;
  }

  /** Gives what stands at a match, as it was written. */
  at({ start, end }: PatternMatch): string {
    if (this.points.length === this.lower.length) return this.shown.slice(start, end);
    return [...this.shown].slice(start, end).join('');
  }
}

/** What the patterns of one text may still take together. */
export class StepBudget {
  left: number;
  readonly each: number;
  private readonly whole: number;

  constructor(text: ScannedText) {
    // Short texts get what a message has, so that no honest pattern is given up on them.
    const length = Math.max(500, text.lower.length);
    this.whole = stepsTogether * length;
    this.left = this.whole;
    this.each = stepsEach * length;
  }

  get used(): number {
    return this.whole - this.left;
  }
}

/**
 * Compiles a pattern of RE2 syntax; letter case does not matter.
 *
 * @throws MemoryError INVALID_ARGUMENT for wrong syntax, look-around and back-references; TOO_LARGE for one that is too long or repeats
 * too much. `where` is named in them.
 */
export function scanPattern(source: string, where: string): ScanPattern {
  const tree = parsePattern(source, where);
  const program = new Program(tree, where);
  const needs = neededWords(tree);
  const threads = new Threads(program);
  return {
    source,
    find(text, budget) {
      if (needs !== null && !needs.some((word) => text.lower.includes(word))) return null;
      return threads.run(text.points, budget);
    },
  };
}

/** More than this is no help: each is looked for by itself. */
const maxNeeds = 200;

/** Lists words; every matching text has at least one of them. Null where no such list is known. */
export function neededWords(node: PatternNode): readonly string[] | null {
  switch (node.kind) {
    case 'literal':
      return [node.text];
    case 'class':
    case 'edge':
      return null;
    case 'repeat':
      return node.least > 0 ? neededWords(node.part) : null;
    case 'choice': {
      const options = node.options.map(neededWords);
      if (options.some((words) => words === null)) return null;
      const words = [...new Set(options.flatMap((option) => option!))];
      return words.length <= maxNeeds ? words : null;
    }
    case 'sequence':
      return bestOf(wordsInSequence(node.parts));
  }
}

function wordsInSequence(parts: readonly PatternNode[]): (readonly string[])[] {
  const found: (readonly string[])[] = [];
  let run = '';
  const endRun = (): void => {
    if (run !== '') found.push([run]);
    run = '';
  };
  for (const part of parts) {
    if (part.kind === 'literal') run += part.text;
    // An edge is between characters and keeps none apart.
    else if (part.kind !== 'edge') {
      endRun();
      const words = neededWords(part);
      if (words !== null) found.push(words);
    }
  }
  endRun();
  return found;
}

/** The list whose shortest word is longest says most. */
function bestOf(lists: readonly (readonly string[])[]): readonly string[] | null {
  let best: readonly string[] | null = null;
  let bestLength = 0;
  for (const words of lists) {
    const length = Math.min(...words.map((word) => word.length)) - words.length / maxNeeds;
    if (best === null || length > bestLength) [best, bestLength] = [words, length];
  }
  return best;
}

const op = { char: 0, class: 1, split: 2, jump: 3, edge: 4, match: 5 } as const;
const edges: readonly Edge[] = ['textStart', 'textEnd', 'lineStart', 'lineEnd', 'word', 'noWord'];

/** Instructions as three rows of numbers: what, and its two operands. */
class Program {
  readonly ops: number[] = [];
  readonly first: number[] = [];
  readonly second: number[] = [];
  readonly classes: CharacterClass[] = [];
  private readonly classAt = new Map<string, number>();
  private readonly where: string;

  constructor(tree: PatternNode, where: string) {
    this.where = where;
    this.compile(tree);
    this.add(op.match, 0, 0);
  }

  get size(): number {
    return this.ops.length;
  }

  private add(what: number, first: number, second: number): number {
    // Checked while it grows: a{1000}{1000} would be a million.
    if (this.ops.length >= maxPatternSize) {
      throw new MemoryError('TOO_LARGE', `the pattern compiles to more than ${maxPatternSize} instructions`, {
        where: this.where,
        hint: 'Make it shorter, or repeat less',
      });
    }
    this.ops.push(what);
    this.first.push(first);
    this.second.push(second);
    return this.ops.length - 1;
  }

  private compile(node: PatternNode): void {
    switch (node.kind) {
      case 'literal':
        this.add(op.char, node.text.codePointAt(0)!, 0);
        return;
      case 'class':
        this.add(op.class, this.classOf(node.source), 0);
        return;
      case 'edge':
        this.add(op.edge, edges.indexOf(node.edge), 0);
        return;
      case 'sequence':
        for (const part of node.parts) this.compile(part);
        return;
      case 'choice':
        this.compileChoice(node.options);
        return;
      case 'repeat':
        this.compileRepeat(node.part, node.least, node.most);
    }
  }

  private compileChoice(options: readonly PatternNode[]): void {
    const ends: number[] = [];
    for (const [index, option] of options.entries()) {
      const isLast = index === options.length - 1;
      const split = isLast ? -1 : this.add(op.split, this.size + 1, 0);
      this.compile(option);
      if (isLast) break;
      ends.push(this.add(op.jump, 0, 0));
      this.second[split] = this.size;
    }
    for (const end of ends) this.first[end] = this.size;
  }

  private compileRepeat(part: PatternNode, least: number, most: number): void {
    for (let count = 0; count < least; count++) this.compile(part);
    if (most === Number.POSITIVE_INFINITY) {
      const split = this.add(op.split, this.size + 1, 0);
      this.compile(part);
      this.add(op.jump, split, 0);
      this.second[split] = this.size;
      return;
    }
    const splits: number[] = [];
    for (let count = least; count < most; count++) {
      splits.push(this.add(op.split, this.size + 1, 0));
      this.compile(part);
    }
    for (const split of splits) this.second[split] = this.size;
  }

  private classOf(source: string): number {
    return keptIn(this.classAt, source, () => this.classes.push(classOf(source)) - 1);
  }
}

/** A set of characters: those of Latin-1 in a table, others asked once. */
class CharacterClass {
  private readonly expression: RegExp;
  private readonly latin = new Uint8Array(256);
  private readonly others = new Map<number, boolean>();

  constructor(source: string) {
    this.expression = new RegExp(`^${source}$`, 'iu');
    for (let point = 0; point < 256; point++)
      this.latin[point] = this.expression.test(String.fromCharCode(point)) ? 1 : 0;
  }

  has(point: number): boolean {
    if (point < 256) return this.latin[point] === 1;
    return keptIn(this.others, point, () => this.expression.test(String.fromCodePoint(point)), 5000);
  }
}

const classesBySource = new Map<string, CharacterClass>();

/** Most patterns name the same few sets. */
const classOf = (source: string): CharacterClass =>
  keptIn(classesBySource, source, () => new CharacterClass(source), 500);

const wordCharacter = classOf('[\\p{L}\\p{M}\\p{N}_]');

/** The states that an automaton is in at once; kept from text to text, since making them costs as much as a short run. */
class Threads {
  private readonly ops: Uint8Array;
  private readonly first: Uint32Array;
  private readonly second: Uint32Array;
  private readonly classes: readonly CharacterClass[];
  private here: Uint32Array;
  private hereStart: Uint32Array;
  private next: Uint32Array;
  private nextStart: Uint32Array;
  /** At which position a state was last entered, counted up over all runs. */
  private readonly entered: Float64Array;
  private readonly stack: Uint32Array;
  /** Which characters of Latin-1 an occurrence can begin with; null where it can be empty. Most are passed over by this alone. */
  private readonly begins: Uint8Array | null;
  private stamp = 0;
  private steps = 0;

  constructor(program: Program) {
    const { size } = program;
    this.ops = Uint8Array.from(program.ops);
    this.first = Uint32Array.from(program.first);
    this.second = Uint32Array.from(program.second);
    this.classes = program.classes;
    [this.here, this.hereStart, this.next, this.nextStart] = [0, 0, 0, 0].map(() => new Uint32Array(size)) as [
      Uint32Array,
      Uint32Array,
      Uint32Array,
      Uint32Array,
    ];
    this.entered = new Float64Array(size);
    this.stack = new Uint32Array(2 * size + 2);
    this.begins = this.beginnings();
  }

  private beginnings(): Uint8Array | null {
    const begins = new Uint8Array(256);
    const seen = new Set<number>();
    const open = [0];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (seen.has(state)) continue;
      seen.add(state);
      const [what, first, second] = [this.ops[state]!, this.first[state]!, this.second[state]!];
      if (what === op.match) return null;
      if (what === op.split) open.push(first, second);
      else if (what === op.jump) open.push(first);
      else if (what === op.edge) open.push(state + 1);
      else if (what === op.class) {
        for (let point = 0; point < 256; point++) if (this.classes[first]!.has(point)) begins[point] = 1;
      } else if (first < 256) begins[first] = 1;
    }
    return begins;
  }

  run(points: Uint32Array, budget: StepBudget): PatternMatch | null | 'costly' {
    this.steps = 0;
    const limit = Math.min(budget.each, budget.left);
    const found = this.search(points, limit);
    budget.left -= this.steps;
    return found;
  }

  private search(points: Uint32Array, limit: number): PatternMatch | null | 'costly' {
    const { ops, first, classes, begins } = this;
    const { length } = points;
    let count = 0;
    this.stamp += 1;
    for (let at = 0; ; at++) {
      if (count === 0 && begins !== null) {
        while (at < length && points[at]! < 256 && begins[points[at]!] === 0) at += 1;
        if (at >= length) return null;
      }
      // Older beginnings stand first, so that the match that ends here begins as early as it can.
      count = this.enter(0, at, points, at, this.here, this.hereStart, count);
      if (count < 0) return { start: this.matchStart, end: at };
      if (this.steps > limit) return 'costly';
      if (at >= length) return null;
      const point = points[at]!;
      let nextCount = 0;
      this.stamp += 1;
      for (let index = 0; index < count; index++) {
        const state = this.here[index]!;
        const wanted = first[state]!;
        if (ops[state] === op.char ? wanted !== point : !classes[wanted]!.has(point)) continue;
        nextCount = this.enter(state + 1, this.hereStart[index]!, points, at + 1, this.next, this.nextStart, nextCount);
        if (nextCount < 0) return { start: this.matchStart, end: at + 1 };
      }
      this.steps += count;
      [this.here, this.next] = [this.next, this.here];
      [this.hereStart, this.nextStart] = [this.nextStart, this.hereStart];
      count = nextCount;
    }
  }

  private matchStart = 0;

  /** Enters a state and all that follow from it without a character; −1 where a match is among them. */
  private enter(
    state: number,
    start: number,
    points: Uint32Array,
    at: number,
    into: Uint32Array,
    starts: Uint32Array,
    given: number,
  ): number {
    const { ops, first, second, stack, entered, stamp } = this;
    let count = given;
    let depth = 0;
    stack[depth++] = state;
    while (depth > 0) {
      const current = stack[--depth]!;
      if (entered[current] === stamp) continue;
      entered[current] = stamp;
      this.steps += 1;
      const what = ops[current]!;
      if (what <= op.class) {
        into[count] = current;
        starts[count++] = start;
      } else if (what === op.split) {
        stack[depth++] = second[current]!;
        stack[depth++] = first[current]!;
      } else if (what === op.jump) stack[depth++] = first[current]!;
      else if (what === op.edge) {
        if (isAt(edges[first[current]!]!, points, at)) stack[depth++] = current + 1;
      } else {
        this.matchStart = start;
        return -1;
      }
    }
    return count;
  }
}

function isAt(edge: Edge, points: Uint32Array, at: number): boolean {
  if (edge === 'textStart') return at === 0;
  if (edge === 'textEnd') return at === points.length;
  if (edge === 'lineStart') return at === 0 || points[at - 1] === 10;
  if (edge === 'lineEnd') return at === points.length || points[at] === 10;
  const before = at > 0 && wordCharacter.has(points[at - 1]!);
  const after = at < points.length && wordCharacter.has(points[at]!);
  return (before !== after) === (edge === 'word');
}
