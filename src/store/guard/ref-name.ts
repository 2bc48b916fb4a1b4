// Checks names of refs by all rules of git-check-ref-format(1). Names arrive from remotes and callers alike.

import { MemoryError } from '../../base/errors.ts';
import { maxRefBytes, maxRefComponentBytes } from './limits.ts';

/** The branch of a memory that lies inside a code repository. */
export const memoryRef = 'refs/heads/memory/main';

/** Control characters, space, and the characters that git's revision syntax and globs use. */
const refusedCharacter = /[\x00-\x20\x7f~^:?*[\\]|\p{Cs}/u;

/**
 * Passes a full ref name, one beginning with `refs/`, and gives it back.
 *
 * The rules are those of git-check-ref-format. At least one component follows `refs/`. No component is empty, begins with a dot or
 * ends in `.lock`. The name has no `..` or `@{`, no control character, no space and none of `~ ^ : ? * [ \`, and no dot at its end.
 *
 * @throws MemoryError INVALID_REF, naming the rule.
 */
export function checkRefName(ref: string): string {
  if (typeof ref !== 'string' || !ref.startsWith('refs/')) throw refuse(ref, 'does not begin with refs/');
  checkRules(ref, ref);
  return ref;
}

/**
 * Passes the short name of a branch, such as `explore/what-if`, and gives it back.
 *
 * The rules of {@link checkRefName} hold for the name with `refs/heads/` before it. A name that reads as an option or as `HEAD` is refused,
 * too. So are invisible characters: the name is shown to people.
 *
 * @throws MemoryError INVALID_REF, naming the rule.
 */
export function checkBranchName(name: string): string {
  if (typeof name !== 'string' || name === '') throw refuse(name, 'is empty');
  if (name.startsWith('-')) throw refuse(name, 'begins with a dash');
  if (name === 'HEAD' || name === '@') throw refuse(name, 'means something else to git');
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) throw refuse(name, 'has an invisible character');
  checkRules(name, `refs/heads/${name}`);
  return name;
}

function checkRules(given: string, ref: string): void {
  if (refusedCharacter.test(ref)) throw refuse(given, 'has a space, a control character or one of ~ ^ : ? * [ \\');
  if (ref.includes('..')) throw refuse(given, 'has two dots in a row');
  if (ref.includes('@{')) throw refuse(given, 'has @{');
  if (ref.endsWith('.')) throw refuse(given, 'ends in a dot');
  if (Buffer.byteLength(ref, 'utf8') > maxRefBytes) throw refuse(given, `is longer than ${maxRefBytes} bytes`);
  for (const component of ref.split('/')) {
    if (component === '') throw refuse(given, 'has an empty component');
    if (component.startsWith('.')) throw refuse(given, 'has a component that begins with a dot');
    if (component.endsWith('.lock')) throw refuse(given, 'has a component that ends in .lock');
    if (Buffer.byteLength(component, 'utf8') > maxRefComponentBytes)
      throw refuse(given, `has a component longer than ${maxRefComponentBytes} bytes`);
  }
}

function refuse(name: unknown, rule: string): MemoryError {
  const shown = JSON.stringify(String(name).slice(0, 120)).replace(/[\p{Cf}\p{Cc}]/gu, '\ufffd');
  return new MemoryError('INVALID_REF', `the ref name ${shown} ${rule}`, {
    hint: 'Use letters, digits, dashes and slashes, as in explore/what-if',
  });
}
