// The import of conversations. Entries are read one by one; pieces of conversations are planned and committed some hundred at a time: a source
// may be of any size.

import { defined } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import type * as types from '../../base/types.ts';
import { captureTrailers } from '../../core/capture/session.ts';
import type { Pass, PassPorts, PassView } from '../../core/lifecycle/pass.ts';
import { type RunPorts, runPass } from '../../core/write/run-pass.ts';
import { createTag } from '../../history/index.ts';
import { SecretFilter } from '../../store/guard/secret-filter.ts';
import { codesOn } from './acts-beside.ts';
import { Assembler, type AssembleSettings, type Beside, type Piece } from './assemble.ts';
import { Sessions, type TranscriptItem, tryPiece } from './conversations.ts';
import type { NamedForm } from './forms/form.ts';
import { forms } from './forms/index.ts';
import { type ImportContext, ImportPlan } from './import-plan.ts';
import { type Source, type SourceFile, textOf } from './source.ts';

/** A file with the form that reads it. */
export interface ReadableFile {
  readonly file: SourceFile;
  readonly form: NamedForm;
}

/** What an import works on. */
export interface ImportRun {
  readonly source: Source;
  readonly begin: (view: PassView, ports: PassPorts) => ImportContext;
  readonly options: types.ImportOptions;
}

/** What an import did, without what is known before it begins. */
export type ImportOutcome = Omit<types.ImportResult, 'form' | 'isDetected' | 'source'>;

/** Tells the forms of conversations from the others. */
export const isConversationForm = (form: string): form is types.ConversationForm => Object.hasOwn(forms, form);

/** Files of these endings earlier versions took for one turn where they did not know their form. */
const wholeTexts = /\.(?:md|txt|vtt|srt)$/i;

/** Pieces of one run of commits, and the characters after which it ends although there are fewer. */
const maxPieces = 200;
const maxCharacters = 2 << 20;
/** A history that begins a memory is put in order where it is no larger than this; a larger one comes file by file. */
const maxSorted = 64 << 20;

/** Imports the conversations of a source; those that are here already are counted and left. */
export async function importConversations(
  dependencies: RunPorts,
  asked: ImportRun & { readonly form: string; readonly files: readonly ReadableFile[] },
): Promise<ImportOutcome & { readonly beside: readonly Beside[] }> {
  const { form, files, source, begin, options } = asked;
  const { store, clock, machine, configurationOf } = dependencies;
  const { secrets, timezone, limits, attachments } = configurationOf(store.snapshot());
  const filter = new SecretFilter(secrets);
  const rules = { ...attachments, maxBytes: Math.min(attachments.maxBytes, limits.rawBytes) };
  const settings = {
    ...settingsOf(options, { now: clock.now(), zone: timezone, filter, limits }),
    ...(options.attachments === true ? { attachments: { filter, rules, store } } : {}),
  };
  const assembler = new Assembler(source, settings);
  const sessions = new Sessions(
    options.dryRun === true,
    codesOn(store.repository.disk.fs),
    dependencies.isImmediate && attachments.lfs,
  );
  const left: types.ImportNote[] = source.left.map(({ path, why }) => ({ source: path, why }));
  const redacted: types.Redaction[] = [];
  const commits: string[] = [];
  const captures: types.CaptureResult[] = [];
  const items: types.ImportResult['items'][number][] = [];
  let backup: string | null = null;
  let unchanged = 0;
  let bytes = 0;
  sessions.renew(store.snapshot(), undefined);
  const fresh = files.filter(({ file, form: { name } }) => {
    const text =
      name === 'conversations' || !wholeTexts.test(file.path) || file.bytes > limits.rawBytes
        ? null
        : textOf(file.read());
    const path = text === null ? undefined : sessions.findWhole(text, store.snapshot(), new SecretFilter(secrets));
    if (path !== undefined)
      left.push({ source: file.path, why: `is here as one turn, ${path}; undo its commit, and import again` });
    return path === undefined;
  });
  const total = files.reduce((sum, { file }) => sum + file.bytes, 0);
  const onFile = (file: SourceFile) => {
    bytes += file.bytes;
  };
  const take = async (batch: readonly Piece[]): Promise<void> => {
    options.signal?.throwIfAborted();
    let plan: ImportPlan | undefined;
    const pass: Pass<void, TranscriptItem> = {
      name: 'capture',
      kind: 'conversation',
      commits: 'each',
      async plan(view, ports) {
        plan = new ImportPlan(begin(view, ports));
        sessions.renew(view.snapshot, batch[0]);
        const found = batch.flatMap((piece) => tryPiece(piece, sessions, plan!) ?? []);
        const { commit } = view.snapshot;
        const isTagged = backup === null && options.backup !== false && options.dryRun !== true;
        if (found.length > 0 && isTagged && commit !== null)
          ({ tag: backup } = await createTag(store, `memory/before/import-${form}`, commit, machine));
        return { items: found, left: [] };
      },
      describe: ([item]) => {
        const { transcript, source: place, changes } = item!;
        return {
          subject: oneLine(transcript.topic ?? transcript.title, 56),
          trailers: [
            ...captureTrailers(changes[0]!.path, transcript),
            { key: 'Source', value: place === source.name ? place : `${source.name}: ${place}` },
          ],
          time: Math.min(transcript.ended ?? transcript.started, options.asOfThen ?? Number.POSITIVE_INFINITY),
          isOfThen: options.asOfThen !== undefined,
        };
      },
    };
    const { dryRun } = options;
    const outcome = await runPass(dependencies, pass, undefined, { isFromOutside: true, ...defined({ dryRun }) });
    commits.push(...outcome.commits);
    // What people changed by hand is committed first.
    const first = outcome.commits.length - outcome.items.length;
    for (const [index, { source: place, paths, transcript }] of outcome.items.entries()) {
      const path = paths[0]!;
      items.push({ path, action: 'add', source: place });
      const { sessionId: session, turns } = transcript;
      const commit = outcome.commits[first + index] ?? null;
      const named = paths.filter((one) => one.startsWith('attachments/'));
      const files = named.length === 0 ? {} : { attachments: named };
      captures.push({ path, session, turns: turns.length, commit, ...files });
    }
    left.push(...plan!.left, ...outcome.dropped.map(({ why }) => ({ source: source.name, why })));
    redacted.push(...plan!.redacted);
    unchanged += plan!.unchanged;
    options.onProgress?.({ done: bytes, total });
  };
  for (const batch of batchesOf(piecesOf(fresh, assembler, options.asOfThen, onFile))) {
    await take(batch);
    // While the next ones are read, these are not held.
    batch.length = 0;
  }
  options.onProgress?.({ done: total, total });
  const { entries, dated, leftOut, beside, notes } = assembler;
  const read = { entries, ...sessions.counts, leftOut: [...leftOut.values()], dated };
  const counts = { added: items.length, changed: 0, unchanged };
  const said = redacted.length === 0 ? {} : { redacted };
  left.push(...assembler.left);
  return { backup, commits, ...counts, items, left, notes, captures, read, beside, ...said };
}

/** Finds the earliest time at which somebody said something; undefined where nothing says when. Throws as the import of them. */
export function earliestOf(
  files: readonly ReadableFile[],
  source: Source,
  known: Pick<AssembleSettings, 'now' | 'zone' | 'filter' | 'limits'>,
): number | undefined {
  const assembler = new Assembler(source, known);
  let earliest: number | undefined;
  for (const { isDated, turns } of piecesOf(files, assembler, undefined)) {
    const time = turns[0]!.time;
    if (isDated && (earliest === undefined || time < earliest)) earliest = time;
  }
  return earliest;
}

function settingsOf(
  { format, topic, channel, pauseMinutes, zone, project }: types.ImportOptions,
  known: Pick<AssembleSettings, 'now' | 'zone' | 'filter' | 'limits'>,
): AssembleSettings {
  return { ...known, ...defined({ format, topic, channel, pauseMinutes, zone, project }) };
}

function* piecesOf(
  files: readonly ReadableFile[],
  assembler: Assembler,
  asOfThen: number | undefined,
  onFile: (file: SourceFile) => void = () => undefined,
): Generator<Piece> {
  const isSorted = asOfThen !== undefined && files.reduce((sum, { file }) => sum + file.bytes, 0) <= maxSorted;
  const ordered =
    asOfThen === undefined
      ? files
      : [...files].sort((one, other) => (one.file.modified ?? 0) - (other.file.modified ?? 0));
  const pieces: Piece[] = [];
  for (const { file, form } of ordered) {
    for (const piece of assembler.read(file, form)) {
      if (isSorted) pieces.push(piece);
      else yield piece;
    }
    onFile(file);
  }
  // In the order in which they ended: the order of the commits of a history.
  yield* pieces.sort((one, other) => one.turns.at(-1)!.time - other.turns.at(-1)!.time);
}

function* batchesOf(read: Iterable<Piece>): Generator<Piece[]> {
  let batch: Piece[] = [];
  let characters = 0;
  for (const piece of read) {
    batch.push(piece);
    for (const { text } of piece.turns) characters += text.length;
    for (const { length } of piece.files.values()) characters += length;
    if (batch.length < maxPieces && characters < maxCharacters) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}
