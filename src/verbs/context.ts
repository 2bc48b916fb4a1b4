// The verbs that hand an agent what it needs: for one message, and at the beginning of a session.

import { z } from 'zod';
import { count, grouped } from '../base/count.ts';
import type { ContextResult, ContextSlot, SessionStartResult } from '../types.ts';
import { describeMountProblems } from './mount.ts';
import { filled } from './schemas.ts';
import { hang, type Style } from './style.ts';
import { defineVerb } from './verb.ts';

const tokens = z.int().min(16).exactOptional();
const why = z
  .boolean()
  .exactOptional()
  .describe('show where each block comes from and what was left out, in place of the text');
const others = z.boolean().exactOptional().describe('others listen, too: MEMORY.md, which is for the owner, stays out');

export const context = defineVerb({
  name: 'context',
  summary: 'Compile what an agent is handed for a message',
  help:
    'One text within a number of tokens: identity, core memory, the notes of today and yesterday, the session so far, what active topics ' +
    'bring, and what is found for the message; what changes least stands first, so that a cached prefix stays one. The same memory, day, ' +
    'message and budget give the same bytes. What is recalled is marked as data. --why tells for each block where it comes from, its score ' +
    'and its tokens, and what was left out. It only looks, unless --use says that a model is handed it. Budgets stand under `context:` in memory.yaml.',
  input: z.strictObject({
    message: filled.describe('what was said, or what happened'),
    tokens: tokens.describe('the most tokens of the whole text; context.tokens of memory.yaml if left out'),
    session: filled.exactOptional().describe('the id of a recorded session, whose turns are the conversation so far'),
    turns: z
      .array(z.strictObject({ role: filled, text: z.string(), speaker: filled.exactOptional() }))
      .exactOptional()
      .describe('the conversation so far, oldest first, in place of a recorded session'),
    topics: z
      .array(filled)
      .exactOptional()
      .describe('names of topics that are to be active, beside those it brings up'),
    since: filled
      .exactOptional()
      .describe('the id of an earlier context: only what is new, and what of it ended, changed or was forgotten'),
    others,
    use: z
      .boolean()
      .exactOptional()
      .describe('it is put before a model: what is shown counts as used, and what leaves the window is extracted from'),
    why,
  }),
  positional: ['message'],
  usual: ['tokens', 'session', 'topics', 'since', 'use', 'why'],
  words: 'message',
  // Whoever only wants to see it should find no commit afterwards.
  flags: { reads: true, writes: 'batch', asks: ({ use, why: wantsReasons }) => use !== true || wantsReasons === true },
  example: {
    command: 'git memory context --tokens 2000 where does Ada live',
    shows: 'the text an agent would be handed',
  },
  async run(verbContext, { message, topics, others: isShared, use, why: wantsReasons, ...rest }) {
    const result = await (await verbContext.view()).context(message, {
      ...rest,
      ...(topics === undefined ? {} : { activeTopics: topics }),
      ...(isShared ? { main: false } : {}),
      // Who asks for reasons examines, and uses nothing.
      ...(use && !wantsReasons ? {} : { counts: false }),
      ...(verbContext.signal === undefined ? {} : { signal: verbContext.signal }),
    });
    return answerOf(result, wantsReasons);
  },
  text: (output: Shown<ContextResult>, style) => (output.why ? explain(output, style) : output.text),
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
    'Identity, the recall pack, the notes of yesterday and today, the active projects, and with the owner alone MEMORY.md: in one text ' +
    'within a number of tokens, to be read before the first message. The same memory and day give the same bytes.',
  input: z.strictObject({
    tokens: tokens.describe('the most tokens; context.start_tokens of memory.yaml if left out'),
    day: filled.exactOptional().describe('the day that begins, such as 2026-02-16; today if left out'),
    others,
    why,
  }),
  positional: [],
  flags: { reads: true },
  example: { command: 'git memory session-start', shows: 'identity, what matters today, and the notes of two days' },
  async run(verbContext, { others: isShared, why: wantsReasons, ...rest }) {
    const result = await (await verbContext.view()).sessionStart({ ...rest, ...(isShared ? { main: false } : {}) });
    return answerOf(result, wantsReasons);
  },
  text: (output: Shown<SessionStartResult>, style) =>
    output.why ? explain(output, style) : output.text || 'Nothing is known yet.',
});

/** The text once, and not again slot by slot; with what was asked for. */
function answerOf<Result extends SessionStartResult>(result: Result, wantsReasons: boolean | undefined) {
  const slots = result.slots.map(({ text: _, ...slot }) => slot);
  return { ...result, slots, ...(wantsReasons ? { why: true } : {}) };
}

/** What the verbs answer. */
type Shown<Result extends SessionStartResult> = Omit<Result, 'slots'> & {
  readonly slots: readonly Omit<ContextSlot, 'text'>[];
  readonly why?: boolean;
};

/** What stands where and why, slot by slot, in the order of the text. */
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
