// An import as a pass: read the source, plan, tag the state before, and commit it all at once.

import { isJsonObject, parseJson } from '../../base/canonical-json.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import type * as types from '../../base/types.ts';
import type { Pass, PassPorts, PassView } from '../../core/lifecycle/pass.ts';
import { type RunPorts, runPass } from '../../core/write/run-pass.ts';
import { createTag } from '../../history/index.ts';
import { parseFact } from '../../store/records/fact-file.ts';
import { formatMemory, salvageMemory } from '../../store/records/memory-record.ts';
import { metaPath } from '../../store/records/storage-meta.ts';
import type { Beside } from './assemble.ts';
import { formOf, forms, surely } from './forms/index.ts';
import { unreadable } from './forms/unreadable.ts';
import { planBeside } from './import-beside.ts';
import {
  type ImportOutcome,
  type ImportRun,
  importConversations,
  isConversationForm,
  type ReadableFile,
} from './import-conversations.ts';
import { noteTaker, placeOf, planFolder } from './import-files.ts';
import { looksLikeStore, planJsonl } from './import-jsonl.ts';
import { isOpenClaw, planOpenClaw } from './import-openclaw.ts';
import { earlierImports, type ImportContext, type ImportItem, ImportPlan, importName } from './import-plan.ts';
import { cleanRecord, type Incoming, planMemories } from './import-records.ts';
import { openSource, type Source, type SourceFile, type SourceText, wordsIn } from './source.ts';

/** A longer list of names would be read by nobody; what the commit changed says the same. */
const maxNamed = 1000;

const noteFile = /\.(?:md|markdown|mdc|txt)$/i;

const planners: Readonly<
  Record<types.RecordForm | types.WorkspaceForm, (source: Source, context: ImportContext) => Promise<ImportPlan>>
> = {
  jsonl: planJsonl,
  facts: planFacts,
  markdown: (source, context) => planFolder(source, context, noteFile),
  // A folder in which an agent keeps what it wants (the memory tool of Anthropic): any text.
  memories: (source, context) => planFolder(source, context, /(?:)/),
  openclaw: planOpenClaw,
};

/**
 * Imports a file, a folder or texts. Nothing is written before all of it is planned, and then it is one commit.
 *
 * Throws NOT_FOUND, INVALID_ARGUMENT, INVALID_RECORD, TOO_LARGE, UNSAFE_FILE of the source, SECRET where the policy refuses, QUOTA, LOCKED.
 */
export async function importFrom(
  dependencies: RunPorts,
  from: string | readonly SourceText[],
  options: types.ImportOptions,
): Promise<types.ImportResult> {
  const source = openSource(dependencies.store.repository.disk, from, options.files);
  const isDetected = options.as === undefined;
  const { as: named, overwrite = false, keepLastUsed = false, into } = options;
  const begin = (view: PassView, { signal, onProgress }: PassPorts): ImportContext => ({
    view,
    earlier: earlierImports(dependencies.store, view.snapshot.commit),
    settings: { overwrite, keepLastUsed, ...defined({ into }) },
    async pace(done, total) {
      onProgress?.({ done, total });
      await new Promise((resolve) => setTimeout(resolve, 0));
      signal?.throwIfAborted();
    },
  });
  if (named !== undefined && !Object.hasOwn(planners, named) && !isConversationForm(named)) {
    throw new MemoryError('INVALID_ARGUMENT', `${String(named)} is no form of import`, {
      where: 'as',
      hint: `Name one of ${[...Object.keys(planners), ...Object.keys(forms)].join(', ')}`,
    });
  }
  const looks = looksOf(source, named);
  if (looks === undefined) {
    throw new MemoryError('INVALID_ARGUMENT', 'the form of this source cannot be detected', {
      where: source.name,
      hint: `Name its form: ${[...Object.keys(planners), ...Object.keys(forms)].join(', ')}`,
    });
  }
  const { form, files, unknown } = looks;
  const told = { form, isDetected, source: source.name };
  if (files === undefined) {
    const plan = (context: ImportContext) => planners[form as types.RecordForm | types.WorkspaceForm](source, context);
    return { ...told, ...(await importRecords(dependencies, { form, plan, source, begin, options })) };
  }
  const { beside, ...outcome } = await importConversations(dependencies, { form, files, source, begin, options });
  const whole = { ...told, ...outcome, left: [...outcome.left, ...unknownOf(unknown, source)] };
  return beside.length === 0
    ? whole
    : besides(whole, await importBeside(dependencies, beside, { source, begin, options: tagOnce(options, outcome) }));
}

/** One tag marks the state before, whichever part of an import changes something first. */
const tagOnce = (options: types.ImportOptions, { backup }: Pick<ImportOutcome, 'backup'>): types.ImportOptions =>
  backup === null ? options : { ...options, backup: false };

function importBeside(dependencies: RunPorts, beside: readonly Beside[], run: ImportRun): Promise<ImportOutcome> {
  const plan = (context: ImportContext) => planBeside(beside, run.source, context);
  return importRecords(dependencies, { ...run, form: 'besides', plan });
}

function besides(one: types.ImportResult, other: ImportOutcome): types.ImportResult {
  const redacted = [...(one.redacted ?? []), ...(other.redacted ?? [])];
  return {
    ...one,
    backup: one.backup ?? other.backup,
    commits: [...one.commits, ...other.commits],
    added: one.added + other.added,
    changed: one.changed + other.changed,
    unchanged: one.unchanged + other.unchanged,
    items: [...one.items, ...other.items],
    left: [...one.left, ...other.left.filter(({ source }) => !one.left.some((note) => note.source === source))],
    notes: [...one.notes, ...other.notes],
    ...(redacted.length === 0 ? {} : { redacted }),
  };
}

/** Names the files that no form reads: those that are known for what they are, a few by their names, many as a number. */
function unknownOf(all: readonly SourceFile[], source: Source): types.ImportNote[] {
  const known = all.flatMap((file): types.ImportNote[] => {
    const why = unreadable(file);
    return why === null ? [] : [{ source: file.path, why }];
  });
  const files = all.filter((file) => unreadable(file) === null && !/-(?:wal|shm|journal)$/.test(file.path));
  return [...known, ...strangers(files, source)];
}

function strangers(files: readonly SourceFile[], source: Source): types.ImportNote[] {
  const why = 'is in no form that is known';
  if (files.length <= mostUnknown) return files.map(({ path }) => ({ source: path, why }));
  return [
    { source: source.name, why: `has ${files.length} files in no form that is known, ${files[0]!.path} for one` },
  ];
}

const mostUnknown = 20;

async function importRecords(
  dependencies: RunPorts,
  wanted: ImportRun & { readonly form: string; readonly plan: (context: ImportContext) => Promise<ImportPlan> },
): Promise<ImportOutcome> {
  const { form, plan: planOf, source, begin, options } = wanted;
  const { store, machine } = dependencies;
  let planned: ImportPlan | undefined;
  let backup: string | null = null;
  const plan = async (view: PassView, ports: PassPorts) => {
    planned = await planOf(begin(view, ports));
    const { commit } = view.snapshot;
    const isTagged = options.backup !== false && options.dryRun !== true;
    if (planned.items.length > 0 && isTagged && commit !== null)
      ({ tag: backup } = await createTag(store, `memory/before/import-${form}`, commit, machine));
    const isLong = planned.items.length > maxNamed;
    return { items: isLong ? planned.items.map((item) => ({ ...item, ids: [] })) : planned.items, left: [] };
  };
  const pass: Pass<void, ImportItem> = {
    name: importName,
    mayBeLong: true,
    plan,
    describe: (items) => ({
      subject: `${describeItems(items)} from ${source.name}`,
      trailers: [{ key: 'Source', value: source.name }],
      ...(items.length > maxNamed ? {} : { body: items.map(lineOf).join('\n') }),
      ...(planned!.newest === null ? {} : { time: Math.min(planned!.newest, dependencies.clock.now()) }),
    }),
  };
  const { dryRun, signal, onProgress } = options;
  const asked = { isFromOutside: true, ...defined({ dryRun, signal, onProgress }) };
  const { commits, items, dropped } = await runPass(dependencies, pass, undefined, asked);
  const { unchanged, left, notes, redacted } = planned!;
  const late: types.ImportNote[] = dropped.map(({ ids, why }) => ({ source: ids[0] ?? source.name, why }));
  const made = items.filter(({ paths }) => paths[0] !== metaPath);
  return {
    backup,
    commits,
    added: made.filter(({ action }) => action === 'add').length,
    changed: made.filter(({ action }) => action === 'change').length,
    unchanged,
    items: made.map(({ action, source: place, paths }) => ({ path: paths[0]!, action, source: place })),
    left: [...source.left.map(({ path, why }) => ({ source: path, why })), ...left, ...late],
    notes,
    ...(redacted.length === 0 ? {} : { redacted }),
  };
}

function lineOf({ source, changes }: ImportItem): string {
  return `- ${oneLine(changes[0]!.path, 200)} from ${oneLine(source, 200)}`;
}

function describeItems(items: readonly ImportItem[]): string {
  const count = (root: string) => items.filter(({ changes }) => changes[0]!.path.startsWith(root)).length;
  const [memories, relations] = [count('memories/'), count('relations/')];
  const files = items.filter(({ changes }) => changes[0]!.path !== metaPath).length - memories - relations;
  const parts = [
    [memories, 'memory', 'memories'],
    [relations, 'relation', 'relations'],
    [files, 'file', 'files'],
  ] as const;
  return parts
    .filter(([number]) => number > 0)
    .map(([number, one, many]) => `${number} ${number === 1 ? one : many}`)
    .join(', ');
}

/** What a source is; `files` are those of conversations, each with its form, and undefined for records and notes. */
export interface Looks {
  readonly form: types.ImportForm;
  readonly files?: readonly ReadableFile[];
  /** Files that no form reads. */
  readonly unknown: readonly SourceFile[];
}

/** Tells what a source is by its names and first words, or what a named form finds in it; undefined where nothing says it. */
export function looksOf(source: Source, named?: types.ImportForm): Looks | undefined {
  if (named !== undefined) {
    if (!isConversationForm(named)) return { form: named, unknown: [] };
    const form = forms[named];
    const found = source.files.filter((file) => formOf(file, form) !== null);
    const files = found.length === 0 ? source.files : found;
    return { form: named, files: files.map((file) => ({ file, form })), unknown: [] };
  }
  return source.isFolder ? looksOfFolder(source) : looksOfFile(source.files[0]!);
}

function looksOfFolder({ name, files }: Source): Looks | undefined {
  const has = (pattern: RegExp) => files.some(({ path }) => pattern.test(path));
  const notes = (form: types.RecordForm | types.WorkspaceForm): Looks => ({ form, unknown: [] });
  if (has(/(?:^|\/)(?:memories|relations)\.jsonl$/)) return notes('jsonl');
  if (isOpenClaw(files.map(({ path }) => path))) return notes('openclaw');
  const found = files.map((file) => ({ file, ...(formOf(file) ?? { form: undefined, certainty: 0 }) }));
  const readable = (least: number) =>
    found.flatMap(({ file, form, certainty }) => (form !== undefined && certainty >= least ? [{ file, form }] : []));
  const sure = readable(surely);
  const taken = new Set(sure.map(({ file }) => file));
  const others = files.filter((file) => !taken.has(file));
  const notesBeside = others.filter(({ path }) => noteFile.test(path));
  // Among notes a talk or two are notes, too.
  const areNotes = sure.every(isTalk) && notesBeside.length > sure.length;
  // Among what a program knows, other texts are notes, too. Instructions among many texts are one of them.
  const texts = sure.every(({ form }) => form.isKnowledge) ? notesBeside : [];
  if (!areNotes && sure.some(({ form }) => form !== forms.rules || texts.length === 0)) {
    const read = [...sure, ...texts.map((file) => ({ file, form: forms.rules }))];
    return { form: mostOf(sure), files: read, unknown: others.filter((file) => !texts.includes(file)) };
  }
  if (has(/^(?:facts\/\d{4}-\d\d-\d\d|corrections)\/[^/]+\.md$/)) return notes('facts');
  if (name === 'memories' && has(/\.(?:md|txt|xml|json)$/i)) return notes('memories');
  if (has(/\.(?:md|markdown)$/i)) return notes('markdown');
  if (has(/\.(?:txt|xml)$/i)) return notes('memories');
  const likely = readable(0.25);
  const known = files.map(unreadable).find((why) => why !== null);
  if (likely.length === 0 && known !== undefined && known !== null)
    throw new MemoryError('INVALID_ARGUMENT', known, { where: name });
  return likely.length === 0 ? undefined : { form: mostOf(likely), files: likely, unknown: [] };
}

const isTalk = ({ form }: ReadableFile): boolean => form === forms.talks || form === forms.captions;

function mostOf(files: readonly ReadableFile[]): types.ImportForm {
  const counts = new Map<types.ImportForm, number>();
  for (const { form } of files) counts.set(form.name, (counts.get(form.name) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]![0];
}

function looksOfFile(file: SourceFile): Looks {
  const why = unreadable(file);
  if (why !== null) throw new MemoryError('INVALID_ARGUMENT', why, { where: file.path });
  const notes = (form: types.RecordForm): Looks => ({ form, unknown: [] });
  if (/^(?:memories|relations)\.jsonl$/.test(file.path)) return notes('jsonl');
  const found = formOf(file);
  if (/\.(?:jsonl|ndjson)$/i.test(file.path) && (found?.certainty ?? 0) < surely) {
    for (const line of file.lines()) {
      if (looksLikeStore(line)) return notes('jsonl');
      if (line.number > 20) break;
    }
  }
  if (found === null && /\.(?:md|markdown|mdc)$/i.test(file.path)) return notes('markdown');
  const form = found?.form ?? forms.conversations;
  return { form: form.name, files: [{ file, form }], unknown: [] };
}

// The fact layout of spec 4 (Engram): facts, corrections and artifacts become records, entities knowledge files, the rest notes.

async function planFacts(source: Source, context: ImportContext): Promise<ImportPlan> {
  const plan = new ImportPlan(context);
  const takeNote = noteTaker(plan);
  const incoming = new Map<string, Incoming<MemoryRecord>>();
  for (const [index, file] of source.files.entries()) {
    if (index % 100 === 0) await context.pace(index, source.files.length);
    const [, entity] = /^entities\/([^/]+\.md)$/.exec(file.path) ?? [];
    if (entity !== undefined) takeNote(file, entityPlace(entity));
    else if (/^(?:facts|corrections|artifacts)\/.*\.md$/.test(file.path)) {
      const found = recordOf(file, plan);
      if (found !== null && incoming.has(found.record.id)) {
        plan.left.push({ source: file.path, why: `has the id of ${incoming.get(found.record.id)!.source}` });
      } else if (found !== null) incoming.set(found.record.id, found);
    } else if (/\.md$/i.test(file.path)) takeNote(file, placeOf(file.path, source, context.settings.into));
    else plan.left.push({ source: file.path, why: 'is state of its program, or no text' });
  }
  await planMemories([...incoming.values()], plan);
  return plan;
}

/** `person-ada.md` is a person, `project-atlas.md` a project; the others keep their type in the name. */
function entityPlace(name: string): string {
  const [, type, rest] = /^(person|project)-(.+)$/.exec(name) ?? [];
  if (type === undefined) return `knowledge/entities/${name}`;
  return `knowledge/${type === 'person' ? 'people' : 'projects'}/${rest}`;
}

function recordOf(file: SourceFile, plan: ImportPlan): Incoming<MemoryRecord> | null {
  return plan.attempt(file.path, () => {
    const { record, unreadable } = parseFact(wordsIn(file), file.path);
    const value = parseJson(formatMemory(record), file.path);
    const cleaned = isJsonObject(value) ? cleanRecord(value, plan, file.path) : value;
    if (unreadable.length > 0)
      plan.notes.push({ source: file.path, why: `could not read ${unreadable.join(', ')}, kept as it was` });
    return { record: salvageMemory(cleaned, file.path).record, source: file.path, isRedacted: plan.wasRedacted() };
  });
}
