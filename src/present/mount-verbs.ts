// Other memories that are looked into: recall is answered by them, too, and so is whoever asks for a path below mounts/.

import { MemoryError } from '../errors.ts';
import { absolutePath, type Location } from '../open.ts';
import type { ContextQuestion } from '../operations/context.ts';
import type { Changing, Mounts } from '../operations/mounts.ts';
import { hasMounts } from '../store/mounts.ts';
import type {
  BlameOptions,
  BlameResult,
  LogFilter,
  LogResult,
  MountInput,
  MountsResult,
  ProvenanceResult,
  RecallOptions,
  RecallResult,
} from '../types.ts';
import type { Reader } from '../view/view.ts';
import type { MemoryDependencies } from './dependencies.ts';
import type { Memory } from './memory.ts';
import { PassVerbs } from './pass-verbs.ts';

/** A branch that looks into other memories. */
export abstract class MountVerbs extends PassVerbs {
  private readonly openMounted: MemoryDependencies['openMounted'];
  private mounted: Promise<Mounts<Reader, Memory>> | undefined;

  constructor(location: Location, dependencies: MemoryDependencies) {
    super(location, dependencies);
    this.openMounted = dependencies.openMounted;
  }

  /**
   * Looks into another memory from now on: its hits come with those of this one, marked, and its files are read below `mounts/<name>/`.
   * Nothing of it is ever written, and private texts stay closed. The list is this machine's and does not sync. Views of the past and scoped
   * memories see no mounts. Throws INVALID_ARGUMENT, ALREADY_EXISTS, and as {@link openMemory} for what is there.
   */
  mount(input: MountInput): Promise<MountInput> {
    return this.acting(async () => {
      const dir =
        typeof input?.dir === 'string' && input.dir !== '' ? absolutePath(input.dir, process.cwd()) : input?.dir;
      return (await this.others()).add({ ...input, dir }, this.mountList());
    });
  }

  /** Looks into a mounted memory no more. Throws NOT_FOUND. */
  unmount(name: string): Promise<MountInput> {
    return this.acting(async () => (await this.others()).remove(name, this.mountList()));
  }

  /** Lists what is mounted, and says of each that cannot be asked why. */
  mounts(): Promise<MountsResult> {
    return this.asking(async () => {
      const others = await this.others();
      const problems = await others.problems();
      return { mounts: problems.some(({ name }) => name === '') ? [] : others.list(), problems };
    });
  }

  /** @internal Mounts answer, too. */
  override recall(query: string, options: RecallOptions = {}): Promise<RecallResult> {
    return this.asking(async () => {
      if (!this.looksIntoOthers()) return super.recall(query, options);
      const { withMounted } = await import('../operations/mounts.ts');
      const own = await super.recall(query, options);
      const limit = options.limit ?? this.configuration().recall.limit;
      const { hits, problems } = await (await this.others()).recall(query, { ...options, limit });
      const told = problems.length === 0 ? {} : { mountProblems: problems };
      return { ...own, ...told, hits: withMounted(own.hits, hits).slice(0, limit) };
    });
  }

  /** @internal Mounts answer, too. */
  override read(path: string): Promise<string> {
    return this.elsewhere(
      path,
      (view, there) => view.read(there),
      () => super.read(path),
    );
  }

  /** @internal Mounts answer, too. */
  override log(filter: LogFilter = {}): Promise<LogResult> {
    return this.elsewhere(
      filter?.path,
      (view, there) => view.log({ ...filter, path: there }),
      () => super.log(filter),
    );
  }

  /** @internal Mounts answer, too. */
  override blame(pathOrId: string, options: BlameOptions = {}): Promise<BlameResult> {
    return this.elsewhere(
      pathOrId,
      (view, there) => view.blame(there, options),
      () => super.blame(pathOrId, options),
    );
  }

  /** @internal Mounts answer, too. */
  override provenance(pathOrId: string, line?: number): Promise<ProvenanceResult> {
    return this.elsewhere(
      pathOrId,
      (view, there) => view.provenance(there, line),
      () => super.provenance(pathOrId, line),
    );
  }

  protected override contextQuestion(): ContextQuestion {
    const question = super.contextQuestion();
    if (!this.looksIntoOthers()) return question;
    return {
      ...question,
      others: async (query, limit) => {
        const { asRanked } = await import('../operations/mounts.ts');
        const { hits, problems } = await (await this.others()).recall(query, { limit });
        return { hits: hits.map(asRanked), problems };
      },
    };
  }

  private mountList(): Changing {
    return {
      locked: (work) => this.store.exclusively(work),
      holds: (folder) => this.store.snapshot().list(folder).size > 0,
    };
  }

  private looksIntoOthers(): boolean {
    if (this.isClosed || this.shared.scope !== null || this.openMounted === undefined) return false;
    return hasMounts(this.repository);
  }

  /** Asks the mounted memory that a path leads into, or ourselves. */
  private elsewhere<T>(
    path: unknown,
    ask: (view: Reader, there: string) => Promise<T>,
    askOurselves: () => Promise<T>,
  ): Promise<T> {
    if (typeof path !== 'string' || !path.startsWith('mounts/')) return askOurselves();
    return this.asking(async () => {
      if (!this.looksIntoOthers()) return askOurselves();
      const place = await (await this.others()).behind(path);
      if (place !== null) return ask(place.view, place.path);
      throw new MemoryError('NOT_FOUND', `${path} is in no mounted memory`, {
        where: path,
        hint: '`git memory mount` lists what is mounted',
      });
    });
  }

  private others(): Promise<Mounts<Reader, Memory>> {
    this.mounted ??= import('../operations/mounts.ts').then(
      ({ Mounts }) => new Mounts<Reader, Memory>(this.repository, (dir) => this.openOther(dir)),
    );
    return this.mounted;
  }

  private async openOther(dir: string): Promise<Memory> {
    const { openMounted } = this;
    if (openMounted === undefined || this.shared.scope !== null) {
      throw new MemoryError('READ_ONLY', 'this memory looks into no other', { where: 'mount' });
    }
    const memory = await openMounted(dir);
    if (memory.repository.commonDirectory !== this.repository.commonDirectory) return memory;
    await memory.close();
    throw new MemoryError('INVALID_ARGUMENT', 'a memory cannot be mounted into itself', { where: dir });
  }

  override async close(): Promise<void> {
    if (!this.isClosed) await this.mounted?.then((others) => others.close());
    return super.close();
  }
}
