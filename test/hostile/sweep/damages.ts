// What the sweep damages: every object that a ref leads to and every file of the git directory, each in several ways.

import fs from 'node:fs';
import path from 'node:path';
import { git } from '../../helpers/native-git.ts';
import { flip } from '../template.ts';
import type { Form } from './memory.ts';
import type { Question } from './questions.ts';

export const ways = ['flipped', 'cut', 'empty', 'zeros', 'missing', 'another'] as const;
export type Way = (typeof ways)[number];

/** What a damaged thing is to the memory. */
export type Place =
  | 'present blob'
  | 'present tree'
  | 'tip'
  | 'old blob'
  | 'old tree'
  | 'old commit'
  | 'tag'
  | 'side'
  | 'derived'
  | 'pack'
  | 'ref'
  | 'packed refs'
  | 'reflog'
  | 'journal'
  | 'configuration'
  | 'ours';

export interface Damage {
  readonly name: string;
  readonly form: Form;
  readonly place: Place;
  readonly way: Way;
  /** The file, relative to the memory. */
  readonly file: string;
  /** Words of which one names what is damaged. */
  readonly names: readonly string[];
  /** Where it stands in the memory: of a blob its path, of a tree its folder. */
  readonly path?: string;
  apply(folder: string): void;
}

interface Target {
  readonly file: string;
  readonly place: Place;
  readonly names: readonly string[];
  readonly path?: string;
  /** Only a part of the file, such as an object within a pack. */
  readonly range?: readonly [from: number, to: number];
}

/** Lists every damage that can be done to a memory, in an order that depends on nothing but its content. */
export function damagesOf(folder: string, form: Form): Damage[] {
  const targets = [...(form === 'pending' ? [] : objectTargets(folder, form)), ...fileTargets(folder, form)];
  return targets.flatMap((target, at) =>
    ways
      .filter((way) => !(target.range !== undefined && ['cut', 'empty', 'missing', 'another'].includes(way)))
      .map((way) => {
        const other = targets.find(
          ({ file, place, range }, index) =>
            index !== at && file !== target.file && range === undefined && place === target.place,
        );
        return damageOf(form, target, way, other?.file, at);
      }),
  );
}

function damageOf(form: Form, target: Target, way: Way, other: string | undefined, seed: number): Damage {
  const { file, place, names, range } = target;
  const what = target.path ?? names[0];
  return {
    name: `${form}: ${place} ${what}${what === file ? '' : ` in ${file}`} is ${way}`,
    form,
    place,
    way,
    file,
    names,
    ...(target.path === undefined ? {} : { path: target.path }),
    apply(folder) {
      const full = path.join(folder, file);
      const bytes = fs.readFileSync(full);
      const { mode } = fs.statSync(full);
      const [from, to] = range ?? [0, bytes.length];
      // Another file, so that nobody takes it for the one he knows.
      fs.rmSync(full);
      if (way === 'missing') return;
      const changed = {
        flipped: () => (to === from ? bytes : flip(from + ((seed * 7919) % (to - from)))(bytes)),
        cut: () => bytes.subarray(0, bytes.length >> 1),
        empty: () => Buffer.alloc(0),
        zeros: () => Buffer.concat([bytes.subarray(0, from), Buffer.alloc(to - from), bytes.subarray(to)]),
        another: () =>
          other === undefined ? Buffer.from('once upon a time\n') : fs.readFileSync(path.join(folder, other)),
      }[way]();
      fs.writeFileSync(full, changed, { mode });
    },
  };
}

/** The objects that any ref leads to, where they are files or stand by themselves in a pack. */
function objectTargets(folder: string, form: Form): Target[] {
  const lines = (...args: string[]) =>
    git(folder, ...args)
      .split('\n')
      .filter((line) => line !== '');
  const present = new Map(
    lines('ls-tree', '-r', '-t', 'main').map((line) => {
      const [, type, oid, name] = /^\S+ (\S+) (\S+)\t(.*)$/.exec(line)!;
      return [oid!, { type: type!, name: name! }] as const;
    }),
  );
  const tip = git(folder, 'rev-parse', 'main').trim();
  const root = git(folder, 'rev-parse', 'main^{tree}').trim();
  const ofMain = new Set(lines('rev-list', '--objects', 'main').map((line) => line.slice(0, 40)));
  const packed = form === 'packed' ? packedObjects(folder) : new Map<string, Target>();
  return lines('rev-list', '--objects', '--all', '--tags')
    .sort()
    .flatMap((line): Target[] => {
      const [oid = '', pathOf = ''] = [line.slice(0, 40), line.slice(41)];
      const type = git(folder, 'cat-file', '-t', oid).trim();
      const here = present.get(oid);
      const place: Place =
        oid === tip
          ? 'tip'
          : type === 'tag'
            ? 'tag'
            : oid === root || here?.type === 'tree'
              ? 'present tree'
              : here?.type === 'blob'
                ? 'present blob'
                : !ofMain.has(oid)
                  ? 'side'
                  : (`old ${type}` as Place);
      const name = here?.name ?? pathOf;
      const about = { place, ...(name === '' ? {} : { path: name }) };
      const names = [oid, oid.slice(0, 7), ...(name === '' ? [] : [name])];
      const loose = `.git/objects/${oid.slice(0, 2)}/${oid.slice(2)}`;
      if (fs.existsSync(path.join(folder, loose))) return [{ file: loose, names, ...about }];
      const inPack = packed.get(oid);
      return inPack === undefined ? [] : [{ ...inPack, ...about, names }];
    });
}

/** Where whole objects (no deltas) stand in the packs, behind the head of their entry. */
function packedObjects(folder: string): Map<string, Target> {
  const found = new Map<string, Target>();
  const packs = path.join(folder, '.git/objects/pack');
  for (const name of fs.readdirSync(packs).filter((file) => file.endsWith('.pack'))) {
    const lines = git(folder, 'verify-pack', '-v', path.join(packs, name.replace(/pack$/, 'idx'))).split('\n');
    for (const line of lines) {
      const match = /^([0-9a-f]{40}) \w+ +\d+ (\d+) (\d+)$/.exec(line);
      if (match === null) continue;
      const [, oid, size, offset] = match;
      const range = [Number(offset) + 3, Number(offset) + Number(size)] as const;
      found.set(oid!, { file: `.git/objects/pack/${name}`, place: 'pack', names: [], range });
    }
  }
  return found;
}

/** The objects of a pack: each of them may be what is missed. */
function idsIn(folder: string, file: string): string[] {
  const listing = git(folder, 'verify-pack', '-v', file.replace(/pack$/, 'idx'));
  return [...listing.matchAll(/^[0-9a-f]{40}/gm)].map(([oid]) => oid);
}

/** What a file of the git directory is; undefined for what nothing depends on. */
function placeOf(file: string): Place | undefined {
  if (/^\.git\/(hooks|description|info|COMMIT_EDITMSG|ORIG_HEAD)/.test(file)) return undefined;
  if (/\.(idx|rev|midx|graph|mtimes)$|multi-pack-index|commit-graph|^\.git\/index$/.test(file)) return 'derived';
  if (/\.keep$/.test(file)) return 'derived';
  if (file.endsWith('.pack')) return 'pack';
  if (file.startsWith('.git/git-memory/journal')) return 'journal';
  if (file.startsWith('.git/git-memory/cache')) return 'derived';
  if (file.startsWith('.git/git-memory')) return 'ours';
  if (file === '.git/packed-refs') return 'packed refs';
  if (file.startsWith('.git/logs')) return 'reflog';
  if (file === '.git/HEAD' || file.startsWith('.git/refs/')) return 'ref';
  if (file === '.git/config') return 'configuration';
  if (/^\.git\/objects\/[0-9a-f]{2}\//.test(file)) return undefined;
  return 'ours';
}

function fileTargets(folder: string, form: Form): Target[] {
  return fs
    .readdirSync(path.join(folder, '.git'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()
    .flatMap((file): Target[] => {
      const place = placeOf(file);
      // A file that is the same in each form is damaged once.
      const belongs = {
        loose: place !== 'journal',
        packed: /pack|graph/.test(file),
        pending: /journal|index$|HEAD$|heads/.test(file),
      };
      if (place === undefined || !belongs[form]) return [];
      const ref = file.replace(/^\.git\/(logs\/)?/, '');
      const names = [
        file,
        file.replace('.git/', ''),
        ref,
        ref.replace(/^refs\/(heads|tags)\//, ''),
        path.basename(file),
        decodeURIComponent(path.basename(file)),
      ];
      if (place === 'pack') names.push(...idsIn(folder, file));
      return [{ file, place, names: file === '.git/config' ? [...names, 'configuration'] : names }];
    });
}

/** Tells whether a question may be refused where that is damaged: it cannot be answered without. */
export function mayRefuse(question: Pick<Question, 'about' | 'isHistory'>, damage: Damage): boolean {
  if (['tip', 'present tree', 'ref', 'pack', 'packed refs', 'journal', 'configuration', 'ours'].includes(damage.place))
    return true;
  if (damage.place === 'derived' || damage.place === 'reflog') return (question.about ?? []).includes(damage.file);
  // What the whole memory is read by.
  if (damage.place === 'present blob' && damage.path === 'memory.yaml') return true;
  if (question.isHistory) return true;
  return (question.about ?? []).some((what) => damage.path === what || damage.path?.endsWith(`/${what}.json`));
}

/**
 * Tells whether nothing is left that could tell of it: a tag or its line is gone, the end of a journal, or a setting, which native git
 * does not miss either.
 */
export function isUntold({ place, way, file }: Damage): boolean {
  // When a remote was last in step is noted there alone.
  if (place === 'configuration' || file.includes('/cache/sync/')) return true;
  // Another journal is as good as the right one.
  if (place === 'journal') return way !== 'flipped' && way !== 'zeros';
  if (place === 'packed refs') return ['missing', 'empty', 'cut'].includes(way);
  // A person detaches HEAD, too.
  if (place === 'ref' && way === 'another') return !/main/.test(file);
  return place === 'ref' && way === 'missing' && !/HEAD|heads/.test(file);
}
