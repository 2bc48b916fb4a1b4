// Tells what a source is by its names and its first words, so that nobody has to.

import { MemoryError } from '../../errors.ts';
import type { ImportForm } from '../../types.ts';
import { looksLikeStore } from './import-jsonl.ts';
import { isOpenClaw } from './import-openclaw.ts';
import { conversationFormOf } from './read-conversations.ts';
import type { Source, SourceFile } from './source.ts';

/** Tells the form of a source; throws INVALID_ARGUMENT when it is none that is known. */
export function detectForm(source: Source): ImportForm {
  const form = source.isFolder ? formOfFolder(source) : formOfFile(source.files[0]!);
  if (form !== undefined) return form;
  throw new MemoryError('INVALID_ARGUMENT', 'this is nothing that can be told from its looks', {
    where: source.name,
    hint: 'Say what it is: jsonl, facts, markdown, memories, openclaw, conversations, claude-code, chats or slack',
  });
}

function formOfFolder({ name, files }: Source): ImportForm | undefined {
  const has = (pattern: RegExp) => files.some(({ path }) => pattern.test(path));
  if (has(/(?:^|\/)(?:memories|relations)\.jsonl$/)) return 'jsonl';
  if (isOpenClaw(files.map(({ path }) => path))) return 'openclaw';
  if (has(/^users\.json$/) && has(/^[^/]+\/\d{4}-\d\d-\d\d\.json$/)) return 'slack';
  const told = files.find((file) => conversationFormOf(file) !== undefined);
  if (told !== undefined) return conversationFormOf(told);
  if (has(/^(?:facts\/\d{4}-\d\d-\d\d|corrections)\/[^/]+\.md$/)) return 'facts';
  const markdown = files.find(({ path }) => /\.md$/i.test(path));
  if (markdown !== undefined && isTranscript(markdown)) return 'conversations';
  if (name === 'memories' && has(/\.(?:md|txt|xml|json)$/i)) return 'memories';
  if (has(/\.(?:md|markdown)$/i)) return 'markdown';
  if (has(/\.(?:txt|xml)$/i)) return 'memories';
  return has(/\.(?:jsonl|ndjson)$/i) ? 'conversations' : undefined;
}

function formOfFile(file: SourceFile): ImportForm {
  if (/^(?:memories|relations)\.jsonl$/.test(file.path)) return 'jsonl';
  if (/\.(?:jsonl|ndjson)$/i.test(file.path)) {
    for (const line of file.lines()) {
      if (looksLikeStore(line)) return 'jsonl';
      if (line.number > 20) break;
    }
  }
  return conversationFormOf(file) ?? 'conversations';
}

/** Tells one of our transcripts from a note by its front matter. */
function isTranscript(file: SourceFile): boolean {
  for (const { number, text } of file.lines()) {
    if (text?.startsWith('session_id:')) return true;
    if ((number === 1 && text !== '---') || number > 20) return false;
  }
  return false;
}
