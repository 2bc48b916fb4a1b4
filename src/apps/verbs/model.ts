// The verb of models: what is installed for this user, and what it changes in the memory at hand.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import { singleSpaced } from '../../base/text.ts';
import type * as types from '../../base/types.ts';
import { type Scores, scoresOf, tierOf } from '../../language/index.ts';
import type { Memory } from '../../memory/open-memory.ts';
import { describeUsed, type UsedModel, useModel } from './model-use.ts';
import { rankersOf } from './recall.ts';
import { cut, hang, type Style, shortDay } from './style.ts';
import { defineVerb, maybe, oneOf, type RunContext } from './verb.ts';

/** What ranks first with a model and what without, for one question to one memory. */
interface Ranked {
  readonly embedder: string;
  /** What ranks without the model beside words; null where words alone do. */
  readonly without: string | null;
  /** How many texts got a vector for this. */
  readonly embedded: number;
  readonly before: readonly types.RecallHit[];
  readonly after: readonly types.RecallHit[];
}

/** How much a sentence is worth, and what becomes of it. */
interface Judgement extends Pick<Scores, 'worth' | 'standing' | 'category'> {
  readonly tier: ReturnType<typeof tierOf>;
}

interface Judged {
  readonly scorer: string;
  readonly without: Judgement;
  readonly with: Judgement;
}

/** What models were tried with, and what came of it. One ranks in the memory at hand, another scores turns. */
type Tried = { readonly question: string; readonly judged?: Judged } & Partial<Ranked>;

/** How many texts of the memory at hand have their vector, and which embedder ranks there by now. */
interface Here {
  readonly here?: types.ReindexResult;
}

type Output = (types.InstalledModels & Partial<types.AddedModel & types.RemovedModel> & Here) | Tried | UsedModel;

const shownHits = 5;

export const model = defineVerb({
  name: 'model',
  summary: 'Install models that find meaning or judge what to keep',
  help:
    'A transformer model matches meaning even where texts share no word. "add" fetches a model, by default ' +
    'Xenova/all-MiniLM-L6-v2 (23 MB, English), or copies a folder. The folder must hold config.json, tokenizer.json and ' +
    'onnx/model_quantized.onnx or onnx/model.onnx. HF_ENDPOINT replaces the host https://huggingface.co. Unless a ' +
    'package that runs models is there, npm installs one into your own folder, without install scripts. It has about ' +
    '60 MB (Apache-2.0 and MIT) and changes no project. "add" tests the model on ten texts and gives the texts of this ' +
    'memory their vectors. The model becomes your default: it ranks in every memory whose memory.yaml names no other. ' +
    'A folder with turns.int8.onnx and vocab.txt holds a scorer of turns instead. It says what is worth keeping when ' +
    'conversations are extracted, and is asked for nothing else. ' +
    '"try" asks this memory with the model and without, and shows how a scorer judges a sentence. "list", the default, ' +
    'shows installed models. "remove" deletes a model, and the package with the last one. "use" chooses a language model ' +
    'that reads your conversations, such as command/claude or ollama/llama3.2. It is tried with one conversation of ' +
    'this memory first; "use none" takes it back.',
  input: z.strictObject({
    action: z
      .enum(['list', 'add', 'try', 'use', 'remove'])
      .default('list')
      .describe('list, add, try, use or remove; list if left out'),
    name: maybe(
      'the id of a model, owner/name, or a folder with one (add); a question or sentence (try); its name (remove); a language model, or none (use)',
    ),
    package: oneOf(
      ['@huggingface/transformers', '@xenova/transformers'],
      'install this package to run models: @huggingface/transformers, or the older @xenova/transformers',
    ),
  }),
  positional: ['action', 'name'],
  words: 'name',
  actions: {
    list: { summary: 'List installed models', takes: [], example: 'model' },
    add: {
      summary: 'Install a model, and make it the default',
      takes: ['name', 'package'],
      example: 'model add ./minilm',
    },
    try: {
      summary: 'Ask this memory with the model and without',
      takes: ['name'],
      example: 'model try "what instrument does she play"',
      shows: 'the five first hits by each, and how a scorer of turns judges it; beside vectors, nothing is written',
    },
    use: {
      summary: 'Let a language model read, after a trial',
      takes: ['name'],
      example: 'model use command/claude',
      shows: 'what it would have kept of one conversation, in how many seconds and tokens',
    },
    remove: { summary: 'Delete a model', takes: ['name'], example: 'model remove minilm' },
  },
  example: { command: 'model add', shows: 'what was installed, its size and licences, and what ten texts showed' },
  async run(context, { action, name, package: runtime }): Promise<Output> {
    const { addModel, listModels, looksLikeModel, removeModel } = await import('../../adapters/user-models.ts');
    switch (action) {
      case 'add': {
        const { signal, onProgress } = context;
        const folder = name === undefined || /^~/.test(name) ? undefined : context.pathOf(name);
        const isFolder = folder !== undefined && (/^\.{0,2}[/\\]/.test(name!) || looksLikeModel(folder));
        const added = await addModel(isFolder ? folder : name, { onProgress, ...defined({ signal, runtime }) });
        return { ...added, ...(added.measures.use === 'keeping' ? {} : defined({ here: await prepared(context) })) };
      }
      case 'try':
        return tried(context, needed(name, 'try needs a question or a sentence'));
      case 'use':
        return useModel(context, needed(name, 'use needs the name of a language model, or none'));
      case 'remove': {
        const removed = removeModel(needed(name, 'remove needs the name of a model'));
        return { ...removed, ...defined({ here: await prepared(context) }) };
      }
      default:
        return listModels();
    }
  },
  text(output, style) {
    if ('question' in output) return describeTried(output, style);
    if ('reader' in output) return describeUsed(output, style);
    const { models, runtime, added, before, measures, removed, bytes = 0, here } = output;
    const lines: string[] = [];
    if (added !== undefined) {
      const instead = before === added ? '' : `; before, ${before ?? 'no model'} did`;
      const does = measures?.use === 'keeping' ? 'says what is worth keeping' : 'ranks';
      lines.push(`${style.good('added')}    ${added}, which ${does} from now on${instead}`);
    }
    if (measures?.use === 'search') lines.push(...describeMeasures(measures, style));
    if (measures?.use === 'keeping') lines.push(...describeScorer(measures, style));
    if (removed !== undefined) lines.push(`${style.bad('removed')}  ${removed}, ${megabytes(bytes)}`);
    const shown = added === undefined ? models : models.filter(({ name }) => name === added);
    lines.push(...shown.map((one) => describeModel(one, style)));
    if (models.length === 0)
      lines.push('No model is here, and the table of the package ranks. Add one with: git memory model add');
    else if (
      models.some(({ use }) => use === 'search') &&
      !models.some((one) => one.use === 'search' && one.isDefault)
    ) {
      lines.push('None of them is your default; choose one with: git memory model add <name>');
    }
    if (runtime !== null && removed === undefined) lines.push(...describeRuntime(runtime, style));
    if (runtime === null && measures !== undefined)
      lines.push(`run by   ${measures.runtime}, installed beside git-memory`);
    if (here !== undefined) lines.push(...hang('here     ', describeHere(here), style, 9));
    if (measures?.use === 'keeping') lines.push(...hang('', nextTry, style, 0));
    else if (added !== undefined) lines.push(...hang('', next(here), style, 0));
    return lines.join('\n');
  },
});

function needed(name: string | undefined, what: string): string {
  if (name !== undefined) return name;
  throw new MemoryError('INVALID_ARGUMENT', `model ${what}`, { where: 'name', hint: 'See `git memory model --help`' });
}

async function prepared({ whole, onProgress }: RunContext): Promise<types.ReindexResult | undefined> {
  let memory: Memory;
  try {
    memory = await whole();
  } catch (error) {
    if (error instanceof MemoryError && ['NOT_A_REPOSITORY', 'NOT_A_MEMORY', 'READ_ONLY'].includes(error.code))
      return undefined;
    throw error;
  }
  return memory.maintenance.reindex({ onProgress });
}

async function tried(context: RunContext, question: string): Promise<Tried> {
  const judged = await judgedBy(question);
  const ranked = await rankedBy(context, question);
  if (judged !== undefined || !(ranked instanceof MemoryError))
    return { question, ...defined({ judged }), ...(ranked instanceof MemoryError ? {} : ranked) };
  throw ranked;
}

/** Asks the scorer of turns that is installed; undefined where there is none. */
async function judgedBy(text: string): Promise<Judged | undefined> {
  const { configuredScorer } = await import('../../adapters/configured-scorer.ts');
  const source = configuredScorer();
  if (source === null) return undefined;
  const scorer = typeof source === 'function' ? await source() : source;
  try {
    const [seen] = await scorer.score([{ text }]);
    const judge = (logits?: Float32Array): Judgement => {
      const { worth, standing, category } = scoresOf(text, {}, logits);
      return { worth, standing, category, tier: tierOf(text, worth, logits !== undefined) };
    };
    return { scorer: scorer.name, without: judge(), with: judge(seen) };
  } finally {
    await scorer.close?.();
  }
}

/** Asks the memory at hand; gives the error where there is none, or no model ranks in it. */
async function rankedBy({ whole, onProgress }: RunContext, question: string): Promise<Ranked | MemoryError> {
  let memory: Memory;
  try {
    memory = await whole();
  } catch (error) {
    if (error instanceof MemoryError) return error;
    throw error;
  }
  const { isModel } = await import('../../adapters/configured-embedder.ts');
  const { embedder, embedded } = await memory.maintenance.reindex({ onProgress });
  if (embedder === null || !isModel(embedder)) {
    return new MemoryError('NOT_FOUND', 'no model ranks in this memory', {
      where: 'model',
      hint: 'Add one with `git memory model add`',
    });
  }
  const after = await memory.recall(question, { limit: shownHits });
  if (after.embedderNote !== undefined)
    throw new MemoryError('EMBEDDING_FAILED', after.embedderNote, { where: embedder });
  const { openMemory } = await import('../../memory/open-memory.ts');
  const { packagedTable } = await import('../../adapters/table-embedder.ts');
  const { directory: dir, branch } = await memory.status();
  const plain = await openMemory({ dir, branch, readOnly: true, embedder: packagedTable });
  try {
    const before = await plain.recall(question, { limit: shownHits });
    return { embedder, without: before.embedder, embedded, before: before.hits, after: after.hits };
  } finally {
    await plain.close();
  }
}

const tiers = { kept: 'kept', minor: 'kept as of little importance', left: 'left in raw/' } as const;

function describeTried({ judged, ...ranked }: Tried, style: Style): string {
  const row = ({ worth, standing, category, tier }: Judgement): string =>
    `${tiers[tier]}: worth ${worth.toFixed(2)}, ${category}, standing ${standing.toFixed(2)}`;
  const blocks =
    judged === undefined
      ? []
      : [
          [style.strong('By words alone'), row(judged.without)].join('\n'),
          [style.strong(`By words and ${judged.scorer}`), row(judged.with)].join('\n'),
        ];
  if ('after' in ranked) blocks.push(describeRanked(ranked as Ranked, style));
  return blocks.join('\n\n');
}

function describeRanked({ embedder, without, embedded, before, after }: Ranked, style: Style): string {
  const placeOf = ({ path, turn, line }: types.RecallHit): string => `${path}#${turn ?? line}`;
  const rows = (hits: readonly types.RecallHit[], others: readonly types.RecallHit[]): string[] =>
    hits.map((hit, at) => {
      const other = others.findIndex((one) => placeOf(one) === placeOf(hit));
      const moved = other === -1 ? 'new' : other === at ? '' : `was ${other + 1}`;
      const day = hit.time === undefined ? '' : `${shortDay(hit.time, style)}  `;
      const row = `${at + 1}.  ${(others.length === 0 ? '' : moved).padEnd(7)}${day}${hit.speaker ?? hit.category}: `;
      return cut(row + singleSpaced(hit.snippet), style.rowWidth);
    });
  const found = (lines: readonly string[]): readonly string[] => (lines.length === 0 ? ['nothing'] : lines);
  return [
    style.strong(`By ${rankersOf(without)}`),
    ...found(rows(before, [])),
    '',
    style.strong(`By ${rankersOf(embedder)}`),
    ...found(rows(after, before)),
    ...(embedded === 0 ? [] : ['', `${count(embedded, 'text')} got a vector for this, which stays.`]),
  ].join('\n');
}

function describeHere({ embedder, embedded, documents, left }: types.ReindexResult): string {
  const undone = left === 0 ? '' : `, ${left} left to do`;
  const now = embedded === 0 ? '' : `, ${embedded} of them embedded now`;
  const who = embedder === null ? 'words alone rank' : `${embedder} ranks`;
  return `${who} in this memory: ${count(documents, 'text')}${now}${undone}`;
}

function next(here: types.ReindexResult | undefined): string {
  return here === undefined
    ? 'Next: `git memory maintain reindex` in a memory gives its texts their vectors; until then it ranks without the model.'
    : 'Next: `git memory model try QUESTION` shows what it changes here.';
}

const nextTry = 'Next: `git memory model try SENTENCE` shows how it judges one; what was extracted stays as it is.';

function megabytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${Math.round(bytes / 1e6)} MB`;
}

function describeModel({ use, name, folder, bytes, licence, isDefault }: types.InstalledModel, style: Style): string {
  const what = use === 'keeping' ? 'scores turns, ' : '';
  const facts = `${what}${megabytes(bytes)}, ${licence === null ? 'licence not said' : `licence ${licence}`}`;
  return `${isDefault ? style.good('default') : 'model  '}  ${name}  ${facts}\n         ${style.faint(folder)}`;
}

function describeMeasures(measures: types.ModelMeasures, style: Style): string[] {
  const { dimensions, loadMs, msPerText, paired } = measures;
  const what = `10 texts: ${dimensions} dimensions, ${loadMs} ms to load, ${msPerText} ms each; ${paired} of 10 found what says the same in other words`;
  const doubt = paired > 5 ? '' : '. That is little: this is no model of English sentences';
  return [...hang('measured ', `${what}${doubt}`, style, 9), ...describeWeights(measures, style)];
}

function describeScorer({ loadMs, msPerText, told }: types.ScorerMeasures, style: Style): string[] {
  const what = `10 turns: ${loadMs} ms to load, ${msPerText} ms each; of ${told} of 10 it says whether they are worth keeping`;
  const doubt = told > 7 ? '' : '. That is little: this is no scorer of English turns';
  return hang('measured ', `${what}${doubt}`, style, 9);
}

/** Of all-MiniLM-L6-v2 so rounded that each channel has its scale, in a reduced range, it is 0.992; with one scale for all, 0.963. */
const leastAgreement = 0.98;

function describeWeights({ isQuantised, agreement }: types.ModelMeasures, style: Style): string[] {
  if (!isQuantised) return [];
  if (agreement === null) {
    const what = '8 bits; how far they stray cannot be checked, for onnx/model.onnx is not beside them';
    return hang('weights  ', what, style, 9);
  }
  const like = `vectors are ${agreement.cosine.toFixed(3)} like those of 32 bits (${agreement.with})`;
  if (agreement.cosine >= leastAgreement) return hang('weights  ', `8 bits; ${like}`, style, 9);
  const advice =
    'That is little, and it will find less. Take weights quantised per channel in a reduced range, or 32 bits';
  return hang(style.bad('weights  '), `8 bits; ${like}. ${advice}`, style, 9);
}

function describeRuntime({ name, version, bytes, folder, licences }: types.ModelRuntime, style: Style): string[] {
  const kinds = Object.entries(licences).map(
    ([licence, packages]) => `${licence} (${count(packages.length, 'package')})`,
  );
  return [
    ...hang('run by   ', `${name} ${version}, ${megabytes(bytes)}: ${kinds.sort().join(', ')}`, style, 9),
    `         ${style.faint(folder)}`,
  ];
}
