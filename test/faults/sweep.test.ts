// Sweeps every operation over a failing file system: each call × each kind of fault, followed by another attempt.
//
//   FAULT_SEED=n             the same choice again          FAULT_FULL=1            every case
//   FAULT_ONLY=part          cases named so: "undo, bare/kill/37/"; with FAULT_FULL=1, or as many as the budget allows
//   FAULT_OPERATION=part     operations named so            FAULT_BUDGET_MS=n       for all together, default 30,000
//   FAULT_SHOW=n             failures to print              FAULT_KEEP=1            leave the folders of failed cases
//   FAULT_SAY=1              what was tried, also when nothing failed

import fs from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { Placement } from '../../src/base/types.ts';
import { randomOf } from '../helpers/failing-fs.ts';
import { seed } from '../helpers/long-run.ts';
import { hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { type Base, makeBase, sweptOperations } from './operations.ts';
import { type FaultKind, faultKinds, prepare, runCase } from './sweep-case.ts';

const isFull = process.env.FAULT_FULL === '1';
const isTelling = process.env.FAULT_SAY === '1';
const only = process.env.FAULT_ONLY ?? '';
const budgetMs = Number(process.env.FAULT_BUDGET_MS ?? 30_000);
/** One case in so many is judged by native git too, which costs as much as everything else together. */
const nativeEvery = isFull ? 10 : 25;

const placements: readonly Placement[] = ['bare', 'repository'];
const sweeps = sweptOperations
  .flatMap((operation) =>
    placements
      .filter((placement) => (operation.placements ?? placements).includes(placement))
      .map((placement) => ({ operation, placement, name: `${operation.name}, ${placement}` })),
  )
  .filter(({ name }) => name.includes(process.env.FAULT_OPERATION ?? only.split('/')[0]!));

describe(`a failing file system (FAULT_SEED=${seed})`, () => {
  const totals = { cases: 0, failed: 0 };
  /** Where operations begin: made once for all that begin there, for each case is a copy. */
  const bases = new Map<string, Promise<Base>>();
  afterAll(() => {
    if (isFull || isTelling) console.log(`${totals.cases} cases, ${totals.failed} failed`);
  });

  it.each(sweeps)(
    'loses nothing acknowledged and leaves nothing half done: $name',
    async ({ operation, placement, name }) => {
      const random = randomOf(seed + name.length);
      const root = temporaryFolder();
      const start = `${operation.base}, ${placement}`;
      const base = await (bases.get(start) ?? makeBase(`${temporaryFolder()}/base`, operation.base, placement));
      bases.set(start, Promise.resolve(base));
      const prepared = await prepare(operation, placement, base);
      const cases = faultKinds
        .flatMap((kind) => prepared.calls.map((call) => ({ kind, index: call.index })))
        .filter(({ kind, index }) => `${name}/${kind.name}/${index}/`.includes(only));
      if (!isFull) shuffle(cases, random);
      const deadline = performance.now() + budgetMs / sweeps.length;
      const failures: string[] = [];
      const failed = new Map<FaultKind, number>();
      let count = 0;
      for (const [number, { kind, index }] of cases.entries()) {
        if (!isFull && count > 0 && performance.now() > deadline) break;
        const verdict = await runCase(prepared, kind, index, {
          folder: `${root}/case-${number}`,
          isNative: hasGit && (cases.length <= 20 || number % nativeEvery === 0),
          random: randomOf(seed + index),
        });
        if (verdict.call) count += 1;
        if (verdict.complaints.length === 0) continue;
        failed.set(kind, (failed.get(kind) ?? 0) + 1);
        const at = verdict.call ? `${verdict.call.operation} ${verdict.call.path.split(`case-${number}`).at(-1)}` : '';
        failures.push(`${name}/${kind.name}/${index}/ at ${at}\n    ${verdict.complaints.join('\n    ')}`);
        if (!process.env.FAULT_KEEP) fs.rmSync(`${root}/case-${number}`, { recursive: true, force: true });
      }
      totals.cases += count;
      totals.failed += failures.length;
      if (isFull || isTelling || only !== '' || failures.length > 0) {
        const kinds = [...failed].map(([kind, number]) => `${kind.name}: ${number}`).join('; ');
        console.log(
          `${name}: ${count} of ${cases.length} cases over ${prepared.calls.length} calls, ${failures.length} failed ${kinds}`,
        );
      }
      expect(failures.slice(0, Number(process.env.FAULT_SHOW ?? 12)).join('\n')).toBe('');
      expect(count).toBeGreaterThan(0);
    },
    isFull ? 3_600_000 : 60_000 + budgetMs,
  );
});

function shuffle<T>(items: T[], random: () => number): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
}
