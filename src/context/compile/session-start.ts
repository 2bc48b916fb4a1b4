// What a session begins with (spec 3, "Session Startup Procedure"; spec 5 §6.2). It says who I am and whom I work for. Then come the recall
// pack, the notes of yesterday and today, and the active projects; with the owner alone MEMORY.md, too. One text within a budget of its own.

import { MemoryError } from '../../errors.ts';
import type { Configuration } from '../../records/configuration.ts';
import type { SessionStartResult } from '../../types/compiled.ts';
import { asContent, labelOf } from './data-text.ts';
import { fitText, type Meter } from './meter.ts';
import type { ShownFiles } from './outdated.ts';
import { Part, textOf, wrapperTokens } from './part.ts';
import {
  activeProjectsKb,
  activeProjectsPath,
  addFile,
  addJournal,
  coreMemoryPath,
  identityPieces,
} from './standing.ts';
import { Told } from './told.ts';

/** Everything that the beginning of a session depends on. */
export interface SessionStartInput {
  readonly snapshot: ShownFiles;
  readonly days: readonly [yesterday: string, today: string];
  readonly isMain: boolean;
  readonly system: string;
  readonly budget: number;
  readonly settings: Configuration['context'];
  readonly meter: Meter;
  /** Gives the recall pack within so many words; the fewest that it can have may be more. */
  pack(mostWords: number): { readonly text: string; readonly isEmpty: boolean; readonly ids: readonly string[] };
}

/** A word of a list costs about so many tokens. */
const tokensPerWord = 1.4;
/** The pack leaves at least this share of what remains to notes, projects and memory. */
const shareOfPack = 0.7;

/** Compiles what a session begins with. Throws INVALID_ARGUMENT for a budget below system prompt and identity. */
export function compileSessionStart(input: SessionStartInput): Omit<SessionStartResult, 'commit' | 'day'> {
  const { snapshot, meter, budget, settings, days, isMain } = input;
  const part = {
    system: new Part('system', 0, null),
    identity: new Part('identity', 0, 'identity'),
    pack: new Part('pack', 1, 'memory'),
    memory: new Part('memory', 1, 'memory'),
    journal: new Part('journal', 1, 'memory'),
    projects: new Part('projects', 1, 'memory'),
  };
  const parts = Object.values(part);
  const system = input.system.trim();
  if (system !== '') {
    part.system.pieces.push({
      source: 'system',
      text: system,
      tokens: meter.count(`${system}\n\n`),
      why: 'the system prompt: always',
    });
  }
  part.identity.pieces.push(...identityPieces(snapshot, meter));
  const enclosing = part.identity.pieces.length === 0 ? 0 : wrapperTokens('identity', meter);
  const fixed = part.system.tokens + part.identity.tokens + enclosing;
  if (fixed > budget) {
    throw new MemoryError(
      'INVALID_ARGUMENT',
      `${budget} tokens are too few for system prompt and identity, which have ${fixed}`,
      { where: 'tokens', hint: `Allow ${fixed} tokens or more, or shorten these` },
    );
  }
  let left = budget - fixed - wrapperTokens('memory', meter);

  part.pack.budget = Math.max(0, Math.floor(left * shareOfPack));
  const told = new Told();
  told.add(addPack(part.pack, input));
  left -= part.pack.tokens;
  const files = told.filesOf(snapshot);

  // The pack says what matters; MEMORY.md is second to it (spec 3, migration), and so it gives way first.
  const rooms = { journal: settings.journalKb, projects: activeProjectsKb, memory: isMain ? settings.memoryKb : 0 };
  const wanted = (rooms.journal + rooms.projects + rooms.memory) * 256;
  const scale = Math.min(1, Math.max(0, left) / Math.max(1, wanted));
  for (const name of ['journal', 'projects', 'memory'] as const)
    part[name].budget = Math.floor(rooms[name] * 256 * scale);
  addJournal(part.journal, files, days, part.journal.budget!, meter);
  addFile(part.projects, files, activeProjectsPath, {
    room: part.projects.budget!,
    meter,
    why: 'the projects that are active',
  });
  if (isMain) {
    addFile(part.memory, files, coreMemoryPath, {
      room: part.memory.budget!,
      meter,
      why: 'core memory, in sessions with the owner',
    });
  } else if (snapshot.oidOf(coreMemoryPath) !== null) {
    part.memory.left.push({ source: coreMemoryPath, why: 'MEMORY.md is for sessions with the owner alone' });
  }

  let text = textOf(parts);
  while (meter.count(text) > budget) {
    const yielding = [part.memory, part.projects, part.journal, part.pack].find(({ pieces }) => pieces.length > 0);
    if (yielding === undefined) break;
    yielding.left.push({ source: yielding.pieces.pop()!.source, why: 'no room' });
    text = textOf(parts);
  }
  return {
    text,
    tokens: meter.count(text),
    budget,
    counted: meter.isExact ? 'exact' : 'estimated',
    slots: parts.map((one) => ({
      slot: one.slot,
      priority: one.priority,
      budget: one.budget,
      tokens: one.tokens,
      text: one.text,
      blocks: one.pieces.map(({ text: _, ...block }) => block),
      left: one.left,
    })),
  };
}

/**
 * The pack shortens itself, from its last section upward; only where even that is too long it is cut. Gives the ids of the events and memories
 * that it tells of.
 */
function addPack(part: Part, { pack, meter }: SessionStartInput): readonly string[] {
  const label = labelOf('recall/pack.md');
  const room = part.budget! - meter.count(`${label}\n`);
  for (let words = Math.floor(room / tokensPerWord); words > 0; words = Math.floor(words * 0.85)) {
    const made = pack(words);
    if (made.isEmpty) return [];
    const text = asContent(made.text);
    const isLast = words < 100;
    if (!isLast && meter.count(text) > room) continue;
    const fitted = fitText(text, room, meter);
    if (fitted === null) break;
    part.pieces.push({
      source: 'recall/pack.md',
      text: `${label}\n${fitted.text}`,
      tokens: meter.count(`${label}\n${fitted.text}\n`),
      why: 'the recall pack of the day',
      ...(fitted.isCut ? { isCut: true as const } : {}),
    });
    return fitted.isCut ? [] : made.ids;
  }
  part.left.push({ source: 'recall/pack.md', why: 'no room' });
  return [];
}
