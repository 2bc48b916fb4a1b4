// The verb that looks after the repository itself. It opens no memory: what it is for often cannot be opened.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { defined, type ErrorCode, errorCodes } from '../../base/errors.ts';
import type { DoctorReport } from '../../features/doctor/index.ts';
import { rankersOf } from './recall.ts';
import { hang, type Style } from './style.ts';
import { defineVerb, flag, oneOf } from './verb.ts';

export const doctor = defineVerb({
  name: 'doctor',
  summary: 'Find what is wrong with a memory, and mend it',
  help:
    'The doctor examines the repository: format, HEAD, refs, every object of the branch, packs, index, locks, temporary ' +
    'files, journals and files. It also examines the surroundings: configuration, embedder, model, hooks, remotes, ' +
    'mounts, caches and clock. It changes nothing without --fix. --fix repairs what it can prove: lost refs from their ' +
    'logs, missing objects from equal files, and indexes from their sources. It moves suspicious files to ' +
    'git-memory/quarantine in the git directory and never deletes them. --tip moves a branch that is not where it was ' +
    'last seen, or whose newest commit cannot be read. --all reads every copy of every object.',
  input: z.strictObject({
    fix: flag('repair what is safe to repair'),
    all: flag('read everything, whatever its size'),
    tip: oneOf(
      ['restore', 'accept'],
      'for a lost branch (BRANCH_LOST): restore moves it to where it was last seen, accept keeps it where it is. ' +
        'Where the newest commit cannot be read, restore goes on from the last whole one',
    ),
  }),
  example: { command: 'doctor', shows: 'what was looked at, and that nothing is wrong' },
  run: (context, input): Promise<DoctorReport> =>
    context.doctor({ ...input, ...defined({ signal: context.signal }), onProgress: context.onProgress }),
  text(report, style) {
    const { checked, embedder, findings } = report;
    const read = [
      count(checked.refs, 'ref'),
      count(checked.commits, 'commit'),
      count(checked.trees, 'folder version'),
      count(checked.files, 'file version'),
      ...(checked.copies > 0 ? [count(checked.copies, 'stored copy', 'stored copies')] : []),
    ].join(', ');
    const lines = [style.strong(report.directory), ...hang('', `looked at ${read}`, style, 0)];
    if (embedder !== null) {
      lines.push(...hang('', `recall is ranked by ${rankersOf(embedder)}: ${report.reasons?.embedder}`, style, 0));
      lines.push(
        ...hang('', `conversations are read by ${report.model ?? 'rules'}: ${report.reasons?.model}`, style, 0),
      );
    }
    for (const finding of findings) lines.push('', ...describe(finding, report.directory, style));
    lines.push('', conclusion(report, style));
    return lines.join('\n');
  },
  refusal({ findings }) {
    const worst = findings.find(({ severity, isFixed }) => severity === 'error' && !isFixed);
    if (worst === undefined) return undefined;
    return worst.code in errorCodes ? (worst.code as ErrorCode) : 'REPOSITORY_CORRUPT';
  },
});

function describe(finding: DoctorReport['findings'][number], directory: string, style: Style): string[] {
  const { severity, code, what, isFixed } = finding;
  // All that is looked at lies below the folder that is named above.
  const [where, fix] = [finding.where, finding.fix].map((text) => text?.replaceAll(`${directory}/`, ''));
  const shown = isFixed ? style.good('fixed') : severity === 'error' ? style.bad(severity) : severity;
  return [
    `${shown}  ${code}`,
    ...(!where ? [] : [`  ${style.faint(where)}`]),
    ...hang('  ', what, style, 2),
    ...(fix === undefined ? [] : hang('  → ', fix, style, 4)),
  ];
}

function conclusion({ findings, isHealthy }: DoctorReport, style: Style): string {
  const open = findings.filter(({ isFixed, severity }) => !isFixed && severity !== 'note');
  const fixed = findings.filter(({ isFixed }) => isFixed).length;
  const done = fixed === 0 ? '' : `${count(fixed, 'thing was', 'things were')} mended. `;
  if (open.length === 0) return `${done}${style.good('Nothing is wrong.')}`;
  const errors = open.filter(({ severity }) => severity === 'error').length;
  const parts = [
    ...(errors > 0 ? [style.bad(count(errors, 'error'))] : []),
    ...(open.length > errors ? [count(open.length - errors, 'warning')] : []),
  ].join(', ');
  const canFix = open.some(({ fix }) => fix?.startsWith('--fix:'));
  return `${done}${isHealthy ? 'The memory can be used. ' : ''}Left: ${parts}.${canFix ? ' `git memory doctor --fix` mends what it can.' : ''}`;
}
