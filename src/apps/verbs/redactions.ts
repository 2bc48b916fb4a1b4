// How people learn of secrets that were kept out: the kind and the place, never the secret.

import { count } from '../../base/count.ts';
import type { Redaction } from '../../base/types.ts';
import { hang, type Style } from './style.ts';

const mostShown = 10;

/** Renders one line for each secret that was redacted; `isFileShown`: the line before names the file. */
export function describeRedactions(
  redacted: readonly Redaction[] | undefined,
  style: Style,
  isFileShown = false,
): string[] {
  if (redacted === undefined || redacted.length === 0) return [];
  const lines = redacted.slice(0, mostShown).flatMap(({ kind, path, line, turn }) => {
    const place = isFileShown ? `line ${line}` : `${path}:${line}`;
    const inTurn = turn === undefined ? '' : `, turn ${turn}`;
    return hang(`${style.bad('redacted')}  `, `${kind} in ${place}${inTurn}`, style, 10);
  });
  if (redacted.length > mostShown) lines.push(`… and ${count(redacted.length - mostShown, 'more secret')}`);
  return lines;
}
