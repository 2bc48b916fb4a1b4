// Other memories that are looked into: recall is answered by them, too, and so is whoever asks for a path below mounts/.

import { MemoryError } from '../base/errors.ts';
import type { MountInput, MountsResult } from '../base/types.ts';
import type { Changing, Mounts } from '../core/recall/mounts.ts';
import type { BranchStore } from '../store/branch-store.ts';
import { hasMounts } from '../store/mounts.ts';
import type { WholeBranch } from './branch.ts';
import { compose, within } from './compose.ts';
import { absolutePath } from './locate.ts';
import type { Questions } from './view.ts';

const mounting = () => import('../core/recall/mounts.ts');

/** A memory that is looked into. */
export interface Mounted extends Questions {
  readonly store: BranchStore;
  at(when: string): Promise<Questions>;
  close(): Promise<void>;
}

type OpenMounts = ReturnType<typeof mountsOf>;

/** Looks into other memories, opened by the first question that needs them. `open` opens one so that nothing of it can change. */
export function mountsOf(
  branch: Pick<WholeBranch, 'isClosed' | 'repository' | 'scope'>,
  open: ((dir: string) => Promise<Mounted>) | undefined,
) {
  const { repository } = branch;
  const openOther = async (dir: string): Promise<Mounted> => {
    if (open === undefined) throw new MemoryError('READ_ONLY', 'this memory cannot mount others', { where: 'mount' });
    const memory = await open(dir);
    if (memory.store.repository.commonDirectory !== repository.commonDirectory) return memory;
    await memory.close();
    throw new MemoryError('INVALID_ARGUMENT', 'a memory cannot be mounted into itself', { where: dir });
  };
  let opened: Promise<Mounts<Questions, Mounted>> | undefined;
  const list = () =>
    (opened ??= mounting().then(({ Mounts }) => new Mounts<Questions, Mounted>(repository, openOther)));
  const isAsked = () => !branch.isClosed && open !== undefined && hasMounts(repository);
  const ask = async (query: string, limit: number) => {
    const { asJudged } = await mounting();
    const { hits, ...told } = await (await list()).recall(query, { limit });
    return { ...told, hits: hits.map(asJudged) };
  };
  return { list, isAsked, asking: () => (isAsked() ? ask : undefined), close: async () => (await opened)?.close() };
}

/** What mounted memories answer beside ours. */
type Answered = Pick<Questions, 'recall' | 'read' | 'log' | 'blame' | 'provenance'>;

/** Lets mounted memories answer, too: a recall beside ours, and other questions for paths that lead into them. */
export function withMounts(
  branch: Pick<WholeBranch, 'asking' | 'configuration' | 'scope'>,
  mounts: OpenMounts,
  own: Answered,
): Answered {
  /** Asks the mounted memory that a path leads into, or ourselves. */
  const elsewhere = <T>(path: string, ask: (view: Answered, there: string) => Promise<T>): Promise<T> => {
    if (typeof path !== 'string' || !path.startsWith('mounts/')) return ask(own, path);
    return branch.asking(async () => {
      if (!mounts.isAsked()) return ask(own, path);
      const place = await (await mounts.list()).behind(path);
      if (place !== null) return ask(place.view, place.path);
      throw new MemoryError('NOT_FOUND', `${path} is in no mounted memory`, {
        where: path,
        hint: '`git memory mount` lists what is mounted',
      });
    });
  };
  return {
    recall: (query, options = {}) =>
      branch.asking(async () => {
        const asked = await own.recall(query, options);
        if (!mounts.isAsked()) return asked;
        const { probablyNothing: isNothingHere, ...ours } = asked;
        const { withMounted } = await mounting();
        const limit = options.limit ?? branch.configuration().recall.limit;
        const { hits, problems, probablyNothing } = await (await mounts.list()).recall(query, { ...options, limit });
        const told = problems.length === 0 ? {} : { mountProblems: problems };
        const verdict = isNothingHere && probablyNothing ? { probablyNothing } : {};
        return { ...ours, ...told, ...verdict, hits: withMounted(ours.hits, hits).slice(0, limit) };
      }),
    read: (path, options) => elsewhere(path, (view, there) => view.read(there, options)),
    log: (filter = {}) =>
      filter?.path === undefined
        ? own.log(filter)
        : elsewhere(filter.path, (view, there) => view.log({ ...filter, path: there })),
    blame: (pathOrId, options) => elsewhere(pathOrId, (view, there) => view.blame(there, options)),
    provenance: (pathOrId, line) => elsewhere(pathOrId, (view, there) => view.provenance(there, line)),
  };
}

/** Chooses which other memories are looked into. */
export function mountVerbs(branch: Pick<WholeBranch, 'acting' | 'asking' | 'scope' | 'store'>, mounts: OpenMounts) {
  const changing: Changing = {
    locked: (work) => branch.store.exclusively(work),
    holds: (folder) => branch.store.snapshot().list(folder).size > 0,
  };
  return compose(
    within(branch.acting, {
      mounts: {
        /**
         * Looks into another memory from now on: its hits come with those of this one, marked, and its files are read below `mounts/<name>/`.
         * Nothing of it is ever written, and private texts stay closed. The list is this machine's and does not sync. Views of the past and scoped
         * memories see no mounts. Throws INVALID_ARGUMENT, ALREADY_EXISTS, and as {@link openMemory} for what is there.
         */
        async add(input: MountInput): Promise<MountInput> {
          const dir =
            typeof input?.dir === 'string' && input.dir !== '' ? absolutePath(input.dir, process.cwd()) : input?.dir;
          return (await mounts.list()).add({ ...input, dir }, changing);
        },

        /** Looks into a mounted memory no more. Throws NOT_FOUND. */
        remove: async (name: string): Promise<MountInput> => (await mounts.list()).remove(name, changing),
      },
    }),
    within(branch.asking, {
      mounts: {
        /** Lists what is mounted, and says of each that cannot be asked why. */
        async list(): Promise<MountsResult> {
          const others = await mounts.list();
          const problems = await others.problems();
          return { mounts: problems.some(({ name }) => name === '') ? [] : others.list(), problems };
        },
      },
    }),
  );
}
