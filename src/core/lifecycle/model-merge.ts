// A language model puts several texts into one. Its answer counts only if nothing of theirs is missing in it.

import { namesOf } from '../../base/discrepancy.ts';
import * as prompts from '../../base/generated/prompts.ts';
import * as words from '../../base/generated/words.ts';
import type { TextModel } from '../../base/ports.ts';
import { tokensOf } from '../../base/tokenizer.ts';
import { anyOf } from '../../base/words.ts';

/** What a model made of some texts: neither, when its answer cannot be used. */
export interface ModelMergeAnswer {
  readonly content?: string;
  /** They say different things. */
  readonly isApart?: boolean;
}

/** Merges texts by a model. */
export interface ModelMerger {
  readonly name: string;
  /** `isAsked`: a person wants them merged, and the model is asked for the words only. */
  merge(contents: readonly string[], isAsked: boolean): Promise<ModelMergeAnswer>;
}

const apart = 'KEEP APART';

/** Makes a merger of a model. A model that fails or forgets something is as good as none: rules merge then. */
export function modelMerger(model: TextModel, options: { signal?: AbortSignal } = {}): ModelMerger {
  return {
    name: model.name,
    async merge(contents, isAsked) {
      const notes = contents.map((content, at) => `Note ${at + 1}:\n${content}`).join('\n\n');
      const doubt = isAsked ? '' : ` If the notes are about different things, answer ${apart}.`;
      let answer: string;
      try {
        answer = await model.complete({ system: prompts.merge.text + doubt, prompt: notes, ...options });
      } catch (error) {
        options.signal?.throwIfAborted();
        if (!(error instanceof Error)) throw error;
        return {};
      }
      const content = typeof answer === 'string' ? answer.trim() : '';
      if (!isAsked && content.replace(/[."]/g, '').toUpperCase() === apart) return { isApart: true };
      return saysAll(content, contents) ? { content } : {};
    },
  };
}

const denial = new RegExp(
  `${anyOf(`${words.denying}, ${words.limiting.replaceAll(' ', ', ')}, ${words.refusing}`).source}|n['’]t\\b`,
  'gi',
);
const mark = /\p{N}+(?:[.,:/-]\p{N}+)*/gu;

/**
 * Tells whether a text says what some others say, and no more. It has their numbers, the names inside their sentences, and all words that they
 * share. It denies as often as the one that denies most. It names no number and no name that none of them has, and is one text.
 */
function saysAll(content: string, sources: readonly string[]): boolean {
  const all = sources.join('\n\n');
  if (content === '' || content.length > all.length || (/\n\s*\n/.test(content) && !/\n\s*\n/.test(sources.join(' '))))
    return false;
  const [said, known] = [content.toLowerCase(), all.toLowerCase()];
  const firmIn = (text: string): string[] =>
    [...(text.match(mark) ?? []), ...namesOf(text)].map((one) => one.toLowerCase());
  const terms = new Set(tokensOf(content));
  const [first = [], ...others] = sources.map((source) => tokensOf(source));
  const shared = first.filter((term) => others.every((list) => list.includes(term)));
  const denied = Math.max(...sources.map((source) => source.match(denial)?.length ?? 0));
  return (
    sources.flatMap(firmIn).every((one) => said.includes(one)) &&
    firmIn(content).every((one) => known.includes(one)) &&
    shared.every((term) => terms.has(term)) &&
    (content.match(denial)?.length ?? 0) >= denied
  );
}
