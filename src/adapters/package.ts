// What comes with the package beside its code: the git hooks, as texts, data, and the version.

import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { installedProgram } from './installation.ts';

/** The hooks, and which of them are for repositories whose commits people make by hand. */
const hookFiles = [
  { name: 'pre-commit', isBackground: false },
  { name: 'post-commit', isBackground: true },
  { name: 'post-merge', isBackground: true },
  { name: 'post-rewrite', isBackground: true },
] as const;

/** A file of the package, whose folder lies two above this one in src/, in dist/ and in the bundled program alike. */
export const placeOf = (name: string): URL => new URL(`../../${name}`, import.meta.url);

/** Reads a text of the package by its path. */
export const packaged = (name: string): string => readFileSync(placeOf(name), 'utf8');

/** Reads the hooks that can be installed; they call the program on the PATH, or else this installation. */
export function packagedHooks(): { name: string; text: string; isBackground: boolean }[] {
  const { node, program } = installedProgram();
  return hookFiles.map(({ name, isBackground }) => {
    const text = packaged(`hooks/${name}`)
      .replaceAll('@NODE@', () => node)
      .replaceAll('@PROGRAM@', () => program);
    return { name, text, isBackground };
  });
}

/** Reads the page of `git memory ui`, as the build made it. */
export function packagedPage(): string {
  return brotliDecompressSync(readFileSync(placeOf('dist/ui.html.br'))).toString('utf8');
}

/** Lists the parts of the built program that are not there any more; none where it runs unbuilt. */
export function missingParts(): string[] {
  const list = 'dist/program/package.json';
  const { parts } = JSON.parse(existsSync(placeOf(list)) ? packaged(list) : '{"parts":[]}') as { parts: string[] };
  return parts.map((name) => `dist/program/${name}`).filter((name) => !existsSync(placeOf(name)));
}

/** Gives the version of the package. */
export const packageVersion = (): string => (JSON.parse(packaged('package.json')) as { version: string }).version;
