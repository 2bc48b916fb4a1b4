// Maps a command line to verbs: by name, or as a noun and a word (`ledger add`). A name from before still answers, with a word of advice.

import { MemoryError } from '../../base/errors.ts';
import { nearestWord } from '../../store/records/nearest-word.ts';
import { commandOf, hiddenVerbs, otherCommands, subjects } from '../verbs/groups.ts';
import { loadVerb, verbTable } from '../verbs/index.ts';
import { actionsOf, type Verb } from '../verbs/verb.ts';

/** A line as the parser of options gets it: the words that name a verb are one argument. */
export interface Line {
  readonly args: readonly string[];
  /** The verb that it runs, under the name that the line has for it. */
  readonly verb?: Verb;
  /** The noun, where no word behind it says which verb is meant. */
  readonly noun?: string;
  readonly advice?: string;
}

/** Gives a verb as a command line has it: what it does with each action is a command. */
export function commandsOf(verb: Verb): readonly Verb[] {
  if (verb.actions !== undefined) return actionsOf(verb);
  return [{ ...verb, name: commandOf(verb.name) }];
}

/** Sorts verbs behind one noun in the order in which it names them. */
export function inOrder(verbs: readonly Verb[]): readonly Verb[] {
  const order = Object.entries(subjects).flatMap(([noun, { verbs: words }]) =>
    Object.keys(words).map((word) => `${noun} ${word}`),
  );
  return [...verbs].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}

/** Loads the verbs behind a noun that is a verb itself, for a help that names them beside it. */
export async function behind(noun: string): Promise<readonly Verb[]> {
  const subject = Object.hasOwn(subjects, noun) ? subjects[noun]! : undefined;
  if (subject?.isVerb !== true) return [];
  const verbs = await Promise.all(Object.values(subject.verbs).map(loadVerb));
  return verbs.flatMap((verb) => commandsOf(verb!));
}

/** Lists the first words of all commands, hidden ones included. */
export function firstWords(): readonly string[] {
  return [...new Set([...verbTable.map(({ name }) => commandOf(name).split(' ')[0]!), ...hiddenVerbs, 'mcp', 'ui'])];
}

/** Lists all words that may stand first, those of earlier versions included. */
export function knownWords(): readonly string[] {
  return [...new Set([...firstWords(), ...verbTable.map(({ name }) => name)])];
}

/** Says a line that names a command as others do in the words of {@link otherCommands}; undefined for any other line. */
export function inOwnWords(
  args: readonly string[],
  at: readonly number[],
): { readonly args: readonly string[]; readonly advice: string } | undefined {
  const [first, second] = at.map((place) => args[place]!.replaceAll('_', '-'));
  const named = [`${first} ${second}`, `${first}`].find((words) => Object.hasOwn(otherCommands, words));
  if (named === undefined) return undefined;
  const said = otherCommands[named]!.split(' ');
  const command = said.filter((word) => !word.includes('>'));
  const rules = said.filter((word) => word.includes('>')).map((rule) => rule.split('>') as [string, string]);
  const ours: string[] = [];
  const left: string[] = [];
  let hasWord = false;
  for (let place = at[named === first ? 0 : 1]! + 1; place < args.length; place += 1) {
    const [name = '', ...rest] = at.includes(place) ? [args[place]!] : args[place]!.split('=');
    const isWord = at.includes(place);
    const means: readonly string[] = hasWord ? ['*', '**'] : ['*'];
    const [, becomes]: readonly (string | undefined)[] =
      rules.find(([theirs]) => theirs === name || (isWord && means.includes(theirs))) ?? [];
    hasWord ||= isWord || becomes === '*';
    if (becomes === undefined) ours.push(args[place]!);
    else {
      const follows = !isWord && rest.length === 0 && args[place + 1]?.startsWith('-') === false;
      if (follows) place += 1;
      const value = isWord ? name : follows ? args[place]! : rest.join('=');
      if (becomes === '') left.push([name, ...(isWord || value === '' ? [] : [value])].join(' '));
      else if (becomes.startsWith('-')) for (const one of value.split(',')) ours.push(becomes, one);
      else ours.push(becomes === '*' ? value : becomes);
    }
  }
  if (!hasWord) ours.unshift(...rules.flatMap(([theirs, becomes]) => (theirs === '' ? [becomes] : [])));
  const without = left.length === 0 ? '' : `, which knows no ${left.join(', ')}`;
  return {
    args: [...args.slice(0, at[0]), ...command, ...ours],
    advice: `"${named}" is \`git memory ${command.join(' ')}\` here${without}`,
  };
}

/** Finds the verb of a line; `at` gives the places of its words that are no options, the verb first. Throws INVALID_ARGUMENT for a stray word. */
export async function lineOf(
  args: readonly string[],
  at: readonly number[],
  isHelp: boolean,
  isCommon: (option: string) => boolean,
): Promise<Line> {
  const [first, second] = at.map((place) => args[place]!);
  if (first === undefined) return { args };
  const joined = (name: string, words: 1 | 2): readonly string[] =>
    args.flatMap((arg, place) => (place === at[0] ? [name] : words === 2 && place === at[1] ? [] : [arg]));
  const named = async (name: string, command: string, words: 1 | 2): Promise<Line> => {
    const verb = await loadVerb(name);
    return { args: joined(command, words), verb: { ...verb!, name: command } };
  };
  const subject = Object.hasOwn(subjects, first) ? subjects[first] : undefined;
  if (subject !== undefined) {
    const { verbs, usual, isVerb } = subject;
    if (isVerb) {
      const word = await wordBehind(args, at, verbs, isCommon);
      if (word !== undefined) return named(verbs[word]!, `${first} ${word}`, 2);
      if (isHelp && second !== undefined) throw unknownWord(first, second, Object.keys(verbs));
      return { args, verb: (await loadVerb(first))! };
    }
    if (second !== undefined && Object.hasOwn(verbs, second)) return named(verbs[second]!, `${first} ${second}`, 2);
    const words = Object.keys(verbs);
    // A path, an id or words for the usual verb are no misspelt word.
    const isMistyped = second !== undefined && /^[a-z]{3,}$/.test(second) && nearestWord(second, words) !== undefined;
    if (usual !== undefined && !isHelp && !isMistyped) return named(verbs[usual]!, `${first} ${usual}`, 1);
    if (second !== undefined) throw unknownWord(first, second, words);
    return { args, noun: first };
  }
  const verb = await loadVerb(first);
  if (verb === undefined) return { args };
  if (verb.actions !== undefined) {
    const words = Object.keys(verb.actions);
    if (second === undefined && isHelp) return { args, noun: first };
    // Behind an option stands its value, unless it is one of the words.
    const isNamed = second !== undefined && (words.includes(second) || args[at[1]! - 1]!.startsWith('-') === false);
    const word = isNamed ? second : words[0]!;
    const action = actionsOf(verb).find(({ name }) => name === `${first} ${word}`);
    if (action === undefined) throw unknownWord(first, word, words);
    return { args: joined(action.name, isNamed ? 2 : 1), verb: action };
  }
  const command = commandOf(first);
  if (command === first) return { args, verb };
  return { ...(await named(first, command, 1)), advice: `"${first}" is \`git memory ${command}\` now` };
}

/** Gives the word of a noun that is a verb itself. It stands before all options, and enough follows: `context pack my bags` is a message. */
async function wordBehind(
  args: readonly string[],
  at: readonly number[],
  verbs: Readonly<Record<string, string>>,
  isCommon: (option: string) => boolean,
): Promise<string | undefined> {
  const [noun, place, ...rest] = at as [number, number?, ...number[]];
  const word = place === undefined ? undefined : args[place]!;
  if (word === undefined || !Object.hasOwn(verbs, word)) return undefined;
  if (!args.slice(noun + 1, place).every((arg) => !arg.startsWith('-') || isCommon(arg))) return undefined;
  const { words, positional } = (await loadVerb(verbs[word]!))!;
  // Behind an option stands its value.
  const follows = rest.filter((one) => !args[one - 1]!.startsWith('-')).length;
  return words !== undefined || follows <= positional.length ? word : undefined;
}

function unknownWord(noun: string, word: string, words: readonly string[]): MemoryError {
  const meant = nearestWord(word, words);
  return new MemoryError('INVALID_ARGUMENT', `${noun} has no verb ${JSON.stringify(word.slice(0, 60))}`, {
    hint: meant === undefined ? `It has ${words.join(', ')}` : `Did you mean ${meant}?`,
  });
}
