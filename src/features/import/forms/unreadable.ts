// Files of programs that are known and not read, each with what a person can do instead.

import type { SourceFile } from '../source.ts';

const known: readonly (readonly [path: RegExp, why: string])[] = [
  [
    /(?:^|\/)(?:cascade|windsurf)\/.*\.pb$|\.pb$/,
    'is a conversation of Windsurf, which is encrypted; its rules and memories are markdown',
  ],
  [/rollout-[^/]*\.jsonl\.zst$/, 'is a rollout of Codex that is compressed; `zstd -d` opens it'],
  [/(?:^|\/)chat\.db$/, 'holds messages of Apple, which are not read'],
  [/\.(?:zip|tar|t?gz|7z)$/i, 'is an archive; unpack it first'],
  [/(?:^|\/)chat\.html$/, 'is the page of an export of ChatGPT; conversations.json beside it is what is read'],
  [/\.(?:docx|pdf|odt|rtf)$/i, 'is a document and no text; save it as text, VTT or SRT'],
  [
    /(?:^|\/)msgstore[^/]*\.db(?:\.crypt\d+)?$/,
    'is a backup of WhatsApp, which is encrypted; "Export chat" writes a text that is read',
  ],
  [
    /(?:^|\/)signal[^/]*\.backup$|(?:^|\/)sql\/db\.sqlite$/,
    'holds messages of Signal, encrypted; its export "main.jsonl" is read',
  ],
  [
    /(?:^|\/)messages\d*\.html$/,
    'is the page of an export of Telegram; the export as JSON, result.json, is what is read',
  ],
  [/(?:^|\/)message_\d+\.html$/, 'is the page of a download of Messenger or Instagram; ask for JSON, which is read'],
  [/\.(?:eml|mbox|pst)$/i, 'is mail, which is not read'],
];

const knownByHead: readonly (readonly [head: RegExp, why: string])[] = [
  [
    /^\s*\{\s*"userId"[\s\S]*"MessageList"|"conversations"\s*:\s*\[\s*\{[^[]*"MessageList"/,
    'is an export of Skype, which is not read',
  ],
  [/"creator"\s*:[\s\S]*"created_date"\s*:[\s\S]*"topic_id"/, 'is an export of Google Chat, which is not read'],
  [
    /"room_name"\s*:[\s\S]*"exported_by"|"type"\s*:\s*"m\.room\.message"/,
    'is an export of Element (Matrix), which is not read',
  ],
  [/^\ufeff?\[LINE\]/, 'is a chat of LINE, which is not read'],
  [/^\ufeff?[^\n]*KakaoTalk/, 'is a chat of KakaoTalk, which is not read'],
  [/<html[\s\S]*DiscordChatExporter/i, 'is a page of DiscordChatExporter; its JSON or CSV is read'],
];

/** Tells what a file is that is known and not read, by its path and its first bytes; null for any other. */
export function unreadable({ path, head }: Pick<SourceFile, 'path' | 'head'>): string | null {
  const byPath = known.find(([pattern]) => pattern.test(path))?.[1];
  if (byPath !== undefined || !/\.(?:json|txt|html?)$/i.test(path)) return byPath ?? null;
  const text = head(4096).toString('utf8');
  return knownByHead.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
