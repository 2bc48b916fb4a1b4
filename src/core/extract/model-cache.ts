// What is kept of questions to a model, beside the repository's other caches: the answers, and what a day took. So nothing is paid for twice.
// Deleting them costs money, no memory.

import { defined } from '../../base/errors.ts';
import type { Clock, TokenUsage } from '../../base/ports.ts';
import { dayOf } from '../../base/time.ts';
import type { StatusResult } from '../../base/types.ts';
import { CacheFile, type CachePlace } from '../../store/cache-file.ts';
import type { Allowance, DayMeter } from './model/budget.ts';
import type { AnswerCache } from './model/cache-key.ts';

/** Beyond this the older half goes. */
const maxAnswerBytes = 16 << 20;

/** Opens the answers that were kept. They hold words of conversations: not to be used where some are private. */
export function keptAnswers(place: CachePlace): AnswerCache {
  const file = new CacheFile(place, 'answers', 1);
  const entries = new Map<string, string>();
  const frames = file.read();
  let bytes = frames.reduce((sum, frame) => sum + frame.length, 0);
  if (bytes > maxAnswerBytes) {
    while (bytes > maxAnswerBytes / 2) bytes -= frames.shift()!.length;
    file.replace(frames);
  }
  for (const frame of frames) {
    const end = frame.indexOf(10);
    entries.set(frame.toString('latin1', 0, end), frame.toString('utf8', end + 1));
  }
  return {
    get: (key) => entries.get(key),
    put(key, value) {
      if (entries.get(key) === value) return;
      entries.set(key, value);
      file.append(Buffer.from(`${key}\n${value}`));
    },
  };
}

interface Taken {
  readonly day: string;
  /** What asked; absent in what was noted by earlier versions. */
  readonly by?: string;
  /** Which model; absent in what was noted by earlier versions. */
  readonly model?: string;
  readonly costUsd?: number;
  readonly input: number;
  readonly output: number;
}

/** So many days are kept, today included. */
const keptDays = 31;

const meterFile = (place: CachePlace): CacheFile => new CacheFile(place, 'model-use', 1);
const takenIn = (file: CacheFile): Taken[] => file.read().map((frame) => JSON.parse(frame.toString('utf8')) as Taken);
const frameOf = (taken: Taken): Buffer => Buffer.from(JSON.stringify(taken));

/** What asks, such as `extract`, and which model. */
export interface Asking {
  readonly by: string;
  readonly model: string;
}

/** Opens the meter of the day, which all processes of this repository read and write. */
export function dayMeter(place: CachePlace, clock: Clock, timeZone: string, { by, model }: Asking): DayMeter {
  const file = meterFile(place);
  const today = (): string => dayOf(clock.now(), timeZone);
  const first = dayOf(clock.now() - (keptDays - 1) * 86_400_000, timeZone);
  const all = takenIn(file);
  const current = all.filter(({ day }) => day >= first);
  if (current.length < all.length) file.replace(current.map(frameOf));
  return {
    today(): Allowance {
      const day = today();
      const taken = takenIn(file).filter((one) => one.day === day);
      return { calls: taken.length, tokens: taken.reduce((sum, { input, output }) => sum + input + output, 0) };
    },
    add({ input, output, costUsd }: TokenUsage) {
      file.append(frameOf({ day: today(), by, model, input, output, ...defined({ costUsd }) }));
    },
  };
}

/** Sums what models took on this machine, by day, by what asked and by model: the newest day first. */
export function modelUse(place: CachePlace): NonNullable<StatusResult['models']> {
  type Sum = NonNullable<StatusResult['models']>[number];
  const sums = new Map<string, Sum>();
  for (const { day, by = 'extract', model, input, output, costUsd } of takenIn(meterFile(place))) {
    const key = `${by} ${model ?? ''}`;
    const sum = sums.get(`${day} ${key}`) ?? { day, by, ...defined({ model }), calls: 0, input: 0, output: 0 };
    sums.set(`${day} ${key}`, {
      ...sum,
      calls: sum.calls + 1,
      input: sum.input + input,
      output: sum.output + output,
      ...(costUsd === undefined ? {} : { costUsd: (sum.costUsd ?? 0) + costUsd }),
    });
  }
  const keyOf = ({ by, model = '' }: Sum): string => `${by} ${model}`;
  return [...sums.values()].sort((a, b) => (a.day === b.day ? (keyOf(a) < keyOf(b) ? -1 : 1) : a.day > b.day ? -1 : 1));
}
