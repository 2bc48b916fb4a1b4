// A history of 10,000 commits on 10,000 files: a tenth of them change one file of 200 lines, the others add notes. Eight notes hold words
// that stand nowhere else.

import { randomOf } from '../random.mjs';
import { git, makeBare, textOf } from './repositories.mjs';

export const commits = 10_000;
export const baseFiles = 10_000;
const everyTenth = 10;
export const lineCount = 200;
export const file = 'knowledge/people/ada.md';

/** Builds the history as native git packs it. */
export async function makeHistory(folder) {
  await makeBare(folder, baseFiles);
  const random = randomOf(7);
  const lines = Array.from({ length: lineCount }, (_, number) => `- ${textOf(number, 12)}`);
  const stream = [];
  for (let number = 0; number < commits; number++) {
    stream.push(`commit refs/heads/main\ncommitter Bench <bench@example.org> ${1_600_000_100 + number * 60} +0000\n`);
    stream.push(`data ${`commit ${number}\n`.length}\ncommit ${number}\n\n`);
    if (number === 0) stream.push('from refs/heads/main^0\n');
    if (number % everyTenth === 0) {
      lines[Math.floor(random() * lineCount)] = `- ${textOf(number + 10_000, 12)}`;
      push(stream, file, `${lines.join('\n')}\n`);
    } else {
      const day = Math.floor(number / 20);
      const rare = number % 1250 === 3 ? ' marrowfat pea! q9' : '';
      push(
        stream,
        `knowledge/journal/${2020 + Math.floor(day / 365)}/${day % 365}/${number % 20}.md`,
        `${textOf(number, 90)}${rare}\n`,
      );
    }
  }
  git(folder, ['fast-import', '--quiet', '--force'], stream.join(''));
  git(folder, ['gc', '-q', '--prune=now']);
  return folder;
}

function push(stream, path, text) {
  stream.push(`M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
}
