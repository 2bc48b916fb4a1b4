// What comes with the package beside its code: the git hooks, as texts, and the version.

import { readFileSync } from 'node:fs';

const names = ['pre-commit'];

/** Reads a file of the package, whose folder lies two above this one in src/, in dist/ and in the bundled program alike. */
function packaged(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
}

/** Reads the hooks that can be installed. */
export function packagedHooks(): { name: string; text: string }[] {
  return names.map((name) => ({ name, text: packaged(`hooks/${name}`) }));
}

/** Gives the version of the package. */
export function packageVersion(): string {
  return (JSON.parse(packaged('package.json')) as { version: string }).version;
}
