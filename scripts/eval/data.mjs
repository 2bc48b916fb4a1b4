// The evaluation sets in one form: stores of sessions or of documents, with questions and the places that answer them.
//
//   { name, title, stores: [{ name, sessions: [{ id, started, turns: [{ role, speaker?, text }] }], documents: [{ path, title, text }],
//     questions: [{ text, category, gold: Set of places }] }] }
//
// A place is `session#turn` or the path of a document. The data lies beside the project and is never copied into it.
// GIT_MEMORY_EVAL_DATA names another folder of the same form.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder =
  process.env.GIT_MEMORY_EVAL_DATA ?? path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../shared/data');

const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null);
export const at = (name) => path.join(folder, name);
/** The JSON of a file of the data; null where it is not present. */
export const readData = (name) => read(at(name));

/** A place is `session#turn`, both as recall gives them. */
export const placeOf = (session, turn) => `${session}#${turn}`;

const locomoCategories = { 1: 'multi-hop', 2: 'temporal', 3: 'open-domain', 4: 'single-hop', 5: 'adversarial' };
const months = 'January February March April May June July August September October November December'.split(' ');

/** "1:56 pm on 8 May, 2023" as ISO 8601, taken as UTC. */
function timeOf(text) {
  const [, hour, minute, half, day, month, year] = /(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)/.exec(text);
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  return new Date(Date.UTC(Number(year), months.indexOf(month), Number(day), hours, Number(minute))).toISOString();
}

/** Evidence is written as "D8:6", in a few places as "D8:6; D9:17", "D:11:26" or "D30:05". */
const evidenceOf = (texts) =>
  (texts ?? [])
    .flatMap((text) => String(text).match(/D:?\d+:\d+/g) ?? [])
    .map((id) => id.replace('D:', 'D').replace(/:0+(\d)/, ':$1'));

/** Conversations in the form of LoCoMo; `sayOf` gives role and speaker of a turn, null for one that is left out. */
function conversations(file, sayOf) {
  return read(file)?.map(({ sample_id: id, conversation, qa }, number) => {
    const name = String(id ?? number);
    const places = new Map();
    const numbers = Object.keys(conversation)
      .flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
      .map(Number)
      .sort((one, other) => one - other);
    const sessions = numbers.flatMap((session) => {
      const said = conversation[`session_${session}`];
      const turns = [];
      for (const { dia_id: turn, speaker, text, blip_caption: shown } of said) {
        const says = sayOf(speaker, said[0].speaker);
        if (says === null) continue;
        turns.push({ ...says, text: `${text}${shown ? ` [${shown}]` : ''}` || '…' });
        places.set(turn, placeOf(`${name}-${session}`, turns.length));
      }
      if (turns.length === 0) return [];
      return [{ id: `${name}-${session}`, started: timeOf(conversation[`session_${session}_date_time`]), turns }];
    });
    const questions = qa.flatMap(({ question, evidence, category }) => {
      const gold = new Set(evidenceOf(evidence).flatMap((one) => places.get(one) ?? []));
      return gold.size === 0
        ? []
        : [{ text: question, category: locomoCategories[category] ?? String(category ?? ''), gold }];
    });
    return { name, sessions, documents: [], questions };
  });
}

/** Two people by their names: the one who speaks first is taken for the owner of the memory. */
const byName = (speaker, first) => ({ role: speaker === first ? 'user' : 'agent', speaker });
const byRole = (speaker) => ({ role: speaker });
const unknown = (speaker) => ({ role: 'user', speaker: speaker === 'user' ? 'A' : 'B' });

/** LoCoMo (Maharana et al. 2024): question → turns that hold the answer; questions without evidence are left out. */
export const locomo = (file = at('locomo-dev.json')) => conversations(file, byName);

/** QMSum (Zhong et al. 2021): query → every turn of the relevant spans of a meeting. */
export function qmsum(file = at('qmsum-dev.json')) {
  return read(file)?.map(({ meeting_id: id, meeting_transcripts: turns, specific_query_list: queries }, number) => {
    const name = id ?? `meeting-${number}`;
    return {
      name,
      sessions: [
        {
          id: name,
          started: '2020-01-01T09:00:00Z',
          turns: turns.map(({ speaker, content }) => ({ role: 'user', speaker, text: content || '…' })),
        },
      ],
      documents: [],
      questions: queries.flatMap(({ query, relevant_text_span: spans }) => {
        const gold = new Set();
        for (const [first, last] of spans) {
          for (let turn = Number(first); turn <= Math.min(Number(last), turns.length - 1); turn++) {
            gold.add(placeOf(name, turn + 1));
          }
        }
        return gold.size === 0 ? [] : [{ text: query, category: 'query', gold }];
      }),
    };
  });
}

function documents(name) {
  return (file = at(name)) =>
    read(file)?.stores.map(({ name: store, docs, questions }) => ({
      name: store,
      sessions: [],
      documents: docs,
      questions: questions.map(({ text, category, gold }) => ({ text, category, gold: new Set(gold) })),
    }));
}

const beam =
  (sayOf) =>
  (file = at('beam-100k-dev.json')) =>
    conversations(file, sayOf);

/** The names that somebody asked for, or all that there are. */
export function chosen(names, all) {
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`no set ${unknown}; there are ${all.join(', ')}`);
  return names.length > 0 ? names : all;
}

/** What the writers of english/ wrote, by a file of theirs: `[writer, records]`; null where none is present. */
export function writersOf(file) {
  const names = existsSync(at('english')) ? readdirSync(at('english')).sort() : [];
  const written = names.filter((name) => existsSync(at(`english/${name}/${file}`)));
  const records = (name) =>
    readFileSync(at(`english/${name}/${file}`), 'utf8')
      .split('\n')
      .filter(Boolean);
  return written.length === 0 ? null : written.map((name) => [name, records(name).map((line) => JSON.parse(line))]);
}

/** One turn as a session of its own, so that none is found by what stands beside it. */
const alone = (id, { day, role, speaker, text }) => ({
  id,
  started: `${day}T12:00:00Z`,
  turns: [{ role: role === 'assistant' ? 'agent' : 'user', ...(speaker ? { speaker } : {}), text }],
});
/** The texts of a small memory as one conversation over several days. */
const talkOf = (id, texts) => {
  const turns = texts.map((text) => ({ ...alone(id, text).turns[0], time: `${text.day}T12:00:00Z` }));
  return { id, started: turns[0].time, turns };
};
const inOrder = (sessions) => sessions.sort((one, other) => Date.parse(one.started) - Date.parse(other.started));

/** Questions in other words than were said: all texts of a writer in one memory, or each small memory by itself. */
const otherWords = (isPooled) => () =>
  writersOf('questions.jsonl')?.flatMap(([name, memories]) => {
    const stores = memories.map(({ id, texts, questions }) => ({
      name,
      sessions: [talkOf(id, texts)],
      documents: [],
      questions: questions.map(({ q: text, kind, gold }) => ({
        text,
        category: kind,
        gold: new Set(gold.map((one) => placeOf(id, 1 + texts.findIndex((said) => said.id === one)))),
      })),
    }));
    if (!isPooled) return stores;
    const all = (key) => stores.flatMap((store) => store[key]);
    return [{ name, sessions: inOrder(all('sessions')), documents: [], questions: all('questions') }];
  });

const changing = new Set(['replaces', 'ends', 'corrects', 'future']);

/** Pairs of turns, a store for each writer; a question has `first`, `later` and whether the later turn changes what the first said. */
export const news = () =>
  writersOf('changes.jsonl')?.map(([name, pairs]) => ({
    name,
    sessions: inOrder(
      pairs.flatMap(({ id, first, later }) => [alone(`${id}-first`, first), alone(`${id}-later`, later)]),
    ),
    documents: [],
    questions: pairs.map(({ id, question, relation, first, later }) => ({
      id,
      text: question,
      category: relation,
      isChange: changing.has(relation),
      first: first.text,
      later: later.text,
      gold: new Set([placeOf(`${id}-first`, 1), placeOf(`${id}-later`, 1)]),
    })),
  }));

/** By name: what it is, the file it is read from, and what its figures have to be beside the baselines (nDCG@10, in points). */
export const sets = {
  locomo: { title: 'LoCoMo', read: locomo, least: 62 },
  qmsum: { title: 'QMSum', read: qmsum, least: 39 },
  realtalk: {
    title: 'REALTALK',
    read: (file = at('realtalk-dev.json')) => conversations(file, byName),
    over: { best: 2 },
  },
  'beam-roles': { title: 'BEAM, all turns', read: beam(byRole), over: { fts5: 15 } },
  'beam-unknown': { title: 'BEAM, all turns, roles unknown', read: beam(unknown), over: { fts5: 10 } },
  'beam-person': {
    title: "BEAM, the person's turns",
    read: beam((speaker) => (speaker === 'user' ? byRole(speaker) : null)),
    over: { best: 0 },
  },
  eslint: { title: 'ESLint', read: documents('docs-eslint-dev.json'), over: { best: 1 } },
  cranfield: { title: 'Cranfield', read: documents('docs-cranfield-dev.json'), over: { best: 1 } },
  'xquad-de': { title: 'XQuAD, German', read: documents('docs-xquad-de-dev.json'), least: 95 },
  'xquad-zh': { title: 'XQuAD, Chinese', read: documents('docs-xquad-zh-dev.json'), over: { bigrams: -1 } },
  'other-words': { title: 'Other words, by writer', read: otherWords(true), isByWriter: true },
  'other-words-alone': { title: 'Other words, by memory', read: otherWords(false), isByWriter: true },
};
