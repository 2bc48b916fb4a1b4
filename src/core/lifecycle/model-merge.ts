// A language model puts several texts into one. Its answer counts only if nothing of theirs is missing in it.

import * as prompts from '../../base/generated/prompts.ts';
import type { TextModel } from '../../base/ports.ts';
import { firmWordsOf } from './gist/words.ts';

/** What a model made of some texts: neither, when its answer cannot be used. */
export interface ModelMergeAnswer {
  readonly content?: string;
  /** They say different things. */
  readonly isApart?: boolean;
}

/** Merges texts by a model. */
export interface ModelMerger {
  readonly name: string;
  /** `isCertain`: they are to be merged, the model is asked for the words only. */
  merge(contents: readonly string[], isCertain: boolean): Promise<ModelMergeAnswer>;
}

const apart = 'KEEP APART';

/** Makes a merger of a model. A model that fails or forgets something is as good as none: rules merge then. */
export function modelMerger(model: TextModel, options: { signal?: AbortSignal } = {}): ModelMerger {
  return {
    name: model.name,
    async merge(contents, isCertain) {
      const notes = contents.map((content, at) => `Note ${at + 1}:\n${content}`).join('\n\n');
      const doubt = isCertain ? '' : ` If the notes are about different things, answer ${apart}.`;
      let answer: string;
      try {
        answer = await model.complete({ system: prompts.merge.text + doubt, prompt: notes, ...options });
      } catch (error) {
        options.signal?.throwIfAborted();
        if (!(error instanceof Error)) throw error;
        return {};
      }
      const content = typeof answer === 'string' ? answer.trim() : '';
      if (!isCertain && content.replace(/[."]/g, '').toUpperCase() === apart) return { isApart: true };
      return isComplete(content, contents) ? { content } : {};
    },
  };
}

/** Tells whether a text holds every number, name and piece of code of some others, denies where they do, and is no longer than all. */
function isComplete(content: string, sources: readonly string[]): boolean {
  if (content === '' || content.length > sources.join('\n\n').length * 1.2 + 40) return false;
  const said = content.toLowerCase();
  const needed = new Set(sources.flatMap((source) => firmWordsOf(source)));
  return [...needed].every((word) => said.includes(word));
}
