// What recall is compared with, each as many people would set it up. MiniSearch and SQLite FTS5 have Porter stems and a stop list, lunr is as it
// comes. For scripts without spaces there is MiniSearch over pairs of letters. `speaker: text`; titles in a field of their own.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import lunr from 'lunr';
import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import { placeOf } from './data.mjs';

const stopWords = new Set(
  `a about above after again against all am an and any are aren as at be because been before being below between both but by
  can cannot could couldn d did didn do does doesn doing don down during each few for from further had hadn has hasn have haven
  having he her here hers herself him himself his how i if in into is isn it its itself just let ll m me more most mustn my
  myself no nor not of off on once only or other ought our ours ourselves out over own re s same shan she should shouldn so some
  such t than that the their theirs them themselves then there these they this those through to too under until up ve very was
  wasn we were weren what when where which while who whom why will with won would wouldn you your yours yourself yourselves`.split(
    /\s+/,
  ),
);

const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
const asked = (query) => {
  const all = [...new Set(wordsOf(query))];
  const some = all.filter((word) => !stopWords.has(word));
  return some.length > 0 ? some : all;
};

/** What every baseline is given of a store: { id, title, text }. */
export function entriesOf({ sessions, documents }) {
  const turns = sessions.flatMap(({ id, turns: said }) =>
    said.map(({ speaker, role, text }, number) => ({
      id: placeOf(id, number + 1),
      title: '',
      text: `${speaker ?? (role === 'agent' ? 'assistant' : role)}: ${text}`,
    })),
  );
  return [...turns, ...documents.map(({ path: id, title, text }) => ({ id, title, text }))];
}

const miniSearch = (options) => (entries) => {
  const index = new MiniSearch({ fields: ['title', 'text'], ...options });
  index.addAll(entries);
  return (query) =>
    index
      .search(query)
      .slice(0, 50)
      .map(({ id }) => id);
};

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const pairsOf = (text) =>
  wordsOf(text).flatMap((word) => {
    const letters = [...word];
    return unspaced.test(word) ? letters.slice(0, -1).map((letter, number) => letter + letters[number + 1]) : [word];
  });

/** The SQLite that answers; null where none can be had. It is built for one machine, so the project does not depend on it. */
let sqlite;
function loadSqlite() {
  if (sqlite !== undefined) return sqlite;
  const place = process.env.GIT_MEMORY_EVAL_CACHE ?? path.join(tmpdir(), 'git-memory-eval');
  try {
    if (!existsSync(path.join(place, 'node_modules/better-sqlite3'))) {
      mkdirSync(place, { recursive: true });
      const manifest = { name: 'eval', private: true, allowScripts: { 'better-sqlite3': true } };
      writeFileSync(path.join(place, 'package.json'), JSON.stringify(manifest));
      execFileSync('npm', ['install', '--no-audit', '--no-fund', 'better-sqlite3@12'], {
        cwd: place,
        stdio: 'ignore',
        timeout: 120_000,
      });
    }
    const Database = createRequire(path.join(place, 'package.json'))('better-sqlite3');
    new Database(':memory:').close();
    sqlite = Database;
  } catch (error) {
    console.log(
      `SQLite FTS5 is skipped: better-sqlite3 cannot be had in ${place} (${String(error.message).split('\n')[0]})`,
    );
    sqlite = null;
  }
  return sqlite;
}

function fts5(entries, limit = 50) {
  const Database = loadSqlite();
  const base = new Database(':memory:');
  base.exec(`create virtual table t using fts5(id unindexed, title, text, tokenize='porter unicode61')`);
  const add = base.prepare('insert into t values (?, ?, ?)');
  base.transaction(() => {
    for (const { id, title, text } of entries) add.run(id, title, text);
  })();
  const find = base.prepare(`select id from t where t match ? order by bm25(t, 0, 2, 1) limit ${limit}`);
  return (query) => {
    const words = asked(query);
    return words.length === 0 ? [] : find.all(words.map((word) => `"${word}"`).join(' OR ')).map(({ id }) => id);
  };
}

function lunrIndex(entries) {
  const index = lunr(function build() {
    this.ref('id');
    this.field('title');
    this.field('text');
    for (const entry of entries) this.add(entry);
  });
  return (query) =>
    index
      .query((builder) => {
        for (const word of wordsOf(query)) builder.term(word);
      })
      .slice(0, 50)
      .map(({ ref }) => ref);
}

const processTerm = (term) => {
  const lower = term.toLowerCase();
  return stopWords.has(lower) ? null : stemmer(lower);
};

/** By name: makes a search of entries; each search gives ids, best first. FTS5 is absent where SQLite cannot be had. */
export function baselines() {
  return {
    minisearch: miniSearch({ processTerm }),
    ...(loadSqlite() === null ? {} : { fts5 }),
    lunr: lunrIndex,
    bigrams: miniSearch({ tokenize: pairsOf }),
  };
}
