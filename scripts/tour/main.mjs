// `npm start`: the whole of git-memory in a minute of reading, on a copy of this project's own memory. Ends with git's judgement.

import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forgetRepository } from '../../dist/apps/cli/run.js';
import { styleFor } from '../../dist/apps/cli/terminal.js';
import { shortOid, shortTime } from '../../dist/apps/verbs/style.js';
import { count } from '../../dist/base/count.js';
import { openMemory } from '../../dist/memory/open-memory.js';
import { readMaterial } from './material.mjs';
import { BrokenPromise, hold, Stage } from './stage.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const contextPath = 'knowledge/projects/git-memory/context.md';
const coreMemoryPath = 'knowledge/memory/MEMORY.md';
/** What the project believed about its search index until 2026-11-11; the knowledge file holds what it believes since. */
const earlierBelief = '- Documents leave the search index with discard: it needs no old text';
const laterBelief = /^- Documents leave the search index with remove: .*$/m;

/** A clock that the tour sets, so that the same days pass on every machine. */
class ScriptedClock {
  time = Date.parse('2026-11-02T08:00:00Z');

  now() {
    return this.time;
  }

  set(time) {
    this.time = typeof time === 'string' ? Date.parse(time) : time;
  }
}

/** Ids that count up, so that the same files get the same names on every machine. */
function countedIds() {
  let count = 0;
  return {
    next() {
      count += 1;
      return `tour${String(count).padStart(8, '0')}`;
    },
  };
}

async function tour(stage, directory) {
  const material = readMaterial(root);
  const clock = new ScriptedClock();
  const ids = countedIds();
  const open = () =>
    openMemory({
      dir: directory,
      create: true,
      clock,
      ids,
    });

  stage.chapter('Begin');
  stage.say(
    'A memory is an ordinary git repository. Nothing else is the truth: no server, no database, no git program is needed.',
  );
  stage.code('const memory = await openMemory({ dir, create: true })');
  const memory = await open();
  try {
    await stage.commits(memory);
    await captureAll(stage, memory, clock, material);
    await liveSession(stage, memory, clock, directory);
    await extraction(stage, memory);
    await questions(stage, memory);
    await origin(stage, memory);
    await earlierDay(stage, memory);
    await takingBack(stage, memory, clock);
    await whatWasDone(stage, memory);
    const status = await memory.status();
    stage.say(
      `The memory holds ${count(status.conversations, 'conversation')}, ${count(status.memories, 'memory', 'memories')} and ${count(status.files, 'file')}.`,
    );
    hold(status.pending.length === 0, 'nothing is left uncommitted');
  } finally {
    await memory.close();
  }
}

async function captureAll(stage, memory, clock, material) {
  stage.chapter('Capture');
  stage.say(
    `This project has kept the conversations in which it was designed. Here they are recorded again, each on its own day, ` +
      `word for word, one commit each. On the way the knowledge about the search index is written down, and corrected a week later.`,
  );
  stage.code('await memory.captureText(markdown)');
  const context = material.knowledge.get(contextPath) ?? '';
  const belief = laterBelief.exec(context)?.[0];
  hold(belief !== undefined, `${contextPath} says how documents leave the search index`);
  let turns = 0;
  for (const conversation of material.conversations) {
    clock.set(conversation.ended + 60_000);
    const [captured] = await memory.captureText(conversation.text, { path: conversation.name });
    hold(captured?.commit !== null && captured !== undefined, 'a capture is committed when the call returns');
    hold((await memory.read(captured.path)).includes(lastWords(conversation.text)), 'a capture keeps every word');
    turns += captured.turns;
    if (conversation.text.includes('\nstarted: 2026-11-04')) {
      await memory.write(contextPath, context.replace(belief, earlierBelief));
      await memory.commit('what we know about the search index');
    }
    if (conversation.text.includes('\nstarted: 2026-11-11')) {
      await memory.edit(contextPath, earlierBelief, belief);
      await memory.commit('documents leave the index with remove');
    }
  }
  for (const [path, text] of material.knowledge) if (path !== contextPath) await memory.write(path, text);
  await memory.commit('what the project knows');
  await stage.commits(memory);
  stage.say(`${count(material.conversations.length, 'conversation')}, ${count(turns, 'turn')}.`);
}

function lastWords(text) {
  return text.trimEnd().split('\n').at(-1);
}

async function liveSession(stage, memory, clock, directory) {
  stage.chapter('A live session');
  stage.say(
    'An agent records while it talks. Every message is durable when its call returns, long before the session ends.',
  );
  stage.code("const session = await memory.startSession({ channel: 'terminal' })");
  clock.set('2026-11-20T10:00:00Z');
  const session = await memory.startSession({ channel: 'terminal', agent: 'agent', topic: 'review of the limits' });
  await session.message('user', 'Decision: the first release says plainly that Windows is untested.');
  clock.set('2026-11-20T10:02:00Z');
  await session.toolCall('read', 'README.md', 'the section on limits');
  await session.message('agent', 'I will add a sentence about Windows to the limits by 2026-11-23.');
  const other = await openMemory({ dir: directory, readOnly: true });
  const [seen] = (await other.recall('Windows is untested', { limit: 1 })).hits;
  await other.close();
  hold(seen?.path === session.path, 'another reader finds a message of an open session');
  stage.say('Asked by another reader, while the session is still open:');
  stage.hit(seen);
  clock.set('2026-11-20T10:05:00Z');
  const captured = await session.end();
  hold(captured.turns === 3 && captured.commit !== null, 'the session is committed when it ends');
  stage.say('The session ends, and is committed:');
  await stage.commits(memory);
}

async function extraction(stage, memory) {
  stage.chapter('Extract');
  stage.say(
    'Rules find decisions, promises, preferences and facts. One commit for each conversation holds all that was found in it.',
  );
  stage.code('await memory.extract()');
  const result = await memory.extract();
  const created = result.transcripts.flatMap((transcript) => transcript.created);
  hold(created.length >= 10, 'the rules find something in most conversations');
  await stage.commits(memory);
  const kinds = new Map();
  for (const { category = 'other' } of created) kinds.set(category, (kinds.get(category) ?? 0) + 1);
  stage.say(
    `${count(created.length, 'memory', 'memories')}: ${[...kinds].map(([kind, number]) => `${number} ${kind}`).join(', ')}.`,
  );
}

async function questions(stage, memory) {
  stage.chapter('Recall');
  stage.say(
    'Answers come from single turns, from sections of knowledge files and from memories, each with the commit that holds it.',
  );
  await question(stage, memory, 'a torn entry at the end of the journal', undefined, 'conversation');
  await question(stage, memory, 'release on a Friday', 'knowledge', 'knowledge');
  await question(stage, memory, 'review README limits', 'memory', 'memory');
}

async function question(stage, memory, query, category, expected) {
  stage.line();
  stage.code(`await memory.recall('${query}'${category === undefined ? '' : `, { category: '${category}' }`})`);
  const { hits } = await memory.recall(query, { limit: 2, ...(category === undefined ? {} : { category }) });
  hold(hits.length > 0, `“${query}” is answered`);
  hold(
    expected === 'knowledge' ? hits[0].path.startsWith('knowledge/') : hits[0].category === expected,
    `“${query}” is answered from ${expected}`,
  );
  for (const hit of hits) stage.hit(hit);
}

async function origin(stage, memory) {
  stage.chapter('Where it comes from');
  const { memories } = await memory.list();
  const decision = memories.find(({ content }) => content.includes('complete index.lock'));
  hold(decision !== undefined, 'the decision about index.lock became a memory');
  stage.say('One of these memories, traced from its file to the commit, to the session, to the very words:');
  stage.code(`await memory.provenance('${decision.id.slice(0, 10)}')`);
  const trace = await memory.provenance(decision.id);
  const [source] = trace.sources;
  hold(source?.text?.includes('complete index.lock') === true, 'provenance ends at the words themselves');
  stage.fact('memory', trace.path);
  stage.fact('commit', `${shortOid(trace.commits[0].oid)}  ${trace.commits[0].subject}`);
  stage.fact('session', source.path);
  stage.fact(
    'turn',
    `${source.turn}, ${source.role}, ${shortTime(source.time ?? '', stage.style)}, recorded by ${shortOid(source.commit ?? null)}`,
  );
  stage.quote(source.text);
}

async function earlierDay(stage, memory) {
  stage.chapter('On another day');
  stage.say(
    'Everything can be asked of any earlier state. On 5 November the search index was believed to work differently:',
  );
  stage.code("const then = await memory.at('2026-11-05')");
  stage.code("await then.recall('how do documents leave the index')");
  const then = await memory.at('2026-11-05');
  const { hits } = await then.recall('how do documents leave the index');
  const believed = hits.slice(0, 3).find(({ snippet }) => snippet.includes('with discard'));
  hold(believed !== undefined, 'the past is answered with what was believed then');
  hold(!hits.some(({ snippet }) => snippet.includes('with remove')), 'search in the past does not know the future');
  stage.hit(believed);
  stage.code(`await then.read('${contextPath}')`);
  hold((await then.read(contextPath)).includes(earlierBelief), 'the earlier belief stands in the earlier state');
  stage.quote(earlierBelief);
  stage.say('The same file today:');
  const today = await memory.read(contextPath);
  const belief = laterBelief.exec(today)?.[0];
  hold(belief !== undefined && !today.includes(earlierBelief), 'the later belief stands in the state of today');
  stage.quote(belief);
  const snapshot = await memory.snapshots.create('tour');
  hold(
    (await (await memory.at(snapshot.tag)).read(contextPath)) === today,
    'a snapshot names the state it was made of',
  );
  stage.say(`This state gets a name that never moves: ${snapshot.tag}, commit ${shortOid(snapshot.commit)}.`);
}

async function takingBack(stage, memory, clock) {
  stage.chapter('Taking things back');
  stage.say('A bad write gets in. Undo makes the inverse commit, and an undo can be undone as well.');
  stage.code(`await memory.edit('${coreMemoryPath}', right, wrong)`);
  stage.code('await memory.undo(commit)');
  clock.set('2026-11-20T11:00:00Z');
  const right = await memory.read(coreMemoryPath);
  await memory.edit(coreMemoryPath, 'release on Tuesday 2026-12-01', 'release on Friday 2027-01-01');
  const { commits } = await memory.commit('the release moves');
  const wrong = await memory.read(coreMemoryPath);
  hold(wrong !== right && commits.length === 1, 'the bad write is there');
  const undone = await memory.undo(commits[0]);
  hold(
    undone.conflicts.length === 0 && (await memory.read(coreMemoryPath)) === right,
    'undo restores the file exactly',
  );
  const redone = await memory.undo(undone.commit);
  hold((await memory.read(coreMemoryPath)) === wrong, 'undoing the undo brings the write back');
  const settled = await memory.undo(redone.commit);
  hold(settled.commit !== null && (await memory.read(coreMemoryPath)) === right, 'and that can be undone too');
  await stage.commits(memory);
  stage.good('wrong, right, wrong, right: every state was exact');
}

async function whatWasDone(stage, memory) {
  stage.chapter('What was done');
  stage.code('await memory.log()');
  const { commits } = await memory.log({ limit: 200 });
  const operations = new Map();
  for (const { operation } of commits)
    operations.set(operation ?? 'other', (operations.get(operation ?? 'other') ?? 0) + 1);
  stage.say(
    `${count(commits.length, 'commit')}: ${[...operations].map(([name, number]) => `${number} ${name}`).join(', ')}.`,
  );
  stage.say('Each has trailers that programs can read. One of them in full:');
  const extracted = commits.find(({ operation }) => operation === 'extract');
  hold(extracted !== undefined, 'the log knows what was extracted');
  stage.fact('subject', extracted.subject);
  for (const { key, value } of extracted.trailers) stage.fact(key, value);
}

/** Lets native git judge what the engine wrote; says so when there is none. */
function proof(stage, directory) {
  stage.chapter('Proof');
  const environment = { ...process.env };
  forgetRepository(environment);
  const git = (...args) => spawnSync('git', ['-C', directory, ...args], { encoding: 'utf8', env: environment });
  const version = git('--version');
  if (version.status !== 0) {
    stage.say('No git program was found here, so nobody else can confirm it. None was needed either.');
    return;
  }
  stage.say(`Judged by ${version.stdout.trim()}, which had no part in any of this:`);
  const fsck = git('fsck', '--strict');
  hold(fsck.status === 0, `git fsck --strict finds nothing: ${fsck.stdout}${fsck.stderr}`);
  stage.good('git fsck --strict: every object is sound');
  const status = git('status', '--porcelain');
  hold(status.status === 0 && status.stdout === '', `git status is clean: ${status.stdout}${status.stderr}`);
  stage.good('git status --porcelain: nothing is changed, nothing is missing');
  const commits = git('rev-list', '--count', 'HEAD').stdout.trim();
  stage.good(`git rev-list --count HEAD: ${commits} commits`);
}

function farewell(stage, directory) {
  const program = relative(process.cwd(), join(root, 'dist/program/main.js'));
  stage.chapter('Go on');
  stage.say(`The folder stays: ${directory}`);
  stage.line(`   git -C ${directory} log --stat`);
  stage.line(`   node ${program} recall Friday --dir ${directory}`);
  stage.line(`   node ${program} help`);
  stage.line(`   node ${program} ui --dir ${directory}`);
}

/** Serves the page of the copy to a person at a terminal, until Ctrl C; a script, or CI, gets the command alone. */
function showPage(stage, directory) {
  if (!process.stdin.isTTY || !process.stdout.isTTY || process.env.CI) return;
  stage.say('');
  stage.say(
    'See it in a browser: days, claims, where each was said. The address works until Ctrl C; the folder stays.',
  );
  process.on('SIGINT', () => {});
  spawnSync(process.execPath, [join(root, 'dist/program/main.js'), 'ui', '--no-open', '--dir', directory], {
    stdio: 'inherit',
  });
}

const stage = new Stage(styleFor(process.stdout), (text) => process.stdout.write(text));
try {
  stage.title("git-memory: a tour on a copy of this project's own memory");
  const directory = mkdtempSync(join(tmpdir(), 'git-memory-tour-'));
  await tour(stage, directory);
  proof(stage, directory);
  farewell(stage, directory);
  showPage(stage, directory);
} catch (error) {
  process.stdout.write('\n');
  process.stderr.write(
    `${error instanceof BrokenPromise || !(error instanceof Error) ? String(error) : error.stack}\n`,
  );
  process.exitCode = 1;
}
