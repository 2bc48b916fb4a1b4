// A model for tests that reads: it says of each turn what was said there. A test may have it say more.

/** What a request shows. */
export interface ShownRequest {
  readonly claims: readonly { readonly k: string; readonly says: string; readonly day: string }[];
  readonly before: readonly string[];
  readonly turns: readonly { readonly t: number; readonly text: string }[];
}

/** Reads what a model is asked; what was asked before, where an answer is asked for again. */
export function shownIn(prompt: string): ShownRequest {
  // Other questions show no conversation.
  if (!prompt.startsWith('{')) return { claims: [], before: [], turns: [] };
  const asked = JSON.parse(prompt.split('\n\nYour last answer ')[0]!);
  return {
    claims: asked.claims,
    before: asked.conversations.flatMap(({ before = [] }) => before.map(({ text }: { text: string }) => text)),
    turns: asked.conversations.flatMap(({ turns }: { turns: unknown[] }) => turns),
  };
}

/** An item of an answer, with all that a model is to say. */
export function answerItem(item: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const days = { due: null, from: null, until: null };
  const flags = { standing: false, constraint: false, procedure: false };
  return { kind: 'decision', subject: null, attribute: null, ...flags, ...days, sure: 'said', changes: [], ...item };
}

/** Answers with one item for each turn; `more` changes an item. */
export function honestAnswer(prompt: string, more: (text: string) => Record<string, unknown> = () => ({})): string {
  const items = shownIn(prompt).turns.map(({ t, text }) =>
    answerItem({ says: text, t: [t], quote: text, ...more(text) }),
  );
  return JSON.stringify({ items, unchanged: [], nothing: [] });
}
