// What a commit of several writes is called. The model that is set says it in a line, and the rules where it does not (spec 5 §3.2).

import { commit } from '../../base/generated/prompts.ts';
import { oneLine } from '../../base/text.ts';
import { unifiedDiff } from '../../base/unified-diff.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { SecretFilter } from '../../store/guard/secret-filter.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import type { ModelWriter } from './condense/writer.ts';

/** Below so many writes a commit says what it holds already. */
const leastWrites = 2;
/** Of the summary without its kind, so that the subject keeps to 72. */
const maxSummary = 60;
const maxOutputTokens = 100;
/** Characters of the difference that the model is shown. */
const maxShown = 4000;
/** How long a commit waits for it. */
const waitMs = 10_000;

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['summary'],
  properties: { summary: { type: 'string' } },
} as const;

/**
 * Asks a model for the summary of what waits. Undefined where the rules are to say it. They say it for one write alone, writes that become
 * several commits, private paths, no answer within {@link waitMs}, or a useless one. Never throws.
 */
export async function proposedSubject(
  store: BranchStore,
  configuration: Pick<Configuration, 'commitMessage' | 'private' | 'secrets'>,
  openWriter: () => Promise<ModelWriter | null>,
): Promise<string | undefined> {
  const { model } = configuration.commitMessage;
  const pending = store.pending();
  const isOne = new Set(pending.map(({ run }) => run)).size === 1;
  // Subjects are read by everyone who sees the repository.
  if (!model || pending.length < leastWrites || !isOne || configuration.private.length > 0) return undefined;
  try {
    const writer = await openWriter();
    if (writer === null) return undefined;
    const paths = pending.flatMap(({ changes }) => changes.map(({ path }) => path));
    const prompt = differenceOf(store, paths);
    const signal = AbortSignal.timeout(waitMs);
    const answer = await writer.ask({ name: 'commit', system: commit.text, prompt, schema, maxOutputTokens, signal });
    const summary = (answer as { summary?: unknown } | undefined)?.summary;
    if (typeof summary !== 'string' || store.pending().length !== pending.length) return undefined;
    const line = oneLine(summary, maxSummary)
      .replace(/^(?:memory|identity|maintenance|extract|explore|conversation): /i, '')
      .replace(/\.$/, '');
    return line === '' ? undefined : new SecretFilter(configuration.secrets).pass(line, 'the message');
  } catch {
    // A commit waits for nobody's server; what is acknowledged goes in under the name that rules give it.
    return undefined;
  }
}

function differenceOf(store: BranchStore, paths: readonly string[]): string {
  const snapshot = store.snapshot();
  const tip = snapshot.withoutOverlay();
  const parts = [...new Set(paths)].map((path) => {
    const { text } = unifiedDiff(tip.readText(path) ?? '', snapshot.readText(path) ?? '', 1);
    return `${path}\n${text}`;
  });
  return parts.join('\n').slice(0, maxShown);
}
