import { describe, expect, it } from 'vitest';
import { formatMeta, newMeta, parseMeta } from '../../../src/store/records/storage-meta.ts';

describe('.meta.json', () => {
  it('has the keys of the spec in its order', () => {
    expect(formatMeta(newMeta(1_739_548_800_000, 'macbook-sc'))).toBe(`{
  "storage_version": 2,
  "created_at": 1739548800,
  "machine_id": "macbook-sc",
  "last_gc_at": null,
  "last_consolidation_at": null,
  "migrated_from": null
}
`);
  });

  it('comes back as it was written, with keys of others', () => {
    const text = formatMeta({ ...newMeta(0, 'a'), lastGcAt: 7, migratedFrom: 'jsonl-v1', unknown: { b: [1], a: 2 } });
    expect(formatMeta(parseMeta(text))).toBe(text);
    expect(parseMeta(text)).toMatchObject({ lastGcAt: 7, lastConsolidationAt: null, unknown: { a: 2, b: [1] } });
  });

  it('is of the first version without one, and what is of a wrong type is as if it were missing', () => {
    expect(parseMeta('{"machine_id": 3, "last_gc_at": "soon"}')).toEqual({
      storageVersion: 1,
      createdAt: 0,
      machineId: null,
      lastGcAt: null,
      lastConsolidationAt: null,
      migratedFrom: null,
    });
  });

  it.each(['[]', '7', '{', '{"storage_version": "two"}', '{"storage_version": 0}'])('%s is refused', (text) => {
    expect(() => parseMeta(text)).toThrow(expect.objectContaining({ code: 'INVALID_RECORD' }));
  });
});
