// What is known of code, in words for a person or an agent. It states what was, and asks for nothing.

import { oneLine } from '../../base/text.ts';
import { dayOf } from '../../base/time.ts';
import type { AboutFact, CitationVerdict, Learnt, SaidFact } from '../../base/types.ts';

const mostQuoted = 220;

/** Gives the words that name the first of these that they name, or the beginning. */
export function quoted(words: string, needles: readonly string[] = []): string {
  const line = oneLine(words, 4000);
  if (line.length <= mostQuoted) return line;
  const needle = needles.find((one) => line.includes(one)) ?? '';
  const at = line.indexOf(needle);
  if (at < mostQuoted - needle.length) return oneLine(line, mostQuoted);
  const start = Math.max(0, line.lastIndexOf('. ', at) + 1, at - mostQuoted / 2);
  return `… ${oneLine(line.slice(start), mostQuoted - 2)}`;
}

/** Begins the answer. */
export const headText = (target: string): string => `Known of ${oneLine(target, 120)} from past sessions:`;

/** Says one fact in a line. */
export function factText(fact: AboutFact, zone: string): string {
  if (fact.fact === 'checked') return `- run after edits here: ${fact.commands.map((one) => `\`${one}\``).join(', ')}`;
  const day = dayOf(Date.parse(fact.time), zone);
  const away = placeText(fact);
  if (fact.fact === 'said')
    return `- ${day} ${fact.speaker}: “${fact.text}”${codeText(fact.code)}${editedText(fact, zone)}${away}`;
  const { command, error, mended } = fact;
  const failed = `- ${day} \`${command}\` failed: ${error}${away}`;
  if (mended === undefined) return failed;
  const { edited, ran, text, said } = mended;
  const how = [
    ...(said === undefined ? [] : [`the user said “${oneLine(said, 120)}”`]),
    ...ran.map((one) => `\`${one}\``),
    ...(edited.length === 0 ? [] : [`an edit of ${edited.join(', ')}${text === undefined ? '' : `: \`${text}\``}`]),
  ];
  return `${failed}; it passed after ${how.join(' and ')}`;
}

/** Says that the code was edited again, where nothing says how it stands now. */
function editedText({ edited }: SaidFact, zone: string): string {
  if (edited === undefined) return '';
  return ` (that code was edited again on ${dayOf(Date.parse(edited.time), zone)}: \`${edited.text}\`)`;
}

/** Says that something was on a branch that is not here. */
export function placeText({ standing, branch }: Partial<Learnt>): string {
  if (standing !== 'elsewhere' && standing !== 'lost') return '';
  const name = branch === undefined ? 'another branch' : `the branch ${oneLine(branch, 60)}`;
  return standing === 'elsewhere' ? ` (on ${name}, not here)` : ` (on ${name}, which is gone)`;
}

function codeText(verdict: CitationVerdict | undefined): string {
  if (verdict === undefined || verdict.state === 'unknown') return '';
  const { state, path, lines, since, now } = verdict;
  const place = path === undefined ? '' : `${path}${lines === undefined ? '' : `:${lines.from}`}`;
  const from = since === undefined ? '' : ` since ${since.slice(0, 7)}`;
  if (state === 'holds') return ` (the code holds, ${place})`;
  if (state === 'moved') return ` (the code holds, now at ${place})`;
  if (state === 'gone') return ` (that code is gone${from})`;
  const says = now === undefined || now.trim() === '' ? '' : `, now: \`${oneLine(now, 100)}\``;
  return state === 'grown' ? ` (lines were added to it${from}, ${place})` : ` (that code has changed${from}${says})`;
}
