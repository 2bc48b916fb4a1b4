import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transformersPackages } from '../../src/adapters/running-model.ts';
import { transformersEmbedder } from '../../src/adapters/transformers.ts';
import { addModel } from '../../src/adapters/user-models.ts';
import { plainStyle } from '../../src/apps/verbs/style.ts';
import type { ModelMeasures } from '../../src/base/types.ts';
import { dot } from '../../src/base/vectors.ts';
import { openMemory } from '../../src/index.ts';
import { verbNamed } from '../apps/verbs/context.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const weights = fileURLToPath(new URL('../../../shared/models/minilm', import.meta.url));
const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));
const isPresent = [weights, ...transformersPackages.map((name) => path.join(packages, name))].every(fs.existsSync);

describe.skipIf(!isPresent)('all-MiniLM-L6-v2 (skipped, weights not present)', () => {
  const before = { data: process.env.XDG_DATA_HOME, cache: process.env.XDG_CACHE_HOME };
  const set = (name: string, value: string | undefined): void => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  beforeAll(() => {
    set('XDG_DATA_HOME', temporaryFolder());
    set('XDG_CACHE_HOME', temporaryFolder());
  });
  afterAll(() => {
    set('XDG_DATA_HOME', before.data);
    set('XDG_CACHE_HOME', before.cache);
  });

  it('is added by its folder, known by its vectors, and pairs what says the same', async () => {
    const added = await addModel(weights);
    expect(added.measures).toMatchObject({ dimensions: 384, paired: 10, isQuantised: true });
    const { agreement } = added.measures as ModelMeasures;
    expect(agreement!.with).toBe('all-MiniLM-L6-v2');
    expect(agreement!.cosine).toBeGreaterThan(0.985);
    expect(verbNamed('model').text(added, plainStyle)).toMatch(/weights {2}8 bits; vectors are 0\.99\d like those/);
  });

  it('is told to stray where its weights are rounded more coarsely', async () => {
    const coarse = path.join(temporaryFolder(), 'coarse');
    fs.cpSync(weights, coarse, { recursive: true });
    const file = path.join(coarse, 'onnx', 'model_quantized.onnx');
    fs.chmodSync(file, 0o600);
    const bytes = fs.readFileSync(file);
    // The largest tensor, the vectors of all word pieces: a field of that length, as a varint of protobuf.
    const length = 30_522 * 384;
    const field = Buffer.from([
      0x4a,
      (length & 0x7f) | 0x80,
      ((length >> 7) & 0x7f) | 0x80,
      ((length >> 14) & 0x7f) | 0x80,
      length >> 21,
    ]);
    const from = bytes.indexOf(field) + field.length;
    expect(from).toBeGreaterThan(field.length);
    for (let at = from; at < from + length; at++) bytes[at]! &= 0xf0;
    fs.writeFileSync(file, bytes);
    const added = await addModel(coarse);
    expect((added.measures as ModelMeasures).agreement!.cosine).toBeLessThan(0.98);
    expect(verbNamed('model').text(added, plainStyle).replace(/\s+/g, ' ')).toContain(
      'That is little, and it will find less',
    );
  });

  it('gives the same vectors by either package, of long texts too', async () => {
    const texts = ['She has played the violin since she was six', 'The plumber sent an invoice. '.repeat(200)];
    const [one, other] = await Promise.all(
      transformersPackages.map(async (name) => {
        const embedder = await transformersEmbedder({ model: weights, packages: [name] });
        const vectors = await embedder.embed(texts);
        await embedder.close?.();
        return vectors;
      }),
    );
    for (const [at, vector] of one!.entries()) expect(dot(vector, other![at]!)).toBeGreaterThan(0.99);
  });

  it('by @xenova/transformers finds what shares no word with the question', async () => {
    const embedder = await transformersEmbedder({ model: weights, packages: ['@xenova/transformers'] });
    const memory = await openMemory({ dir: temporaryFolder(), create: true, embedder });
    for (const content of [
      'She has played the violin since she was six',
      'The invoice of the plumber is still unpaid',
      'Rain is expected for the whole weekend',
    ]) {
      await memory.remember(content);
    }
    await memory.commit();
    expect(await memory.maintenance.reindex()).toMatchObject({ embedder: `transformers:${weights}`, left: 0 });
    const { embedder: ranked, hits } = await memory.recall('which musical instrument');
    expect(ranked).toBe(`transformers:${weights}`);
    expect(hits[0]!.snippet).toContain('violin');
    await memory.close();
    await embedder.close?.();
  });
});
