// The teacher: a sentence model in ONNX, on one thread. Its vectors stay on disk, so that every table after the first costs seconds.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { addAt, toUnit } from './numbers.mjs';
import { piecesOfTeacher, readVocabulary } from './tokens.mjs';

/** How many numbers a vector of all-MiniLM-L6-v2 has. */
export const width = 384;

/** Opens the model of a folder (vocab.txt, onnx/model_quantized.onnx) with the onnxruntime-node that is found from `runtime`. */
export function openTeacher({ model, runtime, cache }) {
  const cut = piecesOfTeacher(readVocabulary(path.join(model, 'vocab.txt')));
  let opened;

  async function open() {
    const { InferenceSession, Tensor } = createRequire(path.resolve(runtime, '_'))('onnxruntime-node');
    const file = path.join(model, 'onnx/model_quantized.onnx');
    return { session: await InferenceSession.create(file, { intraOpNumThreads: 1, interOpNumThreads: 1 }), Tensor };
  }

  /** Texts of one length share a batch, so nothing is padded. A vector is the mean over a text's pieces, at unit length. */
  async function encode(texts) {
    opened ??= open();
    const { session, Tensor } = await opened;
    const vectors = new Float32Array(texts.length * width);
    const order = [...texts.keys()].sort((a, b) => texts[a].length - texts[b].length);
    for (let from = 0; from < order.length; ) {
      const { length } = texts[order[from]];
      const batch = order.slice(from, from + Math.ceil(1024 / length)).filter((at) => texts[at].length === length);
      const ids = batch.flatMap((at) => texts[at]);
      const tensor = (values) => new Tensor('int64', BigInt64Array.from(values, BigInt), [batch.length, length]);
      const result = await session.run({
        input_ids: tensor(ids),
        attention_mask: tensor(ids.map(() => 1)),
        token_type_ids: tensor(ids.map(() => 0)),
      });
      for (const [nth, at] of batch.entries()) {
        const vector = vectors.subarray(at * width, (at + 1) * width);
        for (let piece = nth * length; piece < (nth + 1) * length; piece++) {
          addAt(vector, 0, result.last_hidden_state.data, piece * width, width, 1);
        }
        toUnit(vector);
      }
      from += batch.length;
    }
    return vectors;
  }

  /** Gives a row of `width` numbers for each text. */
  return async (label, texts) => {
    const pieces = texts.map(cut);
    const key = createHash('sha256').update(JSON.stringify(pieces)).digest('hex').slice(0, 16);
    const file = path.join(cache, `${label}-${key}.f32`);
    if (!existsSync(file)) {
      console.log(`The teacher reads ${label}: ${texts.length} texts.`);
      mkdirSync(cache, { recursive: true });
      writeFileSync(`${file}.part`, await encode(pieces));
      renameSync(`${file}.part`, file);
    }
    const bytes = readFileSync(file);
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  };
}
