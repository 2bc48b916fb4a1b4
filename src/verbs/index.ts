// The one table of operations, in the order in which help lists them.

import { bisect } from './bisect.ts';
import { blame } from './blame.ts';
import { branch, merge, resolve } from './branches.ts';
import { capture } from './capture.ts';
import { consolidate } from './consolidate.ts';
import { diff } from './diff.ts';
import { doctor } from './doctor.ts';
import { due } from './due.ts';
import { exportVerb } from './export.ts';
import { extract } from './extract.ts';
import { expand, gist } from './gist.ts';
import { commit, log, snapshot } from './history.ts';
import { hooks, mergeDriver } from './hooks.ts';
import { importVerb } from './import.ts';
import { learned } from './learned.ts';
import { maintain } from './maintain.ts';
import { bundle, promote, schema } from './promote.ts';
import { provenance } from './provenance.ts';
import { list, recall, show } from './recall.ts';
import { archive, edit, forget, relate, remember, restore, rm, touch, write } from './records.ts';
import { reindex } from './reindex.ts';
import { init, status } from './repository.ts';
import { split } from './split.ts';
import { undo } from './undo.ts';
import type { Verb } from './verb.ts';

/** Lists every verb of git-memory. */
export const verbs: readonly Verb[] = [
  init,
  status,
  capture,
  importVerb,
  exportVerb,
  extract,
  remember,
  recall,
  show,
  expand,
  list,
  due,
  write,
  edit,
  rm,
  touch,
  archive,
  forget,
  restore,
  relate,
  consolidate,
  split,
  gist,
  promote,
  schema,
  bundle,
  commit,
  log,
  blame,
  diff,
  learned,
  bisect,
  provenance,
  undo,
  branch,
  merge,
  resolve,
  snapshot,
  maintain,
  hooks,
  mergeDriver,
  reindex,
  doctor,
];
