// The order of the layers: imports point back along it, siblings do not know each other, and the world stays at the edge.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** From the leaves to the entry; layers of one row are siblings. */
const order: readonly (readonly string[])[] = [
  ['errors.ts', 'ports.ts'],
  ['base'],
  ['types'],
  ['types.ts'],
  ['language'],
  ['guard'],
  ['records'],
  ['claims'],
  ['merge'],
  ['git'],
  ['store'],
  ['history', 'search', 'logs'],
  ['capture', 'lifecycle'],
  ['context', 'expect', 'export', 'extract', 'write'],
  ['import', 'project', 'purge', 'recall', 'undo'],
  ['branches', 'ledger'],
  ['handed', 'knowledge', 'quarantine', 'sync'],
  ['maintain', 'repository'],
  ['doctor', 'experiment', 'review'],
  ['adapters'],
  ['memory'],
  ['index.ts', 'verbs'],
  ['entry'],
];

interface Import {
  /** `git/refs.ts`, or the package: `node:fs`, `zod`. */
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

function layerOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : path;
}

function rankOf(path: string): number {
  return order.findIndex((row) => row.includes(layerOf(path)));
}

describe('the layers', () => {
  it('hold every source file', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter(({ path }) => rankOf(path) < 0).map(({ path }) => path)).toEqual([]);
  });

  it('import only what lies before them, and never a sibling', () => {
    const wrong = files.flatMap(({ path, imports }) =>
      imports
        .filter(
          ({ target, isPackage }) => !isPackage && layerOf(target) !== layerOf(path) && rankOf(target) >= rankOf(path),
        )
        .map(({ target }) => `${path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
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

/** Lists the files outside some layers that import a package whose name matches. */
function strangers(layers: readonly string[], name: RegExp): string[] {
  return files.flatMap(({ path, imports }) =>
    layers.includes(layerOf(path))
      ? []
      : imports
          .filter(({ target, isPackage }) => isPackage && name.test(target))
          .map(({ target }) => `${path} imports ${target}`),
  );
}

describe('the edges', () => {
  it('keep isomorphic-git in git/', () => {
    expect(strangers(['git'], /^isomorphic-git/)).toEqual([]);
  });

  it('keep zod where bytes and callers come in', () => {
    expect(strangers(['records', 'verbs', 'extract', 'entry'], /^zod/)).toEqual([]);
  });

  it('keep commander and colours in entry/', () => {
    expect(strangers(['entry'], /^(commander|picocolors)$/)).toEqual([]);
  });

  it('reach files, processes and the machine through ports only', () => {
    // What remains are pure functions: hashing, compression, buffers; and the type of the file system port.
    const pure = /^node:(crypto|zlib|buffer|util)$/;
    const wrong = files.flatMap(({ path, imports }) =>
      ['adapters', 'entry'].includes(layerOf(path))
        ? []
        : imports
            .filter(({ target, isTypeOnly }) => target.startsWith('node:') && !pure.test(target) && !isTypeOnly)
            .map(({ target }) => `${path} imports ${target}`),
    );
    expect(wrong.filter((line) => !allowedWorld.has(line))).toEqual([]);
  });

  it('leave arguments, streams, exit codes and the console to entry/', () => {
    const wrong = files
      .filter(({ path }) => layerOf(path) !== 'entry')
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
  'guard/agent-door.ts imports node:async_hooks',
  'write/origin.ts imports node:async_hooks',
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
