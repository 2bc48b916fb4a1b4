// The passes over memories that callers start, with all they take: ids and levels as they name them, what texts are compared by, a model.
// Bundles are schemas that are handed out together.

import { defined, MemoryError } from '../../base/errors.ts';
import type { TextModel } from '../../base/ports.ts';
import { tokensOf } from '../../base/tokenizer.ts';
import type {
  BundleResult,
  ConsolidateMemoriesOptions,
  ConsolidateResult,
  GistOptions,
  GistResult,
  PromoteOptions,
  PromoteResult,
  SchemaOptions,
  SchemaResult,
  SplitCandidates,
  SplitOptions,
  SplitPartInput,
  SplitResult,
} from '../../base/types.ts';
import type { SemanticIndex } from '../../search/index.ts';
import type { SecretFilter } from '../../store/guard/secret-filter.ts';
import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { type ConsolidateOptions, consolidation, type OpenCluster } from '../lifecycle/consolidate.ts';
import { gistBands, gistLevelOf } from '../lifecycle/gist/gist.ts';
import { gistBackfill } from '../lifecycle/gist/gist-pass.ts';
import { gistLineOf } from '../lifecycle/gist/memory-gist.ts';
import { vectorOfTerms } from '../lifecycle/hashed-words.ts';
import { cosineLikeness, type Likeness, wordLikeness } from '../lifecycle/likeness.ts';
import { modelMerger } from '../lifecycle/merge-memories.ts';
import { distillation, promotion, type SchemaPassOptions } from '../lifecycle/promote.ts';
import { splitCandidateOf, splitting } from '../lifecycle/split.ts';
import { type RunOptions, type RunPorts, runPass } from '../write/run-pass.ts';

/** What comparing and merging take beside running a pass. */
export interface ConsolidatePorts extends RunPorts {
  /** The model that somebody chose; null when nobody did. */
  readonly semantics: () => SemanticIndex | null;
  /** Merges what is in doubt; null where a person does. */
  readonly model: TextModel | null;
}

/** Merges memories that say the same; see {@link consolidation}. */
export async function consolidateMemories(
  ports: ConsolidatePorts,
  { ids, uncertain, likeness = 'vectors', ...running }: ConsolidateMemoriesOptions,
  besides: Pick<RunOptions, 'trailers'> = {},
): Promise<ConsolidateResult> {
  const { model } = ports;
  const open: OpenCluster[] = [];
  const compared: { by: string; note?: string } = { by: '' };
  // What is private stays on this machine.
  const mayAsk = model !== null && (model.isRemote === false || !hasPrivate(ports));
  const options: ConsolidateOptions = {
    async likenessOf(texts, signal) {
      const found = likeness === 'words' ? wordLikeness(texts) : await vectorLikeness(ports, texts, signal, compared);
      compared.by = found.by;
      return found;
    },
    ...fullIds(ports, ids),
    ...(uncertain ? { uncertain } : {}),
    ...(mayAsk ? { merger: modelMerger(model, defined({ signal: running.signal })) } : {}),
    onOpen: (cluster) => open.push(cluster),
  };
  const how = { ...running, ...besides, isByRule: ids === undefined };
  const result = await runPass(ports, consolidation, options, how);
  return { ...result, comparedBy: compared.by, ...defined({ comparedNote: compared.note }), open };
}

const hasPrivate = ({ store, configurationOf }: RunPorts): boolean =>
  configurationOf(store.snapshot()).private.length > 0;

/** Compares by the model, or by {@link hashedLikeness} where there is none or it fails: then it notes why. */
async function vectorLikeness(
  ports: ConsolidatePorts,
  texts: readonly string[],
  signal: AbortSignal | undefined,
  compared: { note?: string } = {},
): Promise<Likeness> {
  const semantics = ports.semantics();
  const isPrivate = hasPrivate(ports);
  if (semantics !== null) {
    try {
      const told = texts.map((text) => ({ text, isPrivate }));
      const { embedder, vectors } = await semantics.vectorsOf(told, defined({ signal }));
      return cosineLikeness(embedder, vectors, texts);
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      compared.note = error.message;
    }
  }
  return hashedLikeness(texts);
}

/** Compares by words and their parts. A text without a word has a vector of zeros, which is like nothing. */
export function hashedLikeness(texts: readonly string[]): Likeness {
  const vectors = texts.map((text) => vectorOfTerms(tokensOf(text)));
  const telling = vectors.map((vector) => (vector.some((value) => value !== 0) ? vector : null));
  return cosineLikeness('hashed words', telling, texts);
}

/** Makes knowledge files of strong memories, or of those that are named. */
export const promoteMemories = (ports: RunPorts, { ids, ...running }: PromoteOptions): Promise<PromoteResult> =>
  runPass(ports, promotion, fullIds(ports, ids), { ...running, isByRule: ids === undefined });

/** Distils clusters of promoted memories into schemas. */
export function distilSchemas(ports: ConsolidatePorts, { ids, ...running }: SchemaOptions): Promise<SchemaResult> {
  const likenessOf: SchemaPassOptions['likenessOf'] = (texts, signal) => vectorLikeness(ports, texts, signal);
  const how = { ...running, isByRule: ids === undefined };
  return runPass(ports, distillation, { ...fullIds(ports, ids), likenessOf }, how);
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
    const hint = known === '' ? 'Name schemas under `bundles` there' : `It has ${known}`;
    throw new MemoryError('NOT_FOUND', `memory.yaml has no bundle ${name}`, { where: name, hint });
  }
  const all = catalog.stored(snapshot).filter(({ record }) => record.status === 'schema');
  const found = bundle.schemas.map((id) => all.find(({ record }) => record.id.startsWith(id)));
  const schemas = found.flatMap((stored) => stored ?? []);
  return {
    name,
    schemas: schemas.map(({ record, path }) => ({ ...record, path, line: gistLineOf(record) })),
    missing: bundle.schemas.filter((_, at) => found[at] === undefined),
  };
}

/** Puts parts in the place of a memory; see {@link splitting}. */
export function splitMemory(
  ports: RunPorts,
  id: string,
  parts: readonly (string | SplitPartInput)[] | undefined,
  filter: SecretFilter,
  options: SplitOptions,
): Promise<SplitResult> {
  const given = parts?.map((part): SplitPartInput => (typeof part === 'string' ? { content: part } : part));
  const wanted = { id, ...defined({ parts: given && filter.passAll(given, 'the parts') }) };
  return runPass(ports, splitting, wanted, options);
}

/** Lists the memories that could be several, the longest first. */
export function findSplitCandidates(catalog: MemoryCatalog, snapshot: Snapshot): SplitCandidates {
  const candidates = catalog.stored(snapshot).flatMap(({ record }) => {
    const found = record.status === 'active' ? splitCandidateOf(record) : undefined;
    return found === undefined ? [] : [{ ...found, content: record.content }];
  });
  return { candidates: candidates.sort((a, b) => b.content.length - a.content.length || (a.id < b.id ? -1 : 1)) };
}

/** Makes missing gists, or those asked for anew, and counts what they save. */
export async function makeGists(ports: RunPorts, { ids, level, all, ...running }: GistOptions): Promise<GistResult> {
  const asked = level === undefined ? undefined : gistLevelOf(level);
  if (asked === null || (asked !== undefined && !Object.hasOwn(gistBands, asked))) {
    throw new MemoryError('INVALID_ARGUMENT', `${JSON.stringify(level)} is not a level of gists`, {
      where: 'level',
      hint: 'Use light, moderate, strong or aggressive',
    });
  }
  const options = { ...defined({ level: asked, all }), ...fullIds(ports, ids) };
  const result = await runPass(ports, gistBackfill, options, { ...running, isByRule: ids === undefined && !all });
  const sum = (of: 'full' | 'gist') => result.items.reduce((total, { tokens }) => total + tokens[of], 0);
  return { ...result, tokens: { full: sum('full'), gists: sum('gist') } };
}
