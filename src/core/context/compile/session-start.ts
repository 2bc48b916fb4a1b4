// What a session begins with (spec 3, "Session Startup Procedure"; spec 5 §6.2), one text within a budget of its own:
//
//     who I am, whom I work for │ what holds ─► promises ─► the last days, as they were said ─► notes, projects, pack, MEMORY.md
//     whole                     │ a third at most each      what is left                       half of what is left, once less is quoted
//
// What one part says the others leave out. MEMORY.md is for sessions with the owner alone.

import { defined, MemoryError } from '../../../base/errors.ts';
import type { SessionStartResult } from '../../../base/types.ts';
import type { Configuration } from '../../../store/records/configuration.ts';
import { coreMemoryPath } from '../../../store/records/kind.ts';
import { isTurn, saidBy } from '../../../store/records/knowledge-marks.ts';
import { type PackInput, packCandidates } from '../pack/candidates.ts';
import { packSections } from '../pack/sections.ts';
import { todayPiece } from './compile.ts';
import { asContent, labelOf } from './data-text.ts';
import type { Meter } from './meter.ts';
import { newsOf } from './news.ts';
import type { ShownFiles } from './outdated.ts';
import { Part, slotOf, textOf, tokensOf, wrapperTokens } from './part.ts';
import { addRecent, addRepeated, type RecentTurn, standingTurns } from './recent.ts';
import { activeProjectsKb, activeProjectsPath, addFile, addJournal, identityPieces } from './standing.ts';
import { type FindsLater, type StandingClaim, standingPieces, withLater } from './standing-claims.ts';
import { type Origins, Told } from './told.ts';

/** Everything that the beginning of a session depends on. */
export interface SessionStartInput {
  readonly snapshot: ShownFiles;
  readonly days: readonly [yesterday: string, today: string];
  readonly isMain: boolean;
  readonly system: string;
  /** Of the whole text; without it `context.start_tokens` beside system prompt and identity. */
  readonly budget?: number;
  readonly settings: Configuration['context'];
  readonly meter: Meter;
  readonly standing: readonly StandingClaim[];
  /** Finds what was said after each of them and is near it. */
  readonly laterOf: FindsLater;
  readonly origins: Origins;
  /** The newest conversation first. */
  readonly turns: readonly RecentTurn[];
  /** What the recall pack is built of. */
  readonly pack: Omit<PackInput, 'isTold'>;
}

/** What holds and what was promised have this share of what remains each at most, and together no more than two. P0 is always there. */
const shareOfStanding = 1 / 3;
/** What was written has this share of what remains then, and more where less was said. */
const shareOfFiles = 0.5;
/** What was said after lines of files has so much of what is left then. */
const shareOfNews = 0.25;
/** After so many lines of the pack that did not fit, no shorter one is looked for. */
const patience = 12;
/** P0, promises and what waits for others stand above as what holds. */
const sectionsOfPack = ['mantra', 'context', 'procedures', 'accounts'];

/** Compiles what a session begins with. Throws INVALID_ARGUMENT for a budget below system prompt and identity. */
export function compileSessionStart(input: SessionStartInput): Omit<SessionStartResult, 'commit' | 'day'> {
  const { meter, settings, days } = input;
  const today = days[1];
  const part = {
    system: new Part('system', 0, null),
    identity: new Part('identity', 0, 'identity'),
    standing: new Part('standing', 1, 'memory'),
    recent: new Part('recent', 1, 'memory'),
    journal: new Part('journal', 1, 'memory'),
    projects: new Part('projects', 1, 'memory'),
    pack: new Part('pack', 1, 'memory'),
    memory: new Part('memory', 1, 'memory'),
  };
  const parts = Object.values(part);
  const fixed = addFixed(part, input);
  const budget = input.budget ?? fixed + settings.startTokens;
  if (fixed > budget) {
    throw new MemoryError(
      'INVALID_ARGUMENT',
      `${budget} tokens are too few for system prompt and identity, which have ${fixed}`,
      { where: 'tokens', hint: `Allow ${fixed} tokens or more, or shorten these` },
    );
  }
  const dated = todayPiece(today, meter);
  const room = Math.max(0, budget - fixed - wrapperTokens('memory', meter) - dated.tokens);
  const spent = (): number => parts.reduce((sum, { tag, tokens }) => sum + (tag === 'memory' ? tokens : 0), 0);
  const left = (): number => Math.max(0, room - spent());

  // What holds, and what was promised.
  const claims = input.standing.filter(({ kind }) => kind !== 'commitment');
  // What no extraction has read yet comes from the turns themselves.
  const rules = [...claims, ...standingTurns(input.turns, new Told(input.standing, input.origins), claims)];
  const promises = input.standing.filter(({ kind }) => kind === 'commitment');
  const third = Math.floor(room * shareOfStanding);
  const quotedNow = () => new Set(part.recent.pieces.map(({ source }) => source));
  const within = (
    claims: readonly StandingClaim[],
    most: number,
    { mostWithLater = most, there }: { readonly mostWithLater?: number; readonly there: readonly StandingClaim[] },
  ) => {
    const chosen = standingPieces(claims, { room: most, meter, today });
    // What the last days quote comes no second time.
    const quoted = quotedNow();
    const laterOf: FindsLater = (followed, shown = []) =>
      input
        .laterOf(followed, [...shown, ...there])
        .map((later) => (quoted.has(later?.source ?? '') ? undefined : later));
    return { alone: tokensOf(chosen.pieces), ...chosen, ...withLater(chosen, { room: mostWithLater, meter, laterOf }) };
  };
  // Neither a promise nor a rule stands without what was said after it because that is long.
  const promised = within(promises, third, { mostWithLater: Math.floor(third * 1.5), there: rules });
  const constraints = standingPieces(
    rules.filter(({ kind }) => kind === 'constraint'),
    { room, meter, today },
  );
  const mostOfRules = Math.max(third, tokensOf(constraints.pieces));
  const mostWithLater = Math.min(mostOfRules + third, room - tokensOf(promised.pieces));
  const there = promised.claims;
  let held = within(rules, mostOfRules, { mostWithLater, there });
  part.standing.pieces.push(...held.pieces, ...promised.pieces);

  const told = new Told([...held.claims, ...promised.claims], input.origins);
  for (const { source, text, ids } of held.claims) if (isTurn(source)) told.addTurn(source, saidBy(text), ids);
  for (const { source, words, ids } of [...held.later, ...promised.later]) told.addTurn(source, words, ids);
  addRepeated(told, input.turns, held.claims);

  // What was written and is not what the last days said in the same words: of that the best is quoted.
  const written = told.copy();
  for (const { path, turn, ids } of input.turns) written.addTurn(`${path}#${turn}`, '', ids);
  const quotable = new Part('recent', 1, 'memory');
  const wanted = addRecent(quotable, input.turns, { room: Number.POSITIVE_INFINITY, told: told.copy(), meter, today });
  addFiles(part, input, written, Math.floor(Math.max(left() * shareOfFiles, left() - wanted)));
  const laterOf: FindsLater = (lines) => input.laterOf(lines, [...held.claims, ...promised.claims]);
  const page = input.snapshot.textIfWhole(coreMemoryPath) ?? '';
  const news = newsOf([part.pack, part.memory], page, laterOf, meter);
  const spare = Math.min(news.tokens, Math.floor(left() * shareOfNews));

  part.recent.budget = left();
  addRecent(part.recent, input.turns, { room: left() - spare, told, meter, today });
  const added = news.put(left(), ({ source, words }) => !told.has(source, words));
  for (const { source, words, ids } of added) told.addTurn(source, words, ids);
  // Where little was said and written there is room for more that holds.
  if (held.left > 0 && left() > 0) {
    const quoted = quotedNow();
    const isNew = ({ ids, source }: StandingClaim) => !(told.hasAll(ids) || quoted.has(source));
    const others = rules.filter((rule) => held.claims.some(({ ids }) => ids === rule.ids) || isNew(rule));
    // What was said after those that stand there keeps its room, and others have it for theirs.
    const room = tokensOf(held.pieces) + left();
    held = within(others, held.alone + Math.floor(left() / 2), { mostWithLater: room, there });
    part.standing.pieces.splice(0, part.standing.pieces.length, ...held.pieces, ...promised.pieces);
  }
  part.standing.budget = Math.max(mostOfRules + third, part.standing.tokens);
  if (spent() > 0) part.standing.pieces.unshift(dated);
  return finished(parts, budget, meter);
}

function addFixed(
  part: { readonly system: Part; readonly identity: Part },
  { snapshot, meter, ...input }: SessionStartInput,
): number {
  const system = input.system.trim();
  if (system !== '') {
    const tokens = meter.count(`${system}\n\n`);
    part.system.pieces.push({ source: 'system', text: system, tokens, why: 'the system prompt: always' });
  }
  part.identity.pieces.push(...identityPieces(snapshot, meter));
  const enclosing = part.identity.pieces.length === 0 ? 0 : wrapperTokens('identity', meter);
  return part.system.tokens + part.identity.tokens + enclosing;
}

/** Adds notes, projects, the pack and MEMORY.md. The pack says what matters, and so MEMORY.md is second to it (spec 3, migration). */
function addFiles(
  part: Readonly<Record<'journal' | 'projects' | 'pack' | 'memory', Part>>,
  { snapshot, days, isMain, settings, meter, pack }: SessionStartInput,
  told: Told,
  room: number,
): void {
  const rooms = { journal: settings.journalKb, projects: activeProjectsKb, memory: isMain ? settings.memoryKb : 0 };
  const wanted = (rooms.journal + rooms.projects + rooms.memory) * 256;
  addPack(part.pack, pack, told, Math.floor(room / 2), meter);
  const files = told.filesOf(snapshot);
  const scale = Math.min(1, Math.max(0, room - part.pack.tokens) / Math.max(1, wanted));
  for (const name of ['journal', 'projects', 'memory'] as const)
    part[name].budget = Math.floor(rooms[name] * 256 * scale);
  addJournal(part.journal, files, days, part.journal.budget!, meter);
  const why = 'the projects that are active';
  addFile(part.projects, files, activeProjectsPath, { room: part.projects.budget!, meter, why });
  if (isMain) {
    const ofOwner = 'core memory, in sessions with the owner';
    addFile(part.memory, files, coreMemoryPath, { room: part.memory.budget!, meter, why: ofOwner });
  } else if (snapshot.oidOf(coreMemoryPath) !== null) {
    part.memory.left.push({ source: coreMemoryPath, why: 'MEMORY.md is for sessions with the owner alone' });
  }
}

/** Adds sections of the pack that stand nowhere else, line by line while there is room; those without a line are left out. */
function addPack(part: Part, pack: SessionStartInput['pack'], told: Told, room: number, meter: Meter): void {
  part.budget = room;
  const candidates = packCandidates({ ...pack, isTold: (ids) => told.hasAll(ids) });
  const memoryOf = new Map(pack.events.map(({ id, value }) => [id, value.memory]));
  let missing = 0;
  for (const { name, heading } of packSections.filter((section) => sectionsOfPack.includes(section.name))) {
    if (name === 'mantra' && pack.configuration.pack.mantra === undefined) continue;
    let head = `${part.pieces.length === 0 ? `${labelOf('recall/pack.md')}\n` : ''}## ${heading}\n`;
    for (const { text: words, events, memories = [], path = 'recall/pack.md', why } of candidates[name]) {
      if (missing > patience) break;
      const text = `${head}- ${asContent(words).replace(/\s+/g, ' ')}`;
      const tokens = meter.count(`${text}\n`);
      if (part.tokens + tokens > room) {
        missing += 1;
        continue;
      }
      const ids = [...events.flatMap((id) => memoryOf.get(id) ?? []), ...memories];
      part.pieces.push({ source: events[0] ?? path, path, text, tokens, why, ...defined({ id: ids[0] }) });
      told.add([...events, ...ids]);
      head = '';
    }
  }
  if (missing > 0) part.left.push({ source: 'recall/pack.md', why: 'no room for all of it' });
}

function finished(parts: readonly Part[], budget: number, meter: Meter): Omit<SessionStartResult, 'commit' | 'day'> {
  let text = textOf(parts);
  while (meter.count(text) > budget) {
    const yielding = parts.findLast(({ priority, pieces }) => priority > 0 && pieces.length > 0);
    if (yielding === undefined) break;
    yielding.left.push({ source: yielding.pieces.pop()!.source, why: 'no room' });
    text = textOf(parts);
  }
  return {
    text,
    tokens: meter.count(text),
    budget,
    counted: meter.isExact ? 'exact' : 'estimated',
    slots: parts.map((one) => slotOf(one, one.tokens)),
  };
}
