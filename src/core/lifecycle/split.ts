// Splitting (spec 1): a memory of several ideas becomes several memories, which name it; in one commit.

import { count } from '../../base/count.ts';
import { MemoryError } from '../../base/errors.ts';
import { goingOn } from '../../base/generated/words.ts';
import { splitSentences } from '../../base/sentences.ts';
import { tokensOf } from '../../base/tokenizer.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import type { SplitCandidates, SplitPartInput, SplitResult } from '../../base/types.ts';
import { listed, oneOf } from '../../base/words.ts';
import { wordsOfClaim } from '../../store/claims/claim.ts';
import type { Stored } from '../../store/memory-catalog.ts';
import { memoryPath, newMemory } from '../../store/records/memory-record.ts';
import { bestGistOf, gistLevelOf } from './gist/gist.ts';
import { sharedTerms } from './likeness.ts';
import { activeMemory, type ItemOf, type Pass, type PassView } from './pass.ts';
import { addedMemory, removed } from './record-changes.ts';
import { lineageRelation, renamingIn } from './relations.ts';

/** A memory that could be several, why, and which. */
type SplitCandidate = Omit<SplitCandidates['candidates'][number], 'content'>;
export type SplitItem = ItemOf<SplitResult>;

const maxParts = 50;
/** What makes a memory one to be split: more characters, tags, entities or uses in other domains than these (spec 1). */
const most = { characters: 500, tags: 6, entities: 6, crossDomain: 3 };

/**
 * Tells whether a memory could be several; undefined if not. It has two ideas or more, and meets a criterion of spec 1: long, many tags,
 * many entities, or used in many domains.
 */
export function splitCandidateOf(record: MemoryRecord): SplitCandidate | undefined {
  const { content, meta, entities, crossDomainCount } = record;
  const reasons: string[] = [];
  if (content.length > most.characters) reasons.push(`${content.length} characters`);
  if (meta.tags.length > most.tags) reasons.push(`${meta.tags.length} tags`);
  if (entities.length > most.entities) reasons.push(`${entities.length} entities`);
  if (crossDomainCount > most.crossDomain) reasons.push(`used in other domains ${crossDomainCount} times`);
  if (reasons.length === 0) return undefined;
  const parts = proposedParts(record);
  return parts.length < 2 ? undefined : { id: record.id, reasons, parts };
}

/** Cuts a memory into one part per idea, each with the tags and entities that occur in it. */
function proposedParts(record: MemoryRecord): Required<SplitPartInput>[] {
  const { meta, entities } = record;
  return ideasOf(wordsOfClaim(record), maxParts).map((idea) => {
    const text = idea.toLowerCase();
    const terms = new Set(tokensOf(idea));
    const tags = meta.tags.filter((tag) => tokensOf(tag).some((term) => terms.has(term)));
    return {
      content: idea,
      // A tag that no part says is about the whole.
      tags: tags.length === 0 ? meta.tags : tags,
      entities: entities.filter((entity) => text.includes(entity.toLowerCase())),
    };
  });
}

/** Plans to put parts in the place of a memory; without `parts`, those that its ideas make. */
export const splitting: Pass<{ readonly id: string; readonly parts?: readonly SplitPartInput[] }, SplitItem> = {
  name: 'split',
  kind: 'split',
  keepsWhatItRemoves: true,
  plan(view, _ports, { id, parts }) {
    const stored = activeMemory(view, id, 'split');
    const given = parts ?? proposedParts(stored.record);
    if (given.length < 2 || given.length > maxParts) {
      const what = `it takes 2 to ${maxParts} parts to split a memory, not ${given.length}`;
      const hint = parts ? 'Give each part as a text' : 'It seems to be about one thing; give the parts yourself';
      throw new MemoryError('INVALID_ARGUMENT', what, { where: 'parts', hint });
    }
    return { items: [itemOf(view, stored, given, parts === undefined ? 'one part per idea' : 'asked for')], left: [] };
  },
  describe([item]) {
    const { from, parts } = item!;
    return {
      subject: `${from.slice(0, 8)} into ${count(parts.length, 'memory', 'memories')}`,
      body: parts.map(({ id }) => `- ${id}`).join('\n'),
    };
  },
};

function itemOf(
  view: PassView,
  stored: Stored<MemoryRecord>,
  given: readonly SplitPartInput[],
  why: string,
): SplitItem {
  const { id: whole } = stored.record;
  const records = given.map((part, index) => partOf(view, stored.record, part, index));
  const contents = new Map(view.memories.map(({ record }) => [record.id, record.content]));
  // A relation goes with the part that shares most words with the memory at its other end.
  const placeOf = (id: string, other?: string): string => {
    if (id !== whole) return id;
    const text = contents.get(other ?? '') ?? '';
    const shares = records.map(({ content }) => sharedWords(content, text));
    return records[shares.indexOf(Math.max(...shares))]!.id;
  };
  const moved = renamingIn(view.relations, view.memories)(whole, placeOf);
  return {
    action: 'split',
    ids: [whole, ...records.map(({ id }) => id)],
    why,
    from: whole,
    parts: records.map(({ id, content }) => ({ id, content })),
    changes: [
      ...records.map(addedMemory),
      ...records.map(({ id }, index) =>
        lineageRelation('split_from', id, whole, view.now, { split_index: index, total_splits: records.length }),
      ),
      removed(stored),
      ...moved,
    ],
  };
}

/** Makes one part: as well known as the whole was (strength, use, origin), and just used, for splitting is a use (spec 1). */
function partOf(view: PassView, whole: MemoryRecord, part: SplitPartInput, index: number): MemoryRecord {
  // The statement is of the whole; a part says itself what it says.
  const { alternatives, unknown, meta, createdAt, lastUsed: _, statement: __, attribute: ___, ...inherited } = whole;
  const content = typeof part.content === 'string' ? part.content.trim() : '';
  const hash = view.snapshot.nameHash((name) => memoryPath(name.slice(0, 32)));
  const made = newMemory({
    ...inherited,
    id: hash(`split\n${whole.id}\n${index}\n${content}`).slice(0, 32),
    content,
    now: view.now,
    gist: bestGistOf(content, gistLevelOf(view.configuration.gist.level)),
    tags: part.tags ?? meta.tags,
    entities: part.entities ?? whole.entities,
    source: meta.source,
    context: meta.context,
    extra: meta.extra,
    // What merges could not settle is named once.
    ...(index > 0 || alternatives === undefined ? {} : { alternatives }),
  });
  return { ...made, createdAt, ...(index > 0 || unknown === undefined ? {} : { unknown }) };
}

/** Looks for memories that could be several; proposes and changes nothing. */
export const splitProposals: Pass<void> = {
  name: 'split-proposals',
  kind: 'split',
  plan({ memories }) {
    const active = memories.filter(({ record }) => record.status === 'active');
    const found = active.flatMap(({ record }) => splitCandidateOf(record) ?? []);
    const left = found.map(({ id, reasons, parts }) => ({
      id,
      why: `could be ${parts.length}: ${reasons.join(', ')}`,
    }));
    return { items: [], left };
  },
  describe: () => ({ subject: 'nothing' }),
};

// ── ideas ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A sentence that begins so goes on with the one before it. */
const goesOn = new RegExp(`^${oneOf(listed(goingOn))}\\b`, 'i');
const listMark = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;
/** The share of words (of both, geometric mean) that makes two parts one idea. */
const sameIdea = 0.2;
const minLength = 40;

/**
 * Cuts a text into its ideas, in order; one for a text about one thing. Paragraphs and items of lists are parts by themselves. Where there are
 * none, neighbouring sentences go together that share words, or whose second goes on with the first ("It …").
 */
export function ideasOf(text: string, most = Number.POSITIVE_INFINITY): string[] {
  const paragraphs = blocksOf(text);
  const units = paragraphs.length > 1 ? paragraphs : splitSentences(text.replace(/\s+/g, ' '));
  const glue = paragraphs.length > 1 ? '\n\n' : ' ';
  const ideas: { text: string; terms: Set<string> }[] = [];
  for (const unit of units) {
    const terms = new Set(tokensOf(unit));
    const last = ideas.at(-1);
    const isShort = unit.length < minLength || (last !== undefined && last.text.length < minLength);
    const isFull = ideas.length >= most;
    if (last !== undefined && (isFull || isShort || goesOn.test(unit) || isAlike(last.terms, terms))) {
      last.text += glue + unit;
      for (const term of terms) last.terms.add(term);
    } else ideas.push({ text: unit, terms });
  }
  return ideas.map((idea) => idea.text);
}

function isAlike(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const most = Math.sqrt(one.size * other.size);
  return most > 0 && sharedTerms(other, one) / most >= sameIdea;
}

function blocksOf(text: string): string[] {
  const blocks: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (line.trim() === '' || listMark.test(line)) blocks.push([]);
    if (line.trim() !== '') blocks.at(-1)!.push(line.trimEnd());
  }
  return blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
}

/** Tells how many words of a text occur in another. */
const sharedWords = (one: string, other: string): number =>
  sharedTerms(new Set(tokensOf(one)), new Set(tokensOf(other)));
