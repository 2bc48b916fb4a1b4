// Files of programs that are known and not read, each with what a person can do instead.

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
  [/\.(?:eml|mbox|pst)$/i, 'is mail, which is not read'],
];

/** Tells what a file is that is known and not read; null for any other. */
export function unreadable(path: string): string | null {
  return known.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}
