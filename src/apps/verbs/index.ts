// The one table of operations, in the order in which help lists them. A verb is loaded when it is wanted: a program that runs one
// does not pay for the others.
//
// A new verb has a file here that calls defineVerb, a row in the table, and a place in groups.ts. Its work is a function in memory/*-verbs.ts or,
// where it only answers, in memory/*-questions.ts. Agents get it as a tool by a row in apps/tools.ts. The build makes its checks and schemas.
// In groups.ts it stands below a heading of `verbGroups`, or behind a noun of `subjects`. Three tests ask for every verb: test/doors/doors.ts,
// test/hostile/sweep/questions.ts and test/apps/verbs/outputs.test.ts.

import type { Verb } from './verb.ts';

/** A verb by its name, not loaded yet. */
export interface VerbEntry {
  readonly name: string;
  load(): Promise<Verb>;
}

/** Names every verb of git-memory. */
export const verbTable: readonly VerbEntry[] = [
  { name: 'init', load: async () => (await import('./repository.ts')).init },
  { name: 'status', load: async () => (await import('./repository.ts')).status },
  { name: 'capture', load: async () => (await import('./capture.ts')).capture },
  { name: 'note', load: async () => (await import('./note.ts')).note },
  { name: 'event', load: async () => (await import('./event.ts')).event },
  { name: 'change', load: async () => (await import('./change.ts')).change },
  { name: 'import', load: async () => (await import('./import.ts')).importVerb },
  { name: 'export', load: async () => (await import('./export.ts')).exportVerb },
  { name: 'extract', load: async () => (await import('./extract.ts')).extract },
  { name: 'experiment', load: async () => (await import('./experiment.ts')).experiment },
  { name: 'remember', load: async () => (await import('./records.ts')).remember },
  { name: 'recall', load: async () => (await import('./recall.ts')).recall },
  { name: 'about', load: async () => (await import('./about.ts')).about },
  { name: 'show', load: async () => (await import('./recall.ts')).show },
  { name: 'expand', load: async () => (await import('./gist.ts')).expand },
  { name: 'list', load: async () => (await import('./recall.ts')).list },
  { name: 'review', load: async () => (await import('./review.ts')).review },
  { name: 'boxes', load: async () => (await import('./boxes.ts')).boxes },
  { name: 'events', load: async () => (await import('./ledger.ts')).events },
  { name: 'changes', load: async () => (await import('./change.ts')).changes },
  { name: 'loops', load: async () => (await import('./ledger.ts')).loops },
  { name: 'pack', load: async () => (await import('./pack.ts')).pack },
  { name: 'context', load: async () => (await import('./context.ts')).context },
  { name: 'session-start', load: async () => (await import('./context.ts')).sessionStart },
  { name: 'boot', load: async () => (await import('./project.ts')).boot },
  { name: 'shutdown', load: async () => (await import('./project.ts')).shutdown },
  { name: 'graph', load: async () => (await import('./project.ts')).graph },
  { name: 'todo', load: async () => (await import('./todo.ts')).todo },
  { name: 'task', load: async () => (await import('./todo.ts')).task },
  { name: 'topics', load: async () => (await import('./topics.ts')).topics },
  { name: 'integrity', load: async () => (await import('./ledger.ts')).integrity },
  { name: 'knowledge', load: async () => (await import('./knowledge.ts')).knowledge },
  { name: 'verify', load: async () => (await import('./knowledge.ts')).verify },
  { name: 'write', load: async () => (await import('./records.ts')).write },
  { name: 'edit', load: async () => (await import('./records.ts')).edit },
  { name: 'mv', load: async () => (await import('./records.ts')).mv },
  { name: 'rm', load: async () => (await import('./records.ts')).rm },
  { name: 'touch', load: async () => (await import('./records.ts')).touch },
  { name: 'archive', load: async () => (await import('./records.ts')).archive },
  { name: 'forget', load: async () => (await import('./records.ts')).forget },
  { name: 'restore', load: async () => (await import('./records.ts')).restore },
  { name: 'relate', load: async () => (await import('./records.ts')).relate },
  { name: 'consolidate', load: async () => (await import('./consolidate.ts')).consolidate },
  { name: 'split', load: async () => (await import('./split.ts')).split },
  { name: 'gist', load: async () => (await import('./gist.ts')).gist },
  { name: 'promote', load: async () => (await import('./promote.ts')).promote },
  { name: 'schema', load: async () => (await import('./promote.ts')).schema },
  { name: 'bundle', load: async () => (await import('./promote.ts')).bundle },
  { name: 'commit', load: async () => (await import('./history.ts')).commit },
  { name: 'log', load: async () => (await import('./history.ts')).log },
  { name: 'blame', load: async () => (await import('./blame.ts')).blame },
  { name: 'diff', load: async () => (await import('./diff.ts')).diff },
  { name: 'learned', load: async () => (await import('./learned.ts')).learned },
  { name: 'test', load: async () => (await import('./test.ts')).test },
  { name: 'bisect', load: async () => (await import('./bisect.ts')).bisect },
  { name: 'provenance', load: async () => (await import('./provenance.ts')).provenance },
  { name: 'undo', load: async () => (await import('./undo.ts')).undo },
  { name: 'branch', load: async () => (await import('./branches.ts')).branch },
  { name: 'merge', load: async () => (await import('./branches.ts')).merge },
  { name: 'quarantine', load: async () => (await import('./quarantine.ts')).quarantine },
  { name: 'resolve', load: async () => (await import('./branches.ts')).resolve },
  { name: 'sync', load: async () => (await import('./sync.ts')).sync },
  { name: 'purge', load: async () => (await import('./purge.ts')).purge },
  { name: 'replay', load: async () => (await import('./history.ts')).replay },
  { name: 'snapshot', load: async () => (await import('./history.ts')).snapshot },
  { name: 'nightly', load: async () => (await import('./nightly.ts')).nightly },
  { name: 'maintain', load: async () => (await import('./maintain.ts')).maintain },
  { name: 'schedule', load: async () => (await import('./schedule.ts')).schedule },
  { name: 'model', load: async () => (await import('./model.ts')).model },
  { name: 'config', load: async () => (await import('./config.ts')).config },
  { name: 'key', load: async () => (await import('./key.ts')).key },
  { name: 'mount', load: async () => (await import('./mount.ts')).mount },
  { name: 'hooks', load: async () => (await import('./hooks.ts')).hooks },
  { name: 'plug', load: async () => (await import('./plug.ts')).plug },
  { name: 'unplug', load: async () => (await import('./plug.ts')).unplug },
  { name: 'hook', load: async () => (await import('./hook.ts')).hook },
  { name: 'merge-driver', load: async () => (await import('./hooks.ts')).mergeDriver },
  { name: 'reindex', load: async () => (await import('./reindex.ts')).reindex },
  { name: 'doctor', load: async () => (await import('./doctor.ts')).doctor },
];

/** Gives the JSON Schema (draft 2020-12) of a verb's answer, made of the types by the build; loose, for a shape may grow keys. */
export async function outputSchemaOf(name: string): Promise<object> {
  const { outputs } = await import('./generated/outputs.ts');
  return outputs[name] ?? {};
}

/** Loads every verb, in the order of the table. */
export const loadVerbs = (): Promise<readonly Verb[]> => Promise.all(verbTable.map(({ load }) => load()));

/** Loads the verb of a name; undefined if there is none. */
export async function loadVerb(name: string): Promise<Verb | undefined> {
  return verbTable.find((entry) => entry.name === name)?.load();
}
