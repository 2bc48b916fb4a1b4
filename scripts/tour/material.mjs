// What the tour is made of: the conversations and knowledge files of this project's own memory, read from its folder.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads the memory that lies in a project folder. Throws when there are no conversations: then there is no tour. */
export function readMaterial(root) {
  const conversations = filesBelow(root, 'raw/conversations').map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const ended = /^ended: (\S+)$/m.exec(text)?.[1];
    if (ended === undefined) throw new Error(`${path} does not say when it ended`);
    return { name: path.split('/').at(-1), text, ended: Date.parse(ended) };
  });
  if (conversations.length === 0) throw new Error(`there are no conversations in ${join(root, 'raw/conversations')}`);
  const knowledge = new Map(
    filesBelow(root, 'knowledge').map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
  return { conversations, knowledge };
}

function filesBelow(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort();
}
