// The evaluation: how well recall finds what answers a question, by words alone, with the table of vectors and with a transformer. The sets
// come with the worst first: where the product lost most to words alone, or, with one system, where least is found.
//   npm run eval                        all sets, and then `news` and `evidence`.
//   npm run eval -- locomo other-words  some sets.
//   npm run eval -- locomo --file FILE  another file of the same form.
//   npm run eval -- --options JSON      with options of recall, such as {"recency":0.2}.
//   npm run eval -- --extract           with what the rules extract beside the turns; a memory stands for the turns it was taken from.
//   npm run eval -- --write             with MiniSearch, FTS5 and lunr, keeps the figures in results.json and makes docs/search-evaluation.md.
// The others:
//   news                  is the news handed, where all turns of a writer are in one memory?
//   pairs [2] [20]        the same in memories of two and of twenty turns.
//   evidence [SETS]       is the evidence of questions to conversations handed whole?
//   nothing               does recall tell questions about nothing known from others?
//   change, handed [lives] [pairs] [statements] [gist-texts]    cases written by hand, and their judges.
//   endings [SETS]        what is over although nobody ended it; has to be 0.
//   context, extraction, keep, lives, weeks     see context.mjs, extraction/main.mjs, keep.mjs, lives.mjs, weeks.mjs.
// Options of all but the last line:
//   --system words,table,model   what recall ranks with (default all three); also minisearch, fts5, lunr and bigrams, where sets are asked.
//   --table FOLDER        another table; {w} in it is the name of the writer that is judged.
//   --model FOLDER        another transformer model.
//   --every N --offset K  every Nth question, pair or case from the Kth on.

import { parseArgs } from 'node:util';

/** These read their arguments themselves. */
const others = {
  extraction: async (args) => (await import('./extraction/main.mjs')).evaluateExtraction(args),
  lives: async (args) => process.exit(await (await import('./lives.mjs')).evaluateLives(args)),
  context: async (args) => (await import('./context.mjs')).evaluateContext(args),
  keep: async (args) => (await import('./keep.mjs')).evaluateKeep(args),
  weeks: async (args) => (await import('./weeks.mjs')).evaluateWeeks(args),
};
const [command, ...rest] = process.argv.slice(2);
if (Object.hasOwn(others, command ?? '')) {
  await others[command](rest);
  process.exit();
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...Object.fromEntries(
      ['system', 'table', 'model', 'every', 'offset', 'file', 'options'].map((name) => [name, { type: 'string' }]),
    ),
    extract: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const given = { ...values, every: Number(values.every ?? 1), offset: Number(values.offset ?? 0) };
const measures = {
  news: async (how) => (await import('./handed.mjs')).evaluateNews(how),
  pairs: async (how) => (await import('./handed.mjs')).evaluatePairs(how),
  evidence: async (how) => (await import('./handed.mjs')).evaluateEvidence(how),
  nothing: async (how) => (await import('./nothing.mjs')).evaluateNothing(how),
  endings: async (how) => (await import('./endings.mjs')).evaluateEndings(how),
  change: async (how) => (await import('./judges.mjs')).evaluateJudged('change', how),
  handed: async (how) => (await import('./judges.mjs')).evaluateJudged('handed', how),
};
// These open memories themselves.
const isOwn = ['change', 'handed', 'endings'].includes(positionals[0]);
const { rankings } = await import('./systems.mjs');
const { found, close } = isOwn ? {} : await rankings(values);
if (Object.hasOwn(measures, positionals[0] ?? '')) {
  await measures[positionals[0]]({ ...given, found, positionals: positionals.slice(1) });
} else {
  const { evaluateSets } = await import('./scoreboard.mjs');
  await evaluateSets(positionals, { ...given, found });
  if (positionals.length === 0 && !values.write) {
    for (const name of ['news', 'evidence']) await measures[name]({ ...given, found, positionals: [] });
  }
}
await close?.();
