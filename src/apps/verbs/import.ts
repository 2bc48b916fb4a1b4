// The verb that brings a memory along from other programs: records, notes and conversations.

import { z } from 'zod';
import { count, grouped } from '../../base/count.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import type { ConversationForm, ImportForm, ImportNote, ImportOptions, ImportResult } from '../../base/types.ts';
import { formTitles } from '../../features/import/index.ts';
import { describeCaptures, errorAmong, formats } from './capture.ts';
import { describeFound, discovered, type ImportAnswer, imported } from './import-found.ts';
import { describeRedactions } from './redactions.ts';
import { hang, type Style, shortOid } from './style.ts';
import { defineVerb, filled, flag, maybe, oneOf, optional, underway } from './verb.ts';

/** The forms, and what each is. */
export const importForms = {
  jsonl: 'memories.jsonl and relations.jsonl, as CortexGraph keeps them',
  facts: 'dated facts, corrections and entities as markdown files, as Engram keeps them',
  markdown: 'a folder of markdown notes, or one',
  memories: 'a folder of texts as agents keep it with the memory tool of Anthropic',
  openclaw: 'a workspace of an OpenClaw agent: daily notes, ledger.jsonl, MEMORY.md, knowledge',
  ...(Object.fromEntries(
    Object.entries(formTitles).map(([name, { title, what }]) => [name, `${title}: ${what}`]),
  ) as Record<ConversationForm, string>),
} as const satisfies Record<ImportForm, string>;

const forms = Object.keys(importForms) as [ImportForm, ...ImportForm[]];

export const importVerb = defineVerb({
  name: 'import',
  summary: 'Bring memories, notes or conversations along',
  help:
    'Import takes files and folders of other programs. It detects their form, or you name it as the first word: ' +
    `${Object.entries(importForms)
      .map(([form, meaning]) => `${form} (${meaning})`)
      .join('; ')}. Import ` +
    'skips what the memory already has, so you can import a growing source again. It replaces nothing unless you say ' +
    '--overwrite. It names damaged parts and imports the rest. A tag marks the state before.',
  input: z.strictObject({
    files: optional(z.array(filled), 'files or folders, optionally after a word for their form; "-" is standard input'),
    discover: flag('list the histories of other programs on this machine instead, and take those that are chosen'),
    take: maybe('with --discover: "all", or numbers and forms such as 1,codex; a terminal is asked if left out'),
    as: oneOf(forms, `what they are: ${forms.join(', ')}; found out if left out`),
    into: maybe('the folder below knowledge/ for notes that have no other place'),
    overwrite: flag('also replace what differs here'),
    keepLastUsed: flag('keep when memories were last used, so that old ones may be forgotten soon; now if left out'),
    format: oneOf(formats, `of logs: ${formats.join(', ')}; found out if left out`),
    zone: maybe('the zone of clocks that name none, such as Europe/Berlin; that of memory.yaml if left out'),
    project: maybe('of coding agents: only sessions that worked in this folder'),
    attachments: flag(
      'of conversations: also keep whole outputs of tools, and what was made or attached, as attachments',
    ),
    topic: optional(z.string(), 'of conversations: what they are about; names the files'),
    channel: optional(z.string(), 'of conversations: where they took place, such as chat or mail'),
    pauseMinutes: optional(
      z.number().positive().max(525_600),
      'of logs: how long a pause ends a session, in minutes; 30 if left out',
    ),
  }),
  positional: ['files'],
  stream: 'files',
  usual: ['as', 'discover', 'take', 'project', 'zone', 'into'],
  flags: { changes: true, writes: 'now' },
  example: {
    command: 'import --dry-run jsonl ~/.cortexgraph/stm',
    shows: 'how many memories and relations would come in, and which lines are damaged',
  },
  async run(context, { files = [], as, project, discover, take, ...options }): Promise<ImportAnswer> {
    const folder = context.pathOf(project ?? '.');
    if (discover !== true && files.length === 0) {
      throw new MemoryError('INVALID_ARGUMENT', 'what to import is missing', {
        where: 'files',
        hint: 'Name a file or folder, or look for histories with --discover',
      });
    }
    if (discover === true) return discovered(context, folder, { ...options, ...defined({ take, project }) });
    const [first, ...rest] = files;
    const isForm = as === undefined && rest.length > 0 && Object.hasOwn(importForms, first!);
    const form = isForm ? (first as ImportForm) : as;
    const memory = await context.whole();
    const imports: ImportResult[] = [];
    for (const name of isForm ? rest : files) {
      const from =
        name === '-' ? [{ path: 'standard input', text: await context.readInput('-') }] : context.pathOf(name);
      const settings: ImportOptions = {
        ...options,
        ...defined({ project: project === undefined ? undefined : context.pathOf(project), as: form }),
        ...underway(context, 'Importing'),
      };
      try {
        imports.push(await memory.import(from, settings));
      } catch (error) {
        const before = `What stands before it is imported: ${count(imports.length, 'source')}`;
        throw errorAmong(error, name, before, imports.length);
      }
    }
    return imported(context, imports);
  },
  text({ imports, found, isPlanned, isDeclined }, style) {
    const named = (one: ImportResult): string[] =>
      found === undefined ? [] : [style.strong(formTitles[one.form as ConversationForm].title)];
    const parts = imports.flatMap((one) => [...named(one), describeImport(one, style, isPlanned)]);
    if (found !== undefined && imports.length === 0)
      parts.push(isDeclined ? 'Nothing was taken.' : describeFound(found, style));
    if (!isPlanned) parts.push(...describeNext(imports, style));
    return parts.join('\n');
  },
});

/** What can be done with turns that are new: a question, since it takes time, or tokens of a model. */
function describeNext(imports: readonly ImportResult[], style: Style): string[] {
  const turns = imports.reduce((sum, { read }) => sum + (read?.turns ?? 0), 0);
  const characters = imports.reduce((sum, { read }) => sum + (read?.characters ?? 0), 0);
  if (turns === 0) return [];
  const tokens = grouped(Math.ceil(characters / 4 / 1000) * 1000);
  const what = `Everything can be found by recall. \`git memory extract\` looks for what is worth keeping in ${count(turns, 'turn')}`;
  return hang('', `${what}; a model would read about ${tokens} tokens.`, style, 0).map(style.faint);
}

const mostShown = 10;

function describeImport(result: ImportResult, style: Style, isPlanned = false): string {
  const { form, isDetected, source, added, changed, unchanged, left, notes, commits, backup, captures } = result;
  const lines: string[] = [];
  if (isDetected && form !== 'conversations')
    lines.push(...hang('', `${source} is taken for ${form}: ${importForms[form]}.`, style, 0).map(style.faint));
  lines.push(...describeNotes('left', left, style, style.bad), ...describeNotes('note', notes, style, style.faint));
  if (captures !== undefined && captures.length > 0) lines.push(describeCaptures(captures, style, isPlanned));
  lines.push(...describeRedactions(result.redacted, style));
  const isDry = added + changed > 0 && commits.length === 0;
  const parts = [
    added > 0 || changed === 0 ? `${kindsOf(result)} ${isPlanned ? 'would be added' : 'added'}` : '',
    changed > 0 ? `${changed} ${isPlanned ? 'would be changed' : 'changed'}` : '',
    unchanged > 0 ? `${grouped(unchanged)} here already` : '',
    left.length > 0 ? `${left.length} left` : '',
  ].filter((part) => part !== '');
  const commit = commits.length === 1 && captures === undefined ? `${style.reference(shortOid(commits[0]!))}  ` : '';
  lines.push(`${commit}${parts.join(', ')}${isDry ? ' (nothing is committed)' : ''}.`);
  lines.push(...describeCounts(result, style));
  if (backup !== null) lines.push(style.faint(`The state before is ${backup}.`));
  return lines.join('\n');
}

/** Says what became of the entries that were read: none is passed over without a word. */
function describeCounts({ read }: ImportResult, style: Style): string[] {
  if (read === undefined) return [];
  const { entries, turns, here, leftOut, dated } = read;
  // Where nobody talks, what was added says it all.
  const parts =
    turns + here === 0 ? [] : [`${grouped(turns)} new`, ...(here > 0 ? [`${grouped(here)} here already`] : [])];
  const lines = parts.length === 0 ? [] : [`Of ${count(entries, 'entry', 'entries')}: ${parts.join(', ')}.`];
  for (const { why, count: number, places } of leftOut)
    lines.push(...hang('', `${grouped(number)} ${why} (${places[0]!}${number > 1 ? ', …' : ''}).`, style, 2));
  if (dated.file > 0)
    lines.push(`${count(dated.file, 'turn')} without a time of ${dated.file === 1 ? 'its' : 'their'} own.`);
  return lines.map(style.faint);
}

function kindsOf({ items, form }: ImportResult): string {
  const added = items.filter(({ action }) => action === 'add');
  const of = (root: string): number => added.filter(({ path }) => path.startsWith(root)).length;
  const [memories, relations, conversations] = [of('memories/'), of('relations/'), of('raw/')];
  const rest = added.length - memories - relations - conversations;
  const parts = [
    memories > 0 ? count(memories, 'memory', 'memories') : '',
    relations > 0 ? count(relations, 'relation') : '',
    conversations > 0 ? count(conversations, 'conversation') : '',
    rest > 0 ? count(rest, 'file') : '',
  ].filter((part) => part !== '');
  return parts.length > 0 ? parts.join(', ') : form === 'jsonl' ? 'no memory' : 'nothing';
}

function describeNotes(
  label: string,
  notes: readonly ImportNote[],
  style: Style,
  colour: (text: string) => string,
): string[] {
  const lines = notes.slice(0, mostShown).flatMap(({ source, line, why }) => {
    const [first = '', ...rest] = hang(label, `${source}${line === undefined ? '' : `:${line}`} ${why}`, style, 6);
    return [`${colour(label)}${first.slice(label.length)}`, ...rest];
  });
  if (notes.length > mostShown)
    lines.push(style.faint(`      … and ${notes.length - mostShown} more (--json lists all)`));
  return lines;
}
