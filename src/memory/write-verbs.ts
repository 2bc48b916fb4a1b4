// The small writes that are committed together, by the batch of a branch.

import { defined, MemoryError } from '../base/errors.ts';
import { dayOf } from '../base/time.ts';
import type { MemoryRecord } from '../base/types/stored-types.ts';
import type {
  ClaimInput,
  CommitOptions,
  CommitResult,
  EntityChange,
  EntityChangeResult,
  ForgetResult,
  RelateOptions,
  RememberInput,
  RememberOptions,
  RememberResult,
  TouchAllResult,
  TouchOptions,
  VerifyOptions,
  VerifyResult,
  WriteResult,
} from '../base/types.ts';
import type { KnowledgeChange } from '../core/capture/session.ts';
import { type Batch, relationSubject } from '../core/write/batch.ts';
import {
  type EditPlan,
  knowledgeChangesOf,
  notThere,
  planMove,
  planRemove,
  planReplace,
  planWrite,
} from '../core/write/edits.ts';
import { namedAfter, planChange, planForget, planRelation, planUse, relationId } from '../core/write/memory-edits.ts';
import type { NearDuplicates } from '../core/write/near-duplicates.ts';
import { type RememberDependencies, rememberClaims } from '../core/write/remember.ts';
import type { BranchStore } from '../store/branch-store.ts';
import { wordsOfClaim } from '../store/claims/claim.ts';
import { asMemoryError } from '../store/git/file-errors.ts';
import { checkMemoryPath, checkPath } from '../store/guard/path.ts';
import type { Branch } from './branch.ts';
import { within } from './compose.ts';
import type { Questions } from './view.ts';

interface WritePort {
  readonly batch: Batch;
  /** Puts into the batch what was noted and is not in it yet. */
  readonly settle: () => Promise<void>;
  readonly asked: Pick<Questions, 'get'>;
  readonly nearDuplicates: NearDuplicates;
}

/** Changes memories and files of a branch. */
export function writeVerbs(branch: Branch, { batch, settle, asked, nearDuplicates }: WritePort) {
  const { store, shared, scope } = branch;
  const remembering: RememberDependencies = {
    batch,
    store,
    scope,
    catalog: shared.catalog,
    nearDuplicates,
    ids: branch.dependencies.ids,
    origins: branch.origins,
    now: () => branch.now(),
    filter: () => branch.filter(),
    configuration: () => branch.configuration(),
    standing: async () => (await import('../core/extract/rules.ts')).standingOf,
  };
  const write: Batch['write'] = async (name, plan, options) => {
    const origin = branch.origins.of();
    // Nobody hears what is changed outside of a session.
    if (origin.path === undefined) return batch.write(name, plan, { ...options, origin });
    let changes: KnowledgeChange[] = [];
    const noting: EditPlan = (snapshot) => {
      const planned = plan(snapshot);
      changes = knowledgeChangesOf('path' in planned ? [planned] : planned, snapshot);
      return planned;
    };
    const result = await batch.write(name, noting, { ...options, origin });
    // The write is acknowledged: that its session could not say so fails nothing.
    const unsaid = (error: unknown) =>
      branch.dependencies.logger.warn(`the session does not say what it changed: ${asMemoryError(error)}`);
    for (const change of changes) await branch.origins.changed(origin, change).catch(unsaid);
    return result;
  };
  /** Completes an abbreviated id now, so that trailers and answers name the memory in full. */
  const found = (id: string) => shared.catalog.find(store.snapshot(), id).record;
  const use = (records: readonly MemoryRecord[], { tags, boost }: TouchOptions): Promise<WriteResult> => {
    const used = { now: branch.now(), ...defined({ tags }), ...(boost ? { boost } : {}) };
    const ids = records.map(({ id }) => id);
    return write('touch', planUse(shared.catalog, ids, used, branch.configuration()), { records });
  };
  return within(branch.acting, {
    /**
     * Keeps a claim; durable when the call returns, committed with the next flush.
     *
     * Without an `id` of its own, what another active memory says already writes no second one; letter case and punctuation do not count.
     * That one is used, confirmed and gets what it lacked. What is nearly the same is kept, and the answer names the others.
     *
     * What it `replaces`, and what else holds of the same subject and attribute, ends in the same commit, and undo opens it again. Throws
     * INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND, AMBIGUOUS, and CONFLICT for what was replaced before.
     */
    async remember(claim: RememberInput | string): Promise<RememberResult> {
      const { session, agent, ...said } = typeof claim === 'string' ? { content: claim } : claim;
      return (await rememberClaims(remembering, [said], defined({ session, agent })))[0]!;
    },

    /** Keeps several claims as {@link remember} does, all or none, in one write; answers in their order. */
    rememberAll: async (claims: readonly ClaimInput[], options: RememberOptions = {}): Promise<RememberResult[]> =>
      rememberClaims(remembering, claims, options),

    /**
     * Writes a whole file; `ifBlob` makes it fail with CONFLICT unless the file still has that blob id (`null`: is absent).
     *
     * Throws INVALID_PATH for memory.yaml, which {@link configure} changes, and for `.meta.json`, `.gitattributes` and receipts of purges; so do
     * `edit`, `move` and `remove`.
     */
    write: async (path: string, text: string, options: { ifBlob?: string | null } = {}): Promise<WriteResult> =>
      write('write', planWrite(checkMemoryPath(path), text, options.ifBlob)),

    /**
     * Changes keys of memory.yaml, such as `{ 'decay.half_life_days': 7 }`; its comments stay. A text is read as YAML, and undefined brings the
     * default back. Joins the batch; nothing is written where memory.yaml says so already. Throws NOT_FOUND for an unknown key, INVALID_CONFIG
     * for a value that it does not take.
     */
    async configure(values: Readonly<Record<string, unknown>>): Promise<WriteResult> {
      const { planConfiguration } = await import('../core/write/configuration.ts');
      const plan = planConfiguration(values);
      const present = store.snapshot();
      const { path, after } = plan(present);
      if (after === present.readText(path)) return { path, pending: false };
      return write('config', plan, { isConfiguration: true });
    },

    knowledge: {
      /**
       * Confirms a fact of a knowledge file, by its line or some of its words, or all that grow old: they get `[verified: day]`.
       *
       * Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, INVALID_DATE, INVALID_PATH, INVALID_RECORD.
       */
      async verify(path: string, options: VerifyOptions = {}): Promise<VerifyResult> {
        const { verifyFacts } = await import('../core/knowledge/verify.ts');
        const today = dayOf(branch.now(), branch.configuration().timezone);
        return verifyFacts({ batch: { write }, store }, checkMemoryPath(path), options, today);
      },

      /**
       * Creates, relates, describes and removes entities, all in one write that joins the batch. Names and texts are compared as they are.
       *
       * Throws NOT_FOUND for observations of an entity that is not there, INVALID_ARGUMENT, SECRET, QUOTA; then nothing is written.
       */
      async changeEntities(change: EntityChange): Promise<EntityChangeResult> {
        const filter = branch.filter();
        const { NothingToChange, planEntityChange } = await import('../core/recall/entity-graph.ts');
        const { plan, outcome } = planEntityChange(filter.passAll(change, 'the entities'), branch.now());
        try {
          const { redacted } = await write('entities', plan, { filter });
          return { ...outcome(), pending: true, ...defined({ redacted }) };
        } catch (error) {
          if (error instanceof NothingToChange) return { ...outcome(), pending: false };
          throw error;
        }
      },
    },

    /** Replaces a text that occurs exactly once. Throws NOT_FOUND, AMBIGUOUS. */
    async edit(path: string, oldText: string, newText: string): Promise<WriteResult> {
      if (oldText === '') throw new MemoryError('INVALID_ARGUMENT', 'the old text is missing', { where: 'oldText' });
      return write('edit', planReplace(checkMemoryPath(path), oldText, newText));
    },

    /** Removes a file, or with `recursive` a folder, from the present; history keeps it. Throws NOT_FOUND, IMMUTABLE, MASS_REMOVAL. */
    async remove(path: string, options: { allowRemovals?: boolean; recursive?: boolean } = {}): Promise<WriteResult> {
      const { recursive, ...rest } = options;
      return write('remove', planRemove(checkPath(path), recursive), rest);
    },

    /**
     * Gives a file, or all below a folder, another name, all or nothing. What is private goes to a private place, unless `plain` is set: then
     * it lies open there, without its secrets. Throws NOT_FOUND, ALREADY_EXISTS, INVALID_ARGUMENT, IMMUTABLE, PRIVATE_OPEN, SECRET.
     */
    async move(from: string, to: string, options: { plain?: boolean } = {}): Promise<WriteResult> {
      const plan = planMove(checkPath(from), checkMemoryPath(to), options?.plain === true);
      return write('move', plan);
    },

    records: {
      /**
       * Notes that a memory was of use: it decays later. `tags` are those of what it was used for: a use in another domain makes it stronger,
       * and so does one that is boosted. Throws NOT_FOUND, AMBIGUOUS.
       */
      touch: async (id: string, options: TouchOptions = {}): Promise<WriteResult> => use([found(id)], options),

      /** Gives the whole of a memory whose gist was of use, and notes that use. Throws NOT_FOUND, AMBIGUOUS. */
      async expand(id: string, options: TouchOptions = {}): Promise<MemoryRecord & { path: string; score: number }> {
        const record = found(id);
        await use([record], options);
        return asked.get(record.id);
      },

      /** Notes one use of each of several memories, in one write. Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT; then none is noted. */
      async touchAll(ids: readonly string[], options: TouchOptions = {}): Promise<TouchAllResult> {
        if (ids.length === 0)
          throw new MemoryError('INVALID_ARGUMENT', 'the ids of the memories are missing', { where: 'ids' });
        const records = [...new Map(ids.map((id) => found(id)).map((record) => [record.id, record])).values()];
        const { pending } = await use(records, options);
        return { ids: records.map(({ id }) => id), pending };
      },

      /** Takes a memory out of recall and keeps it where it is. Throws NOT_FOUND, AMBIGUOUS. */
      async archive(id: string): Promise<WriteResult> {
        const record = found(id);
        const plan = planChange(shared.catalog, record.id, (present) => ({ ...present, status: 'archived' }));
        return write('archive', plan, { records: [record] });
      },

      /**
       * Relates two memories: `related`, `causes`, `supports`, `contradicts`, `has_decision` or a word of one's own.
       *
       * Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, ALREADY_EXISTS when they are related so already.
       */
      async relate(from: string, to: string, type = 'related', options: RelateOptions = {}): Promise<WriteResult> {
        const records = [found(from), found(to)];
        const filter = branch.filter();
        const relation = {
          ...filter.passAll(options, 'the relation'),
          from: records[0]!.id,
          to: records[1]!.id,
          type: filter.passName(type, 'type'),
          now: branch.now(),
        };
        const written = await write('relate', planRelation(shared.catalog, relation), {
          records,
          filter,
          subject: relationSubject(records[0]!, records[1]!, relation.type),
        });
        return { ...written, id: relationId(relation) };
      },
    },

    /**
     * Removes a memory from the present with the relations that lose an end; history still answers, and `restore` or undo bring it back.
     * Its words leave every file outside `raw/`, and the turns it was taken from are handed out no more; `purge` removes those from history.
     *
     * Throws NOT_FOUND, AMBIGUOUS, and MASS_REMOVAL when with what waits for the same commit it would be a large part of them,
     * unless `allowRemovals` is set.
     */
    async forget(id: string, options: { allowRemovals?: boolean } = {}): Promise<ForgetResult> {
      const record = found(id);
      const turns = (record.sources ?? []).flatMap(({ path, turn }) =>
        turn === undefined || store.snapshot().oidOf(path) === null ? [] : [`${path}#${turn}`],
      );
      const present = turns.length === 0 ? [] : shared.catalog.stored(store.snapshot());
      const others = present.flatMap(({ record: one }) => {
        const isOfThem = (one.sources ?? []).some(({ path, turn }) => turns.includes(`${path}#${turn}`));
        return isOfThem && one.id !== record.id && one.status === 'active'
          ? [{ id: one.id, content: wordsOfClaim(one) }]
          : [];
      });
      const paths = namedAfter(store.snapshot(), record).map(({ path }) => path);
      const written = await write('forget', planForget(shared.catalog, record.id), { records: [record], ...options });
      const more = { ...(others.length === 0 ? {} : { others }), ...(paths.length === 0 ? {} : { paths }) };
      return { ...written, turns, ...more };
    },

    /**
     * Commits the batch, and what people changed in the work tree, now. With `auto_push`, syncs behind it: whoever commits does not wait.
     *
     * What is only gone, or looks like an unfinished merge, stays as it is unless `paths` names it. Throws LOCKED, also while a merge of native
     * git is not finished, SECRET, and for `paths` INVALID_PATH and NOT_FOUND.
     */
    async commit(message?: string, options: CommitOptions = {}): Promise<CommitResult> {
      const { paths, ...rest } = options;
      await settle();
      if (paths === undefined) return batch.commit(message, rest);
      return batch.commit(message, { ...rest, paths: paths.map((path) => placeOf(store, path)) });
    },
  });
}

/** Checks a file or folder that is named to be committed; throws INVALID_PATH, NOT_FOUND. */
function placeOf(store: BranchStore, given: string): string {
  const path = checkPath(given.replace(/\/$/, ''));
  const present = store.snapshot();
  const isThere = present.oidOf(path) !== null || present.list(`${path}/`).size > 0;
  if (!isThere && store.workTree?.files.stat(path) == null) throw notThere(present, path);
  return path;
}
