// The turns of an agent: what it is handed for a message, which topics that brings up, and what is noted of both.

import type { Location } from '../open.ts';
import type { BranchDependencies } from '../opened-branch.ts';
import { ActingContext } from '../operations/acting-context.ts';
import { CompiledUse, planCompiledUse } from '../operations/compiled-use.ts';
import type { BatchWriter } from '../operations/topic-turns.ts';
import type {
  ActivateResult,
  ContextOptions,
  ContextResult,
  RateTopicResult,
  TopicEvent,
  TopicInput,
  TopicsOptions,
  TuneResult,
  WriteResult,
} from '../types.ts';
import { ProjectVerbs } from './project-verbs.ts';

/** What follows a turn of an agent is loaded by the first. */
const turning = () => import('../operations/topic-turns.ts');

/** A branch that goes with an agent from turn to turn. */
export abstract class TurnVerbs extends ProjectVerbs {
  private readonly compiledUse: CompiledUse;
  private readonly actingContext: ActingContext;

  constructor(location: Location, dependencies: BranchDependencies) {
    super(location, dependencies);
    const { store } = this;
    this.compiledUse = new CompiledUse((used) => {
      const plan = planCompiledUse(this.shared.catalog, used, this.configuration(), this.now());
      return this.batch.write('touch', plan, { records: [], subject: 'touch what contexts have shown' });
    });
    this.actingContext = new ActingContext({
      use: this.compiledUse,
      configuration: () => this.configuration(),
      snapshot: () => store.snapshot(),
      compile: async (message, options) => {
        const { contextOf } = await import('../operations/context.ts');
        const question = this.contextQuestion();
        return contextOf({ ...question, topics: (text, asked) => this.activate(text, asked) }, message, options);
      },
      compileAgain: (message, options) => super.context(message, options),
      extract: async (path) => {
        await this.autoExtraction.settled(path);
        return this.extractFrom({ from: path });
      },
    });
  }

  /**
   * As of a {@link View}, and beside it: what is shown counts as used, written with the next commit; what the gate of topics decided is noted;
   * and turns of a recorded `session` are extracted from before they leave the window, unless `context.flush` or `extract.trigger` of memory.yaml say otherwise. Open for reading
   * only, it writes nothing.
   */
  override context(message: string, options: ContextOptions = {}): Promise<ContextResult> {
    const isCounted = !this.dependencies.readOnly && this.shared.scope === null && options?.counts !== false;
    if (!isCounted) return super.context(message, options);
    return this.acting(() => this.actingContext.compile(message, options));
  }

  /**
   * Finds the topics of a turn of an agent as {@link topics} does, or those of an event, and notes in the batch what the gate decided; with
   * `turns` and `output` also whether the topics of the turn before were of use.
   */
  activate(message: string | TopicEvent, options: TopicsOptions = {}): Promise<ActivateResult> {
    return this.acting(async () => {
      const { activateForTurn } = await turning();
      const isText = typeof message === 'string';
      const events = isText ? options.events : [message, ...(options.events ?? [])];
      const given = events === undefined ? options : { ...options, events };
      return activateForTurn(await this.topicQuestion(), isText ? message : '', given, this.inBatch);
    });
  }

  /** Writes a new topic file. Throws ALREADY_EXISTS, INVALID_PATH, INVALID_ARGUMENT for a pattern that cannot be read. */
  newTopic(input: TopicInput): Promise<WriteResult> {
    return this.acting(async () => (await turning()).newTopic(input, this.inBatch));
  }

  /** Notes whether a topic was of use when it was decided upon last, or for a message. Throws NOT_FOUND, INVALID_ARGUMENT. */
  rateTopic(name: string, wasUseful: boolean, message?: string): Promise<RateTopicResult> {
    return this.acting(async () =>
      (await turning()).rateTopic(await this.topicQuestion(), name, wasUseful, message, this.inBatch),
    );
  }

  /** Proposes better thresholds from what the gate decided and how it turned out; `apply` writes them into the topics. */
  tuneTopics(options: { apply?: boolean } = {}): Promise<TuneResult> {
    const tune = async () => (await turning()).tuneTopics(await this.topicQuestion(), options, this.inBatch);
    return options.apply ? this.acting(tune) : this.asking(tune);
  }

  private readonly inBatch: BatchWriter = (name, plan) => this.batch.write(name, plan);

  protected override settle(): Promise<void> {
    return this.compiledUse.settle();
  }
}
