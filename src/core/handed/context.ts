// The context of a message as it is asked of a state: the parts come together here, the compiler makes one text of them.

import { defined, MemoryError } from '../../base/errors.ts';
import { askingWords } from '../../base/generated/words.ts';
import { dayOf, endOfDay } from '../../base/time.ts';
import { queryTokensOf } from '../../base/tokenizer.ts';
import type {
  ActiveTopic,
  ContextOptions,
  ContextResult,
  ContextTurn,
  MountProblem,
  TopicsOptions,
  TopicsResult,
} from '../../base/types.ts';
import { listed, oneOf } from '../../base/words.ts';
import { type JudgedHit, likenessIn, maxLimit, type SemanticAnswer } from '../../search/index.ts';
import { shownText } from '../../store/forgotten.ts';
import { askedPath } from '../../store/guard/path.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { parseTranscript } from '../../store/records/transcript.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { findTranscript } from '../capture/recorder.ts';
import { type CompileInput, compile } from '../context/compile/compile.ts';
import { meterOf } from '../context/compile/meter.ts';
import { withEndings } from '../context/compile/outdated.ts';
import { type Earlier, earlierOf } from '../context/compile/since.ts';
import { withMounted } from '../recall/mounts.ts';
import type { FindOptions, Found, Searcher } from '../recall/searcher.ts';
import { shortHash } from './handed.ts';
import { laterIn } from './later.ts';

/** What mounted memories have for a context. */
export interface MountedAnswer {
  readonly hits: readonly JudgedHit[];
  readonly problems: readonly MountProblem[];
  readonly probablyNothing: boolean;
}

/** What is asked, and what answers. */
export interface ContextQuestion {
  readonly snapshot: Snapshot;
  readonly configuration: Configuration;
  /** Milliseconds since the Unix epoch: says which day it is. */
  readonly now: number;
  readonly searcher: Searcher;
  /** Tells where conversations were held, where any was with code. */
  learntFrom?(): Promise<FindOptions['learntFrom']>;
  /** Gives what holds whatever is asked, and what names memories in the text. */
  standing(): Promise<Pick<CompileInput, 'standing' | 'handleOf' | 'origins'>>;
  /** Asks the embedder that is not built in; null where there is none. */
  likenessTo(query: string, signal: AbortSignal | undefined): Promise<SemanticAnswer | MemoryError | null>;
  /** Asks the memories that are mounted, and names those that do not answer. */
  others?(query: string, limit: number): Promise<MountedAnswer>;
  /** Gives what an earlier context handed out, and how that is now; keeps what this one does. Throws NOT_FOUND. */
  since(id: string): Promise<NonNullable<CompileInput['since']>>;
  /** Keeps what was compiled, so that a later context can be asked for what is new. */
  keep(id: string, handed: Earlier): void;
  /** Finds what topics a message brings up. */
  topics(message: string, options: TopicsOptions): Promise<Pick<TopicsResult, 'active' | 'corrections' | 'problems'>>;
}

/** Of a message so much is looked for: its beginning and its end. */
const mostAsked = 2000;
/** A message of fewer words that say something is read with the turn before it: `and when was that?` */
const leastWords = 2;
const leastBudget = 16;
/** So many hits of mounted memories may come into a context; they cost no place of ours. */
const mostOfOthers = 20;
const nobody: MountedAnswer = { hits: [], problems: [], probablyNothing: true };
/** A message that asks something, with its sign or by its first word. */
const asks = new RegExp(`\\?["'”’)\\s]*$|^\\W*${oneOf(listed(askingWords))}\\b`, 'i');
/** A filter alone finds all that it lets through, the newest first. */
const everything = 'since:1970-01-01';
const watchedTurns = 20;

/** Compiles the context of a message. Throws INVALID_ARGUMENT, NOT_FOUND for a session that is not here. */
export async function contextOf(
  question: ContextQuestion,
  message: string,
  options: ContextOptions = {},
): Promise<ContextResult> {
  const { snapshot, configuration, now } = question;
  const settings = configuration.context;
  checkInput(message, options);
  const meter = meterOf(options.tokenizer);
  const budget = budgetOf(options.tokens ?? settings.tokens);
  const session = options.session === undefined ? undefined : sessionOf(snapshot, options.session);
  const turns = session?.turns ?? options.turns ?? [];
  const found = await topicsFor(question, message, options, turns);
  const query = queryFor(message, found.active, turns);
  const terms = queryTokensOf(query);
  const likeness = terms.length === 0 ? null : await question.likenessTo(query, options.signal);
  const others = (terms.length === 0 ? undefined : await question.others?.(query, mostOfOthers)) ?? nobody;
  const today = dayOf(now, configuration.timezone);
  const style = { timeZone: configuration.timezone, now: Math.floor(now / 1000) };
  const since = options.since === undefined ? undefined : await question.since(options.since);
  const near = likenessIn(likeness);
  const learntFrom = await question.learntFrom?.();
  const find = (looked: string, limit: number): Found =>
    question.searcher.find(snapshot, looked, {
      ...defined({ learntFrom }),
      limit: Math.min(maxLimit, Math.max(1, limit)),
      fusion: settings.scoring,
      weights: configuration.search,
      // The end of the day and not the moment: the same day gives the same bytes.
      now: endOfDay(today, configuration.timezone),
      timeZone: configuration.timezone,
      ...near,
    });
  const holding = await question.standing();
  const input: CompileInput = {
    ...defined({ since }),
    snapshot: withEndings(snapshot, (text) => question.searcher.endingsIn(snapshot, text), style),
    style,
    days: [dayBefore(today), today],
    message,
    turns,
    ...(session === undefined ? {} : { sessionPath: session.path }),
    topics: found.active,
    corrections: found.corrections,
    ...holding,
    laterOf: laterIn({ ...question, ...holding, ...near }),
    textOf: (path) => snapshot.textIfWhole(path),
    isMain: options.others !== true,
    system: options.system ?? '',
    budget,
    settings,
    gistFirst: configuration.gist.first,
    meter,
    terms,
    find: (limit) => {
      const { hits, probablyNothing } = find(query, limit);
      return { hits: withMounted(hits, others.hits), probablyNothing: probablyNothing && others.probablyNothing };
    },
    asks: asks.test(message),
    spoken: {
      quotedBy: (document) => question.searcher.quotedBy(snapshot, document),
      turnAt: (path, turn) => question.searcher.turnAt(snapshot, path, turn),
      followersOf: (documents, following) =>
        question.searcher.followersOf(snapshot, documents, '', { ...following, ...near }),
      linkedBy: 'likeness' in near ? 'vectors' : 'words',
    },
    allTurns: (mostWords) => question.searcher.allTurns(snapshot, mostWords),
    latest: (limit) => find(everything, limit).hits,
  };
  const compiled = compile(input);
  const result: ContextResult = {
    ...compiled,
    id: shortHash(compiled.text),
    commit: snapshot.commit,
    day: today,
    ...(found.problems.length === 0 ? {} : { problems: found.problems }),
    ...(others.problems.length === 0 ? {} : { mountProblems: others.problems }),
    ...defined({ embedderNote: likeness instanceof MemoryError ? likeness.message : likeness?.note }),
  };
  question.keep(result.id, earlierOf(result, since?.earlier));
  return result;
}

/** Checks a number of tokens. Throws INVALID_ARGUMENT. */
export function budgetOf(tokens: unknown): number {
  if (typeof tokens === 'number' && Number.isInteger(tokens) && tokens >= leastBudget) return tokens;
  throw new MemoryError('INVALID_ARGUMENT', `a budget must be a whole number of at least ${leastBudget} tokens`, {
    where: 'tokens',
  });
}

function checkInput(message: string, options: ContextOptions): void {
  const fail = (where: string, what: string, hint?: string): never => {
    throw new MemoryError('INVALID_ARGUMENT', what, { where, ...(hint === undefined ? {} : { hint }) });
  };
  if (message.trim() === '') fail('message', 'the message is missing');
  const { turns = [], session, since } = options;
  if (since === '') fail('since', 'an earlier context is named by its id');
  if (options.turns !== undefined && session !== undefined)
    fail('turns', 'turns and session exclude each other', 'A recorded session has its turns');
  if (session === '') fail('session', 'the session is not named');
  const nameless = turns.findIndex(({ role }) => role === '');
  if (nameless >= 0) fail(`turns.${nameless}`, 'a turn has a role and a text');
}

/** Topics as they came are decided; names are asked for beside what the message brings up. */
async function topicsFor(
  question: ContextQuestion,
  message: string,
  { activeTopics = [], events, output, signal }: ContextOptions,
  turns: readonly ContextTurn[],
): Promise<Pick<TopicsResult, 'active' | 'corrections' | 'problems'>> {
  const names = activeTopics.filter((topic) => typeof topic === 'string');
  const decided = activeTopics.filter((topic) => typeof topic !== 'string');
  const last = output ?? turns.findLast(({ role }) => role === 'agent' || role === 'assistant')?.text;
  const found = await question.topics(message, {
    turns: turns.slice(-watchedTurns).map(({ role, text }) => ({ role, text })),
    ...(names.length === 0 ? {} : { activeTopics: names }),
    ...defined({ events, output: last, signal }),
  });
  if (decided.length === 0) return found;
  const manual = found.active.filter(({ by }) => by === 'manual');
  return {
    ...found,
    active: [...decided, ...manual.filter(({ path }) => decided.every((topic) => topic.path !== path))],
  };
}

/** What to look for: the words of the message and of the topics that are active, none of them a filter or a phrase. */
function queryFor(message: string, topics: readonly ActiveTopic[], turns: readonly ContextTurn[]): string {
  const words = plainWords(message);
  const before = queryTokensOf(words).length < leastWords ? plainWords(turns.at(-1)?.text ?? '') : '';
  return [words, ...topics.map(({ name }) => plainWords(name)), before].join(' ').trim();
}

function plainWords(text: string): string {
  const asked = text.length <= 2 * mostAsked ? text : `${text.slice(0, mostAsked)} ${text.slice(-mostAsked)}`;
  return asked.replace(/["“”„]/g, ' ').replace(/(?<=\p{L}):(?=\S)/gu, ' ');
}

/** Gives the day before a day, `2026-02-28` of `2026-03-01`. */
export const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) - 86_400_000).toISOString().slice(0, 10);

/** Finds the transcript of a session by its id or path, also while it runs. Throws NOT_FOUND. */
function sessionOf(
  snapshot: Snapshot,
  session: string,
): { readonly path: string; readonly turns: readonly ContextTurn[] } {
  const path = session.endsWith('.md') ? askedPath(session) : findTranscript(snapshot, session);
  const text = path === undefined ? null : snapshot.readText(path);
  if (path === undefined || text === null) {
    const hint = 'Give the id of a session, the path of its transcript, or the turns themselves';
    throw new MemoryError('NOT_FOUND', `no session ${session} is recorded here`, { where: 'session', hint });
  }
  return { path, turns: parseTranscript(shownText(snapshot, path, text), path).turns };
}
