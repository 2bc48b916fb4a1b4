// Promotion and schemas with all they take, and bundles: schemas that are handed out together.

import { MemoryError } from '../../base/errors.ts';
import type { BundleResult, PromoteOptions, PromoteResult, SchemaOptions, SchemaResult } from '../../base/types.ts';
import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { gistLineOf } from '../lifecycle/gist/memory-gist.ts';
import { type PromoteItem, promotion } from '../lifecycle/promote.ts';
import { distillation, type SchemaItem, type SchemaPassOptions } from '../lifecycle/schema.ts';
import { type RunPorts, runPass } from '../write/run-pass.ts';
import { type LikenessPorts, vectorLikeness } from './run-consolidation.ts';

/** Makes knowledge files of strong memories, or of those that are named. */
export function promoteMemories(ports: RunPorts, { ids, ...running }: PromoteOptions): Promise<PromoteResult> {
  const wanted = fullIds(ports, ids);
  return runPass<typeof wanted, PromoteItem>(ports, promotion, wanted, { ...running, isByRule: ids === undefined });
}

/** Distils clusters of promoted memories into schemas. */
export function distilSchemas(ports: LikenessPorts, { ids, ...running }: SchemaOptions): Promise<SchemaResult> {
  const { store, configurationOf } = ports;
  const isPrivate = configurationOf(store.snapshot()).private.length > 0;
  const options: SchemaPassOptions = {
    ...fullIds(ports, ids),
    likenessOf: (texts, signal) => vectorLikeness(ports.semantics(), texts, isPrivate, signal, () => undefined),
  };
  return runPass<SchemaPassOptions, SchemaItem>(ports, distillation, options, {
    ...running,
    isByRule: ids === undefined,
  });
}

function fullIds({ store, catalog }: RunPorts, ids: readonly string[] | undefined): { ids?: readonly string[] } {
  if (ids === undefined) return {};
  const snapshot = store.snapshot();
  return { ids: ids.map((id) => catalog.find(snapshot, id).record.id) };
}

/** Gives the schemas of a bundle of memory.yaml; throws NOT_FOUND. */
export function bundleOf(
  catalog: MemoryCatalog,
  snapshot: Snapshot,
  { bundles }: Configuration,
  name: string,
): BundleResult {
  const bundle = bundles.find((one) => one.name === name);
  if (bundle === undefined) {
    const known = bundles.map((one) => one.name).join(', ');
    throw new MemoryError('NOT_FOUND', `memory.yaml has no bundle ${name}`, {
      where: name,
      hint: known === '' ? 'Name schemas under `bundles` there' : `It has ${known}`,
    });
  }
  const found = catalog.stored(snapshot).filter(({ record }) => record.status === 'schema');
  const schemas = bundle.schemas.map((id) => found.find(({ record }) => record.id === id || record.id.startsWith(id)));
  return {
    name,
    schemas: schemas.flatMap((stored) =>
      stored === undefined ? [] : [{ ...stored.record, path: stored.path, line: gistLineOf(stored.record) }],
    ),
    missing: bundle.schemas.filter((_, at) => schemas[at] === undefined),
  };
}
