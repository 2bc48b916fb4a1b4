// Patterns that people write in topics, read into a tree: RE2 syntax, letter case ignored, words as Unicode knows them. What runs a
// tree is in pattern-automaton.ts. For questions to history, which have to agree with git, see pattern.ts.

import { MemoryError } from '../../base/errors.ts';
import { maxPatternLength } from './limits.ts';

/** A place between two characters that a pattern asks for. */
export type Edge = 'textStart' | 'textEnd' | 'lineStart' | 'lineEnd' | 'word' | 'noWord';

export type PatternNode =
  /** One character, in lower case. */
  | { readonly kind: 'literal'; readonly text: string }
  /** One character that a native class of one character tells. */
  | { readonly kind: 'class'; readonly source: string }
  | { readonly kind: 'edge'; readonly edge: Edge }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  /** `most` is infinite for `*`, `+` and `{2,}`. */
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly least: number; readonly most: number };

/** Groups in groups; a recursive reader overflows at thousands. */
const maxDepth = 50;
const maxRepeat = 1000;

const wordClass = '\\p{L}\\p{M}\\p{N}_';
/** What stands for a set of characters, inside brackets and out. */
const shorthands: Readonly<Record<string, string>> = { d: '0-9', w: wordClass, s: '\\s' };
const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', a: '\x07' };
const posix: Readonly<Record<string, string>> = {
  alpha: '\\p{L}',
  digit: '0-9',
  alnum: '\\p{L}\\p{N}',
  upper: '\\p{L}',
  lower: '\\p{L}',
  space: '\\s',
  punct: '\\p{P}\\p{S}',
  word: wordClass,
};

/**
 * Reads a pattern.
 *
 * @throws MemoryError INVALID_ARGUMENT for wrong syntax, look-around and back-references; TOO_LARGE for one that is too long. `where`
 * is named in them.
 */
export function parsePattern(source: string, where: string): PatternNode {
  if (source === '') throw invalid('is empty', source, where);
  if (source.length > maxPatternLength) {
    throw new MemoryError(
      'TOO_LARGE',
      `the pattern has ${source.length} characters, and ${maxPatternLength} are allowed`,
      { where, hint: 'Make it shorter' },
    );
  }
  return new Parser(source, where).parse();
}

interface Flags {
  /** `^` and `$` are the ends of a line. */
  readonly m: boolean;
  /** `.` is also a line feed. */
  readonly s: boolean;
}

class Parser {
  private readonly source: string;
  private readonly where: string;
  private at = 0;

  constructor(source: string, where: string) {
    this.source = source;
    this.where = where;
  }

  parse(): PatternNode {
    const node = this.choice({ m: false, s: false }, 0);
    if (this.at < this.source.length) throw this.error('has a ) that nothing opens');
    return node;
  }

  private choice(flags: Flags, depth: number): PatternNode {
    if (depth > maxDepth) throw this.error(`has groups in groups, more than ${maxDepth} deep`);
    const options = [this.sequence(flags, depth)];
    while (this.take('|')) options.push(this.sequence(flags, depth));
    return options.length === 1 ? options[0]! : { kind: 'choice', options };
  }

  private sequence(given: Flags, depth: number): PatternNode {
    const parts: PatternNode[] = [];
    let flags = given;
    while (this.at < this.source.length && !'|)'.includes(this.source[this.at]!)) {
      const set = /^\(\?([ims]*)(?:-([ims]+))?\)/.exec(this.source.slice(this.at, this.at + 12));
      if (set !== null) {
        this.at += set[0].length;
        flags = withFlags(flags, set[1]!, set[2] ?? '');
        continue;
      }
      if (this.source.startsWith('\\Q', this.at)) {
        parts.push(...this.quotation());
        continue;
      }
      parts.push(this.repeated(this.atom(flags, depth)));
    }
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
  }

  private quotation(): PatternNode[] {
    const end = this.source.indexOf('\\E', this.at);
    const text = this.source.slice(this.at + 2, end < 0 ? undefined : end);
    this.at = end < 0 ? this.source.length : end + 2;
    return [...text].map(literal);
  }

  private repeated(part: PatternNode): PatternNode {
    const sign = /^(?:[*+?]|\{(\d{1,5})(?:(,)(\d{0,5}))?\})/.exec(this.source.slice(this.at, this.at + 16));
    if (sign === null) return part;
    this.at += sign[0].length;
    // Whether as few or as many as possible makes no difference to whether there is one.
    this.take('?');
    if (/^[*+?{]/.test(this.source.slice(this.at)) && this.source[this.at] !== '{')
      throw this.error('repeats what is repeated already');
    if (sign[0] === '*') return { kind: 'repeat', part, least: 0, most: Number.POSITIVE_INFINITY };
    if (sign[0] === '+') return { kind: 'repeat', part, least: 1, most: Number.POSITIVE_INFINITY };
    if (sign[0] === '?') return { kind: 'repeat', part, least: 0, most: 1 };
    const least = Number(sign[1]);
    const most = sign[2] === undefined ? least : sign[3] === '' ? Number.POSITIVE_INFINITY : Number(sign[3]);
    if (least > most) throw this.error(`repeats ${sign[0]}, the first number above the second`);
    if (least > maxRepeat || (most > maxRepeat && most !== Number.POSITIVE_INFINITY))
      throw this.error(`repeats more than ${maxRepeat} times`);
    return { kind: 'repeat', part, least, most };
  }

  private atom(flags: Flags, depth: number): PatternNode {
    const sign = String.fromCodePoint(this.source.codePointAt(this.at)!);
    if (sign === '(') return this.group(flags, depth);
    if (sign === '[') return this.brackets();
    if (sign === '\\') return this.escape();
    if ('*+?'.includes(sign)) throw this.error(`repeats nothing with ${sign}`);
    this.at += sign.length;
    if (sign === '.') return { kind: 'class', source: flags.s ? '[^]' : '[^\\n]' };
    if (sign === '^') return { kind: 'edge', edge: flags.m ? 'lineStart' : 'textStart' };
    if (sign === '$') return { kind: 'edge', edge: flags.m ? 'lineEnd' : 'textEnd' };
    return literal(sign);
  }

  private group(flags: Flags, depth: number): PatternNode {
    const opening = /^\((?:\?(?:P?<[A-Za-z_]\w*>|([ims]*)(?:-([ims]+))?:))?/.exec(this.source.slice(this.at))!;
    const isOther = opening[0] === '(' && this.source[this.at + 1] === '?';
    if (isOther) throw this.error('looks ahead, looks behind or has an unknown kind of group');
    this.at += opening[0].length;
    const node = this.choice(withFlags(flags, opening[1] ?? '', opening[2] ?? ''), depth + 1);
    if (!this.take(')')) throw this.error('has a ( that is never closed');
    return node;
  }

  /** Reads brackets into those of a native class, which is asked for single characters only and cannot take long. */
  private brackets(): PatternNode {
    const start = this.at;
    this.at += 1;
    const isNot = this.take('^');
    let inner = '';
    for (let isFirst = true; ; isFirst = false) {
      if (this.at >= this.source.length) {
        this.at = start;
        throw this.error('has a [ that is never closed');
      }
      if (!isFirst && this.take(']')) break;
      inner += this.inBrackets();
    }
    return { kind: 'class', source: this.checked(`[${isNot ? '^' : ''}${inner}]`) };
  }

  private inBrackets(): string {
    const named = /^\[:(\w+):\]/.exec(this.source.slice(this.at, this.at + 12));
    if (named !== null) {
      const set = Object.hasOwn(posix, named[1]!) ? posix[named[1]!] : undefined;
      if (set === undefined) throw this.error(`names the unknown class ${named[1]}`);
      this.at += named[0].length;
      return set;
    }
    if (this.source[this.at] !== '\\') {
      const sign = String.fromCodePoint(this.source.codePointAt(this.at)!);
      this.at += sign.length;
      return sign === '-' ? '-' : quotedInClass(sign);
    }
    const node = this.escape();
    if (node.kind === 'literal') return quotedInClass(node.text);
    if (node.kind === 'class' && !node.source.startsWith('[^')) return node.source.slice(1, -1);
    if (node.kind === 'class' && node.source === '[^\\s]') return '\\S';
    if (node.kind === 'class' && node.source === '[^0-9]') return '\\D';
    throw this.error('has in [ ] what cannot stand there');
  }

  private escape(): PatternNode {
    const property = /^\\([pP])(?:\{(\^?)([\w=]{1,40})\}|(\w))/.exec(this.source.slice(this.at, this.at + 50));
    if (property !== null) {
      this.at += property[0].length;
      const isNot = (property[1] === 'P') !== (property[2] === '^');
      return { kind: 'class', source: this.checked(`[${isNot ? '^' : ''}${propertyOf(property[3] ?? property[4]!)}]`) };
    }
    const code = /^\\x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\})/.exec(this.source.slice(this.at, this.at + 12));
    if (code !== null) {
      const point = Number.parseInt(code[1] ?? code[2]!, 16);
      if (point > 0x10ffff) throw this.error('names a character that does not exist');
      this.at += code[0].length;
      return literal(String.fromCodePoint(point));
    }
    const sign =
      this.at + 1 < this.source.length ? String.fromCodePoint(this.source.codePointAt(this.at + 1)!) : undefined;
    if (sign === undefined) throw this.error('ends in a backslash');
    if (/[1-9]/.test(sign)) throw this.error('refers back to what it found, which takes time without bounds');
    this.at += 1 + sign.length;
    const lower = sign.toLowerCase();
    const set = Object.hasOwn(shorthands, lower) ? shorthands[lower] : undefined;
    if (set !== undefined) return { kind: 'class', source: lower === sign ? `[${set}]` : `[^${set}]` };
    if (sign === 'b') return { kind: 'edge', edge: 'word' };
    if (sign === 'B') return { kind: 'edge', edge: 'noWord' };
    if (sign === 'A') return { kind: 'edge', edge: 'textStart' };
    if (sign === 'z' || sign === 'Z') return { kind: 'edge', edge: 'textEnd' };
    if (Object.hasOwn(controls, sign)) return literal(controls[sign]!);
    if (/[\p{L}\p{N}]/u.test(sign)) {
      this.at -= 1 + sign.length;
      throw this.error(`has the unknown escape \\${sign}`);
    }
    return literal(sign);
  }

  private checked(source: string): string {
    try {
      new RegExp(source, 'iu');
      return source;
    } catch {
      throw this.error(`has the class ${source}, which cannot be read`);
    }
  }

  private take(sign: string): boolean {
    if (this.source[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  private error(why: string): MemoryError {
    return invalid(`${why} at character ${this.at + 1}`, this.source, this.where);
  }
}

function literal(sign: string): PatternNode {
  const lower = sign.toLowerCase();
  // A letter whose lower case is two characters is found as both.
  if ([...lower].length === 1) return { kind: 'literal', text: lower };
  return { kind: 'sequence', parts: [...lower].map((text) => ({ kind: 'literal', text })) };
}

function withFlags(flags: Flags, on: string, off: string): Flags {
  return {
    m: (flags.m || on.includes('m')) && !off.includes('m'),
    s: (flags.s || on.includes('s')) && !off.includes('s'),
  };
}

/** RE2 knows scripts by their bare names, `\p{Greek}`. */
function propertyOf(name: string): string {
  const plain = `\\p{${name}}`;
  try {
    new RegExp(plain, 'u');
    return plain;
  } catch {
    return `\\p{Script=${name}}`;
  }
}

const quotedInClass = (sign: string): string => (/[\\\]^-]/.test(sign) || sign === '[' ? `\\${sign}` : sign);

function invalid(why: string, source: string, where: string): MemoryError {
  return new MemoryError('INVALID_ARGUMENT', `the pattern ${JSON.stringify(source.slice(0, 80))} ${why}`, {
    where,
    hint: 'Patterns have RE2 syntax: no look-around, no back-references, repeats up to 1000',
  });
}
