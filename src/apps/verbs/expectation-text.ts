// Expectations as people and CI read how they came out; apart from the verb, since every command may have to tell that it broke one.

import type { ExpectationFailure, ExpectationProblem, ExpectationResult, TestResult } from '../../base/types.ts';
import { hang, plainStyle, type Style, shortOid } from './style.ts';

/** Tells of one expectation, and of one that does not hold why. */
export function describeResult(result: ExpectationResult, style: Style): string[] {
  const { name, path, line, asked, holds, failures, note, since } = result;
  const mark = holds ? style.good('holds') : style.bad('fails');
  const head = hang(`${mark}  `, `${name}  ${style.faint(`${path}:${line}`)}`, style, 7);
  if (holds) return head;
  return [
    ...head,
    ...row('asked', asked, style),
    ...failures.flatMap((failure) => describeFailure(failure, style)),
    ...(since === undefined ? [] : row('upgrade', `with git-memory ${since} it held in the same state`, style)),
    ...(note === undefined ? [] : row('note', note, style)),
  ];
}

function describeFailure({ kind, wanted, found, from = [] }: ExpectationFailure, style: Style): string[] {
  const label = found.length === 0 ? undefined : kind === 'missing' || kind === 'not first' ? 'instead' : 'said';
  return [
    ...(kind === 'failed' ? [] : row(kind, wanted, style)),
    ...(label === undefined && kind === 'missing' ? row('instead', style.faint('nothing'), style) : []),
    ...found.flatMap((text, at) => row(at === 0 ? (kind === 'failed' ? 'failed' : label!) : '', text, style)),
    ...from.flatMap(({ path, id, commit, turns }) => {
      const source = turns.length === 0 ? path : turns.slice(0, 3).join(', ');
      const record = id === undefined ? '' : ` (memory ${id.slice(0, 10)})`;
      const brought = commit === null ? 'pending' : `commit ${style.reference(shortOid(commit))}`;
      return row('from', `${source}${record}, ${brought}`, style);
    }),
  ];
}

function row(label: string, text: string, style: Style): string[] {
  return hang(`       ${style.faint(label.padEnd(9))}  `, text, style, 18);
}

/** Tells of a file, or an expectation in it, that cannot be used. */
export function describeProblem({ path, line, why, hint }: ExpectationProblem, style: Style): string[] {
  const place = line === undefined || why.includes(`${path}:${line}`) ? path : `${path}:${line}`;
  const said = why.includes(place) ? why : `${place}: ${why}`;
  return hang(`${style.bad('wrong')}  `, hint === undefined ? said : `${said}. ${hint}`, style, 7);
}

/** Tells people which expectations a change broke; undefined where it broke none. */
export function describeBroken(output: unknown, style: Style): string | undefined {
  const { broke = [] } = Object(output) as { broke?: readonly ExpectationResult[] };
  if (broke.length === 0) return undefined;
  const many = broke.length === 1 ? 'An expectation that held does' : `${broke.length} expectations that held do`;
  return [
    style.bad(`${many} not hold after this change:`),
    ...broke.flatMap((result) => describeResult(result, style)),
  ].join('\n');
}

/** Writes the answer as JUnit XML: a suite for each file, a case for each expectation; a file that cannot be read is an error. */
export function junitOf({ results, problems }: TestResult): string {
  const paths = [...new Set([...results, ...problems].map(({ path }) => path))].sort();
  const suites = paths.map((path) => {
    const own = results.filter((result) => result.path === path);
    const wrong = problems.filter((problem) => problem.path === path);
    const cases = own.map((result) => {
      const { name, line, holds, failures } = result;
      const head = `    <testcase classname="${xml(path)}" name="${xml(name)}" file="${xml(path)}" line="${line}"`;
      if (holds) return `${head}/>`;
      const [, ...told] = describeResult(result, plainStyle);
      const message = failures.map(({ kind, wanted }) => `${kind}: ${wanted}`).join('; ');
      return `${head}>\n      <failure message="${xml(message)}">${xml(told.map((text) => text.trim()).join('\n'))}</failure>\n    </testcase>`;
    });
    const errors = wrong.map(({ why, hint, line }) => {
      const head = `    <testcase classname="${xml(path)}" name="${xml(line === undefined ? path : `${path}:${line}`)}">`;
      return `${head}\n      <error message="${xml(why)}">${xml(hint ?? '')}</error>\n    </testcase>`;
    });
    const failed = own.filter(({ holds }) => !holds).length;
    return [
      `  <testsuite name="${xml(path)}" tests="${own.length + wrong.length}" failures="${failed}" errors="${wrong.length}">`,
      ...cases,
      ...errors,
      '  </testsuite>',
    ].join('\n');
  });
  const failures = results.filter(({ holds }) => !holds).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${results.length + problems.length}" failures="${failures}" errors="${problems.length}">`,
    ...suites,
    '</testsuites>',
  ].join('\n');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML 1.0 cannot hold at all go. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/g, (character) => entities[character]!);
}
