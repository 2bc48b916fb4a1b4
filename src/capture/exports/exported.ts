// What the exports of chat programs have in common: a conversation as JSON that input.ts reads, whatever program it comes from.

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** A conversation of an export, in the names that `parseCaptureInput` knows. */
export interface ExportedConversation {
  /** As its program calls it; in the file name, so that the same conversation is known again. */
  readonly session: string;
  readonly topic?: string;
  readonly channel: string;
  readonly model?: string;
  readonly messages: readonly Fields[];
}

/** Picks a text that says something. */
export function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Makes an id of what a program calls a conversation: what a file name cannot hold becomes a dash. */
export function sessionIdOf(name: string): string {
  return name
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80);
}
