// The gist of a memory: given to a new one, made anew for an edited one, and put before a language model (spec 1).

import { orElse } from '../../../base/errors.ts';
import { splitSentences } from '../../../base/sentences.ts';
import type { MemoryRecord } from '../../../base/types/stored-types.ts';
import type { ConsequenceSource } from '../../../store/consequence.ts';
import type { StateFiles } from '../../../store/derive.ts';
import type { Configuration } from '../../../store/records/configuration.ts';
import { kindOf } from '../../../store/records/kind.ts';
import { formatMemory, parseMemory } from '../../../store/records/memory-record.ts';
import { bestGistOf, gistLevelOf } from './gist.ts';

/** What a file is to be; `null`: gone. */
interface Edit {
  readonly path: string;
  readonly after: string | null;
}

/** Gives a memory the gist of its content; one that it has already stays. */
export const withGist = (record: MemoryRecord, { level }: Configuration['gist']): MemoryRecord =>
  record.gist === null ? { ...record, gist: bestGistOf(record.content, gistLevelOf(level)) } : record;

/** Makes the gist of an edited memory anew, where the edit changed the content and left the gist of the old one. */
export function refreshGist(edit: Edit, before: string | null, { level }: Configuration['gist']): Edit {
  if (edit.after === null || before === null || kindOf(edit.path) !== 'memory') return edit;
  const [old, made] = [before, edit.after].map((text) => readMemory(text, edit.path));
  if (!old || !made || old.content === made.content || old.gist !== made.gist) return edit;
  return { ...edit, after: formatMemory({ ...made, gist: bestGistOf(made.content, gistLevelOf(level)) }) };
}

/** Makes the rule by which a memory that a person edited by hand gets the gist of what it says now. */
export function gistFollower(configurationOf: (state: StateFiles) => Pick<Configuration, 'gist'>): ConsequenceSource {
  return (present) => ({
    mayWrite: () => [],
    follow({ operation, before, after, paths }) {
      if (operation.isHandEdit !== true) return [];
      return paths.flatMap((path) => {
        const edit = { path, after: kindOf(path) === 'memory' ? after.readText(path) : null };
        const made =
          edit.after === null ? edit : refreshGist(edit, before.readText(path), configurationOf(present).gist);
        return made.after === edit.after ? [] : [{ path, before: after.oidOf(path), after: Buffer.from(made.after!) }];
      });
    },
  });
}

/** Tells whether another program edited the words of a gist since. Then a good part of it is in the content, and some is not. */
export function isStaleGist({ gist, content }: Pick<MemoryRecord, 'gist' | 'content'>): boolean {
  const plain = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
  const said = ` ${plain(content)} `;
  const parts = splitSentences(gist ?? '').flatMap((one) => one.split('; '));
  const kept = parts.filter((part) => said.includes(` ${plain(part)} `)).length;
  return kept < parts.length && kept * 2 >= parts.length;
}

/** What is no record is judged by the change rules, not here. */
const readMemory = (text: string, path: string): MemoryRecord | null =>
  orElse(() => parseMemory(text, path), null, 'INVALID_RECORD');

/** Writes a memory as `[a1b2c3d4] gist (tags: stopper, efit)` on one line; without a gist its content stands there. */
export function gistLineOf(given: Pick<MemoryRecord, 'id' | 'gist' | 'content' | 'meta'>): string {
  const { id, gist, content, meta } = given;
  const text = (gist ?? content).replace(/\s+/g, ' ').trim();
  const tags = meta.tags.length === 0 ? '' : ` (tags: ${meta.tags.join(', ')})`;
  return `[${id.slice(0, 8)}] ${text}${tags}`;
}
