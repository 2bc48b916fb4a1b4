// Globs of people as patterns of RE2 syntax, so that they take bounded time like these. The usual libraries make backtracking expressions
// of them, and a dozen stars then hang a process.

import { MemoryError } from '../../base/errors.ts';
import { maxPatternLength } from './limits.ts';

/**
 * Translates a glob into a pattern that fits whole paths, with `/` between folders.
 *
 * `*` is any run within a name, `**` also goes over folders, and `?` is one character. `[a-z]` and `[!a-z]` are sets, and `{a,b}` is one of
 * several. A backslash takes the next character as it is. A glob without `/` fits names in any folder: `*.py` fits `src/app.py`.
 *
 * @throws MemoryError INVALID_ARGUMENT where brackets or braces are not closed; TOO_LARGE for one that is too long.
 */
export function globPattern(glob: string, where: string): string {
  if (glob.length > maxPatternLength / 2)
    throw new MemoryError('TOO_LARGE', `the glob has ${glob.length} characters`, { where, hint: 'Make it shorter' });
  if (glob === '') throw invalid(glob, 'is empty', where);
  const isAnywhere = !glob.includes('/');
  let source = isAnywhere ? '^(?:.*/)?' : '^';
  let depth = 0;
  for (let at = glob.startsWith('/') ? 1 : 0; at < glob.length; at++) {
    const sign = glob[at]!;
    if (sign === '*' && glob[at + 1] === '*') {
      while (glob[at + 1] === '*') at += 1;
      // `**/` is also no folder at all.
      if (glob[at + 1] === '/') {
        source += '(?:.*/)?';
        at += 1;
      } else source += '.*';
    } else if (sign === '*') source += '[^/]*';
    else if (sign === '?') source += '[^/]';
    else if (sign === '[') {
      const end = glob.indexOf(']', at + 2);
      if (end < 0) throw invalid(glob, 'has a [ that is never closed', where);
      const inner = glob.slice(at + 1, end);
      const isNot = /^[!^]/.test(inner);
      source += `[${isNot ? '^' : ''}${inner.slice(isNot ? 1 : 0).replace(/[\\\]^[]/g, '\\$&')}]`;
      at = end;
    } else if (sign === '{') {
      depth += 1;
      source += '(?:';
    } else if (sign === '}' && depth > 0) {
      depth -= 1;
      source += ')';
    } else if (sign === ',' && depth > 0) source += '|';
    else if (sign === '\\' && at + 1 < glob.length) source += quoted(glob[++at]!);
    else source += quoted(sign);
  }
  if (depth > 0) throw invalid(glob, 'has a { that is never closed', where);
  return `${source}$`;
}

const quoted = (sign: string): string => sign.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function invalid(glob: string, why: string, where: string): MemoryError {
  return new MemoryError('INVALID_ARGUMENT', `the glob ${JSON.stringify(glob.slice(0, 80))} ${why}`, {
    where,
    hint: 'Write it as src/**/*.py, or *.{md,txt}',
  });
}
