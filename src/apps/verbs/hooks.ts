// Verbs that native git calls, or that make it call: hooks and the merge driver.

import { z } from 'zod';
import { hang, shortOid } from './style.ts';
import { defineVerb, filled } from './verb.ts';

interface HooksOutput {
  readonly installed?: readonly string[];
  readonly left?: readonly { readonly path: string; readonly line: string }[];
  readonly violations?: readonly { readonly path: string; readonly why: string }[];
  readonly warnings?: readonly string[];
  /** The commit that brings in step what native git has left behind. */
  readonly followed?: string;
}

export const hooks = defineVerb({
  name: 'hooks',
  summary: 'Let native git keep the rules of the memory',
  help:
    'With "install", git hooks go where git looks for them, core.hooksPath included, and never replace a hook of ' +
    'somebody else. "install" also makes git-memory the merge driver of memories, unless git already has another one. ' +
    'The first hook calls "pre-commit", which checks staged files. Closed conversations must be unchanged, records and ' +
    'front matter must parse, MEMORY.md must keep its size, and events that others have stay. The hooks post-commit, ' +
    'post-merge and post-rewrite bring in step what follows from a log, and what cites events that have new ids. The ' +
    'first two also run "git memory maintain reindex" in the background, so that searches find new texts at once.',
  input: z.strictObject({
    action: z
      .enum(['install', 'pre-commit', 'post-commit', 'post-merge', 'post-rewrite'])
      .describe('install, or the hook that git is running'),
  }),
  positional: ['action'],
  // While git commits, it holds its index: a hook must not wait for it.
  flags: { writes: 'now', asks: ({ action }) => action === 'pre-commit' },
  example: { command: 'hooks install', shows: 'the hooks that native git runs from now on' },
  async run(context, { action }): Promise<HooksOutput> {
    if (action === 'install') return { ...(await (await context.whole()).git.installHooks()) };
    if (action === 'pre-commit') return { ...(await context.checkStaged()) };
    const lines = action === 'post-rewrite' ? (await context.readInput('-')).split('\n') : [];
    const rewritten = lines.map((line) => line.split(' ')).flatMap(([from, to]) => (from && to ? { from, to } : []));
    const followed = await (await context.whole()).git.follow(rewritten);
    return followed === null ? {} : { followed };
  },
  text(output, style) {
    if (output.installed) {
      const installed = output.installed.map((path) => `${style.good('installed')}  ${path}`);
      const left = (output.left ?? []).map(
        ({ path, line }) => `${style.bad('left')}  ${path} is of somebody else; add: ${line}`,
      );
      return [...installed, ...left].join('\n');
    }
    if (output.followed)
      return `${style.reference(shortOid(output.followed))} brings in step what follows from the log`;
    const lines = (output.warnings ?? []).flatMap((warning) => hang(style.bad('warning'), warning, style, 9));
    for (const { path, why } of output.violations ?? [])
      lines.push(...hang(style.bad('refused'), why.includes(path) ? why : `${path}: ${why}`, style, 9));
    // A hook that has nothing to say says nothing.
    return lines.join('\n');
  },
  refusal: (output) => ((output.violations ?? []).length === 0 ? undefined : 'IMMUTABLE'),
});

export const mergeDriver = defineVerb({
  name: 'merge-driver',
  summary: 'Merge one file, when native git asks',
  help:
    'Native git calls this driver in a merge, rebase, cherry-pick, revert or stash (gitattributes(5)); "hooks install" ' +
    'sets it up. The driver writes the result into the second file, without conflict markers. Counters add up, and ' +
    'lists merge item by item. In a contradiction our side wins, and a record keeps the other value. The exit code is 0 ' +
    'after a merge, 5 where git must stop, and above 128 after a failure. The driver reads only these files and, for a log, ' +
    'which ids the upstream of the branch has: those stay.',
  input: z.strictObject({
    files: z
      .array(filled)
      .length(4)
      .describe('the common version (%O), ours, which receives the result (%A), theirs (%B), and the path (%P)'),
  }),
  positional: ['files'],
  example: { command: 'merge-driver %O %A %B %P', shows: 'nothing, if there was nothing to decide' },
  async run(context, { files }) {
    const [base, ours, theirs, path] = files as [string, string, string, string];
    const { read, write } = context.files;
    const mine = read(ours);
    const { bytes, disputes, isConflict } = await context.mergeFile(path, [read(base), mine, read(theirs)]);
    if (!bytes.equals(mine)) write(ours, bytes);
    return { path, disputes, isConflict };
  },
  text({ path, disputes, isConflict }, style) {
    if (disputes.length === 0) return '';
    const what = `${path}: both sides changed ${disputes.join(', ')}`;
    if (isConflict) return hang(style.bad('conflict'), what, style, 10).join('\n');
    return hang(style.good('settled'), `${what}; ${whatStands(disputes)}`, style, 9).join('\n');
  },
  refusal: ({ isConflict }) => (isConflict ? 'CONFLICT' : undefined),
});

/** Tells what stands of what both sides changed: of items of a list every wording does, see store/merge/list-items.ts. */
function whatStands(disputes: readonly string[]): string {
  const items = disputes.filter((dispute) => /^(?:[-*+]|\d{1,9}[.)])(?:\s|$)/.test(dispute)).length;
  if (items === disputes.length) return 'each wording stands, ours first';
  return items === 0 ? 'ours stands' : 'of items each wording stands, of the rest ours';
}
