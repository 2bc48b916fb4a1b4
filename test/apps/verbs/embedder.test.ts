import { createFsFromVolume, Volume } from 'memfs';
import { describe, expect, it } from 'vitest';
import { functionEmbedder } from '../../../src/adapters/function-embedder.ts';
import { plainStyle } from '../../../src/apps/verbs/style.ts';
import type { EmbedderSource, FileSystem } from '../../../src/base/ports.ts';
import { doctor } from '../../../src/memory/doctor-questions.ts';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { verbNamed } from './context.ts';

async function memoryWith(configuration: string, embedder?: EmbedderSource) {
  const volume = createFsFromVolume(new Volume());
  const fs = volume as unknown as FileSystem;
  const options = { dir: '/memory', fs, ...(embedder === undefined ? {} : { embedder }) };
  const memory = await openMemory({ ...options, create: true });
  await memory.remember({ content: 'The telescope stands on the roof' });
  if (configuration !== '') volume.writeFileSync('/memory/memory.yaml', configuration);
  await memory.commit();
  await memory.close();
  const recall = async (query: string, mode?: 'lexical'): Promise<string> => {
    const opened = await openMemory(options);
    const result = await opened.recall(query, mode === undefined ? {} : { mode });
    await opened.close();
    return verbNamed('recall').text(result, plainStyle);
  };
  const examine = async () => {
    const report = await doctor({ dir: '/memory', fs });
    return { report, text: verbNamed('doctor').text(report, plainStyle) };
  };
  return { recall, examine };
}

const missing = 'embedder:\n  model: /there/is/no/model\n';

describe('which embedder ranks', () => {
  it('is said by recall', async () => {
    const { recall } = await memoryWith('');
    expect(await recall('telescope')).toMatch(/\n\nRanked by words and english-table$/);
    expect(await recall('telescope', 'lexical')).toMatch(/\n\nRanked by words alone$/);
    expect(await recall('zeppelin')).not.toMatch(/Ranked/);
  });

  it('is said by recall of one that was given', async () => {
    const embedder = functionEmbedder({
      name: 'mine',
      fingerprint: 'mine/1',
      dimensions: 2,
      isInstant: true,
      embed: (texts) => texts.map(() => [1, 0]),
    });
    const { recall } = await memoryWith('', embedder);
    expect(await recall('telescope')).toMatch(/Ranked by words and mine$/);
  });

  it('is said by doctor', async () => {
    const { report, text } = await (await memoryWith('')).examine();
    expect(report).toMatchObject({ embedder: 'english-table', isHealthy: true });
    expect(report.findings.map(({ code }) => code)).not.toContain('EMBEDDER_MISSING');
    expect(text).toContain('recall is ranked by words and english-table');
    expect(text).toContain('conversations are read by rules');
  });

  it('is said with the reason where it is not the one that was named', async () => {
    const { recall, examine } = await memoryWith(missing);
    expect(await recall('telescope')).toMatch(/Ranked by words and english-table: .*\/there\/is\/no\/model/s);
    const { report, text } = await examine();
    expect(report).toMatchObject({ embedder: 'english-table', isHealthy: true });
    expect(report.findings).toContainEqual(
      expect.objectContaining({ code: 'EMBEDDER_MISSING', severity: 'warning', where: 'memory.yaml' }),
    );
    expect(text).toMatch(/EMBEDDER_MISSING\n {2}memory\.yaml\n {2}the model \S+ is not in|not installed/);
    expect(text).toMatch(/→ /);
  });

  it('is told by doctor of a language model, too, that is not asked or cannot be', async () => {
    const named = 'extract:\n  model:\n    name: openai/gpt-5-mini\n';
    const codes = async () => (await (await memoryWith(named)).examine()).report;
    const [model, key] = [process.env.GIT_MEMORY_MODEL, process.env.OPENAI_API_KEY];
    delete process.env.GIT_MEMORY_MODEL;
    delete process.env.OPENAI_API_KEY;
    try {
      expect(await codes()).toMatchObject({
        model: null,
        findings: expect.arrayContaining([expect.objectContaining({ code: 'MODEL_NOT_ASKED' })]),
      });
      process.env.GIT_MEMORY_MODEL = 'memory.yaml';
      expect(await codes()).toMatchObject({
        model: null,
        findings: expect.arrayContaining([
          expect.objectContaining({ code: 'MODEL_MISSING', where: 'openai/gpt-5-mini' }),
        ]),
      });
      process.env.OPENAI_API_KEY = 'a key of the test';
      expect(await codes()).toMatchObject({ model: 'openai/gpt-5-mini' });
    } finally {
      for (const [name, value] of [
        ['GIT_MEMORY_MODEL', model],
        ['OPENAI_API_KEY', key],
      ] as const) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });
});
