// @ts-check
// A process of its own in which a model runs, by the packages of transformers.js. Plain JavaScript, since Node starts this file as it stands.
//
// Why a process: a broken `sharp` under @xenova/transformers ends whatever imports it, past every `catch`. An abort inside onnxruntime
// takes a worker thread's whole process with it (microsoft/onnxruntime#24486). And both print to the streams they find.
//
//   comes   { module, modelFolder | download: { id, host, cacheFolder }, isQuantised } | { module, weights }    once
//           { id, input, isQuestion }    a text, or { rows, parts } for weights that are no embedder's
//   goes    { progress: { file, done, total } }
//           { ready: { dimensions } }   or   { failed }      the answer to the first
//           { id, vector }   or   { id, failed }             the answer to an input; a question goes before all that wait

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** @typedef {(input: any) => Promise<Float32Array>} Run */

/** @param {unknown} message */
const tell = (message) => void process.send?.(message);

/** @param {any} error @returns {string} */
function reasonOf(error) {
  const cause = error?.cause;
  const more = cause ? ` (${cause.code ?? cause.message ?? cause})` : '';
  return `${error?.message ?? error}${more}`;
}

// One text is too little work to share: a second thread doubles the processor's time and leaves the clock's as it is.
// To rewrite the graph first costs a command 0.11 s, and saves a tenth of the time of a text.
const forSession = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  graphOptimizationLevel: 'disabled',
  executionProviders: ['cpu'],
  logSeverityLevel: 3,
};

/** @param {any} request @returns {Promise<Run>} */
async function load(request) {
  if (request.weights !== undefined) return byRows(request);
  if (request.download === undefined) {
    // What the parts cannot do, the whole package does or says why not.
    const direct = await byParts(request).catch(() => undefined);
    if (direct !== undefined) return direct;
  }
  return byPackage(request);
}

/**
 * Runs a model with no more of the package than its tokenizer and onnxruntime: half of the time until the first vector, and no `sharp`.
 *
 * @param {any} request @returns {Promise<Run>}
 */
async function byParts({ module, modelFolder, isQuantised }) {
  const { InferenceSession, Tensor } = createRequire(module)('onnxruntime-node');
  /** @param {string} name */
  const read = (name) => JSON.parse(readFileSync(path.join(modelFolder, name), 'utf8'));
  const settings = read('tokenizer_config.json');
  const weights = path.join(modelFolder, 'onnx', `model${isQuantised ? '_quantized' : ''}.onnx`);
  const tokenize = await tokenizerOf(module, modelFolder, read, settings);
  const model = await InferenceSession.create(weights, forSession);
  const output = model.outputNames.find((/** @type {string} */ name) =>
    ['last_hidden_state', 'token_embeddings'].includes(name),
  );
  const filled = { input_ids: undefined, attention_mask: 1n, token_type_ids: 0n };
  if (output === undefined || model.inputNames.some((/** @type {string} */ name) => !(name in filled))) {
    throw new Error('other inputs and outputs than those of an encoder');
  }
  const longest = Math.min(settings.model_max_length ?? read('config.json').max_position_embeddings, 2 ** 20);
  return async (text) => {
    const ids = BigInt64Array.from(tokenize(text).slice(0, longest), BigInt);
    const { length } = ids;
    const feeds = Object.fromEntries(
      model.inputNames.map((/** @type {keyof typeof filled} */ name) => {
        const value = filled[name];
        const row = value === undefined ? ids : new BigInt64Array(length).fill(value);
        return [name, new Tensor('int64', row, [1, length])];
      }),
    );
    const { data, dims } = (await model.run(feeds))[output];
    const dimensions = dims[2];
    const sums = new Float64Array(dimensions);
    for (let at = 0; at < data.length; at++) sums[at % dimensions] += data[at];
    const size = Math.hypot(...sums);
    return Float32Array.from(sums, (sum) => sum / size);
  };
}

/**
 * Runs an encoder with one row of outputs. It gives them as they are.
 *
 * @param {any} request @returns {Promise<Run>}
 */
async function byRows({ module, weights }) {
  const { InferenceSession, Tensor } = createRequire(module)('onnxruntime-node');
  const model = await InferenceSession.create(weights, forSession);
  return async ({ rows, parts }) => {
    /** @param {Iterable<number>} row */
    const tensor = (row) => new Tensor('int64', BigInt64Array.from(row, BigInt), [1, rows.length]);
    const masks = { input_ids: rows, attention_mask: rows.map(() => 1), token_type_ids: parts };
    const { logits } = await model.run(Object.fromEntries(Object.entries(masks).map(([k, row]) => [k, tensor(row)])));
    return Float32Array.from(logits.data);
  };
}

/**
 * Gives what turns a text into numbers of word pieces. Version 4 keeps it in a package of its own; those before, in a file.
 *
 * @param {string} module @param {string} modelFolder @param {(name: string) => any} read @param {any} settings
 * @returns {Promise<(text: string) => number[]>}
 */
async function tokenizerOf(module, modelFolder, read, settings) {
  const require = createRequire(module);
  // Its module lies in dist/ or src/.
  if ('@huggingface/tokenizers' in require('../package.json').dependencies) {
    const { Tokenizer } = require('@huggingface/tokenizers');
    const tokenizer = new Tokenizer(read('tokenizer.json'), settings);
    return (text) => tokenizer.encode(text).ids;
  }
  const { env } = await import(new URL('../src/env.js', module).href);
  const { AutoTokenizer } = await import(new URL('../src/tokenizers.js', module).href);
  const tokenizer = await AutoTokenizer.from_pretrained(localModel(env, modelFolder));
  return (text) => tokenizer.encode(text);
}

/**
 * Makes a package look for models on the disk alone. A model as a path is understood by the newer package only; a folder's name below a base by
 * both.
 *
 * @param {any} env @param {string} modelFolder
 */
function localModel(env, modelFolder) {
  env.localModelPath = path.dirname(modelFolder);
  env.allowRemoteModels = false;
  return path.basename(modelFolder);
}

/** @param {any} request @returns {Promise<Run>} */
async function byPackage({ module, modelFolder, download, isQuantised }) {
  const imported = await import(module);
  const { env, pipeline } = imported.pipeline ? imported : imported.default;
  if (env.backends?.onnx?.wasm !== undefined) env.backends.onnx.wasm.numThreads = 1;
  let model;
  if (download === undefined) {
    model = localModel(env, modelFolder);
  } else {
    env.allowLocalModels = false;
    env.allowRemoteModels = true;
    env.remoteHost = download.host;
    env.cacheDir = download.cacheFolder;
    env.useFSCache = true;
    model = download.id;
  }
  const extract = await pipeline('feature-extraction', model, {
    // Each of the two packages ignores the other's key.
    quantized: isQuantised,
    dtype: isQuantised ? 'q8' : 'fp32',
    session_options: forSession,
    progress_callback: download === undefined ? undefined : reporter(),
  });
  return async (text) => {
    // One text per call: 8-bit models round over the whole batch, and a vector must not depend on its neighbours.
    const output = await extract([text], { pooling: 'mean', normalize: true });
    return Float32Array.from(output.data);
  };
}

/** Passes on how far downloads are, ten times a second at most. */
function reporter() {
  let last = 0;
  return (/** @type {any} */ event) => {
    if (event.status !== 'progress' || !(event.total > 0)) return;
    if (event.loaded < event.total && Date.now() - last < 100) return;
    last = Date.now();
    tell({ progress: { file: event.file, done: event.loaded, total: event.total } });
  };
}

/** @type {Run | undefined} */
let run;
/** @type {{ id: number, input: any }[]} */
const waiting = [];
let isAtWork = false;

async function work() {
  if (isAtWork) return;
  isAtWork = true;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { id, input } = next;
    try {
      tell({ id, vector: await run?.(input) });
    } catch (error) {
      tell({ id, failed: reasonOf(error) });
    }
  }
  isAtWork = false;
}

async function begin(/** @type {any} */ request) {
  try {
    run = await load(request);
    const first = request.weights === undefined ? 'dimensions' : { rows: [0], parts: [0] };
    tell({ ready: { dimensions: (await run(first)).length } });
  } catch (error) {
    tell({ failed: reasonOf(error) });
  }
}

process.on('message', (/** @type {any} */ message) => {
  if (message.input === undefined) return void begin(message);
  if (message.isQuestion) waiting.unshift(message);
  else waiting.push(message);
  void work();
});

// The process that started us is gone, by whatever death.
process.on('disconnect', () => process.exit(0));
