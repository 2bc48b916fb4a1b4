// Long memories of alike sentences: what one question, and what writes, cost in processor time. A log that is kept twice should cost less than
// twice what one costs, beside splitting the same texts into terms.

import { openMemory } from '../../dist/index.js';
import { heading, ms, table } from './measure.mjs';

const sentence = (log, at) => `the keeper of house ${log} lit the lamp and read meter number ${at}. `;

function logOf(log, bytes) {
  let text = `Lamp report ${log}: `;
  for (let at = 0; text.length < bytes; at++) text += sentence(log, at);
  return text.slice(0, bytes);
}

const logsOf = (count, bytes) => Array.from({ length: count }, (_, log) => logOf(log, bytes));

/** What is kept, by name. */
const cases = {
  '1 of 82 KB': logsOf(1, 82_000),
  '2 of 82 KB': logsOf(2, 82_000),
  '12 of 82 KB': logsOf(12, 82_000),
  '1 of 1 MB': logsOf(1, 1_000_000),
  '2 of 1 MB': logsOf(2, 1_000_000),
  '200 of 10 KB': logsOf(200, 10_000),
  '2 of 40 KB, one sentence': logsOf(2, 40_000).map((text) => text.replaceAll('. ', ', and ')),
};

async function cpuOf(action) {
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return ms((user + system) / 1000);
}

export async function benchAlike({ root }) {
  heading('Long memories of alike sentences, milliseconds of processor time');
  const rows = [
    ['kept', 'remember', '| open', 'recall', 'again', '| context', 'session start', '| consolidate', 'forget'],
  ];
  for (const [name, texts] of Object.entries(cases)) {
    const dir = `${root}/alike-${rows.length}`;
    const writer = await openMemory({ dir, create: true });
    const ids = [];
    const written = await cpuOf(async () => {
      for (const text of texts) ids.push((await writer.remember(text)).id);
      await writer.commit();
    });
    await writer.close();
    let memory;
    const opened = await cpuOf(async () => {
      memory = await openMemory({ dir });
      await memory.maintenance.reindex();
    });
    const ask = () => memory.recall('what is the lamp report now?');
    rows.push([
      name,
      written,
      opened,
      await cpuOf(ask),
      await cpuOf(ask),
      await cpuOf(() => memory.context('what is the lamp report now?')),
      await cpuOf(() => memory.sessionStart()),
      await cpuOf(() => memory.records.consolidate({ dryRun: true })),
      await cpuOf(() => memory.forget(ids[0])),
    ]);
    await memory.close();
  }
  table(rows);
}
