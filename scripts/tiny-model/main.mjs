// Makes a tiny BERT with its tokenizer, laid out as transformers.js reads models: real code paths without anybody's weights.
//   node scripts/tiny-model/main.mjs FOLDER [--dimensions 32]
// The same bytes on every machine. It learned nothing; but its word embeddings outweigh all else, so texts that share words
// come out close, and a test can expect an order.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bertModel } from './bert.mjs';
import { configOf, specialTokens, tokenizer, tokenizerConfig, vocabulary } from './tokenizer.mjs';
import { randomWeights } from './weights.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dimensions: { type: 'string', default: '32' } },
});
const [folder] = positionals;
const dimensions = Number(values.dimensions);
if (folder === undefined || positionals.length > 1 || !(dimensions >= 16 && dimensions % 16 === 0)) {
  console.error('Usage: node scripts/tiny-model/main.mjs FOLDER [--dimensions N], N a multiple of 16');
  process.exit(2);
}

const shape = {
  words: vocabulary.length,
  dimensions,
  layers: 2,
  heads: dimensions / 16,
  inner: dimensions * 2,
  positions: 128,
};
const weights = randomWeights(shape);
const json = (value) => `${JSON.stringify(value, null, 1)}\n`;

mkdirSync(path.join(folder, 'onnx'), { recursive: true });
for (const [name, content] of Object.entries({
  'config.json': json(configOf(shape)),
  'tokenizer.json': json(tokenizer),
  'tokenizer_config.json': json({ ...tokenizerConfig, model_max_length: shape.positions }),
  'special_tokens_map.json': json(specialTokens),
  'onnx/model.onnx': bertModel(shape, weights, { quantised: false }),
  'onnx/model_quantized.onnx': bertModel(shape, weights, { quantised: true }),
})) {
  writeFileSync(path.join(folder, name), content);
}
