#!/usr/bin/env node
// @ts-check
// The program `git-memory`, which git runs for `git memory`, as it is installed: dist/program/main.js. Plain JavaScript in the form that Node
// starts quickest. It loads the parts that bundle.mjs made, and keeps what V8 made of them in the user's cache, a file for each verb, with the
// functions that this verb ran: compiling them is most of what a command takes from cold.
//
//   <user's cache>/compiled/<build, Node, flags>/<verb>     {"sha1":…,"runs":1,"parts":[["run.js",length],…]} LF bytes of each part
//
// A file that is damaged, of another user or of another build, Node or flags is not used. Whoever has no such folder is as quick as without.

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');

/** Changes with every part; written by the build. */
const build = '@BUILD@';
/** What a verb runs differs a little from time to time: after so many runs nothing is added. */
const learningRuns = 3;

/** @typedef {{ script: import('node:vm').Script, isKnown: boolean }} Part */

/** @type {Map<string, { exports: any }>} */
const modules = new Map();
/** @type {Map<string, Part>} */
const parts = new Map();
const place = placeOfCompiled();
const kept = place === undefined ? undefined : readCompiled(place);

/** @param {string} name */
function load(name) {
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  const filename = path.join(__dirname, name);
  const cachedData = kept?.parts.get(name);
  // Parts are ASCII, so that their bytes are their text. They are CommonJS as Node and bundlers take it; a script of our own making
  // may not import for itself.
  const text = fs.readFileSync(filename, 'latin1').replaceAll('import("', 'importOther("');
  const module = { exports: {} };
  modules.set(name, module);
  const script = new vm.Script(
    `(function (exports, require, module, __filename, __dirname, importOther) {${text}\n})`,
    {
      filename,
      ...(cachedData && { cachedData }),
    },
  );
  parts.set(name, { script, isKnown: cachedData !== undefined && script.cachedDataRejected === false });
  script.runInThisContext()(module.exports, requirePart, module, filename, __dirname, importOther);
  return module.exports;
}

/** Says why nothing can run: to a person, or in one line to the agent whose session begins. @param {Error} error */
function tellBroken({ message }) {
  const why = `git-memory does not work here: ${message} (\`npm install --global git-memory\` under Node 20 or newer mends it)`;
  if (process.argv[2] !== 'hook') {
    process.exitCode = 1;
    return console.error(why);
  }
  try {
    const { hook_event_name: name } = JSON.parse(fs.readFileSync(0, 'utf8'));
    const told = { SessionStart: { hookSpecificOutput: { hookEventName: name, additionalContext: why } } };
    const answer = { ...told, sessionStart: { additional_context: why } }[/** @type {'SessionStart'} */ (name)];
    if (answer !== undefined) console.log(JSON.stringify(answer));
  } catch {
    // That was no event.
  }
}

/** @param {string} id */
function requirePart(id) {
  return id.startsWith('./') ? load(id.slice(2)) : require(id);
}

/** @param {string} id */
function importOther(id) {
  return import(id);
}

/** Names the file for what this command line runs; undefined where nothing is to be kept. */
function placeOfCompiled() {
  const { env, platform, versions, arch, execArgv } = process;
  if (env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const home = platform === 'win32' ? env.USERPROFILE : env.HOME;
  const base =
    platform === 'darwin'
      ? home && path.join(home, 'Library', 'Caches')
      : platform === 'win32'
        ? env.LOCALAPPDATA || (home && path.join(home, 'AppData', 'Local'))
        : env.XDG_CACHE_HOME || (home && path.join(home, '.cache'));
  if (!env.NODE_COMPILE_CACHE && !base) return undefined;
  const folder = env.NODE_COMPILE_CACHE || path.join(/** @type {string} */ (base), 'git-memory', 'compiled');
  // What a person may write there, but not as long as he likes.
  const flags = [...execArgv, env.NODE_OPTIONS ?? ''].join(' ').replace(/[^\w=-]+/g, '_');
  if (flags.length > 80) return undefined;
  const args = process.argv.slice(2);
  const verb = args.find((arg) => !arg.startsWith('-')) ?? '';
  const asksHelp = verb === 'help' || args.includes('--help') || args.includes('-h');
  const name = asksHelp || !/^[a-z-]{1,20}$/.test(verb) ? 'help' : verb;
  return path.join(path.resolve(folder), `${build}-${versions.node}-${arch}${flags}`, name);
}

/** @param {string} file */
function readCompiled(file) {
  try {
    const descriptor = fs.openSync(file, 'r');
    try {
      // Code of somebody else is not run.
      const { uid, mode } = fs.fstatSync(descriptor);
      if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0)) return undefined;
      const bytes = fs.readFileSync(descriptor);
      const end = bytes.indexOf(10);
      const head = JSON.parse(bytes.toString('latin1', 0, end));
      const body = bytes.subarray(end + 1);
      if (hashOf(body) !== head.sha1) return undefined;
      /** @type {Map<string, Buffer>} */
      const found = new Map();
      let at = 0;
      for (const [name, length] of head.parts) {
        found.set(name, body.subarray(at, at + length));
        at += length;
      }
      return { runs: head.runs, parts: found };
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** @param {Uint8Array} bytes @returns {string} */
function hashOf(bytes) {
  return require('node:crypto').createHash('sha1').update(bytes).digest('hex');
}

/** Keeps what was compiled, unless this verb has run often enough and nothing is new. */
function keepCompiled() {
  if (place === undefined) return;
  const isNew = [...parts.values()].some(({ isKnown }) => !isKnown);
  if (kept !== undefined && kept.runs >= learningRuns && !isNew) return;
  try {
    const all = new Map(kept?.parts);
    for (const [name, { script }] of parts) all.set(name, script.createCachedData());
    const body = Buffer.concat([...all.values()]);
    const lengths = [...all].map(([name, { length }]) => [name, length]);
    const head = JSON.stringify({ sha1: hashOf(body), runs: (kept?.runs ?? 0) + 1, parts: lengths });
    const folder = path.dirname(place);
    if (fs.mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) leaveFew(path.dirname(folder), folder);
    const temporary = `${place}.${process.pid}`;
    fs.writeFileSync(temporary, Buffer.concat([Buffer.from(`${head}\n`), body]), { mode: 0o600, flag: 'wx' });
    fs.renameSync(temporary, place);
  } catch {
    // A disk that refuses costs the next command what this one took.
  }
}

/** Leaves, of what other builds and versions kept, the two that were written last. @param {string} parent @param {string} own */
function leaveFew(parent, own) {
  const others = fs
    .readdirSync(parent)
    .map((name) => path.join(parent, name))
    .filter((folder) => folder !== own)
    .map((folder) => ({ folder, time: fs.statSync(folder).mtimeMs }))
    .sort((one, other) => other.time - one.time);
  for (const { folder } of others.slice(2)) fs.rmSync(folder, { recursive: true, force: true });
}

// V8 makes bytecode of a pattern first, which for long ones takes longer than the machine code that follows: an extraction in a process of
// its own takes half the time without. It also makes a function quick once it has run 66 kB of bytecode, which pays in a process that
// lives on: a short command takes 20 ms less where it waits longer. A version that we do not know may have no such flag, and would say so.
if (Number.parseInt(process.versions.node, 10) <= 24) {
  try {
    v8.setFlagsFromString('--no-regexp-tier-up');
    v8.setFlagsFromString('--interrupt-budget=600000');
  } catch {
    // Not everything that runs this has V8.
  }
}
process.on('exit', keepCompiled);
// Once nothing is left to wait for, taking down what the process holds is the system's work, which is quicker at it.
process.once('beforeExit', () => process.exit());
if (Number.parseInt(process.versions.node, 10) < 20)
  tellBroken(new Error(`it needs Node 20 or newer, and ${process.execPath} is ${process.version}`));
else
  Promise.resolve()
    .then(() => load('run.js').run())
    .catch(tellBroken);
