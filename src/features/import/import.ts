// An import as a pass: read the source, plan, tag the state before, and commit it all at once.

import { defined } from '../../base/defined.ts';
import { MemoryError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import type {
  ImportForm,
  ImportNote,
  ImportOptions,
  ImportResult,
  RecordForm,
  WorkspaceForm,
} from '../../base/types.ts';
import type { Pass, PassPorts, PassView } from '../../core/lifecycle/pass.ts';
import { type RunPorts, runPass } from '../../core/write/run-pass.ts';
import { createTag } from '../../history/index.ts';
import { metaPath } from '../../store/records/storage-meta.ts';
import {
  conversationForms,
  type ImportOutcome,
  type ImportRun,
  importConversations,
  isConversationForm,
} from './import-conversations.ts';
import { planFacts } from './import-facts.ts';
import { planFolder } from './import-files.ts';
import { looksLikeStore, planJsonl } from './import-jsonl.ts';
import { isOpenClaw, planOpenClaw } from './import-openclaw.ts';
import { EarlierImports, type ImportContext, type ImportItem, type ImportPlan, importName } from './import-plan.ts';
import { conversationFormOf } from './read-conversations.ts';
import { openSource, type Source, type SourceFile, type SourceText } from './source.ts';

/** A longer list of names would be read by nobody; what the commit changed says the same. */
const maxNamed = 1000;

const planners: Readonly<
  Record<RecordForm | WorkspaceForm, (source: Source, context: ImportContext) => Promise<ImportPlan>>
> = {
  jsonl: planJsonl,
  facts: planFacts,
  markdown: (source, context) => planFolder(source, context, /\.(?:md|markdown|txt)$/i),
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
  options: ImportOptions,
): Promise<ImportResult> {
  const source = openSource(dependencies.store.repository.disk, from);
  const form = options.as ?? detectForm(source);
  const told = { form, isDetected: options.as === undefined, source: source.name };
  const begin = (view: PassView, ports: PassPorts) => contextOf(dependencies, view, ports, options);
  if (isConversationForm(form)) {
    return { ...told, ...(await importConversations(dependencies, { form, source, begin, options })) };
  }
  if (!Object.hasOwn(planners, form)) {
    throw new MemoryError('INVALID_ARGUMENT', `${String(form)} is no form of import`, {
      where: 'as',
      hint: `Name one of ${[...Object.keys(planners), ...conversationForms].join(', ')}`,
    });
  }
  return { ...told, ...(await importRecords(dependencies, { form, source, begin, options })) };
}

async function importRecords(
  dependencies: RunPorts,
  { form, source, begin, options }: ImportRun & { readonly form: RecordForm | WorkspaceForm },
): Promise<ImportOutcome> {
  const { store, machine } = dependencies;
  let planned: ImportPlan | undefined;
  let backup: string | null = null;
  const plan = async (view: PassView, ports: PassPorts) => {
    planned = await planners[form](source, begin(view, ports));
    const { commit } = view.snapshot;
    if (planned.items.length > 0 && options.dryRun !== true && commit !== null) {
      ({ tag: backup } = await createTag(store, `memory/before/import-${form}`, commit, machine));
    }
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
  const late: ImportNote[] = dropped.map(({ ids, why }) => ({ source: ids[0] ?? source.name, why }));
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

function contextOf(
  { store }: RunPorts,
  view: PassView,
  { signal, onProgress }: PassPorts,
  { overwrite = false, keepLastUsed = false, into }: ImportOptions,
): ImportContext {
  return {
    view,
    earlier: new EarlierImports(store, view.snapshot.commit),
    settings: { overwrite, keepLastUsed, ...defined({ into }) },
    async pace(done, total) {
      onProgress?.({ done, total });
      await new Promise((resolve) => setTimeout(resolve, 0));
      signal?.throwIfAborted();
    },
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

/** Tells what a source is by its names and first words; undefined where they do not say it. */
export function looksOf(source: Source): ImportForm | undefined {
  return source.isFolder ? formOfFolder(source) : formOfFile(source.files[0]!);
}

/** Tells the form of a source; throws INVALID_ARGUMENT when it is none that is known. */
function detectForm(source: Source): ImportForm {
  const form = looksOf(source);
  if (form !== undefined) return form;
  throw new MemoryError('INVALID_ARGUMENT', 'the form of this source cannot be detected', {
    where: source.name,
    hint: 'Name its form: jsonl, facts, markdown, memories, openclaw, conversations, claude-code, chats or slack',
  });
}

function formOfFolder({ name, files }: Source): ImportForm | undefined {
  const has = (pattern: RegExp) => files.some(({ path }) => pattern.test(path));
  if (has(/(?:^|\/)(?:memories|relations)\.jsonl$/)) return 'jsonl';
  if (isOpenClaw(files.map(({ path }) => path))) return 'openclaw';
  if (has(/^users\.json$/) && has(/^[^/]+\/\d{4}-\d\d-\d\d\.json$/)) return 'slack';
  const told = files.find((file) => conversationFormOf(file) !== undefined);
  if (told !== undefined) return conversationFormOf(told);
  if (has(/^(?:facts\/\d{4}-\d\d-\d\d|corrections)\/[^/]+\.md$/)) return 'facts';
  const markdown = files.find(({ path }) => /\.md$/i.test(path));
  if (markdown !== undefined && isTranscript(markdown)) return 'conversations';
  if (name === 'memories' && has(/\.(?:md|txt|xml|json)$/i)) return 'memories';
  if (has(/\.(?:md|markdown)$/i)) return 'markdown';
  if (has(/\.(?:txt|xml)$/i)) return 'memories';
  return has(/\.(?:jsonl|ndjson)$/i) ? 'conversations' : undefined;
}

function formOfFile(file: SourceFile): ImportForm {
  if (/^(?:memories|relations)\.jsonl$/.test(file.path)) return 'jsonl';
  if (/\.(?:jsonl|ndjson)$/i.test(file.path)) {
    for (const line of file.lines()) {
      if (looksLikeStore(line)) return 'jsonl';
      if (line.number > 20) break;
    }
  }
  return conversationFormOf(file) ?? 'conversations';
}

/** Tells one of our transcripts from a note by its front matter. */
function isTranscript(file: SourceFile): boolean {
  for (const { number, text } of file.lines()) {
    if (text?.startsWith('session_id:')) return true;
    if ((number === 1 && text !== '---') || number > 20) return false;
  }
  return false;
}
