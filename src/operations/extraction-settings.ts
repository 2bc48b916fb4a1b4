// What memory.yaml says conversations are to be read with.

import type { Extractor } from '../extract/extractor.ts';
import type { Configuration } from '../records/configuration.ts';
import type { MemoryCatalog } from '../store/memory-catalog.ts';
import type { LedgerKnowledge } from './extracted-events.ts';
import { planExtractionFiles } from './extraction-files.ts';
import type { ExtractionSettings } from './plan-transcript.ts';

/** Gives the settings of an extraction; `ledger` is null where the ledger is not told, as in experiments: it was told before. */
export function extractionSettings(
  configuration: Configuration,
  extractor: Extractor,
  catalog: MemoryCatalog,
  ledger: LedgerKnowledge | null,
): ExtractionSettings {
  const { timezone, extract, secrets, gist, trust, consolidate } = configuration;
  const { deduplicate, episodesAndNotes, speculativeDays, tiers, importance } = extract;
  const context = {
    timeZone: timezone,
    ...(extract.minConfidence > 0 ? { minConfidence: extract.minConfidence } : {}),
  };
  return {
    extractor,
    secrets,
    gist,
    trust,
    context,
    rules: { deduplicate, episodesAndNotes, speculativeDays, nearDuplicate: consolidate.duplicate, tiers, importance },
    writesKnowledge: extract.knowledge,
    linksKnowledge: configuration.knowledge.links,
    ...(ledger === null || !extract.events ? {} : { ledger: { ...ledger, high: extract.importantFrom } }),
    besides: (snapshot, created, read) => planExtractionFiles(snapshot, catalog, created, read, configuration),
  };
}
