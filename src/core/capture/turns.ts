// Messages put together to turns: tool answers beside their calls, a time for each, empty messages left out.

import { defined } from '../../base/errors.ts';
import type { Turn } from '../../base/types/stored-types.ts';
import type { Act } from '../../store/records/acts-file.ts';
import { actsOf, type OpenActs, outcome } from './acts.ts';
import type { MessageDraft, MessagePart, NamedText } from './messages.ts';
import { answerOf, summaryOf, toolLine, wordsOf } from './tool-lines.ts';

/** A text that is to be kept whole, as a file that the turn names. */
interface WholeText {
  readonly whole?: NamedText;
}

/** A call that is being put together; the answer goes to the line of its call. */
interface ToolLine extends WholeText {
  readonly tool: string;
  readonly summary: string;
  answer?: string;
  readonly done: OpenActs;
}

/** A turn with what was done in it. */
export interface ActingTurn extends Turn {
  readonly acts?: readonly Act[];
}

type Piece = string | ToolLine | WholeText;

/** Keeps a whole text behind so many others of its turn, and gives the line that names it. The line is empty where it is not kept. */
export type KeepWhole = (whole: NamedText, before: number) => string;

interface OpenTurn {
  readonly role: string;
  readonly speaker?: string;
  time: number | undefined;
  readonly pieces: readonly Piece[];
}

/** Takes messages one by one, and gives the turns that they make. */
export class TurnBuilder {
  /** What a gathering of turns weighs, about, in characters. */
  characters = 0;
  /** What is held to be kept whole, in characters. */
  weight = 0;
  private turns: OpenTurn[] = [];
  private readonly calls = new Map<string, ToolLine>();
  private readonly clean: (text: string) => string;
  private readonly keep: KeepWhole | undefined;
  /** Of the message that was the last to say when it was. */
  private time: number | undefined;

  /**
   * `clean` takes secrets out of what will be cut; without it, they are out already. `keep` keeps whole what a turn shows in part, and files;
   * without it, nothing of them stays.
   */
  constructor(clean: (text: string) => string = (text) => text, keep?: KeepWhole) {
    this.clean = clean;
    this.keep = keep;
  }

  /** Whether any message has said yet when it was. */
  get isDated(): boolean {
    return this.time !== undefined;
  }

  get count(): number {
    return this.turns.length;
  }

  /** Adds a message; tells whether it makes a turn: answers of calls that are known go there, and nothing makes none. */
  add({ role: given, speaker, time = this.time, parts }: MessageDraft): boolean {
    // The first messages have the time of the first that has one.
    if (this.time === undefined && time !== undefined) for (const turn of this.turns) turn.time = time;
    this.time = time;
    const isAnswer = given === 'tool' || (parts.length > 0 && parts.every(({ kind }) => kind === 'result'));
    const pieces = parts.flatMap((part) => this.pieceOf(part)).filter((piece) => piece !== '');
    if (pieces.length === 0) return false;
    this.turns.push({ role: isAnswer ? 'agent' : given, ...defined({ speaker }), time, pieces });
    return true;
  }

  /** Gives the turns, in order of time, and begins anew; where no message said when it was, all have the given time. */
  take(fallbackTime: number): ActingTurn[] {
    const made = this.turns.map(({ role, speaker, time, pieces }) => ({
      role,
      ...defined({ speaker }),
      time: time ?? fallbackTime,
      text: textOfPieces(pieces, this.keep),
      ...actsIn(pieces),
    }));
    this.turns = [];
    this.calls.clear();
    this.characters = 0;
    this.weight = 0;
    return made.sort((one, other) => one.time - other.time);
  }

  private pieceOf(part: MessagePart): Piece[] {
    if (part.kind === 'text') {
      this.characters += part.text.length;
      const words = part.text.replace(/^[\r\n]+|\r(?=\n)/g, '').trimEnd();
      return part.file === undefined || this.keep === undefined ? [words] : [words, this.held(part.file)];
    }
    this.characters += 200;
    if (part.kind === 'call') {
      const line: ToolLine = {
        tool: part.tool,
        summary: summaryOf(part.input, this.clean),
        done: { acts: actsOf(part.input, this.clean) },
      };
      if (part.id !== undefined) this.calls.set(part.id, line);
      return [line];
    }
    const { isError = false } = part;
    const answer = answerOf(part.output, { isError, clean: this.clean });
    const call = part.id === undefined ? undefined : this.calls.get(part.id);
    const { tool = part.tool ?? 'tool' } = call ?? {};
    const isCut = this.keep !== undefined && answer.includes('…');
    const whole = isCut ? this.held({ name: tool, text: wordsOf(part.output) }) : {};
    if (call === undefined) return [{ tool, summary: '', answer, done: { acts: [] }, ...whole }];
    Object.assign(call, { answer }, whole);
    call.done.acts = outcome(call.done.acts, part, this.clean);
    this.calls.delete(part.id!);
    return [];
  }

  private held(whole: NamedText): WholeText {
    this.weight += whole.text.length;
    return { whole };
  }
}

function actsIn(pieces: readonly Piece[]): Pick<ActingTurn, 'acts'> {
  const acts = pieces.flatMap((piece) => (typeof piece !== 'string' && 'done' in piece ? piece.done.acts : []));
  return acts.length === 0 ? {} : { acts };
}

function textOfPieces(pieces: readonly Piece[], keep: KeepWhole = () => ''): string {
  let text = '';
  let last: 'tool' | 'text' | undefined;
  let named = 0;
  const shownOf = (piece: Piece): string => {
    if (typeof piece === 'string') return piece;
    const line = piece.whole === undefined ? '' : keep(piece.whole, named);
    if (line !== '') named += 1;
    const shown = 'done' in piece ? toolLine(piece.tool, piece.summary, piece.answer) : '';
    return [shown, line].filter((part) => part !== '').join('\n');
  };
  for (const piece of pieces) {
    const kind = typeof piece === 'string' && !piece.startsWith('> [') ? 'text' : 'tool';
    const words = shownOf(piece);
    if (words === '') continue;
    text += last === undefined ? words : `${last === 'tool' && kind === 'tool' ? '\n' : '\n\n'}${words}`;
    last = kind;
  }
  return text;
}
