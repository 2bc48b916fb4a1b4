// What an agent is handed: for a message, at the beginning of a session, and which topics are brought up.

import { answer } from '../git/disk.ts';
import type { ContextQuestion } from '../operations/context.ts';
import type { TopicQuestion } from '../operations/topics.ts';
import type {
  ContextOptions,
  ContextResult,
  SessionStartOptions,
  SessionStartResult,
  TopicListResult,
  TopicsOptions,
  TopicsResult,
} from '../types.ts';
import { LogQuestions } from './log-questions.ts';

/** A state of a memory, out of which contexts are compiled. */
export abstract class AgentQuestions extends LogQuestions {
  /**
   * Compiles what an agent is handed for a message: identity, memory, the session so far, active topics and what fits, within a budget of
   * tokens, each block with its reason. Writes nothing. Throws INVALID_ARGUMENT, also for a budget below the identity; NOT_FOUND.
   */
  context(message: string, options: ContextOptions = {}): Promise<ContextResult> {
    return answer(async () =>
      (await import('../operations/context.ts')).contextOf(this.contextQuestion(), message, options),
    );
  }

  /**
   * Compiles what a session begins with: identity, the recall pack, what was noted yesterday and today, active projects, and with the owner
   * alone MEMORY.md. Throws INVALID_ARGUMENT, INVALID_DATE.
   */
  sessionStart(options: SessionStartOptions = {}): Promise<SessionStartResult> {
    return answer(async () =>
      (await import('../operations/session-start.ts')).sessionStartOf(this.ledgerQuestion(), options),
    );
  }

  protected contextQuestion(): ContextQuestion {
    const question = this.ledgerQuestion();
    const { snapshot, configuration } = question;
    return {
      ...question,
      searcher: this.searcher(),
      likenessTo: (query, signal) =>
        this.likenessTo(query, signal === undefined ? {} : { signal }, snapshot, configuration),
      topics: async (text, asked) =>
        (await import('../operations/topics.ts')).topicsOf(await this.topicQuestion(), text, asked),
    };
  }

  /**
   * Finds the topics that a message brings up, and says for each what spoke for it and why it is active or not; `corrections` is what the
   * agent should hear about its own `output`. Writes nothing; a model is asked at the gate only if somebody chose one.
   *
   * What is wrong with a topic file is told in `problems`. Throws INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND for `activeTopics`, TOO_LARGE.
   */
  topics(message: string, options: TopicsOptions = {}): Promise<TopicsResult> {
    return answer(async () =>
      (await import('../operations/topics.ts')).topicsOf(await this.topicQuestion(), message, options),
    );
  }

  /** Lists the topics, and what is wrong with their files, by line. */
  topicFiles(): Promise<TopicListResult> {
    return answer(async () => (await import('../operations/topics.ts')).listTopics(await this.topicQuestion()));
  }

  protected async topicQuestion(): Promise<TopicQuestion> {
    const { topics, gateModel, configurationOf } = this.shared;
    const snapshot = this.current();
    return { topics: await topics(), gateModel, snapshot, configuration: configurationOf(snapshot), now: this.now() };
  }
}
