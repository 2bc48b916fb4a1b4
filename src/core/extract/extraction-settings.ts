// What memory.yaml says of reading conversations. And what an extraction writes beside the memories, in the same commit: their boxes, what is
// kept to the letter, and that it happened.

import { fencedBlocks } from '../../base/fenced-blocks.ts';
import { type NameHash, sha256Hex } from '../../base/hash.ts';
import { dayOf } from '../../base/time.ts';
import type { MemoryRecord, Transcript } from '../../base/types/stored-types.ts';
import type { KnownLedgers } from '../../logs/index.ts';
import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import type { FileChange } from '../../store/operation.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { artifactFolder } from '../../store/records/kind.ts';
import {
  extractionName,
  formatRecentExtractions,
  parseRecentExtractions,
  recentExtractionsPath,
} from '../../store/records/recent-extractions.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { changedFile } from '../lifecycle/record-changes.ts';
import { boxFileChange, planBoxes } from './boxes.ts';
import type { Extractor } from './extractor.ts';
import type { ExtractionSettings } from './plan-transcript.ts';
import { defaultTrust, isUnheard, type TrustPolicy, trustOfRecord, trustOfTurn } from './trust.ts';

/** Gives the settings of an extraction; `ledger` is null where the ledger gets no events, as in experiments: it has them already. */
export function extractionSettings(
  configuration: Configuration,
  extractor: Extractor,
  catalog: MemoryCatalog,
  ledger: KnownLedgers | null,
): ExtractionSettings {
  const { owner, timezone, extract, secrets, gist, trust } = configuration;
  const { deduplicate, episodesAndNotes, speculativeDays } = extract;
  const context = {
    timeZone: timezone,
    ...(owner ? { owner } : {}),
    ...(extract.minConfidence > 0 ? { minConfidence: extract.minConfidence } : {}),
  };
  return {
    extractor,
    secrets,
    gist,
    trust,
    context,
    rules: {
      ...{ deduplicate, episodesAndNotes, speculativeDays },
      timeZone: timezone,
      ...(owner ? { owner } : {}),
    },
    writesKnowledge: extract.knowledge,
    linksKnowledge: configuration.knowledge.links,
    ...(ledger === null || !extract.events ? {} : { ledger }),
    besides: (snapshot, created, read) => planExtractionFiles(snapshot, catalog, created, read, configuration),
  };
}

/** Plans the files that go with the memories of one conversation; none where it made none. What only the outside says joins no box. */
function planExtractionFiles(
  snapshot: Snapshot,
  catalog: MemoryCatalog,
  created: readonly MemoryRecord[],
  { path, transcript }: { readonly path: string; readonly transcript: Transcript },
  { artifacts, boxes, timezone, trust }: Pick<Configuration, 'artifacts' | 'boxes' | 'timezone' | 'trust'>,
): FileChange[] {
  if (created.length === 0) return [];
  const stored = boxes.enabled ? catalog.boxes(snapshot) : [];
  const since = parseRecentExtractions(snapshot.textIfWhole(recentExtractionsPath));
  const named = [...since, extractionName(created.map(({ id }) => id))];
  const hash = snapshot.nameHash((name) => `${artifactFolder}${name}`);
  const believed = created.filter((record) => trustOfRecord(record) !== 'outside');
  return [
    ...(believed.length === 0
      ? []
      : planBoxes(stored, believed, { path, transcript }, boxes, timezone).map(boxFileChange)),
    ...(artifacts.enabled
      ? newArtifacts(snapshot, artifactsOf(transcript, path, believed, timezone, trust, hash))
      : []),
    changedFile(snapshot, recentExtractionsPath, formatRecentExtractions(named)),
  ];
}

/** What stands somewhere in the folder already is not kept twice. */
function newArtifacts(snapshot: Snapshot, artifacts: readonly Artifact[]): FileChange[] {
  if (artifacts.length === 0) return [];
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const known = new Set([...snapshot.list(artifactFolder).keys()].map(nameOf));
  return artifacts
    .filter(({ path }) => !known.has(nameOf(path)))
    .map(({ path, text }) => ({ path, before: null, after: Buffer.from(text) }));
}

/** A block of fewer lines, or of more bytes of UTF-8, stays in its turn. */
const minLines = 5;
const maxBytes = 64 << 10;

/** A fenced block of a turn, byte for byte. */
interface Artifact {
  readonly path: string;
  readonly text: string;
  /** 1-based. */
  readonly turn: number;
}

/**
 * Lists the artifacts of a conversation: fenced blocks of turns from which something is remembered, or of the turn before. That turn is
 * what people mean by "let us keep that". What somebody outside brought is none.
 */
function artifactsOf(
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
