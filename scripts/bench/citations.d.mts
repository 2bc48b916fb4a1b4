import type { Citation, CitationVerdict } from '../../src/base/types.ts';
import type { Code } from '../../src/features/code/index.ts';

interface NativeVerdict {
  readonly state: 'holds' | 'moved' | 'grown' | 'changed' | 'lost';
  readonly lost: readonly string[];
  readonly line?: number;
}

export function randomCitations(
  code: Code,
  dir: string,
  options: { count: number; ahead: number; seed?: number },
): { citation: Citation; at: string }[];
export function nativeVerdict(dir: string, citation: Citation, at: string): NativeVerdict | null;
export function agrees(verdict: CitationVerdict, native: NativeVerdict): boolean;
export function isFirst(dir: string, citation: Citation, verdict: CitationVerdict, lost: readonly string[]): boolean;
