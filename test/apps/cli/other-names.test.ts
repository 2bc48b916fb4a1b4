// Commands by the names that the documents give them: each runs what does it here, says so, and no help lists it.

import { beforeAll, describe, expect, it } from 'vitest';
import { otherCommands } from '../../../src/apps/verbs/groups.ts';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { git, hasGit } from '../../helpers/native-git.ts';
import { runHere } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

let directory = '';
let commit = '';

beforeAll(async () => {
  directory = temporaryFolder();
  const memory = await openMemory({ dir: directory, create: true, durability: 'fast' });
  await memory.capture({
    session: 's1',
    messages: [{ role: 'user', text: 'We decided to dry the herbs in the attic because the cellar is damp.' }],
  });
  await memory.extract();
  await memory.write('knowledge/memory/MEMORY.md', 'one\ntwo\nthree\nfour\n');
  await memory.write(
    'topics/herbs.md',
    '---\ntype: topic\ntriggers:\n  - type: pattern\n    match: "herb"\nactivation: auto\n---\n\n# Herbs\n\nHang them.\n',
  );
  ({
    commits: [commit = ''],
  } = await memory.commit());
  await memory.write('knowledge/reference/attic.md', '# Attic\n\nDry.\n');
  ({
    commits: [commit = ''],
  } = await memory.commit());
  await memory.close();
});

describe('a command of the documents', () => {
  it.each([
    ['migrate --from jsonl --to perfile', 'maintain run layout', ''],
    ['backfill-gists --level moderate --dry-run', 'record gist', ''],
    ['backfill_gists', 'record gist', ''],
    ['rebuild-index', 'maintain reindex', ''],
    ['rebuild-index --incremental knowledge/memory/MEMORY.md', 'maintain reindex', ''],
    ['search attic --limit 3 --category conversation', 'recall', 'attic'],
    ['search "herbs attic" --category knowledge', 'recall', ''],
    ['read knowledge/memory/MEMORY.md', 'show', 'one\ntwo\nthree\nfour'],
    ['read knowledge/memory/MEMORY.md --offset 1 --limit 2', 'show', 'two\nthree\n'],
    ['condense', 'maintain run', 'condense'],
    ['condense weekly', 'maintain run', 'rollup'],
    ['prune', 'maintain run memory-md journals evict', ''],
    ['reconstruct --extractors decisions,facts --branch v2', 'experiment run', 'v2'],
    ['reconstruct', 'experiment run', 'reconstruct'],
    ['replay_all decisions', 'experiment run replay', 'replay'],
    ['tune', 'topics tune', ''],
    ['activate can you hang the herbs', 'topics turn', 'herbs'],
    ['gc --dry-run', 'maintain run fading', ''],
    ['tag harvest', 'snapshot', 'memory/milestone/harvest'],
    ['tag before/frost --message "all in"', 'snapshot', 'memory/before/frost'],
    ['tag daily', 'snapshot', 'memory/daily/'],
    ['revert COMMIT --dry-run', 'undo', ''],
  ])('%s is answered by %s', async (line, command, shown) => {
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!);
    const args = words.map((word) => (word === 'COMMIT' ? commit : word));
    const { status, stdout, stderr } = await runHere(directory, args);
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    expect(stderr).toContain(`"${words[0]!.replaceAll('_', '-')}" is \`git memory ${command}\` here`);
    expect(stdout).toContain(shown);
  });

  it.skipIf(!hasGit)('push syncs with the remote that is known', async () => {
    const remote = temporaryFolder();
    git(remote, 'init', '-q', '--bare', '-b', 'main');
    const { status, stderr } = await runHere(directory, ['push', remote]);
    expect(stderr).toContain('"push" is `git memory sync` here');
    expect(status).toBe(0);
    expect((await runHere(directory, ['push'])).status).toBe(0);
    expect(git(remote, 'log', '--format=%H', '-1', 'main')).not.toBe('');
  });

  it('says which of its options mean nothing here', async () => {
    const { stderr } = await runHere(directory, ['migrate', '--from', 'jsonl', '--to=perfile']);
    expect(stderr).toContain('here, which knows no --from jsonl, --to perfile');
  });

  it('is in no help, and has the help of what it is', async () => {
    const { stdout } = await runHere(directory, ['help']);
    for (const name of Object.keys(otherCommands)) expect(stdout).not.toMatch(new RegExp(`^ {2}${name} {2}`, 'm'));
    const { stdout: help } = await runHere(directory, ['help', 'search']);
    expect(help).toContain('Usage: git memory recall');
  });
});
