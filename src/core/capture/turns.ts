// Messages put together to turns: tool answers beside their calls, a time for each, empty messages left out.

import { defined } from '../../base/defined.ts';
import type { Turn } from '../../base/types/stored-types.ts';
import type { Act } from '../../store/records/acts-file.ts';
import { actsOf, type OpenActs, outcome } from './acts.ts';
import type { MessageDraft, MessagePart } from './messages.ts';
import { answerOf, summaryOf, toolLine } from './tool-lines.ts';

/** A call that is being put together; the answer goes to the line of its call. */
interface ToolLine {
  readonly tool: string;
  readonly summary: string;
  answer?: string;
  readonly done: OpenActs;
}

/** A turn with what was done in it. */
export interface ActingTurn extends Turn {
  readonly acts?: readonly Act[];
}

interface OpenTurn {
  readonly role: string;
  readonly speaker?: string;
  time: number | undefined;
  readonly pieces: (string | ToolLine)[];
}

/** Takes messages one by one, and gives the turns that they make. */
export class TurnBuilder {
  /** What a gathering of turns weighs, about, in characters. */
  characters = 0;
  private turns: OpenTurn[] = [];
  private readonly calls = new Map<string, ToolLine>();
  private readonly clean: (text: string) => string;
  /** Of the message that was the last to say when it was. */
  private time: number | undefined;

  /** `clean` takes secrets out of what will be cut; without it, they are out already. */
  constructor(clean: (text: string) => string = (text) => text) {
    this.clean = clean;
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
      text: textOfPieces(pieces),
      ...actsIn(pieces),
    }));
    this.turns = [];
    this.calls.clear();
    this.characters = 0;
    return made.sort((one, other) => one.time - other.time);
  }

  private pieceOf(part: MessagePart): (string | ToolLine)[] {
    if (part.kind === 'text') {
      this.characters += part.text.length;
      return [trimmedLines(part.text.replaceAll('\r\n', '\n'))];
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
    if (call === undefined) return [{ tool: part.tool ?? 'tool', summary: '', answer, done: { acts: [] } }];
    call.answer = answer;
    call.done.acts = outcome(call.done.acts, part, this.clean);
    this.calls.delete(part.id!);
    return [];
  }
}

function actsIn(pieces: readonly (string | ToolLine)[]): Pick<ActingTurn, 'acts'> {
  const acts = pieces.flatMap((piece) => (typeof piece === 'string' ? [] : piece.done.acts));
  return acts.length === 0 ? {} : { acts };
}

function textOfPieces(pieces: readonly (string | ToolLine)[]): string {
  let text = '';
  let last: 'tool' | 'text' | undefined;
  for (const piece of pieces) {
    const kind = typeof piece === 'string' && !piece.startsWith('> [') ? 'text' : 'tool';
    const words = typeof piece === 'string' ? piece : toolLine(piece.tool, piece.summary, piece.answer);
    text += last === undefined ? words : `${last === 'tool' && kind === 'tool' ? '\n' : '\n\n'}${words}`;
    last = kind;
  }
  return text;
}

function trimmedLines(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && (text[start] === '\n' || text[start] === '\r')) start++;
  while (end > start && /\s/.test(text[end - 1]!)) end--;
  return text.slice(start, end);
}
