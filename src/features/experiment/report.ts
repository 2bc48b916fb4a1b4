// A comparison as a page of Markdown, narrow enough to be read as it is in a terminal of 80 columns.

import { count, grouped } from '../../base/count.ts';
import { oneLine } from '../../base/text.ts';
import type { ComparedMemory, ComparedSide, CompareResult, ExtractionCost } from '../../base/types.ts';

const maxNamed = 20;
const maxContent = 72;

/** Formats a comparison. */
export function formatComparison({ a, b, probes, expectations, verdicts, knowledge }: CompareResult): string {
  const lines = [
    `# ${a.name} and ${b.name}`,
    '',
    `- A is ${describeSide(a)}`,
    `- B is ${describeSide(b)}`,
    '',
    '## What they know',
    '',
    ...tableOf([['', 'A', 'B', 'B − A'], ...countRows(a, b)]),
    '',
    `${count(knowledge.both, 'memory says', 'memories say')} the same on both sides, ${knowledge.onlyA} are only in A, ${knowledge.onlyB} only in B.`,
    'What people kept by hand is on both.',
    '',
    '## What they find',
    '',
    ...probeLines(probes),
    ...expectationLines(expectations),
    ...verdictLines(verdicts),
    ...listOf(`Only in A (${a.name})`, knowledge.a, knowledge.onlyA),
    ...listOf(`Only in B (${b.name})`, knowledge.b, knowledge.onlyB),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function describeSide({ name, commit, extractor, cost }: ComparedSide): string {
  const made = extractor === null ? '' : `, extracted by ${extractor}`;
  return `\`${name}\` at ${commit.slice(0, 7)}${made}${cost === null || cost.calls === 0 ? '' : `: ${describeCost(cost)}`}`;
}

/** Says what a model took: `12 calls, 34,000 tokens, cost 0.0123`. */
export function describeCost({ calls, inputTokens, outputTokens, price }: ExtractionCost): string {
  const spent = price === null ? 'price unknown' : `cost ${price.toFixed(4)}`;
  return `${grouped(calls)} calls, ${grouped(inputTokens + outputTokens)} tokens, ${spent}`;
}

function countRows(a: ComparedSide, b: ComparedSide): string[][] {
  const rows: [string, number, number][] = [
    ['memories', a.memories, b.memories],
    ...[...new Set([...Object.keys(a.byCategory), ...Object.keys(b.byCategory)])]
      .sort()
      .map((name): [string, number, number] => [`· ${name}`, a.byCategory[name] ?? 0, b.byCategory[name] ?? 0]),
    ['superseded', a.superseded, b.superseded],
    ['bytes', a.bytes, b.bytes],
    ['tokens', a.tokens, b.tokens],
    ['exact duplicates', a.exactDuplicates, b.exactDuplicates],
    ['near duplicates', a.nearDuplicates, b.nearDuplicates],
    ['contradictions', a.contradictions, b.contradictions],
  ];
  return rows.map(([name, one, other]) => [name, grouped(one), grouped(other), signed(other - one, grouped)]);
}

function probeLines(probes: CompareResult['probes']): string[] {
  if (probes === null) return ['No probes were asked.', ''];
  const rows = probes.measures.map(({ name, a, b, significance: { difference, interval, p } }) => [
    name,
    share(a),
    share(b),
    signed(difference, share),
    `${signed(interval[0], share)} to ${signed(interval[1], share)}`,
    p < 0.001 ? '< 0.001' : p.toFixed(3),
  ]);
  const sure = probes.measures.filter(({ significance: { p } }) => p < 0.05).map(({ name }) => name);
  const where = probes.category === 'all' ? 'everything' : `the category ${probes.category}`;
  return [
    ...tableOf([['', 'A', 'B', 'B − A', '95 % interval', 'p'], ...rows]),
    '',
    `${grouped(probes.n)} probes, asked of ${where}; paired bootstrap, sign permutation.`,
    sure.length === 0
      ? 'No difference is more than chance could make (p < 0.05).'
      : `More than chance: ${sure.join(', ')}.`,
    '',
  ];
}

function expectationLines(expectations: CompareResult['expectations']): string[] {
  if (expectations === null) return [];
  const { total, a, b, onlyA, onlyB } = expectations;
  const named = (side: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`- only in ${side}: ${names.slice(0, maxNamed).join(', ')}`];
  return [
    '## What is expected',
    '',
    `Of ${count(total, 'expectation')} ${a} hold in A and ${b} in B.`,
    '',
    ...named('A', onlyA),
    ...named('B', onlyB),
    ...(onlyA.length + onlyB.length === 0 ? [] : ['']),
  ];
}

function verdictLines(verdicts: CompareResult['verdicts']): string[] {
  if (verdicts === null) return [];
  const { kept, refused } = verdicts;
  return [
    '## What was judged',
    '',
    `Of ${count(kept.total, 'memory', 'memories')} that people kept A knows ${kept.a} and B ${kept.b}; ` +
      `of ${refused.total} that they refused A ${refused.a} and B ${refused.b}.`,
    '',
  ];
}

function listOf(title: string, memories: readonly ComparedMemory[], count: number): string[] {
  if (memories.length === 0) return [];
  const shown = memories
    .slice(0, maxNamed)
    .map(({ category, content }) => `- ${category}: ${oneLine(content, maxContent)}`);
  const more = count > shown.length ? [`- and ${grouped(count - shown.length)} more`] : [];
  return [`## ${title}`, '', ...shown, ...more, ''];
}

function tableOf(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map((row) => [...row[column]!].length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(rows[0]!), rule, ...rows.slice(1).map(line)];
}

const share = (value: number): string => value.toFixed(2);

function signed(value: number, format: (value: number) => string): string {
  const text = format(Math.abs(value));
  return Number(text.replaceAll(',', '')) === 0 ? format(0) : `${value < 0 ? '−' : '+'}${text}`;
}
