// The import of conversations. They are read one by one, and planned and committed some hundred at a time: an export may be of any size.

import { defined } from '../../base/defined.ts';
import { oneLine } from '../../base/text.ts';
import type { Transcript } from '../../base/types/stored-types.ts';
import type {
  CaptureResult,
  ConversationForm,
  ImportNote,
  ImportOptions,
  ImportResult,
  Redaction,
} from '../../base/types.ts';
import { captureTrailers } from '../../core/capture/session.ts';
import type { Pass, PassPorts, PassView } from '../../core/lifecycle/pass.ts';
import { type RunPorts, runPass } from '../../core/write/run-pass.ts';
import { createTag } from '../../history/index.ts';
import { SecretFilter } from '../../store/guard/secret-filter.ts';
import { sessionsIn, type TranscriptItem, tryConversation } from './conversations.ts';
import { type ImportContext, ImportPlan } from './import-plan.ts';
import { type ReadConversation, readConversations } from './read-conversations.ts';
import type { Source } from './source.ts';

/** What an import works on. */
export interface ImportRun {
  readonly source: Source;
  readonly begin: (view: PassView, ports: PassPorts) => ImportContext;
  readonly options: ImportOptions;
}

/** What an import did, without what is known before it begins. */
export type ImportOutcome = Omit<ImportResult, 'form' | 'isDetected' | 'source'>;

/** Lists the forms that become transcripts. */
export const conversationForms: readonly ConversationForm[] = ['conversations', 'claude-code', 'chats', 'slack'];

/** Tells them from the others. */
export function isConversationForm(form: string): form is ConversationForm {
  return (conversationForms as readonly string[]).includes(form);
}

/** Conversations of one run of commits, and the characters after which it ends although there are fewer. */
const maxConversations = 200;
const maxCharacters = 32 << 20;

/** Imports the conversations of a source; those that are here already are counted and left. */
export async function importConversations(
  dependencies: RunPorts,
  { form, source, begin, options }: ImportRun & { readonly form: ConversationForm },
): Promise<ImportOutcome> {
  const { store, clock, machine, configurationOf } = dependencies;
  const left: ImportNote[] = source.left.map(({ path, why }) => ({ source: path, why }));
  const redacted: Redaction[] = [];
  const commits: string[] = [];
  const captures: CaptureResult[] = [];
  const items: ImportResult['items'][number][] = [];
  const { secrets, timezone: timeZone } = configurationOf(store.snapshot());
  const filter = new SecretFilter(secrets);
  const { dryRun, format, topic, channel, pauseMinutes } = options;
  const settings = defined({ format, topic, channel, pauseMinutes });
  const found = readConversations(form, source, { now: clock.now(), timeZone, filter, ...settings });
  const read = options.asOfThen === undefined ? found : byTheirEnd(found);
  let backup: string | null = null;
  let unchanged = 0;
  let done = 0;
  const planned = new Map<string, Transcript>();
  for (const batch of batchesOf(read)) {
    options.signal?.throwIfAborted();
    let plan: ImportPlan | undefined;
    const pass: Pass<void, TranscriptItem> = {
      name: 'capture',
      kind: 'conversation',
      commits: 'each',
      async plan(view, ports) {
        plan = new ImportPlan(begin(view, ports));
        const known = sessionsIn(view.snapshot);
        if (dryRun !== true) planned.clear();
        const found: TranscriptItem[] = [];
        for (const one of batch) {
          const item = 'why' in one ? null : tryConversation(one, plan, planned, known);
          if ('why' in one) plan.left.push(one);
          else if (item !== null) found.push(item);
        }
        const { commit } = view.snapshot;
        if (found.length > 0 && backup === null && dryRun !== true && commit !== null) {
          ({ tag: backup } = await createTag(store, `memory/before/import-${form}`, commit, machine));
        }
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
    const outcome = await runPass(dependencies, pass, undefined, { isFromOutside: true, ...defined({ dryRun }) });
    commits.push(...outcome.commits);
    // What people changed by hand is committed first.
    const first = outcome.commits.length - outcome.items.length;
    for (const [index, { source: place, paths, transcript }] of outcome.items.entries()) {
      const path = paths[0]!;
      items.push({ path, action: 'add', source: place });
      const { sessionId: session, turns } = transcript;
      captures.push({ path, session, turns: turns.length, commit: outcome.commits[first + index] ?? null });
    }
    left.push(...plan!.left, ...outcome.dropped.map(({ why }) => ({ source: source.name, why })));
    redacted.push(...plan!.redacted);
    unchanged += plan!.unchanged;
    done += batch.length;
    // How many come is known when all are read.
    options.onProgress?.({ done, total: 0 });
  }
  options.onProgress?.({ done, total: done });
  const counts = { added: items.length, changed: 0, unchanged };
  const said = redacted.length === 0 ? {} : { redacted };
  return { backup, commits, ...counts, items, left, notes: [], captures, ...said };
}

/** Puts conversations into the order in which they ended: the order of the commits of a history. */
function byTheirEnd(read: Iterable<ReadConversation>): ReadConversation[] {
  const endOf = (one: ReadConversation) => ('input' in one ? (one.input.turns.at(-1)?.time ?? 0) : 0);
  return [...read].sort((one, other) => endOf(one) - endOf(other));
}

function* batchesOf(read: Iterable<ReadConversation>): Generator<ReadConversation[]> {
  let batch: ReadConversation[] = [];
  let characters = 0;
  for (const one of read) {
    batch.push(one);
    if ('input' in one) for (const { text } of one.input.turns) characters += text.length;
    if (batch.length < maxConversations && characters < maxCharacters) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}
