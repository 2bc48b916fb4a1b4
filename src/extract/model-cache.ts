// What is kept of questions to a model, beside the repository's other caches: answers, so that nothing is paid for twice, and what a day
// took. Deleting them costs money, no memory.

import { dayOf } from '../base/time.ts';
import type { Clock, TokenUsage } from '../ports.ts';
import { CacheFile, type CachePlace } from '../store/cache-file.ts';
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
  readonly input: number;
  readonly output: number;
}

/** Opens the meter of the day, which all processes of this repository read and write. */
export function dayMeter(place: CachePlace, clock: Clock, timeZone: string): DayMeter {
  const file = new CacheFile(place, 'model-use', 1);
  const read = (): Taken[] => file.read().map((frame) => JSON.parse(frame.toString('utf8')) as Taken);
  const today = (): string => dayOf(clock.now(), timeZone);
  const frameOf = (taken: Taken): Buffer => Buffer.from(JSON.stringify(taken));
  const current = read().filter(({ day }) => day === today());
  if (current.length < read().length) file.replace(current.map(frameOf));
  return {
    today(): Allowance {
      const day = today();
      const taken = read().filter((one) => one.day === day);
      return { calls: taken.length, tokens: taken.reduce((sum, { input, output }) => sum + input + output, 0) };
    },
    add({ input, output }: TokenUsage) {
      file.append(frameOf({ day: today(), input, output }));
    },
  };
}
