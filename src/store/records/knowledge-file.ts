// A markdown file as front matter and sections. Which sections mean what is decided by extraction and the compiler.

import { fenceReader } from '../../base/fenced-blocks.ts';
import { splitLines } from '../../base/text.ts';
import { splitFrontMatter } from './front-matter.ts';

/** One section: a heading and the text up to the next heading of any level. */
export interface Section {
  /** The words of the heading, without its marks; empty for the text before the first one. */
  readonly heading: string;
  /** 1 to 6; 0 for the text before the first heading. */
  readonly level: number;
  /** 1-based line of the file: of the heading, or of the first line that is not blank. */
  readonly line: number;
  /** 1-based line of the file on which `text` begins. */
  readonly textLine: number;
  /** The lines below the heading, without blank ones at either end. */
  readonly text: string;
}

interface KnowledgeFile {
  readonly data: Record<string, unknown>;
  readonly body: string;
  readonly sections: readonly Section[];
}

const atxHeading = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t\r]*$/;

/**
 * Parses a markdown file into front matter and sections by ATX headings; `#` inside fenced code is no heading.
 *
 * The text before the first heading is a section of level 0, unless it is blank.
 *
 * @throws MemoryError INVALID_RECORD with path and line if the front matter is not YAML.
 */
export function parseKnowledge(text: string, path: string): KnowledgeFile {
  const { data, body, bodyLine } = splitFrontMatter(text, path);
  return { data, body, sections: sectionsOf(body, bodyLine) };
}

/** Counts the lines of a file as `wc -l` and the limits of MEMORY.md do: the whole file, a last line without line feed included. */
export const countLines = (text: string): number => splitLines(text).length;

/** From a tenth below the cap of MEMORY.md on (180 lines of 200), a commit by hand warns. Above a tenth more (220), it fails. */
export const warnLinesOf = (cap: number): number => Math.floor(cap * 0.9);

/** See {@link warnLinesOf}. */
export const maxLinesOf = (cap: number): number => Math.ceil((cap * 11) / 10);

function sectionsOf(body: string, bodyLine: number): Section[] {
  const lines = body.split('\n');
  const sections: Section[] = [];
  let heading = '';
  let level = 0;
  let headingIndex = -1;
  const placeOf = fenceReader();
  const close = (end: number): void => {
    let first = headingIndex + 1;
    let last = end;
    while (first < last && lines[first]?.trim() === '') first += 1;
    while (last > first && lines[last - 1]?.trim() === '') last -= 1;
    if (level === 0 && first === last) return;
    const line = bodyLine + (level === 0 ? first : headingIndex);
    sections.push({ heading, level, line, textLine: bodyLine + first, text: lines.slice(first, last).join('\n') });
  };
  for (const [index, line] of lines.entries()) {
    const found = placeOf(line) === null ? atxHeading.exec(line) : null;
    if (found === null) continue;
    close(index);
    heading = found[2]?.trim() ?? '';
    level = found[1]?.length ?? 1;
    headingIndex = index;
  }
  close(lines.length);
  return sections;
}
