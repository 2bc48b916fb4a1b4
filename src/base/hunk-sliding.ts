// Where a hunk is placed when several places fit:
//
//     a         a          Removing either `b c` gives the same text. Hunks are moved to where they meet a hunk of the other side,
//     b   −     b          else to where indentation and blank lines suggest a beginning and an end, else down.
//     c   −     c
//     b         b   −      Weights: git's own, from a collection of diffs that people rated (mhagger/diff-slider-tools, git 2.11).
//     c         c   −
//     d         d

/** A run of marked lines `[start, end)`, or the empty place between two unmarked ones. */
class Group {
  private readonly marks: Uint8Array;
  private readonly length: number;
  start = 0;
  end = 0;

  /** Stands at the first run of `length` lines, which `marks` outnumber by one that is never set. */
  constructor(marks: Uint8Array, length: number) {
    this.marks = marks;
    this.length = length;
    while (marks[this.end] === 1) this.end += 1;
  }

  get isEmpty(): boolean {
    return this.start === this.end;
  }

  next(): boolean {
    if (this.end >= this.length) return false;
    this.start = this.end + 1;
    this.end = this.start;
    while (this.marks[this.end] === 1) this.end += 1;
    return true;
  }

  previous(): boolean {
    if (this.start === 0) return false;
    this.end = this.start - 1;
    this.start = this.end;
    while (this.start > 0 && this.marks[this.start - 1] === 1) this.start -= 1;
    return true;
  }

  /** Moves one line up if the text stays the same; takes in a run it meets. */
  slideUp(lines: Int32Array): boolean {
    if (this.start === 0 || lines[this.start - 1] !== lines[this.end - 1]) return false;
    this.start -= 1;
    this.end -= 1;
    this.marks[this.start] = 1;
    this.marks[this.end] = 0;
    while (this.start > 0 && this.marks[this.start - 1] === 1) this.start -= 1;
    return true;
  }

  slideDown(lines: Int32Array): boolean {
    if (this.end >= this.length || lines[this.start] !== lines[this.end]) return false;
    this.marks[this.start] = 0;
    this.marks[this.end] = 1;
    this.start += 1;
    this.end += 1;
    while (this.marks[this.end] === 1) this.end += 1;
    return true;
  }
}

/**
 * Slides the marked runs of one side, joining those that meet; `others` are the marks of the other side, which stay.
 *
 * `indentOf` gives the indentation of a line by its number, -1 for a blank one; `null` leaves indentation out of account.
 */
export function slideHunks(
  lines: Int32Array,
  marks: Uint8Array,
  others: Uint8Array,
  indentOf: ((number: number) => number) | null,
): void {
  const group = new Group(marks, lines.length);
  // Goes along: as many unmarked lines lie before it as before `group`.
  const other = new Group(others, others.length - 1);
  do {
    if (!group.isEmpty) slideGroup(lines, group, other, indentOf);
  } while (group.next() && other.next());
}

function slideGroup(
  lines: Int32Array,
  group: Group,
  other: Group,
  indentOf: ((number: number) => number) | null,
): void {
  let size: number;
  let earliestEnd: number;
  let meetsOther: boolean;
  do {
    size = group.end - group.start;
    while (group.slideUp(lines)) other.previous();
    earliestEnd = group.end;
    meetsOther = !other.isEmpty;
    while (group.slideDown(lines)) {
      other.next();
      meetsOther ||= !other.isEmpty;
    }
    // Having taken in another run it may move further than before.
  } while (size !== group.end - group.start);
  if (group.end === earliestEnd) return;
  const moveUp = (): void => {
    group.slideUp(lines);
    other.previous();
  };
  if (meetsOther) while (other.isEmpty) moveUp();
  else if (indentOf !== null) {
    const end = bestEnd(lines, earliestEnd, group.end, size, indentOf);
    while (group.end > end) moveUp();
  }
}

const maxSliding = 100;

/** The end, from `earliest` to `latest`, at which a run of `size` lines looks best; the last of equals. */
function bestEnd(
  lines: Int32Array,
  earliest: number,
  latest: number,
  size: number,
  indentOf: (number: number) => number,
): number {
  let best = latest;
  let bestScore: Score | null = null;
  // A longer way would only repeat the same lines.
  for (let end = Math.max(earliest, latest - size - 1, latest - maxSliding); end <= latest; end += 1) {
    const [below, above] = [scoreOf(lines, end, indentOf), scoreOf(lines, end - size, indentOf)];
    const score = { indent: below.indent + above.indent, penalty: below.penalty + above.penalty };
    if (bestScore === null || compareScores(score, bestScore) <= 0) [best, bestScore] = [end, score];
  }
  return best;
}

/** How bad a cut between two lines looks. */
interface Score {
  readonly indent: number;
  readonly penalty: number;
}

const compareScores = (a: Score, b: Score): number => 60 * Math.sign(a.indent - b.indent) + a.penalty - b.penalty;

/** Rates the cut before the line at `place`. */
function scoreOf(lines: Int32Array, place: number, indentOf: (number: number) => number): Score {
  const isAtEnd = place >= lines.length;
  const ownIndent = isAtEnd ? -1 : indentOf(lines[place] as number);
  const above = lookPast(lines, place - 1, -1, indentOf);
  const below = lookPast(lines, place + 1, 1, indentOf);
  let penalty = 0;
  if (above.indent === -1 && above.blanks === 0) penalty += 1;
  if (isAtEnd) penalty += 21;
  const blanksBelow = ownIndent === -1 ? 1 + below.blanks : 0;
  const blanks = above.blanks + blanksBelow;
  penalty += -30 * blanks + 6 * blanksBelow;
  const indent = ownIndent === -1 ? below.indent : ownIndent;
  if (indent !== -1 && above.indent !== -1) {
    if (indent > above.indent) penalty += blanks > 0 ? 10 : -4;
    else if (indent < above.indent) {
      // Less indented, and more follows: the beginning of a block; else the end of one.
      const isBeginning = below.indent !== -1 && below.indent > indent;
      penalty += blanks > 0 ? 17 : isBeginning ? 24 : 23;
    }
  }
  return { indent, penalty };
}

const maxBlanks = 20;

/** Looks past blank lines for the next indented one: -1 where the text ends, 0 after too many blank lines. */
function lookPast(
  lines: Int32Array,
  from: number,
  step: 1 | -1,
  indentOf: (number: number) => number,
): { indent: number; blanks: number } {
  let blanks = 0;
  for (let place = from; place >= 0 && place < lines.length; place += step) {
    const indent = indentOf(lines[place] as number);
    if (indent !== -1) return { indent, blanks };
    blanks += 1;
    if (blanks === maxBlanks) return { indent: 0, blanks };
  }
  return { indent: -1, blanks };
}
