// What a coding agent did, read off the calls of its tools and what came of them. Calls are known by their fields: tools have other names in each
// program, and the same few fields. store/records/acts-file.ts says how acts are kept.

import { isJsonObject } from '../../base/canonical-json.ts';
import { attempt, defined } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import { newObject } from '../../store/git/object-codec.ts';
import type { Act, Edit, Run } from '../../store/records/acts-file.ts';
import type { MessagePart } from './messages.ts';
import { type Clean, isErrorLine, wordsOf } from './tool-lines.ts';

type Fields = Readonly<Record<string, unknown>>;
type Answer = Extract<MessagePart, { kind: 'result' }>;

/** Acts of one call, until its answer says what came of them. */
export interface OpenActs {
  acts: readonly Act[];
}

const mostCommand = 300;
const mostText = 240;
/** A longer text is not looked for in the code, and a shorter one is anywhere. */
const [leastWhole, mostWhole] = [12, 16 << 10];
const mostNames = 48;
const mostErrors = 3;
const mostError = 240;
/** What is looked at of a text for its names, and of an answer at its beginning and its end. */
const mostLooked = 64 << 10;
const mostEdits = 64;

const firstOf = (fields: Fields, names: readonly string[]): string | undefined => {
  for (const name of names) if (typeof fields[name] === 'string') return fields[name];
  return undefined;
};

const paths = ['file_path', 'filePath', 'path', 'target_file', 'notebook_path', 'absolute_path', 'filename'];
const news = [
  'new_string',
  'newString',
  'new_str',
  'newText',
  'new_text',
  'content',
  'file_text',
  'new_source',
  'code_edit',
];
const olds = ['old_string', 'oldString', 'old_str', 'oldText', 'old_text', 'old_source'];

/** Reads what a call does: edits and commands; nothing for calls that only look. `clean` takes secrets out before anything is cut. */
export function actsOf(input: unknown, clean: Clean): Act[] {
  const fields = typeof input === 'string' ? parsed(input) : input;
  if (typeof fields === 'string') return patchIn(fields).map((edit) => editOf(edit, clean));
  if (!isJsonObject(fields)) return [];
  const patch = firstOf(fields, ['patch', 'input', 'patchText']);
  if (patch?.includes(patchMark)) return patchIn(patch).map((edit) => editOf(edit, clean));
  const path = firstOf(fields, paths);
  if (path !== undefined)
    return editsOf(path, fields)
      .slice(0, mostEdits)
      .map((edit) => editOf(edit, clean));
  const asked = fields.command ?? fields.cmd;
  const command = Array.isArray(asked) ? asked.at(-1) : asked;
  if (typeof command !== 'string' || command.trim() === '') return [];
  if (command.includes(patchMark)) return patchIn(command).map((edit) => editOf(edit, clean));
  return [{ run: oneLine(clean(command.slice(0, 8 * mostCommand)), mostCommand) }];
}

const parsed = (text: string): unknown => (text.startsWith('{') ? attempt(() => JSON.parse(text), text) : text);

interface Change {
  readonly path: string;
  readonly old?: string;
  readonly text: string;
}

function editsOf(path: string, fields: Fields): Change[] {
  const several = Array.isArray(fields.edits) ? fields.edits.filter(isJsonObject) : [];
  if (several.length > 0) return several.flatMap((one) => editsOf(path, { ...one, edits: undefined }));
  const diff = firstOf(fields, ['diff', 'content']) ?? '';
  const blocks = [...diff.matchAll(searchReplace)];
  if (blocks.length > 0) return blocks.map(([, old, text]) => ({ path, ...defined({ old }), text: text! }));
  const text = firstOf(fields, news);
  const old = firstOf(fields, olds);
  return text === undefined ? [] : [{ path, ...defined({ old }), text }];
}

/** Blocks of Cline and Roo Code. */
const searchReplace =
  /^(?:<{7}|-{7}) SEARCH>?\n(?::start_line:.*\n-+\n)?([\s\S]*?)\n?={7}\n([\s\S]*?)\n?(?:>{7}|\+{7}) REPLACE/gm;

/** How a patch of Codex begins; https://github.com/openai/codex says what may follow. */
const patchMark = '*** Begin Patch';

function patchIn(text: string): Change[] {
  if (!text.includes(patchMark)) return [];
  const found: Change[] = [];
  let path: string | undefined;
  let old: string[] = [];
  let fresh: string[] = [];
  const close = () => {
    // What a hunk leaves as it is says where it lies; the edit is what it brings.
    const start = fresh.findIndex((line) => line.startsWith('+'));
    const end = fresh.findLastIndex((line) => line.startsWith('+'));
    const brought = start < 0 ? [] : fresh.slice(start, end + 1).map((line) => line.slice(1));
    if (path !== undefined && (brought.length > 0 || old.length > 0))
      found.push({ path, text: brought.join('\n'), ...(old.length === 0 ? {} : { old: old.join('\n') }) });
    [old, fresh] = [[], []];
  };
  for (const line of text.split('\n')) {
    const file = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/.exec(line)?.[1];
    if (file !== undefined || line.startsWith('@@') || line.startsWith('*** End')) close();
    if (file !== undefined) path = file.trim();
    else if (line.startsWith('-')) old.push(line.slice(1));
    else if (line.startsWith('+') || line.startsWith(' ')) fresh.push(line);
  }
  close();
  return found.slice(0, mostEdits);
}

function editOf({ path, old, text }: Change, clean: Clean): Edit {
  const names = namesOf(text, old ?? '');
  return {
    edit: path.replaceAll('\\', '/'),
    lines: text.replace(/\n$/, '').split('\n').length,
    ...(old === undefined ? {} : { was: idOf(old) }),
    now: idOf(text),
    size: text.length,
    ...(text.length > mostWhole || text.trim().length < leastWhole ? {} : { whole: text }),
    text: beginningOf(clean(text.slice(0, 16 * mostText))),
    ...(names.length === 0 ? {} : { names: names.map((name) => clean(name)) }),
  };
}

const idOf = (text: string): string => newObject('blob', Buffer.from(text)).oid;

/** Gives as many whole lines as fit, or the beginning of the first one. */
function beginningOf(text: string): string {
  if (text.length <= mostText) return text;
  const end = text.lastIndexOf('\n', mostText);
  return text.slice(0, end > 0 ? end : mostText);
}

const identifier = /(?<![\w$])[A-Za-z_$][\w$]{2,63}/g;
/** Words by which languages declare a name. */
const declares =
  /(?:class|const|def|enum|fn|fun|func|function|interface|let|module|record|struct|trait|type|val|var)\s+$/;

/** Lists what a text declares, then what it calls or names as code does, then what is gone with the old text. */
function namesOf(text: string, old: string): string[] {
  const [declared, used, gone] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const look = (words: string, into: (name: string, isDeclared: boolean) => void) => {
    const looked = words.slice(0, mostLooked);
    for (const { 0: name, index } of looked.matchAll(identifier)) {
      const isDeclared = declares.test(looked.slice(Math.max(0, index - 12), index));
      if (isDeclared || isCodeName(name) || looked[index + name.length] === '(') into(name, isDeclared);
    }
  };
  look(text, (name, isDeclared) => (isDeclared ? declared : used).add(name));
  look(old, (name) => gone.add(name));
  return [...new Set([...declared, ...used, ...gone])].slice(0, mostNames);
}

/** Tells a name of code from a word: a hump, an underscore, a digit or a dollar. */
export const isCodeName = (word: string): boolean => /[a-z\d][A-Z]|[A-Za-z]_[A-Za-z]|\w\d|\$/.test(word);

/** Says what came of a call: how a command went; where an edit lies, or that it was none. */
export function outcome(acts: readonly Act[], answer: Answer, clean: Clean): readonly Act[] {
  if (answer.isRefused === true) return [];
  return acts.flatMap((act): Act[] => {
    if ('run' in act) return [ranWith(act, answer, clean)];
    return answer.isError === true ? [] : [{ ...act, ...placeIn(answer.details, act) }];
  });
}

function ranWith(act: Run, answer: Answer, clean: Clean): Run {
  const whole = wordsOf(answer.output);
  const looked = whole.length > 2 * mostLooked ? `${whole.slice(0, mostLooked)}\n${whole.slice(-mostLooked)}` : whole;
  const lines = looked
    .split('\n')
    .map(plainLine)
    .filter((line) => line !== '');
  const wrong = lines.filter(isErrorLine);
  const ok = wentWell(act.run, answer.isError, wrong, lines);
  if (ok !== false) return { ...act, ...defined({ ok }) };
  const telling = wrong.length > 0 ? wrong : lines.filter((line) => !exitLine.test(line)).slice(0, 1);
  const errors = [...new Set(telling)]
    .filter((line) => !/^at /.test(line))
    .sort((one, other) => Number(isCoded(other)) - Number(isCoded(one)))
    .slice(0, mostErrors)
    .map((line) => oneLine(clean(line.slice(0, 8 * mostError)), mostError));
  return { ...act, ok, ...(errors.length === 0 ? {} : { errors }) };
}

const exitLine = /^(?:Error: )?(?:Exit code|Command failed with exit code|Process exited with code):? \d+$/i;
/** A line with a name or a code of its error: `TypeError`, `ENOSPC`, `TS2345`. */
const isCoded = (line: string): boolean =>
  /\w(?:Error|Exception)\b|\b[A-Z]{1,6}\d{2,5}\b|\bE[A-Z]{4,15}\b|\b[A-Z]+_[A-Z_]+\b/.test(line);

/** What the end of a pipe or list says is not what its beginning came to. */
const isMasked = (command: string): boolean =>
  /\||;|&\s*$/.test(command.replace(/'[^']*'|"[^"]*"/g, '').replace(/\|\| exit/g, ''));
/** How runners of tests sum up that something failed. */
const failedCount = /\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|^(?:not ok \d|FAIL\b|Traceback )/;

function wentWell(command: string, isError: boolean | undefined, wrong: readonly string[], lines: readonly string[]) {
  if (isError === true) return false;
  if (isError === false && !isMasked(command)) return true;
  if (lines.some((line) => failedCount.test(line))) return false;
  return wrong.length > 0 ? undefined : true;
}

const colour = /\u001b\[[\d;?]*[A-Za-z]/g;

/** Takes colours and the blanks around it off a line. */
const plainLine = (line: string): string => line.replace(colour, '').trim();

/** Finds the line of an edit in what Claude Code says of it, `structuredPatch: [{ newStart, lines: [' kept', '-old', '+new'] }]`. */
function placeIn(details: unknown, { text }: Edit): Pick<Edit, 'line'> {
  const hunks = isJsonObject(details) && Array.isArray(details.structuredPatch) ? details.structuredPatch : [];
  const first = text
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim();
  for (const hunk of hunks.filter(isJsonObject)) {
    let line = Number(hunk.newStart);
    for (const one of Array.isArray(hunk.lines) ? hunk.lines.map(String) : []) {
      if (one.startsWith('+') && first !== undefined && one.includes(first) && Number.isInteger(line)) return { line };
      if (!one.startsWith('-') && !one.startsWith('\\')) line += 1;
    }
  }
  return {};
}
