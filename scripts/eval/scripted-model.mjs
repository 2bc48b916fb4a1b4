// What becomes of the answers of a good model. A server on this machine answers extraction prompts with what the cases themselves say is
// new and over. The judge sees what an agent is handed. Claims are named by the words of the question, as a model names what a sentence is about.
//   npm run eval -- scripted RUNNER CASES [flags]   RUNNER is called as `RUNNER BUILD CASES [flags]` and judges
// A case: { turns: { session, role, speaker?, text }[], questions: { ask, right, wrong }[], closes: { turn, by, from? }[], kind }.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const build = new URL('../../dist/index.js', import.meta.url).href;

/** Runs the judge over a build whose memories read with the scripted model; gives its exit status. */
export async function evaluateScripted([runner, file, ...flags]) {
  const cases = JSON.parse(readFileSync(file, 'utf8')).map(withClaims);
  const server = http.createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { messages, model } = JSON.parse(Buffer.concat(chunks));
    const prompt = messages
      .filter(({ role }) => role === 'user')
      .map(({ content }) => textOf(content))
      .join('\n');
    const message = { role: 'assistant', content: JSON.stringify({ items: answer(cases, prompt) }) };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        id: '1',
        object: 'chat.completion',
        created: 1,
        model,
        choices: [{ index: 0, message, finish_reason: 'stop' }],
      }),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'scripted-'));
  try {
    // The runner asks for rules; what it opens reads with the model of the environment instead.
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', exports: { '.': './index.js' } }));
    writeFileSync(
      join(folder, 'index.js'),
      `import { openMemory as open } from ${JSON.stringify(build)};\nexport const openMemory = ({ model, ...options }) => open(options);\n`,
    );
    const env = {
      ...process.env,
      GIT_MEMORY_MODEL: 'openai-compatible/scripted',
      GIT_MEMORY_MODEL_URL: `http://127.0.0.1:${server.address().port}/v1`,
    };
    const child = spawn(process.execPath, [runner, folder, file, ...flags], { env, stdio: 'inherit' });
    return await new Promise((resolve) => child.once('exit', resolve));
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const textOf = (content) => (typeof content === 'string' ? content : content.map(({ text }) => text).join(''));
const oneLine = (text) => text.replace(/\s+/g, ' ').trim();

/** Answers a prompt: the claims of the turns that are to be read, with the handles of those that they end. */
function answer(cases, prompt) {
  const asked = prompt.split('To be read now:').at(-1);
  const read = [...asked.matchAll(/^#(\d+) [^\n]*\n((?: {2}[^\n]*\n?)*)/gm)].map(([, number, text]) => ({
    number: Number(number),
    text: oneLine(text),
  }));
  const handles = [...prompt.matchAll(/^(k\d+) \d{4}-\d\d-\d\d (.*)$/gm)].map(([, handle, text]) => ({ handle, text }));
  const found = cases.find(({ turns }) => read.some(({ text }) => turns.some((turn) => oneLine(turn.text) === text)));
  if (found === undefined) return [];
  return read.flatMap(({ number, text }) => {
    const turn = found.turns.findIndex((one) => oneLine(one.text) === text);
    return (found.claims.get(turn) ?? []).map(({ ends, ...claim }) => ({
      ...claim,
      turns: [number],
      replaces: handles
        .filter(({ text: known }) => ends.some((old) => found.claims.get(old)?.[0].content === known))
        .map(({ handle }) => handle),
    }));
  });
}

/** Gives a case what a good model would find in each of its turns. */
function withClaims(one) {
  const claims = new Map();
  one.turns.forEach((turn, at) => {
    // What is taken back in the same conversation is left out, as the instructions say.
    if (one.closes.some(({ turn: old, by }) => old === at && one.turns[by].session === turn.session)) return;
    const ends = one.closes.filter(({ by }) => by === at);
    const claim = claimOf(one, turn, ends);
    if (claim !== undefined)
      claims.set(at, [{ ...claim, from: ends[0]?.from ?? null, ends: ends.map(({ turn: old }) => old) }]);
  });
  return { ...one, claims };
}

const supposed = /\?|\bif\b|\bmight\b|\bwould\b|\bplan\b|\bwanted to\b|["“]/i;
const matches = (text, words) =>
  words.length > 0 &&
  new RegExp(`(?<![\\p{L}\\p{N}]|\\d[.,:])(?:${words.join('|')})(?![\\p{L}\\p{N}]|[.,:]\\d)`, 'iu').test(text);

/** One sentence with the value that a question asks for, named by what it asks about. */
function claimOf(one, turn, ends) {
  const sentences = oneLine(turn.text).split(/(?<=\p{L}{3}[.!?…]|[^\p{L}][.!?…]|[!?…])\s+(?=\p{Lu}|\p{N}|["“])/u);
  const isValue = (text) => one.questions.some(({ right, wrong }) => matches(text, right) || matches(text, wrong));
  const said = sentences.filter((text) => isValue(text) && (ends.length > 0 || !supposed.test(text)));
  if (said.length === 0 && ends.length === 0) return undefined;
  const isRight = one.questions.some(({ right }) => matches(said.join(' '), right));
  if (one.kind === 'look-alike' && !isRight) return undefined;
  const speaker = turn.role === 'assistant' ? 'the assistant' : (turn.speaker ?? 'the user');
  const words = named(said.length > 0 ? said.join(' ') : oneLine(turn.text), speaker);
  const topic = topicOf(one.questions[0].ask);
  const lacking = topic.filter((word) => !words.toLowerCase().includes(word.toLowerCase().replace(/s$/, '')));
  const content = lacking.length === 0 ? words : `${topic.join(' ')}: ${words}`;
  return {
    category: 'fact',
    content,
    subject: turn.role === 'assistant' ? null : speaker,
    attribute: topic.join('_').toLowerCase(),
    confidence: 0.97,
    entities: [],
    topics: [],
    form: 'none',
    due: null,
  };
}

const empty = new Set(
  `a an and are as at be by did do does for from go had has have how i in is it its live many much my of on often or our s so that the their
  there they this through to us use used was we were what when where which who whom whose will with you your day time`.split(
    /\s+/,
  ),
);
const topicOf = (question) =>
  question
    .replace(/[?'’]s?\b|\?/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && !empty.has(word.toLowerCase()));

/** Names in the place of "I" and "my". */
function named(text, speaker) {
  return text
    .replace(/\bI['’]m\b/g, `${speaker} is`)
    .replace(/\bI['’](?:ve|d)\b/g, `${speaker} has`)
    .replace(/\bI['’]ll\b/g, `${speaker} will`)
    .replace(/\bI\b/g, speaker)
    .replace(/\b(?:my|mine)\b/gi, `${speaker}'s`)
    .replace(/\bme\b/g, speaker)
    .replace(/\bwe\b|\bus\b/gi, `${speaker} and others`)
    .replace(/\bour\b/gi, `${speaker}'s`);
}
