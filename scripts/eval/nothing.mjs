// Does recall say when it probably knows nothing? Memories of 300 turns and more are asked about what they know, and about what they do not.
//
//   known      a hundred of its own questions; those that were written to mislead are left out.
//   unknown    a hundred questions of other memories of its kind, about one fact or one day. The names of their speakers become those of speakers
//              here, and what names something that is never named here is left out, so that no name tells. A few may be answered by chance.
//   by hand    forty questions of test/evals/nothing-questions.json that fit anybody, but for those whose `unless` stands in some turn.

import { readFileSync } from 'node:fs';
import { randomOf } from '../random.mjs';
import { news, sets } from './data.mjs';
import { sampler } from './metrics.mjs';
import { points, printTable } from './report.mjs';
import { memoryOf } from './systems.mjs';

const file = new URL('../../test/evals/nothing-questions.json', import.meta.url);
const leastTurns = 300;
const most = 100;
/** The score of the first hit below which so many known questions lie is taken for a threshold. */
const shares = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3];

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

/** Questions of each memory of a kind: { store, known, unknown, byHand }, texts. */
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
    const byHand = own
      .filter(({ unless }) => !new RegExp(unless, 'iu').test(said))
      .map(({ question }, at) => question.replaceAll('{who}', speakers[at % Math.min(2, speakers.length)]));
    return { store, known: drawn(known, number + 1), unknown: drawn([...new Set(unknown)], number + 1), byHand };
  });
}

/** The share of pairs in which the first value is above the second. */
const area = (above, below) =>
  above.reduce(
    (sum, one) => sum + below.filter((other) => other < one).length + below.filter((other) => other === one).length / 2,
    0,
  ) /
  (above.length * below.length);

export async function evaluateNothing({ found, every, offset }) {
  const { questions: own } = JSON.parse(readFileSync(file, 'utf8'));
  const sources = { LoCoMo: sets.locomo.read(), REALTALK: sets.realtalk.read(), writers: news() };
  for (const [system, embedderOf] of Object.entries(found)) {
    const asked = [];
    for (const [source, stores] of Object.entries(sources)) {
      if (!stores) {
        console.log(`${source}: skipped, data not present`);
        continue;
      }
      const pick = sampler({ every, offset });
      for (const { store, ...questions } of questionsOf(stores, own)) {
        const memory = await memoryOf(store, { embedder: embedderOf(store.name) });
        for (const [kind, texts] of Object.entries(questions)) {
          for (const text of pick(texts)) {
            const { hits, probablyNothing } = await memory.recall(text, { limit: 5 });
            asked.push({ source, kind, score: hits[0]?.score ?? 0, verdict: probablyNothing });
          }
        }
        await memory.close();
      }
    }
    printTable(tableOf(system, asked));
  }
}

/** Wrong each way in per cent, by threshold and by what the product says. */
function tableOf(system, asked) {
  const names = [...new Set(asked.map(({ source }) => source))];
  const of = (kind, source) =>
    asked.filter((one) => one.kind === kind && (source === undefined || one.source === source));
  const sorted = of('known')
    .map(({ score }) => score)
    .sort((one, other) => one - other);
  const share = (items, is) => (items.length === 0 ? '–' : points(items.filter(is).length / items.length).toFixed(1));
  const line = (name, isNothing) => [
    name,
    ...names.map((source) => share(of('known', source), isNothing)),
    ...names.map((source) => share(of('unknown', source), (one) => !isNothing(one))),
    share(of('byHand'), (one) => !isNothing(one)),
  ];
  const count = (kind, source) => of(kind, source).length;
  const areas = (kind, source) =>
    area(...[of('known', source), of(kind, source)].map((items) => items.map(({ score }) => score))).toFixed(3);
  return [
    [system, ...names.map((name) => `${name} lost`), ...names.map((name) => `${name} made up`), 'by hand made up'],
    [
      'questions',
      ...names.map((name) => `${count('known', name)}`),
      ...names.map((name) => `${count('unknown', name)}`),
      `${count('byHand')}`,
    ],
    ...shares.map((part) => {
      const least = sorted[Math.floor(part * sorted.length)];
      return line(`first score < ${least.toFixed(3)}`, ({ score }) => score < least);
    }),
    ...(asked.some(({ verdict }) => verdict !== undefined)
      ? [line('as recall says', ({ verdict }) => verdict === true)]
      : []),
    ['area', ...names.map(() => ''), ...names.map((name) => areas('unknown', name)), areas('byHand')],
  ];
}
