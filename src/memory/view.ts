// A view answers everything that can be asked of a memory at one commit. Questions have files by family, loaded when they are asked.

import { formatSeconds, millisecondsOf } from '../base/time.ts';
import { Searcher } from '../core/recall/searcher.ts';
import { answer } from '../store/git/file-errors.ts';
import { agentsPath } from '../store/records/kind.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { type AskMounted, agentQuestions } from './agent-questions.ts';
import { compose, withDoor, within } from './compose.ts';
import { expectQuestions } from './expect-questions.ts';
import { withFormerNames } from './former-names.ts';
import { handedQuestions } from './handed-questions.ts';
import { historyQuestions } from './history-questions.ts';
import { type LogState, logQuestions } from './log-questions.ts';
import { recallQuestions } from './recall-questions.ts';
import type { SharedSources } from './state.ts';
import { stateQuestions } from './state-questions.ts';

/** What can be asked of any state of a memory, whether of the present or of a commit. */
export interface Questions
  extends ReturnType<typeof stateQuestions>,
    ReturnType<typeof recallQuestions>,
    ReturnType<typeof logQuestions>,
    ReturnType<typeof agentQuestions>,
    ReturnType<typeof historyQuestions>,
    ReturnType<typeof expectQuestions>,
    ReturnType<typeof handedQuestions> {}

/** Makes the questions to a state. */
export function questionsTo(state: LogState, mounted?: AskMounted): Questions {
  return within(
    (call) => answer(() => state.shared.sparing(() => state.current(), call)),
    compose(
      stateQuestions(state),
      recallQuestions(state),
      logQuestions(state),
      agentQuestions(state, questionsTo, mounted),
      historyQuestions(state),
      expectQuestions(state, questionsTo),
      handedQuestions(state, questionsTo),
    ),
  );
}

/** The read-only state at one commit. Scores of the past are those of the past: of the day or time that was asked for, else of its commit. */
export interface View extends Questions {
  /** Id of the commit that is asked. */
  readonly commit: string;
  /** Id of its tree, which is the whole of what it knows. */
  readonly tree: string;
  /** When it was committed, ISO 8601. */
  readonly time: string;
}

/** Opens the state at one commit; `asked` is a time at which it was still so, by default when it was committed. */
export function viewOf(shared: SharedSources, snapshot: Snapshot, asked = 0): View {
  const commit = snapshot.commit!;
  const { mark, objects } = shared.repository;
  const seconds = () => objects.readCommit(commit).committer.time;
  let searcher: Searcher | undefined;
  /** Since when its commit is known to be there: a purge may take it away. */
  let markVersion = mark.version();
  const current = () => {
    const version = mark.version();
    if (version !== markVersion) {
      objects.forget();
      if (!objects.has(commit)) throw mark.purged(commit);
      markVersion = version;
    }
    return snapshot;
  };
  const state: LogState = {
    shared,
    current,
    searcher: () => (searcher ??= new Searcher(shared, false)),
    now: () => Math.max(asked, millisecondsOf(seconds())),
    asItLies: () => ({ snapshot: current() }),
    agents: () => current().readText(agentsPath),
  };
  const view = compose(questionsTo(state), {
    commit,
    tree: snapshot.tree!,
    get time(): string {
      return formatSeconds(seconds());
    },
  });
  return withFormerNames(withDoor(view));
}
