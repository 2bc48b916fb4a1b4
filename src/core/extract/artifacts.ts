// What is kept to the letter beside the memories of a turn (spec 4, "verbatim artifact … if eligible"): code, a listing, a letter. Its
// words are the matter itself. Pure: nothing is written here.

import { fencedBlocks } from '../../base/fenced-blocks.ts';
import { type NameHash, sha256Hex } from '../../base/hash.ts';
import { dayOf } from '../../base/time.ts';
import type { MemoryRecord, Transcript } from '../../base/types/stored-types.ts';
import { artifactFolder } from '../../store/records/kind.ts';
import { defaultTrust, isUnheard, type TrustPolicy, trustOfTurn } from './trust.ts';

/** A block of fewer lines, or of more bytes of UTF-8, stays in its turn. */
const minLines = 5;
const maxBytes = 64 << 10;

/** A fenced block of a turn, byte for byte. */
export interface Artifact {
  readonly path: string;
  readonly text: string;
  /** 1-based. */
  readonly turn: number;
}

/**
 * Lists the artifacts of a conversation: fenced blocks of turns from which something is remembered, or of the turn before. That turn is
 * what people mean by "let us keep that". What somebody outside brought is none.
 */
export function artifactsOf(
  transcript: Transcript,
  path: string,
  created: readonly MemoryRecord[],
  timeZone = 'UTC',
  policy: TrustPolicy = defaultTrust,
  hash: NameHash = sha256Hex,
): Artifact[] {
  const told = new Set(
    created.flatMap(({ sources = [] }) => sources.filter((source) => source.path === path).map(({ turn = 0 }) => turn)),
  );
  const found = new Map<string, Artifact>();
  for (const [at, turn] of transcript.turns.entries()) {
    if (!told.has(at + 1) && !told.has(at + 2)) continue;
    if (isUnheard(turn) || trustOfTurn(transcript, turn, policy) === 'outside') continue;
    for (const { language, text } of fencedBlocks(turn.text)) {
      const lines = text.split('\n').length - 1;
      if (lines < minLines || Buffer.byteLength(text) > maxBytes) continue;
      const name = `${hash(text).slice(0, 16)}${endingOf(language)}`;
      const one = { path: `${artifactFolder}${dayOf(turn.time, timeZone)}/${name}`, text, turn: at + 1 };
      if (!found.has(name)) found.set(name, one);
    }
  }
  return [...found.values()];
}

/** Names of languages whose files end otherwise. */
const endings: Readonly<Record<string, string>> = {
  bash: 'sh',
  shell: 'sh',
  zsh: 'sh',
  console: 'txt',
  javascript: 'js',
  typescript: 'ts',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  markdown: 'md',
  yaml: 'yml',
  'c++': 'cpp',
  'c#': 'cs',
};

function endingOf(language: string): string {
  const ending = Object.hasOwn(endings, language) ? endings[language]! : language;
  return /^[a-z][a-z0-9]{0,9}$/.test(ending) ? `.${ending}` : '.txt';
}
