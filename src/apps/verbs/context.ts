// The verbs that hand an agent what it needs: for one message, and at the beginning of a session.

import { z } from 'zod';
import { count, grouped } from '../../base/count.ts';
import { defined } from '../../base/errors.ts';
import type { ContextResult, ContextSlot, SessionStartResult } from '../../base/types.ts';
import { describeMountProblems } from './mount.ts';
import { hang, type Style } from './style.ts';
import { defineVerb, filled, flag, maybe, optional, several } from './verb.ts';

const tokens = z.int().min(16).exactOptional();
const why = flag('instead of the text, show where each block comes from and what was left out');
const others = flag('others are listening: leave out MEMORY.md, which is for the owner');

export const context = defineVerb({
  name: 'context',
  summary: 'Compile what an agent is handed for a message',
  help:
    'The answer is one text within a budget of tokens. It holds identity, core memory, notes of two days, the session ' +
    'so far, active topics and what recall finds. Stable parts come first, so that a prompt cache can reuse them. The ' +
    'same memory, day, message and budget give the same bytes. Recalled text is marked as data. --why shows the source, ' +
    'score and tokens of each block, and what was left out. The verb changes nothing unless --use says that a model ' +
    'receives the text. Budgets are under `context:` in memory.yaml.',
  input: z.strictObject({
    message: filled.describe('what was said, or what happened'),
    tokens: tokens.describe('the most tokens of the whole text; context.tokens of memory.yaml if left out'),
    session: maybe('the id of a recorded session, whose turns are the conversation so far'),
    turns: optional(
      z.array(z.strictObject({ role: filled, text: z.string(), speaker: filled.exactOptional() })),
      'the conversation so far, oldest first, in place of a recorded session',
    ),
    topics: several('names of topics to activate, in addition to those the message brings up'),
    since: maybe('the id of an earlier context: show only what is new, ended, changed or forgotten since'),
    others,
    use: flag('a model receives the text: count its memories as used, and extract from turns that leave the window'),
    why,
  }),
  positional: ['message'],
  usual: ['tokens', 'session', 'topics', 'since', 'use', 'why'],
  words: 'message',
  // A caller that only wants to see it should find no commit afterwards.
  flags: { reads: true, writes: 'batch', asks: ({ use, why: wantsReasons }) => use !== true || wantsReasons === true },
  example: { command: 'context --tokens 2000 where does Ada live', shows: 'the text an agent would be handed' },
  async run(verbContext, { message, topics, use, why: wantsReasons, ...rest }) {
    const result = await (await verbContext.view()).context(message, {
      ...rest,
      ...defined({ activeTopics: topics }),
      // A question for reasons examines, and uses nothing.
      ...(use && !wantsReasons ? {} : { counts: false }),
      ...defined({ signal: verbContext.signal }),
    });
    return answerOf(result, wantsReasons);
  },
  text: (output: Shown<ContextResult>, style) =>
    output.why ? explain(output, style) : style.hasIds ? output.text : withoutIds(output),
  // Beside the text, which goes to a model and has the same bytes whoever answers.
  aside({ mountProblems = [], why: isExplained }, style) {
    if (isExplained || mountProblems.length === 0) return undefined;
    return describeMountProblems(mountProblems, style).join('\n');
  },
});

export const sessionStart = defineVerb({
  name: 'session-start',
  summary: 'Compile what a session begins with',
  help:
    'One text for an agent to read before the first message, within a budget of tokens. It begins with identity, ' +
    'what holds, open promises, and the best of what was said in the last two weeks. The notes of two days, active ' +
    'projects and the recall pack follow. MEMORY.md is included only for the owner. The same memory and day give the same bytes.',
  input: z.strictObject({
    tokens: tokens.describe(
      'the most tokens of the whole text; context.start_tokens of memory.yaml beside identity if left out',
    ),
    day: maybe('the day that begins, such as 2026-02-16; today if left out'),
    others,
    why,
  }),
  flags: { reads: true },
  example: { command: 'context start', shows: 'identity, what holds, and the last days' },
  async run(verbContext, { why: wantsReasons, ...rest }) {
    const view = await verbContext.view();
    const result = await view.sessionStart(rest);
    const isKnown = result.text === '' && (await view.list({ limit: 1 })).memories.length > 0;
    return { ...answerOf(result, wantsReasons), ...(isKnown ? { isKnown } : {}) };
  },
  text(output: Shown<SessionStartResult> & { readonly isKnown?: boolean }, style) {
    if (output.why) return explain(output, style);
    const nothing = output.isKnown
      ? `Nothing of what is known is for every session. To ask: ${style.command('recall WORDS')}`
      : 'Nothing is known yet.';
    return output.text || nothing;
  },
});

/** The text once, and not again slot by slot; with what was asked for. */
function answerOf<Result extends SessionStartResult>(result: Result, wantsReasons: boolean | undefined) {
  const slots = result.slots.map(({ text: _, ...slot }) => slot);
  return { ...result, slots, ...(wantsReasons ? { why: true } : {}) };
}

type Shown<Result extends SessionStartResult> = Omit<Result, 'slots'> & {
  readonly slots: readonly Omit<ContextSlot, 'text'>[];
  readonly why?: boolean;
};

/** Leaves out the beginnings of ids before memories: `- [01m8mg5h] Ada keeps bees`. */
function withoutIds({ text, slots }: Shown<ContextResult>): string {
  const ids = slots.flatMap(({ blocks }) => blocks.flatMap(({ id }) => id ?? []));
  return text.replace(/^- \[([^\]\s]+)\] /gm, (mark, handle: string) =>
    ids.some((id) => id.startsWith(handle)) ? '- ' : mark,
  );
}

function explain(output: Shown<SessionStartResult> & Partial<Omit<ContextResult, 'slots'>>, style: Style): string {
  const lines = output.slots
    .filter(({ blocks, left }) => blocks.length + left.length > 0)
    .flatMap((slot) => explainSlot(slot, style));
  const { window } = output;
  const turns = window === undefined || window.turns === 0 ? [] : [`${window.shown} of ${count(window.turns, 'turn')}`];
  const problems = (output.problems ?? []).map(({ path, line, why: wrong }) =>
    style.bad(`${path}${line === undefined ? '' : `:${line}`} ${wrong}`),
  );
  const silent = describeMountProblems(output.mountProblems ?? [], style);
  const total = `${count(output.tokens, 'token')} of ${grouped(output.budget)}, ${output.counted}`;
  return [...lines, ...problems, ...silent, [total, ...turns].join('; ')].join('\n');
}

function explainSlot(
  { slot, priority, budget, tokens: used, blocks, left }: Omit<ContextSlot, 'text'>,
  style: Style,
): string[] {
  const room = budget === null ? '' : ` of ${grouped(budget)}`;
  const told = blocks.flatMap(({ source, tokens: cost, score, why: reason, isCut }) => {
    const ranked = score === undefined ? '' : ` ${score.toFixed(2)}`;
    return hang(
      `  ${String(cost).padStart(5)}${ranked}`,
      `${source}  ${style.faint(`${reason}${isCut ? '; cut' : ''}`)}`,
      style,
      14,
      3,
    );
  });
  const missing = left.flatMap(({ source, score, why: reason }) =>
    hang(
      `      −${score === undefined ? '' : ` ${score.toFixed(2)}`}`,
      style.faint(`${source}  ${reason}`),
      style,
      14,
      2,
    ),
  );
  return [`${style.strong(slot)}  P${priority}, ${count(used, 'token')}${room}`, ...told, ...missing];
}
