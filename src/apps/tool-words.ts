// What the memory says to whoever has tools and no shell: its hints name commands, which are tools here, or a person's to run.

import { defined, MemoryError } from '../base/errors.ts';
import { subjects } from './verbs/groups.ts';

/** A tool in the place of a command. */
export interface OfferedTool {
  readonly name: string;
  readonly fields: ReadonlySet<string>;
  /** It takes what a command line has behind the name of the command. */
  readonly takesWords: boolean;
}

/** The tools that are offered, by the commands that they stand for: `ledger add`. */
export type OfferedTools = ReadonlyMap<string, OfferedTool>;

/** A command between backticks: of ours, of git, of npm; and where the text says so, that it is to be run. Once it is said, it stays so. */
const command = /(?<!ask the person to (?:run )?)(\brun )?`(git memory |git |npm )([^`]+)`(?! \(ask the person)/gi;
const option = /(?<![\w`-])--([a-z][a-z-]*)/g;

/** Says a text in the words of tools: each command is the tool that does it, or something to ask the person for. */
export function inToolWords(text: string, tools: OfferedTools): string {
  return text.replace(command, (whole: string, run: string | undefined, program: string, rest: string) => {
    const tool = program.toLowerCase() === 'git memory ' ? toolFor(rest.trim(), tools) : undefined;
    if (tool !== undefined) return run === undefined ? tool.name : `call ${tool.name}`;
    // The sentence may have it as its subject, which it stays.
    if (run === undefined) return `${whole} (ask the person to run it)`;
    const ask = `ask the person to run ${whole.slice(run.length)}`;
    return run.startsWith('R') ? `A${ask.slice(1)}` : ask;
  });
}

/** The tool that does what a command does, with all that it names. */
function toolFor(rest: string, tools: OfferedTools): OfferedTool | undefined {
  const [noun = '', ...words] = rest.split(/\s+/);
  const subject = Object.hasOwn(subjects, noun) ? subjects[noun] : undefined;
  const isNamed = words[0] !== undefined && Object.hasOwn(subject?.verbs ?? {}, words[0]);
  const said = isNamed ? words.slice(1) : words;
  const tool = tools.get(isNamed ? `${noun} ${words[0]}` : noun) ?? tools.get(`${noun} ${subject?.usual ?? ''}`);
  if (tool === undefined || (isNamed && !tools.has(`${noun} ${words[0]}`))) return undefined;
  const isTaken = (word: string) => (word.startsWith('--') ? tool.fields.has(fieldOf(word)) : tool.takesWords);
  return said.every(isTaken) ? tool : undefined;
}

/** `--dry-run` is `dryRun`. */
const fieldOf = (word: string): string => word.slice(2).replace(/-(.)/g, (_, next: string) => next.toUpperCase());

/** Names options as fields, as a tool has them: `--dry-run` is `"dryRun"`. */
export const withoutOptions = (text: string): string => text.replace(option, (word: string) => `"${fieldOf(word)}"`);

/** Gives an error with its hint, and what happened, in the words of tools. */
export function errorInToolWords({ code, what, where, hint, cause }: MemoryError, tools: OfferedTools): MemoryError {
  const said = hint === undefined ? undefined : withoutOptions(inToolWords(hint, tools));
  const happened = inToolWords(what, tools);
  // Elsewhere what happened may quote somebody.
  const told = code === 'INVALID_ARGUMENT' ? withoutOptions(happened) : happened;
  return new MemoryError(code, told, defined({ where, hint: said, cause }));
}

/** Fields in which the engine speaks for itself. `hint` does so beside `why` alone: elsewhere people wrote it. */
const spoken: ReadonlySet<string> = new Set(['why', 'hints', 'warnings', 'notes', 'embedderNote', 'attention']);

/** Gives an answer in which the engine speaks of tools; what it found stays as it is. */
export function answerInToolWords<Value>(answer: Value, tools: OfferedTools): Value {
  const said = (value: unknown): unknown => {
    if (typeof value === 'string') return inToolWords(value, tools);
    if (Array.isArray(value)) return value.map(said);
    return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, said(one)])) : value;
  };
  const walked = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walked);
    if (!isPlain(value)) return value;
    const isSpoken = (name: string) => spoken.has(name) || (name === 'hint' && 'why' in value);
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, isSpoken(name) ? said(inner) : walked(inner)]),
    );
  };
  return walked(answer) as Value;
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
