import { expect, it } from 'vitest';
import { formatTree, type TreeEntry } from '../../../src/store/git/tree.ts';
import { cutTree, entriesBeyond, entryAt, entryCount } from '../../../src/store/git/tree-bytes.ts';
import { random } from '../../helpers/random.ts';

it('lists the entries of a tree that another one does not have as they are, whatever changed', () => {
  const next = random(3);
  const names = Array.from({ length: 12 }, (_, number) => ['a', 'a.b', 'a-', 'b', 'ab', 'z'][number % 6]! + number);
  const treeOf = (entries: readonly TreeEntry[]) => {
    const key = ({ name, mode }: TreeEntry) => Buffer.from(mode === '40000' ? `${name}/` : name);
    return cutTree(formatTree([...entries].sort((a, b) => Buffer.compare(key(a), key(b)))), 'x');
  };
  const entryOf = (name: string): TreeEntry => ({
    name,
    mode: (['100644', '100755', '40000'] as const)[next(3)]!,
    oid: `${next(3)}`.repeat(40),
  });
  for (let round = 0; round < 3000; round += 1) {
    const before = names.filter(() => next(3) > 0).map(entryOf);
    const kept = before.filter(() => next(6) > 0).map((entry) => (next(6) === 0 ? entryOf(entry.name) : entry));
    const added = names.filter((name) => next(8) === 0 && !before.some((entry) => entry.name === name)).map(entryOf);
    const [old, young] = [treeOf(before), treeOf([...kept, ...added])];
    const all = Array.from({ length: entryCount(young) }, (_, index) => index);
    const has = (index: number) => {
      const { name, mode, oid } = entryAt(young, index);
      return before.some((entry) => entry.name === name && entry.mode === mode && entry.oid === oid);
    };
    expect(entriesBeyond(young, old)).toEqual(all.filter((index) => !has(index)));
  }
});
