// Patterns that people write, in topics or as a question to history. They are compiled to automata: a backtracking engine lets one line of
// a file hang the process. Our own patterns are in the code as RegExp, where tests see them.

import type { RE2JS } from 're2js';
import { MemoryError } from '../../base/errors.ts';
import { checkSize, maxCountSteps, maxPatternLength, maxPatternSize, maxPatternTextBytes } from './limits.ts';

export interface Pattern {
  /** As it was written, for people. */
  readonly source: string;
  /** Tells whether the pattern occurs in a text, `^` and `$` being its ends. Time grows linearly with the text. */
  test(text: string): boolean;
  /**
   * Counts occurrences that do not overlap, line by line, as `git log -S --pickaxe-regex` does. `^` and `$` are the ends of a line, no
   * occurrence goes over one, and an empty one counts for nothing.
   *
   * @throws MemoryError TOO_LARGE when a line is so long and the pattern so frequent in it that counting could take seconds.
   */
  count(text: string): number;
}

interface PatternOptions {
  /** The file and line, or the argument, that the pattern comes from; errors name it. */
  readonly where: string;
  /** Default false; a RegExp brings its own flag. */
  readonly ignoreCase?: boolean;
  /** UTF-8 bytes that a text may have, default 64 KiB: what a message or a knowledge file has. */
  readonly maxTextBytes?: number;
}

/**
 * Compiles a pattern in RE2 syntax (https://github.com/google/re2/wiki/Syntax), or a RegExp that has a form in it.
 *
 * Where a text lacks a literal that the pattern needs, a search for the literal alone gives the answer. A text takes at most about
 * 30 ns for each character and instruction of the pattern. A pattern has at most {@link maxPatternSize} instructions.
 *
 * @throws MemoryError INVALID_ARGUMENT for wrong syntax, look-around and back-references; TOO_LARGE for a pattern that is too
 * long or repeats too much. The functions of the pattern throw TOO_LARGE for a text above `maxTextBytes`.
 */
export async function compilePattern(pattern: string | RegExp, options: PatternOptions): Promise<Pattern> {
  const { where, maxTextBytes = maxPatternTextBytes } = options;
  const source = pattern instanceof RegExp ? pattern.source : pattern;
  if (typeof source !== 'string' || source === '')
    throw new MemoryError('INVALID_ARGUMENT', 'the pattern is empty', { where, hint: 'Give a pattern in RE2 syntax' });
  if (source.length > maxPatternLength) throw tooLarge(`has ${source.length} characters`, maxPatternLength, where);
  // Loading the engine takes as long as a small search; most processes never need it.
  const engine = await import('re2js');
  let compiled: RE2JS;
  try {
    const flags = options.ignoreCase ? engine.RE2JS.CASE_INSENSITIVE : 0;
    const text = pattern instanceof RegExp ? engine.RE2JS.translateRegExp(pattern) : source;
    compiled = engine.RE2JS.compile(text, flags);
  } catch (cause) {
    throw new MemoryError('INVALID_ARGUMENT', `the pattern ${JSON.stringify(source)} ${reasonOf(cause)}`, {
      where,
      hint: 'Patterns have RE2 syntax: no look-around, no back-references, repeats up to 1000',
      cause,
    });
  }
  const size = compiled.programSize();
  if (size > maxPatternSize) throw tooLarge(`compiles to ${size} instructions`, maxPatternSize, where);
  const check = (text: string) => checkSize(text, maxTextBytes, `the text for the pattern of ${where}`);
  return {
    source: pattern instanceof RegExp ? String(pattern) : source,
    test(text) {
      check(text);
      return compiled.test(text);
    },
    count(text) {
      check(text);
      let found = 0;
      for (const line of text.split('\n')) if (compiled.test(line)) found += countInLine(compiled, size, line, where);
      return found;
    },
  };
}

function countInLine(compiled: RE2JS, size: number, line: string, where: string): number {
  const matcher = compiled.matcher(line);
  let found = 0;
  // Looking for the next occurrence may read to the end of the line before it settles for a short one, so each may cost that.
  for (let steps = 0; matcher.find(); steps += (line.length - matcher.start()) * size) {
    if (matcher.end() > matcher.start()) found += 1;
    if (steps > maxCountSteps) {
      throw new MemoryError('TOO_LARGE', `the pattern occurs too often in a line of ${line.length} characters`, {
        where,
        hint: 'Make it more specific, or search for a plain text',
      });
    }
  }
  return found;
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return `cannot be read: ${text.replace(/^error parsing regexp: /, '').replaceAll('`', '"')}`;
}

function tooLarge(has: string, limit: number, where: string): MemoryError {
  return new MemoryError('TOO_LARGE', `the pattern ${has}, and ${limit} are allowed`, {
    where,
    hint: 'Make it shorter, or repeat less',
  });
}
