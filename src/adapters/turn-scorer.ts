// A scorer of turns that runs in a process of its own (running-model.ts). It is a BERT with one row of outputs for a turn and what stands before
// it.
//
//   turns.int8.onnx   input_ids, attention_mask, token_type_ids → logits: worth, the categories in the order of language/, standing
//   vocab.txt         its word pieces, lower case without accents
//
//   rows    [CLS] assistant: we moved it to friday [SEP] when is it ? [SEP]
//   parts     0       0    0  0   0   0  0    0      0    1    1  1 1   1

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MemoryError, orElse } from '../base/errors.ts';
import type { SpokenText, TurnScorer } from '../base/ports.ts';
import { plainText, wordCutter } from '../base/word-pieces.ts';
import { categories } from '../language/index.ts';
import { placeOfModel, scorerWeightsIn } from './model-folder.ts';
import { type RunningModel, type RunOptions, runModel } from './running-model.ts';

/** So many rows it was trained with; the longer of the two texts loses its end. */
const mostRows = 112;
/** Letters and digits make words, any other sign stands alone. */
const words = /[^\s\p{P}\p{S}]+|[\p{P}\p{S}]/gu;
/** A longer text has more word pieces than are looked at. */
const mostRead = 2000;

/**
 * Gives a scorer of turns, by its name or folder. Its process starts with the first texts.
 *
 * @throws MemoryError EMBEDDER_UNAVAILABLE when no package that runs models is installed or works here, or the folder holds no whole scorer.
 * INVALID_ARGUMENT for a name that is no model. The reason of an abort goes through.
 */
export async function turnScorer(
  name: string,
  options: RunOptions = {},
): Promise<TurnScorer & Pick<RunningModel, 'runtime'>> {
  const { folder } = placeOfModel(name);
  const weights = scorerWeightsIn(folder);
  const rowsOf = weights === undefined ? undefined : rowsBy(path.join(folder, 'vocab.txt'));
  if (weights === undefined || rowsOf === undefined) {
    throw new MemoryError('EMBEDDER_UNAVAILABLE', `there is no scorer of turns in ${folder}`, {
      where: name,
      hint: 'It is a folder with turns.int8.onnx and vocab.txt. Add one with `git memory model add ./FOLDER`',
    });
  }
  const request = { weights: path.join(folder, weights), isQuantised: true };
  const running = await runModel({ name, folder, isQuantised: true, request }, options);
  const outputs = categories.length + 2;
  if (running.dimensions !== outputs) {
    await running.close();
    throw new MemoryError('EMBEDDER_UNAVAILABLE', `${weights} gives ${running.dimensions} numbers for a turn`, {
      where: name,
      hint: `A scorer of turns gives ${outputs}: worth, ${categories.join(', ')}, standing`,
    });
  }
  return {
    name: path.basename(folder),
    fingerprint: `turns-${running.hash.slice(0, 8)}`,
    runtime: running.runtime,
    async score(texts, { signal } = {}) {
      const inputs = texts.map((spoken) => {
        const { before: _, ...alone } = spoken;
        return [rowsOf(alone), ...(spoken.before === undefined ? [] : [rowsOf(spoken)])];
      });
      const given = await running.run(inputs.flat(), false, signal);
      return inputs.map(({ length }) => joinedOf(given.splice(0, length)));
    },
    close: running.close,
  };
}

/** Averages a turn alone and in context; of worth the lower. Alone, "yes" agrees to nothing; beside a rule, "haha" passes for one. */
const joinedOf = (rows: readonly Float32Array[]): Float32Array =>
  rows[0]!.map((_, at) => {
    const values = rows.map((row) => row[at]!);
    return at === 0 ? Math.min(...values) : values.reduce((sum, value) => sum + value, 0) / values.length;
  });

/** Makes what turns a text, and what stands before it, into rows of a vocabulary. Undefined where that is none. */
function rowsBy(
  file: string,
): ((spoken: SpokenText) => { readonly rows: readonly number[]; readonly parts: readonly number[] }) | undefined {
  const tokens = textOf(file)?.trimEnd().split(/\r?\n/) ?? [];
  const [first, end, unknown] = ['[CLS]', '[SEP]', '[UNK]'].map((mark) => tokens.indexOf(mark));
  if (first === -1 || end === -1 || unknown === -1) return undefined;
  const { cut } = wordCutter(tokens.join('\n'));
  const piecesOf = (text: string): number[] =>
    [...plainText(text.slice(0, mostRead)).matchAll(words)].flatMap(([word]) => {
      const { rows, isWhole } = cut(word);
      return isWhole ? rows : [unknown!];
    });
  return ({ text, role, before }) => {
    // So it was trained: an agent is an assistant, and whoever else speaks has no mark.
    const said = piecesOf(role === 'agent' || role === 'assistant' ? `assistant: ${text}` : text);
    const asked = before === undefined ? [] : piecesOf(before.text);
    while (said.length + asked.length > mostRows - 3) (said.length > asked.length ? said : asked).pop();
    const rows = [first!, ...said, end!, ...asked, end!];
    return { rows, parts: rows.map((_, at) => (at < said.length + 2 ? 0 : 1)) };
  };
}

function textOf(file: string): string | undefined {
  return orElse(() => readFileSync(file, 'utf8'), undefined, 'ENOENT', 'ENOTDIR', 'EISDIR');
}
