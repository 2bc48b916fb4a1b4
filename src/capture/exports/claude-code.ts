// Session files of Claude Code: JSON lines, each an entry that wraps a message of the model API.

import { isJsonObject } from '../../base/canonical-json.ts';
import { type ExportedConversation, type Fields, sessionIdOf, wordOf } from './exported.ts';

/** Tells an entry of such a file from other JSON lines. */
export function isClaudeCodeEntry(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  if (value.type === 'summary') return typeof value.leafUuid === 'string';
  return typeof value.sessionId === 'string' && typeof value.uuid === 'string' && typeof value.type === 'string';
}

/**
 * Reads the entries of one file as a conversation; null when nobody says anything in it.
 *
 * Kept are the messages of user and assistant in the order of the file. What the program says to itself (`isMeta`), its retelling of a
 * conversation that became too long (`isCompactSummary`), commands to the program (`/clear`) and what they print, what its helpers say to
 * each other (`isSidechain`) and entries repeated by a resumed session are left out. A summary names the topic.
 */
export function readClaudeCode(entries: Iterable<unknown>, name: string): ExportedConversation | null {
  const messages: Fields[] = [];
  const seen = new Set<unknown>();
  let session: string | undefined;
  let topic: string | undefined;
  let model: string | undefined;
  for (const entry of entries) {
    if (!isJsonObject(entry)) continue;
    if (entry.type === 'summary') topic = wordOf(entry.summary) ?? topic;
    if (entry.type !== 'user' && entry.type !== 'assistant') continue;
    if (entry.isMeta === true || entry.isSidechain === true || !isJsonObject(entry.message)) continue;
    if (entry.isCompactSummary === true || isCommand(entry.message.content)) continue;
    if (entry.uuid !== undefined && seen.has(entry.uuid)) continue;
    seen.add(entry.uuid);
    session ??= wordOf(entry.sessionId);
    model = wordOf(entry.message.model) ?? model;
    const { role = entry.type, content } = entry.message;
    messages.push({ role, content, timestamp: entry.timestamp });
  }
  if (messages.length === 0) return null;
  return {
    session: sessionIdOf(session ?? name),
    channel: 'claude-code',
    messages,
    ...(topic === undefined ? {} : { topic }),
    ...(model === undefined ? {} : { model }),
  };
}

/** Commands stand between marks in the place of the user's words. */
function isCommand(content: unknown): boolean {
  return (
    typeof content === 'string' &&
    /^\s*<(?:command-(?:name|message|args)|local-command-(?:stdout|stderr|caveat))>/.test(content)
  );
}
