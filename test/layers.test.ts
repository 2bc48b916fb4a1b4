// The order of the packages: imports point back along it and go through doors, siblings do not know each other, and the world stays at the edge.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** The packages, from the leaves to the entry; those of one row are siblings. */
const packages: readonly (readonly string[])[] = [
  ['base'],
  ['language'],
  ['store'],
  ['logs'],
  ['search'],
  ['history'],
  ['core'],
  ['features'],
  ['adapters'],
  ['memory'],
  ['apps', 'index.ts'],
];

/** The folders of packages that have several, in the same manner; what lies in none of them is `.`. */
const rooms: Readonly<Record<string, readonly (readonly string[])[]>> = {
  store: [['guard'], ['records'], ['claims'], ['merge'], ['git'], ['.']],
  history: [['.'], ['undo'], ['branches']],
  core: [
    ['capture', 'lifecycle'],
    ['context', 'expect', 'extract', 'write'],
    ['recall'],
    ['ledger'],
    ['handed', 'knowledge'],
    ['maintain'],
  ],
  features: [
    ['code'],
    ['about', 'export', 'import', 'project', 'purge', 'quarantine'],
    ['sync'],
    ['repository'],
    ['doctor', 'experiment', 'review'],
  ],
  apps: [['hook', 'plug'], ['verbs'], ['.']],
};

/** Packages that others enter by their `index.ts` alone, and each feature is one. */
const withDoor = ['language', 'logs', 'search', 'history'];

interface Import {
  /** `store/git/refs.ts`, or the package: `node:fs`, `zod`. */
  readonly target: string;
  readonly isPackage: boolean;
  readonly isTypeOnly: boolean;
}

interface SourceFile {
  /** Below src/, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

const files: readonly SourceFile[] = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts'))
  .map((path) => {
    const text = readFileSync(join(source, path), 'utf8');
    return { path, text, imports: importsOf(path, text) };
  });

function importsOf(path: string, text: string): Import[] {
  const imports: Import[] = [];
  const add = (specifier: string, isTypeOnly: boolean): void => {
    const isPackage = !specifier.startsWith('.');
    const target = isPackage ? specifier : normalize(join(dirname(path), specifier)).replaceAll('\\', '/');
    imports.push({ target, isPackage, isTypeOnly });
  };
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined) {
      const clause = ts.isImportDeclaration(node) ? node.importClause : node;
      add(
        (node.moduleSpecifier as ts.StringLiteral).text,
        clause !== undefined && 'isTypeOnly' in clause && clause.isTypeOnly,
      );
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      if (specifier !== undefined && ts.isStringLiteral(specifier)) add(specifier.text, false);
    } else if (
      ts.isImportTypeNode(node) &&
      ts.isLiteralTypeNode(node.argument) &&
      ts.isStringLiteral(node.argument.literal)
    ) {
      add(node.argument.literal.text, true);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2023));
  return imports;
}

function packageOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : path;
}

/** Names the folder of a file in its package; the front ends are one. */
function roomOf(path: string): string {
  const [name, room, ...rest] = path.split('/');
  return rest.length === 0 || (name === 'apps' && !rooms.apps!.flat().includes(room!)) ? '.' : room!;
}

const rankOf = (path: string) => packages.findIndex((row) => row.includes(packageOf(path)));
const roomRankOf = (path: string) => rooms[packageOf(path)]?.findIndex((row) => row.includes(roomOf(path))) ?? 0;

/** Gives the door that leads to a file; null where it lies open. */
function doorOf(path: string): string | null {
  const name = packageOf(path);
  if (name === 'features') return `features/${roomOf(path)}/index.ts`;
  return withDoor.includes(name) ? `${name}/index.ts` : null;
}

/** Lists the imports of our own files, as `[from, to]`. */
const crossings = (): (readonly [string, string])[] =>
  files.flatMap(({ path, imports }) =>
    imports.filter(({ isPackage }) => !isPackage).map(({ target }) => [path, target] as const),
  );

const shown = (wrong: readonly (readonly [string, string])[]) => wrong.map(([from, to]) => `${from} imports ${to}`);

describe('the packages', () => {
  it('hold every source file', () => {
    expect(files.length).toBeGreaterThan(50);
    const astray = files.filter(({ path }) => doorOf(path) !== path && (rankOf(path) < 0 || roomRankOf(path) < 0));
    expect(astray.map(({ path }) => path)).toEqual([]);
  });

  it('import only what lies before them, and never a sibling', () => {
    const wrong = crossings().filter(([from, to]) => packageOf(to) !== packageOf(from) && rankOf(to) >= rankOf(from));
    expect(shown(wrong)).toEqual([]);
  });

  it('keep that order among the folders of a package', () => {
    const wrong = crossings().filter(
      ([from, to]) =>
        packageOf(from) in rooms &&
        packageOf(to) === packageOf(from) &&
        roomOf(to) !== roomOf(from) &&
        doorOf(from) !== from &&
        roomRankOf(to) >= roomRankOf(from),
    );
    expect(shown(wrong)).toEqual([]);
  });

  it('enter a package by its door', () => {
    const wrong = crossings().filter(([from, to]) => {
      const door = doorOf(to);
      return door !== null && to !== door && doorOf(from) !== door;
    });
    expect(shown(wrong)).toEqual([]);
  });

  it('say at each door what it promises and where to start', () => {
    const doors = files.filter(({ path }) => doorOf(path) === path);
    expect(doors.length).toBeGreaterThan(10);
    const silent = doors.filter(
      ({ text }) => !/^\/\/ [^\n]+\n\/\/\n\/\/ Needs: .+\n\/\/ Start reading: .+\.ts/.test(text),
    );
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it('go round in no circle, with types counted', () => {
    const circles = circlesOf(new Map(files.map(({ path, imports }) => [path, imports.map(({ target }) => target)])));
    expect(circles).toEqual([]);
  });

  it('import existing files, by their full name', () => {
    const known = new Set(files.map(({ path }) => path));
    const wrong = files.flatMap(({ path, imports }) =>
      imports
        .filter(({ target, isPackage }) => !isPackage && !known.has(target))
        .map(({ target }) => `${path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });
});

/** Groups the files that reach each other by their imports, directly or by way of others: Tarjan's strongly connected components. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string): void => {
    const number = numbers.size;
    numbers.set(path, number);
    lowest.set(path, number);
    open.push(path);
    for (const target of graph.get(path)!) {
      if (!graph.has(target)) continue;
      if (!numbers.has(target)) visit(target);
      if (open.includes(target)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(target)!));
    }
    if (lowest.get(path) !== number) return;
    const circle = open.splice(open.indexOf(path)).sort();
    if (circle.length > 1 || graph.get(path)!.includes(path)) circles.push(circle);
  };
  for (const path of graph.keys()) if (!numbers.has(path)) visit(path);
  return circles;
}

/** Tells whether a file lies below one of some folders. */
const isBelow = (path: string, folders: readonly string[]) => folders.some((folder) => path.startsWith(`${folder}/`));

/** Lists the files outside some folders that import a package whose name matches. */
function strangers(folders: readonly string[], name: RegExp): string[] {
  return files.flatMap(({ path, imports }) =>
    isBelow(path, folders)
      ? []
      : imports
          .filter(({ target, isPackage }) => isPackage && name.test(target))
          .map(({ target }) => `${path} imports ${target}`),
  );
}

describe('the edges', () => {
  it('keep isomorphic-git in store/git/', () => {
    expect(strangers(['store/git'], /^isomorphic-git/)).toEqual([]);
  });

  it('keep zod where bytes and callers come in', () => {
    expect(strangers(['store/records', 'apps', 'core/extract'], /^zod/)).toEqual([]);
  });

  it('keep commander and colours in apps/', () => {
    expect(strangers(['apps'], /^(commander|picocolors)$/)).toEqual([]);
  });

  it('reach files, processes and the machine through ports only', () => {
    // What remains are pure functions: hashing, compression, buffers; and the type of the file system port.
    const pure = /^node:(crypto|zlib|buffer|util)$/;
    const wrong = files.flatMap(({ path, imports }) =>
      !isBelow(path, ['apps/verbs']) && isBelow(path, ['adapters', 'apps'])
        ? []
        : imports
            .filter(({ target, isTypeOnly }) => target.startsWith('node:') && !pure.test(target) && !isTypeOnly)
            .map(({ target }) => `${path} imports ${target}`),
    );
    expect(wrong.filter((line) => !allowedWorld.has(line))).toEqual([]);
  });

  it('leave arguments, streams, exit codes and the console to apps/', () => {
    const wrong = files
      .filter(({ path }) => packageOf(path) !== 'apps' || isBelow(path, ['apps/verbs']))
      .flatMap(({ path, text }) => {
        const found = /\bprocess\.(argv|stdout|stderr|stdin|exit|exitCode)\b|\bconsole\.\w+\(/.exec(
          withoutComments(text),
        );
        return found === null ? [] : [`${path}: ${found[0]}`];
      });
    expect(wrong).toEqual([]);
  });
});

/** Wiring may ask who and where we are to fill the ports' defaults; whom a call speaks for follows it through the language's own calls. */
const allowedWorld = new Set([
  'memory/branch.ts imports node:os',
  'store/guard/agent-door.ts imports node:async_hooks',
  'core/write/origin.ts imports node:async_hooks',
  // Weights come with the package, and are read when a text is first judged.
  'language/weights.ts imports node:fs',
  // Lists and stemmers of a language are loaded when a text in it is met.
  'base/languages.ts imports node:module',
]);

describe('classes', () => {
  it('extend none of ours but errors: what is shared is handed on, not inherited', () => {
    const ours = new Set(files.flatMap(({ text }) => [...text.matchAll(/\bclass (\w+)/g)].map(([, name]) => name!)));
    const inherited = files.flatMap(({ path, text }) =>
      [...withoutComments(text).matchAll(/\bclass (\w+)(?:<.*>)? extends (\w+)/g)]
        .filter(([, , base]) => ours.has(base!) && base !== 'MemoryError')
        .map(([, name, base]) => `${path}: ${name} extends ${base}`),
    );
    // A state that is seen through a scope is a state.
    expect(inherited).toEqual(['store/scope.ts: ScopedSnapshot extends Snapshot']);
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}
