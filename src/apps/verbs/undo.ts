// The verb that takes operations back.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import type { UndoResult, UndoTarget } from '../../base/types.ts';
import { cut, type Style, shortOid, shortTime } from './style.ts';
import { allowRemovals, defineVerb, flag, maybe, several } from './verb.ts';

export const undo = defineVerb({
  name: 'undo',
  summary: 'Take back any operation, session, run or agent',
  help:
    'Undo makes a new commit with the inverse change, so that you can undo an undo, too. If later changes are in the ' +
    'way, it names the paths and changes nothing. --redo takes back the last undo. --dry-run shows the result of a ' +
    'revert, in any git repository. Of an agent all is taken back, or what it did between --since and --until.',
  input: z.strictObject({
    revision: maybe('the commit to take back: an oid or its beginning, a tag, HEAD'),
    session: maybe('take back what this session brought, its capture included: its id or path'),
    run: maybe('take back a run of several commits, by its id'),
    extractor: maybe('take back what this extractor did, such as rules@1'),
    agent: maybe('take back all that this agent did, or what it did since a day'),
    since: maybe('with --agent or --extractor: only from this day or time on, such as yesterday'),
    until: maybe('likewise: only up to this day, all of it, or up to this time'),
    from: maybe('first commit of a range; needs "to"'),
    to: maybe('last commit of a range; needs "from"'),
    redo: flag('bring back what the last undo took away'),
    paths: several('take back only the changes to these files or folders'),
    expect: flag('write expectations as well: what was wrong stays away, see test'),
    onto: maybe('with a dry run: as if the tip were this commit'),
    allowRemovals,
  }),
  positional: ['revision'],
  usual: ['session', 'agent', 'since', 'until', 'paths', 'redo'],
  flags: { changes: true, writes: 'now', anyRepository: true, mends: true },
  example: {
    command: 'undo --agent scout --since yesterday --dry-run',
    shows: 'what undo would take back, and which paths are in the way',
  },
  async run(context, { paths, onto, expect, allowRemovals: isAllowed, ...target }) {
    if (onto !== undefined && !context.dryRun) {
      throw new MemoryError('INVALID_ARGUMENT', '"onto" works only in a dry run', {
        where: 'onto',
        hint: 'Add a dry run',
      });
    }
    const options = defined({ paths, onto, expect, allowRemovals: isAllowed, dryRun: context.dryRun || undefined });
    const memory = await context.whole();
    try {
      return await memory.undo(targetOf(target), options);
    } catch (error) {
      throw withOtherNames(error, target.revision);
    }
  },
  text: describeUndo,
  refusal: (output) => (output.conflicts.length > 0 ? 'CONFLICT' : undefined),
});

/** What is no commit may be the name of somebody whose work is meant. */
function withOtherNames(error: unknown, revision: string | undefined): unknown {
  if (!(error instanceof MemoryError) || error.code !== 'NOT_FOUND' || error.where !== revision) return error;
  return new MemoryError('NOT_FOUND', error.what, {
    where: revision!,
    hint: `Give a commit that \`git memory log\` lists. For all that an agent did: --agent ${revision}; session, run and extractor work alike`,
    cause: error,
  });
}

type Named = Readonly<Partial<Record<'session' | 'run' | 'extractor' | 'agent', string>>>;
type Ends = Readonly<Partial<Record<'since' | 'until' | 'from' | 'to' | 'revision', string>>>;

/** Gives the one thing that is to be taken back. Throws INVALID_ARGUMENT for none, and for several. */
function targetOf({ revision, since, until, from, to, redo, ...named }: Named & Ends & { redo?: boolean }): UndoTarget {
  const times = defined({ since, until });
  if (named.agent === undefined && named.extractor === undefined && Object.keys(times).length > 0)
    throw new MemoryError('INVALID_ARGUMENT', '--since and --until go with --agent or --extractor', { where: 'since' });
  if ((from === undefined) !== (to === undefined))
    throw new MemoryError('INVALID_ARGUMENT', 'A range needs both ends', { where: from === undefined ? 'from' : 'to' });
  const ofTimes = (name: string) => (name === 'agent' || name === 'extractor' ? times : {});
  const targets = [
    ...(revision === undefined ? [] : [revision]),
    ...Object.entries(named).map(([name, value]) => ({ [name]: value, ...ofTimes(name) }) as UndoTarget),
    ...(redo ? [{ redo }] : []),
    ...(from === undefined || to === undefined ? [] : [{ from, to }]),
  ];
  if (targets.length === 1) return targets[0]!;
  throw new MemoryError(
    'INVALID_ARGUMENT',
    targets.length === 0 ? 'undo needs to know what to take back' : 'undo takes back one thing at a time',
    { hint: 'Name a commit (the last one is HEAD), or one of session, run, extractor, agent, redo, from and to' },
  );
}

const mostNamed = 10;

function describeUndo(result: UndoResult, style: Style): string {
  if (result.conflicts.length > 0) {
    return [
      `${style.bad('Nothing was changed:')} later changes to ${count(result.conflicts.length, 'path')} stand in the way.`,
      ...result.conflicts.map((path) => `  ${path}`),
    ].join('\n');
  }
  const lines = [];
  if (result.undone.length === 0) lines.push('There is nothing to take back.');
  else {
    const done = result.commit === null ? 'would take back' : 'took back';
    const named = result.undone.slice(0, mostNamed).map((oid, at) => {
      const time = style.faint(shortTime(result.times[at]!, style));
      const subject = style.faint(cut(result.subjects[at]!, style.rowWidth - done.length - 29));
      return `${at === 0 ? style.good(done) : ' '.repeat(done.length)}  ${style.reference(shortOid(oid))}  ${time}  ${subject}`;
    });
    const more = result.undone.length - named.length;
    lines.push(...named);
    if (more > 0) lines.push(style.faint(`${' '.repeat(done.length)}  … and ${more} more`));
    if (result.commit !== null) lines.push(`by commit  ${style.reference(shortOid(result.commit))}`);
  }
  if (result.derived.length > 0) {
    lines.push(`${count(result.derived.length, 'file derived from it stays', 'files derived from it stay')}:`);
    lines.push(...result.derived.map((path) => `  ${path}`));
  }
  if (result.expectations)
    lines.push(`${style.good('expected')}   ${result.expectations}; add to it what should have been said`);
  if (result.expectations === null) lines.push('No statement went or came, so there is nothing to expect.');
  return lines.join('\n');
}
