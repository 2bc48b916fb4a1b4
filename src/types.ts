// The shapes that callers of the library see, by subject. They may grow keys and never lose them.

export type * from './types/basics.ts';
export type * from './types/boxes.ts';
export type * from './types/branches.ts';
export type * from './types/capture.ts';
export type * from './types/changelog.ts';
export type * from './types/compiled.ts';
export type * from './types/configuration.ts';
export type * from './types/context.ts';
export type * from './types/entities.ts';
export type * from './types/exchange.ts';
export type * from './types/experiment.ts';
export type * from './types/extract.ts';
export type * from './types/history.ts';
export type * from './types/knowledge.ts';
export type * from './types/ledger.ts';
export type * from './types/nightly.ts';
export type * from './types/passes.ts';
export type * from './types/project.ts';
export type * from './types/purge.ts';
export type * from './types/quarantine.ts';
export type * from './types/recall.ts';
export type * from './types/records.ts';
export type * from './types/schedule.ts';
export type * from './types/status.ts';
export type * from './types/sync.ts';
export type * from './types/watch.ts';
