// The verb that takes a memory along: records and notes as files that other programs read.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import type { ExportResult, RecordForm } from '../../base/types.ts';
import { importForms } from './import.ts';
import { hang, type Style, shortOid } from './style.ts';
import { defineVerb, filled, flag, maybe, underway } from './verb.ts';

const forms = ['jsonl', 'facts', 'markdown', 'memories'] as const satisfies readonly RecordForm[];

export const exportVerb = defineVerb({
  name: 'export',
  summary: 'Take memories and notes along, as files',
  help:
    'Export writes a folder for other programs and for import. The form is ' +
    `${forms.map((form) => `${form} (${importForms[form]})`).join('; ')}. Export writes only into this folder and ` +
    'replaces a file that differs only with --overwrite. The same state gives the same bytes. --at exports the state of ' +
    'an earlier day.',
  input: z.strictObject({
    as: z.enum(forms).describe(`the form: ${forms.join(', ')}`),
    target: filled.describe('the folder to write to; created if it is missing'),
    path: maybe('of notes: only what lies below this folder; knowledge if left out'),
    overwrite: flag('replace files that are there and differ'),
  }),
  positional: ['as', 'target'],
  flags: { reads: true, changes: true },
  example: {
    command: 'export jsonl --at 2026-02-16 ../backup',
    shows: 'memories.jsonl and relations.jsonl as of that day',
  },
  async run(context, { target, ...options }) {
    const view = await context.view();
    return view.export(context.pathOf(target), { ...options, ...underway(context, 'Exporting') });
  },
  text: describeExport,
});

const mostShown = 10;

function describeExport({ form, target, commit, files, records, left }: ExportResult, style: Style): string {
  const lines = files.slice(0, mostShown).map(({ path, action }) => `${action.padEnd(8)} ${path}`);
  if (files.length > mostShown) lines.push(style.faint(`… and ${files.length - mostShown} more`));
  lines.push(...left.flatMap(({ path, why }) => hang(style.bad('left'), `${path}: ${why}`, style, 6)));
  const state = commit === null ? '' : ` as of ${style.reference(shortOid(commit))}`;
  lines.push(
    ...hang(
      '',
      `${count(records, 'entry', 'entries')}${state} in ${count(files.length, 'file')} of ${target} (${form}).`,
      style,
      0,
    ),
  );
  return lines.join('\n');
}
