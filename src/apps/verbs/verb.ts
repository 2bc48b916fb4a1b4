// A verb is one operation with input, output, help and rendering, told once for every front end; nothing here knows argv or exit codes.

import { z } from 'zod';
import { defined, type ErrorCode, MemoryError } from '../../base/errors.ts';
import { acceptableChanges } from '../../base/types/branches-types.ts';
import type { Damage, Placement, ProjectTier } from '../../base/types.ts';
import type { DoctorOptions, DoctorReport } from '../../features/doctor/index.ts';
import type { StagedReport } from '../../features/repository/index.ts';
import type { Memory, MemoryPart } from '../../memory/memory.ts';
import type { MemoryPlan } from '../../memory/plan-memory.ts';
import type { Questions } from '../../memory/view.ts';
import { wholeOf } from '../../memory/whole.ts';
import type { DriverMerge } from '../../store/merge/driver.ts';
import { unseenTold } from '../../store/patience.ts';
import { nearestWord } from '../../store/records/nearest-word.ts';
import { hang, type Style } from './style.ts';

/** What a verb may ask of the program that runs it. */
export interface VerbContext {
  /** The state to answer from, as the caller named it; absent means now. */
  readonly at?: string;
  /** Plan and show, write nothing. */
  readonly dryRun: boolean;
  readonly signal?: AbortSignal;
  /** Opens the memory, or the part of it that was asked for, on first use. */
  memory(): Promise<MemoryPart>;
  /** Gives the memory, or its state at `at`. */
  view(): Promise<Questions>;
  /** Makes a memory repository, or opens the one that is there. `begun`: what the time is for it, in milliseconds; default: the clock's. */
  create(options: { directory?: string; placement?: Placement; begun?: number }): Promise<MemoryPart>;
  /** Gives what takes away all that a folder will hold then; null where it holds something now. */
  newFolder(name: string): (() => void) | null;
  /** Tells what {@link create} would make, and makes nothing. */
  plan(options: { directory?: string; placement?: Placement; files?: ProjectTier }): Promise<MemoryPlan>;
  /** Examines the repository the caller is in, without opening a memory. */
  doctor(options: DoctorOptions): Promise<DoctorReport>;
  /** Judges what is staged in the repository the caller is in, for the commit that git is making, without opening a memory. */
  checkStaged(): Promise<StagedReport>;
  /** Reads an input that the caller named, such as a file. */
  readInput(name: string): Promise<string>;
  /** Reads and overwrites files that the caller named, as they are. */
  readonly files: { read(name: string): Buffer; write(name: string, bytes: Buffer): void };
  /** Merges the versions of a file of the repository the caller is in, the common one first. */
  mergeFile(path: string, versions: readonly [Buffer, Buffer, Buffer]): Promise<DriverMerge>;
  /** Gives the absolute path of a file or folder that the caller named. */
  pathOf(name: string): string;
  onProgress(progress: { readonly what: string; readonly done: number; readonly total: number }): void;
  /** Tells a person something before the answer; absent where none is there. */
  tell?(text: string): void;
  /** Asks a person something, and gives the answer without blanks around it; absent where none is there. */
  ask?(question: string): Promise<string>;
  /** Asks a person whether to go on; absent where none is there. */
  confirm?(question: string): Promise<boolean>;
}

/** What a verb runs with. */
export interface RunContext extends VerbContext {
  /** Opens the memory for what needs the whole of it. Throws READ_ONLY where only a part was asked for. */
  whole(): Promise<Memory>;
}

export interface VerbFlags {
  /** Answers from a state of the memory, so a front end offers to name another one (`at`). */
  readonly reads?: boolean;
  /** Asks the history of any git repository, whether it holds a memory or not. */
  readonly anyRepository?: boolean;
  /** Works where the configuration that was committed is broken. */
  readonly mends?: boolean;
  /** Can plan without writing, so a front end offers a dry run. */
  readonly changes?: boolean;
  /** `batch`: joins the next batch commit; `now`: commits by itself. Absent: the memory can be opened read only. */
  readonly writes?: 'batch' | 'now';
  /** Tells of an input, not checked yet, that it writes nothing: the memory is then opened read only, and nothing of it is committed. */
  readonly asks?: (input: Readonly<Record<string, unknown>>) => boolean;
  /** The field that makes it stay until it is stopped: a front end then passes a signal. */
  readonly stays?: string;
}

/** One of several things that a verb does, by the word in its field `action`. */
export interface VerbAction {
  /** One line without a full stop. */
  readonly summary: string;
  /** A few sentences, in place of those of the verb. */
  readonly help?: string;
  /** The fields that go with it. */
  readonly takes: readonly string[];
  /** What a command line shows as an example, without `git memory`. */
  readonly example: string;
  /** What one sees then, where it is something else than with the verb. */
  readonly shows?: string;
}

/** One operation of git-memory: `input` is a strict schema whose fields are described, and `run` gives the library's own object. */
export interface Verb<Input extends z.ZodObject = z.ZodObject, Output = unknown> {
  readonly name: string;
  /** One line without a full stop. */
  readonly summary: string;
  /** What the summary leaves open: a few sentences. */
  readonly help: string;
  readonly input: Input;
  /** Names of fields that can be given by position, in order; only the last may be a list. */
  readonly positional: readonly (keyof z.output<Input> & string)[];
  /** The field of words: a front end may join several arguments into it. */
  readonly words?: keyof z.output<Input> & string;
  /** The field that a front end may fill from its input stream: with the text itself, or with `-` where it lists names. */
  readonly stream?: keyof z.output<Input> & string;
  /** What its field `action` may say; the first is meant where the field may be left out. Other fields are refused where they do not go with it. */
  readonly actions?: Readonly<Record<string, VerbAction>>;
  /** Of many fields those that help shows as options, six at most; the others are for `help VERB --all`. */
  readonly usual?: readonly (keyof z.output<Input> & string)[];
  readonly flags: VerbFlags;
  readonly example: { readonly command: string; readonly shows: string };
  run(context: RunContext, input: z.output<Input>): Promise<Output>;
  /** Renders an output for people, `style.width` columns wide, without a final line feed. */
  text(output: Output, style: Style): string;
  /** What is worth knowing beside an answer that people may send elsewhere as it is; undefined for nothing. */
  aside?(output: Output, style: Style): string | undefined;
  /** Names the failure that an output reports though it was returned: a refused undo, say. */
  refusal?(output: Output): ErrorCode | undefined;
}

/** What a long call of the library takes from the context; `what` names the work where the call has one kind of it. */
export function underway({ dryRun, signal, onProgress }: VerbContext, what = '') {
  return {
    ...(dryRun ? { dryRun } : {}),
    ...defined({ signal }),
    onProgress: (progress: { readonly what?: string; readonly done: number; readonly total: number }) =>
      onProgress({ what, ...progress }),
  };
}

/** What a pass over memories takes from the context and the input, in which a list of ids that names none is none. */
export const passOptions = <Input extends { readonly ids?: readonly string[] }>(
  context: VerbContext,
  { ids = [], ...others }: Input,
  what = '',
) => ({ ...others, ...(ids.length === 0 ? {} : { ids }), ...underway(context, what) });

/**
 * Keeps the types of input and output together while a verb is written down, its example without `git memory`. Unless it says so, nothing is
 * given by position, and no flag holds.
 */
export const defineVerb = <Input extends z.ZodObject, Output>(
  verb: Omit<Verb<Input, Output>, 'positional' | 'flags'> & Partial<Pick<Verb<Input, Output>, 'positional' | 'flags'>>,
): Verb<Input, Output> => ({
  positional: [],
  flags: {},
  ...verb,
  example: { ...verb.example, command: `git memory ${verb.example.command}` },
});

/** Checks an input against the verb's schema and runs it. Throws INVALID_ARGUMENT that names the field, what was wrong and what it means. */
export async function runVerb(verb: Verb, context: VerbContext, input: unknown): Promise<unknown> {
  if (context.at !== undefined && verb.flags.reads !== true) {
    throw new MemoryError('INVALID_ARGUMENT', `${verb.name} does not answer from another time`, {
      where: 'at',
      hint: `Leave "at" out, or ask with recall, show, list, log or provenance`,
    });
  }
  if (context.dryRun && verb.flags.changes !== true) {
    throw new MemoryError('INVALID_ARGUMENT', `${verb.name} has no dry run`, {
      where: 'dryRun',
      hint: 'Leave it out; undo can take the change back',
    });
  }
  let asked: { readonly memory: MemoryPart; readonly since: number } | undefined;
  const memory = async () => {
    const opened = await context.memory();
    asked ??= { memory: opened, since: opened.store.damage.now };
    return opened;
  };
  const view = async () => {
    await memory();
    return context.view();
  };
  const whole = async () => wholeOf(await memory(), verb.name);
  const given = parseInput(verb, input);
  checkAction(verb, given);
  const output = await verb.run({ ...context, memory, view, whole }, given);
  if (asked === undefined) return output;
  const { damage } = asked.memory.store;
  const [damaged, unseen] = [damage.toldSince(asked.since), damage.unseenSince(asked.since)];
  if (damaged.length === 0 && unseen === 0) return output;
  const { withDamage } = await import('../../store/damaged-files.ts');
  return withDamage(output as object, damaged, unseen);
}

function checkAction({ name, actions }: Verb, { action: asked, ...fields }: Readonly<Record<string, unknown>>): void {
  if (actions === undefined) return;
  const action = typeof asked === 'string' ? asked : Object.keys(actions)[0]!;
  const wrong = Object.keys(fields).find((field) => actions[action]?.takes.includes(field) === false);
  if (wrong === undefined) return;
  const right = Object.keys(actions).filter((one) => actions[one]!.takes.includes(wrong));
  throw new MemoryError('INVALID_ARGUMENT', `${name} ${action} does not take ${wrong}`, {
    where: wrong,
    hint: `It goes with ${right.join(', ')}`,
  });
}

/** Makes a verb of each action of a verb, as a command line has them: `topics test`. */
export function actionsOf(verb: Verb): readonly Verb[] {
  const { actions = {}, ...whole } = verb;
  return Object.entries(actions).map(
    ([action, { summary, help = verb.help, takes, example, shows = verb.example.shows }]) => {
      const wanted = Object.fromEntries(takes.map((field) => [field, true]));
      const { asks } = verb.flags;
      return {
        ...whole,
        name: `${verb.name} ${action}`,
        summary,
        help,
        input: verb.input.pick(wanted as Record<string, never>),
        positional: verb.positional.filter((field) => takes.includes(field)),
        flags: { ...verb.flags, ...(asks === undefined ? {} : { asks: (input) => asks({ ...input, action }) }) },
        example: { command: `git memory ${example}`, shows },
        run: (context, input) => verb.run(context, { ...input, action }),
      };
    },
  );
}

const mostDamageShown = 5;

/** Tells whether a damaged thing is a line of a log, which the log names itself. */
export const isOfLog = (one: object): boolean => !('hint' in one);

/** Tells people what an output had to do without; undefined where it is whole. */
export function describeDamage(output: unknown, style: Style): string | undefined {
  const lacking = Object(output) as { damaged?: readonly (Damage | { readonly line: number })[]; unseen?: number };
  const { damaged: all = [], unseen = 0 } = lacking;
  const damaged = all.filter((one): one is Damage => !isOfLog(one));
  if (damaged.length === 0 && unseen === 0) return undefined;
  const lines = damaged.slice(0, mostDamageShown).flatMap(({ path, object, commit, why }) => {
    const from = commit === null ? '' : ` (commit ${commit.slice(0, 12)})`;
    // Of a branch that cannot be read there is neither file nor object.
    const what = path ?? object?.slice(0, 12);
    return hang(`${style.bad('damaged')}  `, what === undefined ? why : `${what}${from}: ${why}`, style, 9);
  });
  const more = damaged.length - mostDamageShown;
  const hints = [...new Set(damaged.map(({ hint }) => hint))];
  return [
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
    ...hints.flatMap((hint) => hang('', hint, style, 0)),
    ...(unseen === 0 ? [] : hang(`${style.bad('unseen')}  `, unseenTold(unseen), style, 8)),
  ].join('\n');
}

/** Says of a word that is none of those a field takes which they are, and which was probably meant. */
function unknownValue(verb: string, where: string, given: unknown, values: readonly string[]): MemoryError {
  const said = typeof given === 'string' ? given : JSON.stringify(given);
  const meant = typeof given === 'string' ? nearestWord(given, values) : undefined;
  const list = values.length === 1 ? values[0] : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
  return new MemoryError('INVALID_ARGUMENT', `${verb}: ${where} is ${list}, not ${said.slice(0, 60)}`, {
    where,
    ...(meant === undefined ? {} : { hint: `Did you mean ${meant}?` }),
  });
}

/** Says of a number what it has to be; undefined for what is none. */
function wrongNumber(issue: z.core.$ZodIssue, given: unknown): string | undefined {
  const said = JSON.stringify(given)?.slice(0, 60);
  if (issue.path.length !== 1) return undefined;
  if (issue.code === 'invalid_type' && ['number', 'int'].includes(issue.expected))
    return typeof given === 'number' ? `a whole number, not ${said}` : `a number, not ${said}`;
  const isNumber = (issue.code === 'too_small' || issue.code === 'too_big') && typeof given === 'number';
  if (!isNumber) return undefined;
  return issue.code === 'too_small' ? `${issue.minimum} or more, not ${said}` : `${issue.maximum} or less, not ${said}`;
}

/** Parses an input, of a verb or what a front end made of one, or throws what {@link runVerb} says. */
export function parseInput(verb: Pick<Verb, 'name' | 'input'>, input: unknown): Record<string, unknown> {
  const parsed = verb.input.safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const fields = Object.keys(verb.input.shape);
  if (issue.code === 'unrecognized_keys') {
    const meant = issue.keys.map((key) => nearestWord(key, fields)).find((word) => word !== undefined);
    const takes = fields.length === 0 ? 'It takes no arguments' : `It takes ${fields.join(', ')}`;
    throw new MemoryError(
      'INVALID_ARGUMENT',
      `${verb.name} does not know ${issue.keys.map((key) => `"${key}"`).join(', ')}`,
      { hint: meant === undefined ? takes : `Did you mean ${meant}? ${takes}` },
    );
  }
  const name = issue.path[0];
  if (typeof name !== 'string') {
    throw new MemoryError('INVALID_ARGUMENT', `${verb.name} needs an object of ${fields.join(', ')}`, {
      hint: issue.message,
    });
  }
  const isMissing = issue.path.length === 1 && !(name in Object(input));
  const meaning = verb.input.shape[name]?.description;
  if (!isMissing && issue.code === 'invalid_value') {
    const given = issue.path.reduce<unknown>((at, key) => Object(at)[key as string], input);
    throw unknownValue(verb.name, issue.path.join('.'), given, issue.values.map(String));
  }
  const why = wrongNumber(issue, Object(input)[name]);
  const what = why === undefined ? `${name}: ${issue.message}` : `${name} is ${why}`;
  throw new MemoryError('INVALID_ARGUMENT', isMissing ? `${verb.name} needs ${name}` : `${verb.name}: ${what}`, {
    where: issue.path.join('.'),
    ...(meaning === undefined ? {} : { hint: `${name} is ${meaning}` }),
  });
}

/** A text that says something. */
export const filled = z.string().min(1, 'must not be empty');

/** What may be left out. */
export const optional = <Field extends z.ZodType>(field: Field, meaning: string) =>
  field.exactOptional().describe(meaning);

/** A text that may be left out. */
export const maybe = (meaning: string) => optional(filled, meaning);

/** Texts that may be left out. */
export const several = (meaning: string) => optional(z.array(filled), meaning);

/** What holds only where it is said. */
export const flag = (meaning: string) => optional(z.boolean(), meaning);

/** One of a few words, which may be left out. */
export const oneOf = <const Words extends readonly string[]>(words: Words, meaning: string) =>
  optional(z.enum(words), meaning);

/** What a verb with several actions is asked to do. */
export const actionOf = <const Words extends readonly string[]>(words: Words) =>
  oneOf(words, `what to do: ${words.join(', ')}; ${words[0]} if left out`);

/** Lets a verb take away so many memories that it looks like an accident. */
export const allowRemovals = flag(
  'also when more than a fifth of the memories, captures or pages, and at least ten, would go at once',
);

/** Lets a branch change what others may change only where a person accepts it. */
export const accept = optional(
  z.array(z.enum(acceptableChanges)),
  `what the branch may change: ${acceptableChanges.join(', ')}`,
);
