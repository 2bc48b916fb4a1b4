// @ts-check
// A process of its own in which transformers.js runs. Plain JavaScript, since Node starts this file as it stands.
//
// Why a process: a broken `sharp` under @xenova/transformers ends whatever imports it, past every `catch`. An abort inside onnxruntime
// takes a worker thread's whole process with it (microsoft/onnxruntime#24486). And both print to the streams they find.
//
//   comes   { module, modelFolder | download: { id, host, cacheFolder }, isQuantised }    once
//           { id, text }
//   goes    { progress: { file, done, total } }
//           { ready: { dimensions } }   or   { failed }      the answer to the first
//           { id, vector }   or   { id, failed }             the answer to a text

import path from 'node:path';

/** @param {unknown} message */
const tell = (message) => void process.send?.(message);

/** @param {any} error @returns {string} */
function reasonOf(error) {
  const cause = error?.cause;
  const more = cause ? ` (${cause.code ?? cause.message ?? cause})` : '';
  return `${error?.message ?? error}${more}`;
}

/** @type {((text: string) => Promise<Float32Array>) | undefined} */
let embed;

/** What is being embedded: one text after the other, as they came. */
let last = Promise.resolve();

/** @param {any} request */
async function load({ module, modelFolder, download, isQuantised }) {
  const imported = await import(module);
  const { env, pipeline } = imported.pipeline ? imported : imported.default;
  let model;
  if (download === undefined) {
    // A model as a path is understood by the newer package only; a folder's name below a base by both.
    env.localModelPath = path.dirname(modelFolder);
    env.allowRemoteModels = false;
    model = path.basename(modelFolder);
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
    progress_callback: download === undefined ? undefined : reporter(),
  });
  embed = async (text) => {
    // One text per call: 8-bit models round over the whole batch, and a vector must not depend on its neighbours.
    const output = await extract([text], { pooling: 'mean', normalize: true });
    return Float32Array.from(output.data);
  };
  return (await embed('dimensions')).length;
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

process.on('message', (/** @type {any} */ message) => {
  if (message.text === undefined) {
    load(message).then(
      (dimensions) => tell({ ready: { dimensions } }),
      (error) => tell({ failed: reasonOf(error) }),
    );
    return;
  }
  const { id, text } = message;
  last = last
    .then(() => embed?.(text))
    .then(
      (vector) => tell({ id, vector }),
      (error) => tell({ id, failed: reasonOf(error) }),
    );
});

// The process that started us is gone, by whatever death.
process.on('disconnect', () => process.exit(0));
