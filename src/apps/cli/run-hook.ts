// `git memory hook` as an agent's program calls it, many times in a session: it loads no more than the event needs, and never fails.

import { readFileSync } from 'node:fs';
import { isInside } from '../../adapters/inside.ts';
import type { MemoryPart } from '../../memory/open-memory.ts';
import { eventOf, failureTold, type HookEvent, handedTo } from '../hook/event.ts';
import { openFirst, ownMemory, projectFolder } from '../project-memory.ts';

/** Reads the event from standard input and prints the answer, if there is one. `start` is the folder of the caller. */
export async function runHook(start: string): Promise<void> {
  let event: HookEvent | undefined;
  let answer: object | undefined;
  try {
    event = eventOf(JSON.parse(readFileSync(0, 'utf8')));
    answer = isInside() ? undefined : await answerIn(start, event);
  } catch (error) {
    // A person sees every failure of a hook, in the midst of something else: a beginning alone tells of one.
    answer = failureTold(event, error);
  }
  if (answer !== undefined) process.stdout.write(`${JSON.stringify(answer)}\n`);
}

async function answerIn(start: string, event: HookEvent | undefined): Promise<object | undefined> {
  if (event === undefined) return undefined;
  const folders = [projectFolder(process.env), event.folder, start, ownMemory(process.env)];
  if (event.moment === 'begins') {
    const { keptBeginning } = await import('../hook/beginning.ts');
    const ready = keptBeginning(folders.find((folder) => folder !== undefined)!);
    if (ready !== undefined) return ready === '' ? undefined : handedTo(event, ready);
  }
  const opened: MemoryPart[] = [];
  const open = async (isForReading: boolean): Promise<MemoryPart | null> => {
    const { openMemory } = await import('../../memory/open-memory.ts');
    const authors = isForReading ? { readOnly: true } : await import('../../adapters/terminal-author.ts');
    const memory = await openFirst(folders, (dir) => openMemory({ dir, ...authors }));
    if (memory !== null) opened.push(memory);
    return memory;
  };
  const { answerTo } = await import('../hook/answer.ts');
  const { answer } = await answerTo(event, open);
  for (const memory of opened) await memory.close();
  return answer;
}
