// The verb of models of vectors: what is installed for this user, beside any memory.

import { z } from 'zod';
import { count } from '../base/count.ts';
import { MemoryError } from '../errors.ts';
import type {
  AddedModel,
  InstalledModel,
  InstalledModels,
  ModelMeasures,
  ModelRuntime,
  RemovedModel,
} from '../types.ts';
import { filled } from './schemas.ts';
import { hang, type Style } from './style.ts';
import { defineVerb } from './verb.ts';

type Output = InstalledModels & Partial<AddedModel & RemovedModel>;

export const model = defineVerb({
  name: 'model',
  summary: 'Install a model that finds what is meant',
  help:
    'A transformer model matches meaning even where texts share no word. "add" uses npm to install the package that ' +
    'runs models into your own folder, without install scripts. The package has about 70 MB (Apache-2.0 and MIT) and ' +
    'changes no project. "add" then fetches a model, by default Xenova/all-MiniLM-L6-v2 (23 MB, English), and tests it ' +
    'on ten texts. The model becomes your default: it ranks in every memory whose memory.yaml names no other. A path ' +
    'that begins with ./, / or ~/ is copied instead. It must hold config.json, tokenizer.json and ' +
    'onnx/model_quantized.onnx or onnx/model.onnx. HF_ENDPOINT replaces the host https://huggingface.co. "list", the ' +
    'default, shows installed models. "remove" deletes a model, and the package with the last one. Each memory drops ' +
    'the vectors of a replaced model at its next question.',
  input: z.strictObject({
    action: z.enum(['list', 'add', 'remove']).default('list').describe('list, add or remove; list if left out'),
    name: filled
      .exactOptional()
      .describe('the id of a model, owner/name, or a folder with one (add); its name (remove)'),
    package: z
      .enum(['@huggingface/transformers', '@xenova/transformers'])
      .exactOptional()
      .describe('the package to run models: @huggingface/transformers, or the older @xenova/transformers'),
  }),
  positional: ['action', 'name'],
  flags: {},
  example: {
    command: 'git memory model add',
    shows: 'what was installed, its size and licences, and what ten texts showed',
  },
  async run(context, { action, name, package: runtime }): Promise<Output> {
    const { addModel, listModels, removeModel } = await import('../adapters/user-models.ts');
    if (runtime !== undefined && action !== 'add') {
      throw new MemoryError('INVALID_ARGUMENT', '--package goes with add', { where: 'package' });
    }
    if (action === 'list' && name !== undefined) {
      throw new MemoryError('INVALID_ARGUMENT', 'model list takes no name', {
        where: 'name',
        hint: 'It lists all models',
      });
    }
    switch (action) {
      case 'add': {
        const { signal, onProgress } = context;
        const place = name !== undefined && /^\.{0,2}[/\\]/.test(name) ? context.pathOf(name) : name;
        return addModel(place, {
          onProgress,
          ...(signal === undefined ? {} : { signal }),
          ...(runtime === undefined ? {} : { runtime }),
        });
      }
      case 'remove': {
        if (name !== undefined) return removeModel(name);
        throw new MemoryError('INVALID_ARGUMENT', 'model remove needs the name of a model', {
          where: 'name',
          hint: 'See `git memory model list`',
        });
      }
      default:
        return listModels();
    }
  },
  text({ models, runtime, added, measures, removed, bytes = 0 }, style) {
    const lines: string[] = [];
    if (added !== undefined) lines.push(`${style.good('added')}    ${added}, which ranks from now on`);
    if (measures !== undefined) lines.push(...describeMeasures(measures, style));
    if (removed !== undefined) lines.push(`${style.bad('removed')}  ${removed}, ${megabytes(bytes)}`);
    const shown = added === undefined ? models : models.filter(({ name }) => name === added);
    lines.push(...shown.map((one) => describeModel(one, style)));
    if (models.length === 0)
      lines.push('No model is here; the built-in embedder ranks. Add one with: git memory model add');
    else if (!models.some(({ isDefault }) => isDefault)) {
      lines.push('None of them is your default; choose one with: git memory model add <name>');
    }
    if (runtime !== null && removed === undefined) lines.push(...describeRuntime(runtime, style));
    if (added !== undefined)
      lines.push('Next: `git memory maintain reindex` in a memory, so that no question has to wait for vectors.');
    return lines.join('\n');
  },
});

function megabytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${Math.round(bytes / 1e6)} MB`;
}

function describeModel({ name, folder, bytes, licence, isDefault }: InstalledModel, style: Style): string {
  const facts = `${megabytes(bytes)}, ${licence === null ? 'licence not said' : `licence ${licence}`}`;
  return `${isDefault ? style.good('default') : 'model  '}  ${name}  ${facts}\n         ${style.faint(folder)}`;
}

function describeMeasures({ dimensions, loadMs, msPerText, paired }: ModelMeasures, style: Style): string[] {
  const what = `10 texts: ${dimensions} dimensions, ${loadMs} ms to load, ${msPerText} ms each; ${paired} of 10 found what says the same in other words`;
  const doubt = paired > 5 ? '' : '. That is little: this is no model of English sentences';
  return hang('measured ', `${what}${doubt}`, style, 9);
}

function describeRuntime({ name, version, bytes, folder, licences }: ModelRuntime, style: Style): string[] {
  const kinds = Object.entries(licences).map(
    ([licence, packages]) => `${licence} (${count(packages.length, 'package')})`,
  );
  return [
    ...hang('run by   ', `${name} ${version}, ${megabytes(bytes)}: ${kinds.sort().join(', ')}`, style, 9),
    `         ${style.faint(folder)}`,
  ];
}
