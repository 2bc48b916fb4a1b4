// How people are told of secrets that were kept out: the kind and the place, never the secret.

import type { Redaction } from '../types.ts';
import { count, hang, type Style } from './style.ts';

const mostShown = 10;

/** Renders one line for each secret that was redacted. */
export function describeRedactions(redacted: readonly Redaction[] | undefined, style: Style): string[] {
  if (redacted === undefined || redacted.length === 0) return [];
  const lines = redacted.slice(0, mostShown).flatMap(({ kind, path, line, turn }) => {
    const place = turn === undefined ? `${path}:${line}` : `${path}:${line}, turn ${turn}`;
    return hang(`${style.bad('redacted')}  `, `${kind} in ${place}`, style, 10);
  });
  if (redacted.length > mostShown) lines.push(`… and ${count(redacted.length - mostShown, 'more secret')}`);
  return lines;
}
