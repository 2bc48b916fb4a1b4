// Leaves what a state has forgotten out of its captures, for everybody who hands them out.

import { orElse } from '../base/errors.ts';
import { isNamedAfter } from './records/conversation-name.ts';
import { dayOfNote } from './records/daily-note.ts';
import { forgottenPath, parseForgotten, rewordedMark } from './records/forgotten-file.ts';
import { forgottenWords } from './records/ledger-event.ts';
import { memoryPath } from './records/memory-record.ts';
import { parseTranscriptWithLines } from './records/transcript.ts';
import { formatYamlObject } from './records/yaml.ts';
import type { Snapshot } from './snapshot.ts';

/** Memories that a person forgot and that are not back, and the turns they came from. */
export interface ForgottenWords {
  readonly memories: ReadonlySet<string>;
  /** Memories whose words somebody put otherwise. */
  readonly reworded: ReadonlySet<string>;
  /** Path of a capture → 1-based numbers of turns, of a daily note of lines. */
  readonly turns: ReadonlyMap<string, ReadonlySet<number>>;
  /** The same without turns whose words somebody put otherwise: nobody wanted those gone. */
  readonly forgotten: ReadonlyMap<string, ReadonlySet<number>>;
}

/**
 * Reads what is forgotten in a state; both are empty for most.
 *
 * A turn is forgotten with any memory that came from it. Its words are one piece, and its other memories say what else was in it. It is left
 * out likewise where it says nothing but words that somebody put otherwise in the memory.
 */
export function forgottenIn(files: Pick<Snapshot, 'oidOf' | 'textIfWhole'>): ForgottenWords {
  const memories = new Set<string>();
  const reworded = new Set<string>();
  const turns = new Map<string, Set<number>>();
  const forgotten = new Map<string, Set<number>>();
  const text = files.oidOf(forgottenPath) === null ? null : files.textIfWhole(forgottenPath);
  for (const [id, sources] of parseForgotten(text)) {
    if (files.oidOf(memoryPath(id)) !== null) continue;
    const isReworded = id.endsWith(rewordedMark);
    if (isReworded) reworded.add(id.slice(0, -rewordedMark.length));
    else memories.add(id);
    for (const source of sources) {
      const [, path, turn] = /^(.+)#(\d+)$/.exec(source) ?? [];
      if (path === undefined) continue;
      for (const known of isReworded ? [turns] : [turns, forgotten])
        known.set(path, (known.get(path) ?? new Set()).add(Number(turn)));
    }
  }
  return { memories, reworded, turns, forgotten };
}

/**
 * Gives a capture without what was forgotten: `(forgotten)` stands there, and each line keeps its number. A topic or title that was made of
 * such a turn gives way to the id of the session. Another file is given as it is. With `turns` the words go, too, that somebody put
 * otherwise; with `forgotten`, for a person or agent who opens the capture, they stay.
 */
export function shownText(
  files: Pick<Snapshot, 'oidOf' | 'textIfWhole'>,
  path: string,
  text: string,
  which: 'turns' | 'forgotten' = 'turns',
): string {
  const forgotten = path.startsWith('raw/') ? forgottenIn(files)[which].get(path) : undefined;
  if (forgotten === undefined) return text;
  const lines = text.split('\n');
  const hide = (first: number, end: number) => {
    if (first < end) lines.fill('', first, end)[first] = forgottenWords;
  };
  if (dayOfNote(path) !== null) {
    for (const at of forgotten) {
      let end = at;
      while (/^\s{2,}\S/.test(lines[end] ?? '')) end += 1;
      hide(at - 1, Math.min(end, lines.length));
    }
    return lines.join('\n');
  }
  const transcript = orElse(() => parseTranscriptWithLines(text, path), null, 'INVALID_RECORD', 'INVALID_DATE');
  if (transcript === null) return text;
  const { turns, topic = '', title, sessionId } = transcript;
  const head = lines.slice(0, (turns[0]?.line ?? 1) - 1);
  for (const [at, { line }] of turns.entries())
    if (forgotten.has(at + 1)) hide(line, (turns[at + 1]?.line ?? lines.length + 1) - 1);
  const isSaid = (name: string) =>
    isNamedAfter(
      turns.filter((_, at) => forgotten.has(at + 1)),
      name,
    );
  const topicAt = head.findIndex((line) => line.startsWith('topic:'));
  if (topicAt >= 0 && isSaid(topic)) {
    for (let at = topicAt + 1; /^\s/.test(head[at] ?? ''); at += 1) lines[at] = '';
    lines[topicAt] = formatYamlObject({ topic: sessionId }).trimEnd();
  }
  const titleAt = head.findIndex((line) => line.startsWith('# '));
  if (titleAt >= 0 && isSaid(title)) lines[titleAt] = `# ${sessionId}`;
  return lines.join('\n');
}
