// What a branch of others may change only where a person accepts it by its word.

/** The words, in the order in which a refusal names them. */
export const acceptableChanges = [
  'configuration',
  'expectations',
  'hooks',
  'topics',
  'records',
  'transcripts',
] as const;
