// Says what an agent may change through a tool. All doors that act for an agent, and all gates that let in its writing, have this one contract.
// It knows paths alone, and asks nobody who is there.

import { AsyncLocalStorage } from 'node:async_hooks';
import { MemoryError } from '../../base/errors.ts';
import { foldPath } from './path.ts';

/** Files that people decide, or the engine keeps for itself, with what to do instead. No everyday write reaches them, whosever it is. */
const keptFiles: ReadonlyMap<string, string> = new Map([
  ['memory.yaml', 'People change it: `git memory config`, or an editor and a commit'],
  ['memory-config.yaml', 'People change it, with an editor and a commit'],
  ['.meta.json', 'The engine writes it by itself'],
  ['.gitattributes', 'The engine keeps its lines there; people add theirs with an editor and a commit'],
]);
/** Receipts prove how often a memory was purged. */
const receipts = '.memory/purges';

/** What judges agents, or tells git what to leave out: people alone decide it. */
const ofPeople: ReadonlyMap<string, string> = new Map([
  ['expect', 'Expectations judge what agents write, so people write them, with an editor and a commit'],
  ['.gitignore', 'People change it, with an editor and a commit'],
]);
/** What the engine writes as proof of what was said and done. */
const ofEngine: ReadonlyMap<string, string> = new Map([
  ['raw', 'What was said comes in as a capture, `git memory capture`, and stays as it is'],
  ['ledger', '`git memory ledger add` writes into the ledger'],
  ['.memory', 'The engine writes it by itself'],
]);
/** What the engine brings in step within operations of anybody. */
const inStep: ReadonlySet<string> = new Set(['.meta.json']);

/**
 * How a change comes about.
 *
 * - `file`: the caller names the path and gives the bytes, or takes the file away: write, edit, move, remove
 * - `operation`: the engine makes it for the caller: undo, restore, merge, capture, a pass
 */
type ChangeMeans = 'file' | 'operation';

/** Says what to do instead of an everyday write of a file, whoever writes; undefined where it may be written. */
function keptHint(path: string): string | undefined {
  const folded = foldPath(path);
  return folded === receipts || folded.startsWith(`${receipts}/`)
    ? '`git memory purge` writes it'
    : keptFiles.get(folded);
}

/**
 * Says what to do instead of a change that an agent's tool asks for; undefined where an agent may make it.
 *
 * | never an agent's | an agent's by operations alone | an agent's |
 * |---|---|---|
 * | `memory.yaml`, `memory-config.yaml`, `expect/` | `raw/`, `ledger/`, `.memory/`, `.meta.json` | all else of the layout |
 * | `.gitattributes`, `.gitignore`, receipts in `.memory/purges/` | | |
 *
 * Letter case counts as little as it does for file systems. A topic is an agent's to write, since none starts a program: a webhook or a time
 * only chooses words. Hooks and settings of git lie outside of the layout, which no door writes.
 */
export function agentHint(path: string, means: ChangeMeans): string | undefined {
  const folded = foldPath(path);
  const [root = ''] = folded.split('/', 1);
  const kept = means === 'operation' && inStep.has(folded) ? undefined : keptHint(path);
  return kept ?? ofPeople.get(root) ?? (means === 'file' ? ofEngine.get(root) : undefined);
}

const acting = new AsyncLocalStorage<boolean>();

/** Runs a call for an agent's tool: until it is done, nothing that it leads to changes what {@link agentHint} keeps from agents. */
export const asAgent = <T>(call: () => T): T => acting.run(true, call);

/** Runs what is no agent's doing, though an agent's call led to it: what other machines bring by a sync, what a timer does later. */
export const asEngine = <T>(call: () => T): T => acting.run(false, call);

/** Tells whether a call is under way that an agent's tool made. */
export const isAgentActing = (): boolean => acting.getStore() === true;

/** Refuses an everyday write of a file: INVALID_PATH where it is kept, from anybody or from the agent whose call this is. */
export function checkFileWrite(path: string): void {
  const hint = isAgentActing() ? agentHint(path, 'file') : keptHint(path);
  if (hint !== undefined) throw refused(path, hint, isAgentActing() && keptHint(path) === undefined);
}

/** Refuses an operation that changes one of those paths for an agent whose call this is: INVALID_PATH. */
export function checkAgentOperation(paths: Iterable<string>): void {
  if (!isAgentActing()) return;
  for (const path of paths) {
    const hint = agentHint(path, 'operation');
    if (hint !== undefined) throw refused(path, hint, true);
  }
}

function refused(path: string, hint: string, isForAgents: boolean): MemoryError {
  const what = isForAgents ? `${path} is not changed by an agent's tool` : `${path} is not changed like other files`;
  return new MemoryError('INVALID_PATH', what, { where: path, hint });
}
