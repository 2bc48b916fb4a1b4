// The evaluation sets as retrieval tasks: conversations with sessions of turns, questions with the turns that answer them.
// They lie beside the project and are never copied into it.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../shared/data');

const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null);

/** A place is `session#turn`, both as recall gives them. */
export const placeOf = (session, turn) => `${session}#${turn}`;

const locomoCategories = { 1: 'multi-hop', 2: 'temporal', 3: 'open-domain', 4: 'single-hop', 5: 'adversarial' };
const months = 'January February March April May June July August September October November December'.split(' ');

/** "1:56 pm on 8 May, 2023" as ISO 8601, taken as UTC. */
function locomoTime(text) {
  const [, hour, minute, half, day, month, year] = /(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)/.exec(text);
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  return new Date(Date.UTC(Number(year), months.indexOf(month), Number(day), hours, Number(minute))).toISOString();
}

/** Evidence is written as "D8:6", in a few places as "D8:6; D9:17", "D:11:26" or "D30:05". */
const evidenceOf = (texts) =>
  (texts ?? [])
    .flatMap((text) => text.match(/D:?\d+:\d+/g) ?? [])
    .map((id) => id.replace('D:', 'D').replace(/:0+(\d)/, ':$1'));

/** LoCoMo (Maharana et al. 2024): question → turns that hold the answer; questions without evidence are left out. */
export function locomo(file = path.join(folder, 'locomo-dev.json')) {
  return read(file)?.map(({ sample_id: name, conversation, qa }) => {
    const places = new Map();
    const numbers = Object.keys(conversation)
      .flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
      .map(Number)
      .sort((one, other) => one - other);
    const sessions = numbers.map((number) => ({
      id: `${name}-${number}`,
      started: locomoTime(conversation[`session_${number}_date_time`]),
      turns: conversation[`session_${number}`].map(({ dia_id: id, speaker, text }, at) => {
        places.set(id, placeOf(`${name}-${number}`, at + 1));
        return { speaker, text };
      }),
    }));
    const questions = qa.flatMap(({ question, evidence, category }) => {
      const gold = new Set(evidenceOf(evidence).flatMap((id) => places.get(id) ?? []));
      return gold.size === 0 ? [] : [{ text: question, category: locomoCategories[category], gold }];
    });
    return { name, sessions, questions };
  });
}

/** QMSum (Zhong et al. 2021): query → every turn of the relevant spans of a meeting. */
export function qmsum(file = path.join(folder, 'qmsum-dev.json')) {
  return read(file)?.map(({ meeting_id: name, meeting_transcripts: turns, specific_query_list: queries }) => ({
    name,
    sessions: [
      {
        id: name,
        started: '2020-01-01T09:00:00Z',
        turns: turns.map(({ speaker, content }) => ({ speaker, text: content })),
      },
    ],
    questions: queries.map(({ query, relevant_text_span: spans }) => {
      const gold = new Set();
      for (const [first, last] of spans) {
        for (let turn = Number(first); turn <= Math.min(Number(last), turns.length - 1); turn++) {
          gold.add(placeOf(name, turn + 1));
        }
      }
      return { text: query, category: 'query', gold };
    }),
  }));
}
