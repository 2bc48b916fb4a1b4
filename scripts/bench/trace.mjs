// How far one call goes through the engine: functions called, files, changes of file, packages crossed and entered again. No clock.
// The sources are bundled with a note at the beginning of each function; the second call of each kind is counted.

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';
import { heading, table } from './measure.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const source = path.join(root, 'src');

/** Lists what is to be written into a file, so that each function notes its number and the file's when it is called. */
function notesIn(id, code, file, nextFunction) {
  const { program } = parseSync(id, code, { lang: 'ts', sourceType: 'module' });
  const notes = [];
  const note = ({ body, expression }) => {
    if (body === null) return;
    const call = `globalThis.tracedCall(${file}, ${nextFunction()})`;
    if (expression === true) {
      notes.push({ at: body.start, text: `(${call}, (` }, { at: body.end, text: '))' });
    } else notes.push({ at: body.start + 1, text: `${call};` });
  };
  const visitor = new Visitor({
    FunctionDeclaration: note,
    FunctionExpression: note,
    ArrowFunctionExpression: note,
  });
  visitor.visit(program);
  return notes.sort((one, other) => other.at - one.at);
}

/** Bundles the engine with its notes, and gives the names of its files by number. It lies as deep in dist/ as the library: data is found from there. */
async function build(out) {
  const files = [];
  let functions = 0;
  const traced = {
    name: 'traced',
    transform(code, id) {
      if (!id.startsWith(source) || !id.endsWith('.ts')) return null;
      const file = files.push(path.relative(source, id)) - 1;
      let noted = code;
      for (const { at, text } of notesIn(id, code, file, () => functions++))
        noted = noted.slice(0, at) + text + noted.slice(at);
      return { code: noted };
    },
  };
  const bundle = await rolldown({
    input: path.join(source, 'index.ts'),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
    plugins: [traced],
    logLevel: 'silent',
  });
  await bundle.write({ dir: out, format: 'esm', entryFileNames: 'index.mjs', codeSplitting: false });
  await bundle.close();
  return files;
}

const packageOf = (file) => file.split('/')[0];

/** Counts what is noted while something runs. */
async function counted(files, run) {
  const seen = { calls: 0, functions: new Set(), files: new Set(), changes: 0, crossed: 0, entered: new Map() };
  let last = -1;
  globalThis.tracedCall = (file, number) => {
    seen.calls += 1;
    seen.functions.add(number);
    seen.files.add(file);
    if (file === last) return;
    seen.changes += 1;
    const at = packageOf(files[file]);
    if (last < 0 || packageOf(files[last]) !== at) {
      seen.crossed += 1;
      seen.entered.set(at, (seen.entered.get(at) ?? 0) + 1);
    }
    last = file;
  };
  await run();
  globalThis.tracedCall = () => undefined;
  const [[most, times] = ['', 0]] = [...seen.entered].sort(([, one], [, other]) => other - one);
  return [
    seen.calls,
    seen.functions.size,
    seen.files.size,
    seen.changes,
    seen.entered.size,
    seen.crossed,
    `${most} ${times}`,
  ];
}

/** A memory of a few memories and turns, with a remote of its own. */
async function filled(openMemory, dir) {
  const memory = await openMemory({ dir, create: true, model: null });
  spawnSync('git', ['init', '-q', '--bare', `${dir}.git`]);
  spawnSync('git', ['-C', dir, 'remote', 'add', 'origin', `${dir}.git`]);
  for (const city of ['Riga', 'Porto', 'Lima']) await memory.remember(`Ana has been to ${city}.`);
  await memory.commit();
  return memory;
}

export async function benchTrace({ root: dir, hasGit }) {
  const out = path.join(root, 'dist', 'trace');
  mkdirSync(out, { recursive: true });
  mkdirSync(dir, { recursive: true });
  globalThis.tracedCall = () => undefined;
  const files = await build(out);
  const { openMemory } = await import(pathToFileURL(path.join(out, 'index.mjs')).href);
  const memories = await Promise.all(['one', 'two'].map((name) => filled(openMemory, path.join(dir, name))));
  const [memory] = memories;
  const ways = {
    remember: (at) => memory.remember(`My cat is called Minka (${at}).`),
    capture: (at) => memory.capture(`We host on Hetzner (${at}).`),
    recall: () => memory.recall('What is the cat called?'),
    context: () => memory.context('What is the cat called?'),
    undo: () => memory.undo('HEAD'),
    ...(hasGit ? { 'first push': (at) => memories[at - 1].sync() } : {}),
  };
  const rows = [];
  for (const [name, run] of Object.entries(ways)) {
    await run(1);
    rows.push([name, ...(await counted(files, () => run(2)))]);
  }
  for (const one of memories) await one.close();
  rmSync(out, { recursive: true, force: true });
  heading('How far a call goes, counted in functions of the engine; of each the second call');
  table([['call', 'calls', 'functions', 'files', 'changes of file', 'packages', 'crossings', 'entered most'], ...rows]);
}
