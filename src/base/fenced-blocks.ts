// The fenced blocks of a markdown text: byte for byte, and line by line.

/** What a line is to a fenced block; null outside of one. */
type FencePlace = 'opens' | 'within' | 'closes' | null;

/**
 * Makes a reader of lines: it gives the place of each, in turn, in a fenced block (CommonMark §4.5). A block that is never closed goes on
 * to the end.
 */
export function fenceReader(): (line: string) => FencePlace {
  let open = '';
  return (line) => {
    const [, mark = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
    if (open !== '') {
      if (!mark.startsWith(open) || rest.trim() !== '') return 'within';
      open = '';
      return 'closes';
    }
    // A backtick behind the opening backticks makes it inline code.
    if (mark === '' || (mark.startsWith('`') && rest.includes('`'))) return null;
    open = mark;
    return 'opens';
  };
}

/** Tells whether a text holds a block to the letter. */
export const holdsBlock = (text: string, block: string): boolean =>
  fencedBlocks(text).some((one) => one.text === block);

/** Lists the fenced blocks of a text (CommonMark §4.5), each with its final line feed; one that is never closed is none. */
export function fencedBlocks(text: string): { readonly language: string; readonly text: string }[] {
  const blocks: { language: string; text: string }[] = [];
  const placeOf = fenceReader();
  let [language, lines] = ['', ''];
  for (const line of text.split('\n')) {
    const place = placeOf(line);
    if (place === 'opens') [language, lines] = [/^[ `~\t]*([\w+#.-]*)/.exec(line)![1]!.toLowerCase(), ''];
    else if (place === 'within') lines += `${line}\n`;
    else if (place === 'closes') blocks.push({ language, text: lines });
  }
  return blocks;
}
