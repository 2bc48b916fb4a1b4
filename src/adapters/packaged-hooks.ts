// The git hooks that come with the package, as texts.

import { readFileSync } from 'node:fs';

const names = ['pre-commit'];

/** Reads the hooks that can be installed; their folder lies beside src/ and dist/ alike. */
export function packagedHooks(): { name: string; text: string }[] {
  return names.map((name) => ({ name, text: readFileSync(new URL(`../../hooks/${name}`, import.meta.url), 'utf8') }));
}
