// Does recall say when it probably knows nothing? Memories of 300 turns and more are asked about what they know, and about what they do not.
//
//   known      a hundred of its own questions; those that were written to mislead are left out.
//   unknown    a hundred questions of other memories of its kind, about one fact or one day. The names of their speakers become those of speakers
//              here, and what names something that is never named here is left out, so that no name tells. A few may be answered by chance.
//   by hand    seventy questions of test/evals/nothing-questions.json that fit anybody, but for those whose `unless` stands in some turn.
//   apart      thirty more of them, which chose no constant.
//
// `people` are made up (scripts/train/sets). test/evals/nothing-people.json has 104 questions to what they say, and 104 to what they do not.
// These chose no constant either.

import { readFileSync } from 'node:fs';
import { randomOf } from '../random.mjs';
import { news, sets } from './data.mjs';
import { sampler } from './metrics.mjs';
import { points, printTable } from './report.mjs';
import { memoryOf } from './systems.mjs';

const file = new URL('../../test/evals/nothing-questions.json', import.meta.url);
const leastTurns = 300;
const most = 100;

function drawn(items, seed) {
  const next = randomOf(seed);
  return items
    .map((item) => ({ item, order: next() }))
    .sort((one, other) => one.order - other.order)
    .slice(0, most)
    .map(({ item }) => item);
}

/** The first names of the speakers of a memory; the one who says most comes first. */
function speakersOf(turns) {
  const counts = new Map();
  for (const { speaker } of turns) if (speaker) counts.set(speaker, (counts.get(speaker) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([speaker]) => speaker.split(' ')[0]);
}

/** A question of another memory as it would be asked here. */
function asAskedHere(text, theirs, ours) {
  return text.replace(/\p{Lu}[\p{L}-]+/gu, (word) => {
    const at = theirs.findIndex((name) => name.toLowerCase() === word.toLowerCase());
    return at < 0 ? word : ours[at % ours.length];
  });
}

/** Questions of each memory of a kind: { store, known, unknown, byHand, apart }, texts. */
function questionsOf(stores, own) {
  const memories = stores
    .map((store, number) => ({ store, number, turns: store.sessions.flatMap(({ turns }) => turns) }))
    .filter(({ turns }) => turns.length >= leastTurns)
    .map((memory) => ({ ...memory, speakers: speakersOf(memory.turns) }));
  return memories.map(({ store, number, turns, speakers }) => {
    const said = turns.map(({ text }) => text).join('\n');
    const names = new Set(`${said} ${speakers.join(' ')}`.match(/\p{Lu}[\p{L}-]+/gu));
    const others = memories.filter((memory) => memory.store !== store);
    const unknown = others.flatMap(({ store: { questions }, speakers: theirs }) =>
      questions
        .filter(({ category }) => category !== 'adversarial' && category !== 'open-domain')
        .filter(({ category }) => category !== 'multi-hop' && category !== 'commonsense')
        .map(({ text }) => asAskedHere(text, theirs, speakers))
        .filter((text) => (text.slice(1).match(/\p{Lu}[\p{L}-]+/gu) ?? []).every((name) => names.has(name))),
    );
    const known = store.questions.filter(({ category }) => category !== 'adversarial').map(({ text }) => text);
    const unsaid = own
      .filter(({ unless }) => !new RegExp(unless, 'iu').test(said))
      .map(({ question, apart = false }, at) => ({
        text: question.replaceAll('{who}', speakers[at % Math.min(2, speakers.length)]),
        apart,
      }));
    const [byHand, apart] = [false, true].map((is) => unsaid.filter((one) => one.apart === is).map(({ text }) => text));
    const [asked, foreign] = [known, [...new Set(unknown)]].map((texts) => drawn(texts, number + 1));
    return { store, known: asked, unknown: foreign, byHand, apart };
  });
}

/** The share of pairs in which the first value is above the second. */
const area = (above, below) =>
  above.reduce(
    (sum, one) => sum + below.filter((other) => other < one).length + below.filter((other) => other === one).length / 2,
    0,
  ) /
  (above.length * below.length);

/** The turns of made-up people as conversations. In some sets each turn comes with what stood before it. */
function talkOf(name) {
  const said = ({ role, speaker, text }) => ({
    role: role === 'assistant' ? 'agent' : 'user',
    text,
    ...(speaker && { speaker }),
  });
  const sessions = [];
  for (const line of readFileSync(new URL(`../train/sets/${name}/turns.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')) {
    const { id, before, turn } = JSON.parse(line);
    const isWhole = name.startsWith('q');
    if (isWhole && before.length > 0) sessions.at(-1).turns.push(said(turn));
    else sessions.push({ id, started: `${turn.day}T12:00:00Z`, turns: [...before, turn].map(said) });
  }
  return { name, sessions: sessions.sort((one, other) => Date.parse(one.started) - Date.parse(other.started)) };
}

function peopleAsked() {
  const { sets: people } = JSON.parse(readFileSync(new URL('nothing-people.json', file), 'utf8'));
  return Object.entries(people).map(([name, { known, unknown }]) => ({ store: talkOf(name), known, byHand: unknown }));
}

/** Asks all of it, of people only `withPeople`: by question { source, kind, hits, verdict }. */
export async function askedOf({ embedderOf, every, offset, withPeople = false }) {
  const { questions: own } = JSON.parse(readFileSync(file, 'utf8'));
  const given = { LoCoMo: sets.locomo.read(), REALTALK: sets.realtalk.read(), writers: news() };
  const sources = Object.entries(given).map(([source, stores]) => [source, stores && questionsOf(stores, own)]);
  const asked = [];
  for (const [source, memories] of [...sources, ...(withPeople ? [['people', peopleAsked()]] : [])]) {
    if (!memories) {
      console.log(`${source}: skipped, data not present`);
      continue;
    }
    const pick = sampler({ every, offset });
    for (const { store, ...questions } of memories) {
      const memory = await memoryOf(store, { embedder: embedderOf(store.name) });
      for (const [kind, texts] of Object.entries(questions)) {
        for (const text of pick(texts)) {
          const { hits, probablyNothing: verdict = false } = await memory.recall(text);
          asked.push({ source, kind, hits, verdict });
        }
      }
      await memory.close();
    }
  }
  return asked;
}

export async function evaluateNothing({ found, every, offset }) {
  for (const [system, embedderOf] of Object.entries(found)) {
    printTable(tableOf(system, await askedOf({ embedderOf, every, offset, withPeople: true })));
  }
}

const kinds = { unknown: 'made up', byHand: 'by hand', apart: 'apart' };

/** Wrong each way in per cent: known that recall takes for unknown, unknown that it does not. And the area by the figure of the best hit. */
function tableOf(system, asked) {
  const of = (kind, source) => asked.filter((one) => one.kind === kind && one.source === source);
  const figures = (items) => items.map(({ hits }) => Math.max(0, ...hits.map(({ confidence = 0 }) => confidence)));
  const share = (items, is) => (items.length === 0 ? '–' : points(items.filter(is).length / items.length).toFixed(1));
  return [
    [system, 'known', 'lost', ...Object.values(kinds).flatMap((name) => [name, 'wrong', 'area'])],
    ...[...new Set(asked.map(({ source }) => source))].map((source) => {
      const known = of('known', source);
      return [
        source,
        `${known.length}`,
        share(known, ({ verdict }) => verdict),
        ...Object.keys(kinds).flatMap((kind) => {
          const items = of(kind, source);
          const wrong = share(items, ({ verdict }) => !verdict);
          const by = items.length === 0 ? '–' : area(figures(known), figures(items)).toFixed(3);
          return [`${items.length}`, wrong, by];
        }),
      ];
    }),
  ];
}
