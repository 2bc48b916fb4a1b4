// What comes with the package beside its code: the git hooks, as texts, and the version.

import { readFileSync } from 'node:fs';
import { installedProgram } from './installation.ts';

/** The hooks, and which of them are for repositories whose commits people make by hand. */
const hookFiles = [
  { name: 'pre-commit', isBackground: false },
  { name: 'post-commit', isBackground: true },
  { name: 'post-merge', isBackground: true },
] as const;

/** Reads a file of the package, whose folder lies two above this one in src/, in dist/ and in the bundled program alike. */
function packaged(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
}

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
  return packaged('dist/ui.html');
}

/** Gives the version of the package. */
export function packageVersion(): string {
  return (JSON.parse(packaged('package.json')) as { version: string }).version;
}
