// Every form of foreign histories that is read. A form is one file beside this one, in the shape that form.ts describes:
//
//   export const example: Form = {
//     name, channel, places,                      where its program keeps it
//     detect(path, head) { … }                    0 … 1, by the path and the first 64 KiB
//     *read(file, reading) { … }                  yields entries, one after the other
//   };
//
// A new form needs its name in ConversationForm (base/types/exchange-types.ts), and a row in titles.ts and in the table below. Its fixture is in
// test/helpers/foreign-histories.ts or foreign-memories.ts. A folder that begins with a dot is named in `hidden` of source.ts. Then `npm run docs`.
//
// What to keep to:
// - One entry of a program is one message. Do not join or split: a turn is known again by its time and its words.
// - `session` is the program's own name of the conversation, never its title, and never a number that only counts within the file.
// - Give `time` where the program says one, `clock` where it shows a clock without a zone, neither where there is none. Never invent one.
// - `role` is `user` for people, `agent` for models, `system` for notices of a program. Never guess: what a program wrote is not the user's.
// - Wrappers of programs come off by `said` of program-words.ts.
// - What is passed over is counted: reading.leave('are …', line). What is broken is named: reading.broken('is …', line); then go on.
// - Read as a stream: jsonLines, jsonMembers, jsonMessages, file.lines(). Hold one entry at a time where the form allows it.
// - A second file of the same conversation is reached by reading.beside and reading.below, and is claimed by `detect` so that it is not
//   named as unknown; `read` yields nothing for it.
// - What is knowledge and no talk is an entry of kind `note` (a markdown text) or `record` (one remembered sentence).

import type { ConversationForm } from '../../../base/types.ts';
import type { SourceFile } from '../source.ts';
import { aider } from './aider.ts';
import { basicMemory } from './basic-memory.ts';
import { beads } from './beads.ts';
import { captions } from './captions.ts';
import { chats } from './chats.ts';
import { claudeCode } from './claude-code.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { continueForm } from './continue.ts';
import { copilot, copilotCli } from './copilot.ts';
import { cursor } from './cursor.ts';
import { discord } from './discord.ts';
import type { Form, NamedForm } from './form.ts';
import { gemini, qwen } from './gemini.ts';
import { goose } from './goose.ts';
import { letta } from './letta.ts';
import { logs } from './logs.ts';
import { mcpMemory } from './mcp-memory.ts';
import { mem0 } from './mem0.ts';
import { messenger } from './messenger.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { rules } from './rules.ts';
import { signal } from './signal.ts';
import { slack } from './slack.ts';
import { specstory } from './specstory.ts';
import { talks } from './talks.ts';
import { telegram } from './telegram.ts';
import { whatsapp } from './whatsapp.ts';
import { zed } from './zed.ts';

const table: Readonly<Record<ConversationForm, Form>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  qwen,
  opencode,
  cursor,
  copilot,
  'copilot-cli': copilotCli,
  cline,
  aider,
  continue: continueForm,
  goose,
  specstory,
  pi,
  zed,
  chats,
  whatsapp,
  telegram,
  signal,
  messenger,
  discord,
  slack,
  captions,
  talks,
  'mcp-memory': mcpMemory,
  mem0,
  letta,
  beads,
  'basic-memory': basicMemory,
  rules,
  conversations: logs,
};

/** The forms by their names, in the order in which they are listed. */
export const forms = Object.fromEntries(
  Object.entries(table).map(([name, form]) => [name, { channel: name, places: [], ...form, name }]),
) as Readonly<Record<ConversationForm, NamedForm>>;

/** So much of a file is looked at to tell what it is. */
const headBytes = 64 << 10;

/** A file is taken by itself where a form is so certain; below, only where it was named alone or its form was. */
export const surely = 0.5;

/** Finds the form of a file and how certain it is, among all or of one; null where it looks like none. */
export function formOf(
  file: Pick<SourceFile, 'path' | 'head'>,
  only?: NamedForm,
): { readonly form: NamedForm; readonly certainty: number } | null {
  const head = file.head(headBytes);
  const text = head.subarray(0, 512).includes(0)
    ? head.toString('latin1')
    : head.toString('utf8').replace(/^\ufeff/, '');
  let best: { form: NamedForm; certainty: number } | null = null;
  for (const form of only === undefined ? Object.values(forms) : [only]) {
    const certainty = form.detect(file.path, text);
    if (certainty > (best?.certainty ?? 0)) best = { form, certainty };
  }
  return best;
}
