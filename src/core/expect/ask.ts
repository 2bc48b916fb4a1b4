// The question of an expectation, put to one state: what is shown there, as lines, and for each part where it comes from.

import { defined } from '../../base/errors.ts';
import { formatSeconds } from '../../base/time.ts';
import { estimateTokens } from '../../base/token-estimate.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import type {
  BootResult,
  ContextOptions,
  ContextResult,
  ListFilter,
  ListResult,
  LogFilter,
  LogResult,
  LoopsResult,
  PackResult,
  RecallOptions,
  RecallResult,
  SessionStartOptions,
  SessionStartResult,
} from '../../base/types.ts';
import { periodMark } from '../../store/claims/claim.ts';
import type { Expectation } from './expectation.ts';

/** A state that can be asked. */
export interface AskedView {
  context(message: string, options: ContextOptions): Promise<ContextResult>;
  sessionStart(options: SessionStartOptions): Promise<SessionStartResult>;
  pack(): Promise<PackResult>;
  recall(query: string, options: RecallOptions): Promise<RecallResult>;
  list(filter: ListFilter): Promise<ListResult>;
  readonly ledger: { loops(): Promise<LoopsResult> };
  readonly project: { boot(): Promise<BootResult> };
  read(path: string): Promise<string>;
  files(prefix: string): Promise<string[]>;
  get(id: string): Promise<MemoryRecord & { path: string }>;
  log(filter: LogFilter): Promise<LogResult>;
}

/** A part of an answer that somebody may have to find. Its words are `text`, or those of the record or file behind it. */
export interface ShownPart {
  readonly text?: string;
  readonly path: string;
  readonly id?: string;
  readonly turns: readonly string[];
  /** Where it is known already. */
  readonly commit?: string | null;
}

/** What an answer shows. */
export interface Shown {
  readonly text: string;
  readonly tokens: number;
  readonly parts: readonly ShownPart[];
}

type Question = Pick<Expectation, 'ask' | 'words' | 'isShared' | 'session' | 'limit' | 'tokens'>;

/** Every way in which forgotten words could be handed out. */
const everyAsk: readonly Expectation['ask'][] = ['recall', 'context', 'session_start', 'pack', 'list', 'loops'];

/** Puts the question. Throws as the question does. */
export async function ask(view: AskedView, question: Question): Promise<Shown> {
  switch (question.ask) {
    case 'context':
      return compiled(
        await view.context(question.words, {
          ...compiledOptions(question),
          ...(question.session === undefined ? {} : { session: question.session }),
          counts: false,
        }),
        // The message itself is no answer.
        (slot) => slot !== 'message',
      );
    case 'session_start':
      return compiled(await view.sessionStart(compiledOptions(question)));
    case 'pack': {
      const { text, lines } = await view.pack();
      return shown(
        text,
        lines.flatMap((line) => (line.path === undefined ? [] : [{ text: line.text, path: line.path, turns: [] }])),
      );
    }
    case 'recall':
      return recalled(await view.recall(question.words, question.limit === undefined ? {} : { limit: question.limit }));
    case 'list':
      return listed(await view.list(question.words === '' ? {} : { category: question.words }));
    case 'loops': {
      const { loops } = await view.ledger.loops();
      return rows(
        loops.map(({ content, due, overdue, path }) => ({
          text: `${onOneLine(content)} [due: ${due ?? 'none'}]${overdue ? ' overdue' : ''}`,
          path,
          turns: [],
        })),
      );
    }
    case 'boot':
      return shown((await view.project.boot()).text, []);
    case 'read': {
      const wanted = question.words.split('\n').map((path) => path.replace(/\/$/, ''));
      const isWanted = (path: string) => wanted.some((one) => path === one || path.startsWith(`${one}/`));
      // A file that is not there says nothing, which may be what is expected.
      const paths = (await view.files('')).filter(isWanted);
      const texts = await Promise.all(paths.map((path) => view.read(path)));
      return shown(
        texts.join('\n'),
        paths.map((path, at) => ({ text: texts[at]!, path, turns: [] })),
      );
    }
    case 'forgotten': {
      const answers = await Promise.all(everyAsk.map((one) => ask(view, { ...question, ask: one, ...noWords(one) })));
      return shown(
        answers.map(({ text }) => text).join('\n'),
        answers.flatMap(({ parts }) => parts),
      );
    }
  }
}

const noWords = (one: Expectation['ask']): { words?: string } => (one === 'list' ? { words: '' } : {});

function compiledOptions({ tokens, isShared }: Question): { tokens?: number; others?: boolean } {
  return { ...(tokens === undefined ? {} : { tokens }), ...(isShared ? { others: true } : {}) };
}

function compiled(
  { slots, tokens }: Pick<ContextResult, 'slots' | 'tokens'>,
  isWanted: (slot: string) => boolean = () => true,
): Shown {
  const wanted = slots.filter(({ slot, text }) => isWanted(slot) && text !== '');
  return {
    text: wanted.map(({ text }) => text).join('\n'),
    tokens,
    parts: wanted.flatMap(({ blocks }) =>
      blocks.flatMap(({ path, source, id }) => {
        const file = path ?? (source.includes('/') ? source.split('#')[0]! : undefined);
        if (file === undefined) return [];
        const turns = /\.md#\d+/.test(source) ? [source] : [];
        return [{ path: file, turns, ...(id === undefined ? {} : { id }) }];
      }),
    ),
  };
}

function recalled({ hits }: RecallResult): Shown {
  return rows(
    hits.map(({ speaker, snippet, from, until, replacedBy, path, id, turn, sources, commit }) => ({
      text: [
        ...(speaker === undefined ? [] : [`${speaker}:`]),
        `${onOneLine(snippet)}${periodMark(defined({ from, until }))}`,
        ...(replacedBy === undefined ? [] : ['(superseded)']),
      ].join(' '),
      path,
      ...(id === undefined ? {} : { id }),
      turns: turn === undefined ? turnsOf(sources) : [`${path}#${turn}`],
      commit,
    })),
  );
}

function listed({ memories }: ListResult): Shown {
  return rows(
    memories
      .filter(({ status }) => status !== 'archived' && status !== 'superseded')
      .map(({ statement, content, due, validUntil, path, id, sources }) => ({
        text: [
          onOneLine(statement ?? content),
          ...(due === undefined ? [] : [`[due: ${due}]`]),
          ...(validUntil === undefined ? [] : [`(until ${formatSeconds(validUntil).slice(0, 10)})`]),
        ].join(' '),
        path,
        id,
        turns: turnsOf(sources),
      })),
  );
}

export const turnsOf = (sources: MemoryRecord['sources'] = []): string[] =>
  sources.map(({ path, turn }) => (turn === undefined ? path : `${path}#${turn}`));

const rows = (parts: readonly (ShownPart & { readonly text: string })[]): Shown =>
  shown(parts.map(({ text }) => text).join('\n'), parts);

const shown = (text: string, parts: readonly ShownPart[]): Shown => ({ text, tokens: estimateTokens(text), parts });

const onOneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');
