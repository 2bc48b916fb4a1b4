// The tables of what an import reads, from the forms themselves: in the guide each form with its places, in the README the programs.

import { readFileSync, writeFileSync } from 'node:fs';

const shown = ({ root, variable, files }) => `\`${root}/${files}\`${variable === undefined ? '' : ` ($${variable})`}`;

/** Gives the lines of a table. */
export function historiesTable(forms, titles) {
  const rows = Object.values(forms).map(
    ({ name, places }) =>
      `| \`${name}\` | ${titles[name].title} | ${titles[name].what} | ${places.map(shown).join(', ')} |`,
  );
  return ['| form | of | what | where it lies |', '|---|---|---|---|', ...rows].join('\n');
}

/** Gives the programs in a sentence for each kind: those that are found by themselves, with their places, and those that people export. */
export function programsTable(forms, titles) {
  const all = Object.values(forms);
  const folders = (places) => [...new Set(places.map(({ root, files }) => folderOf(`${root}/${files}`)))];
  const rows = all
    .filter(({ places }) => places.length > 0)
    .map(
      ({ name, places }) =>
        `| ${titles[name].title} | ${folders(places)
          .map((one) => `\`${one}\``)
          .join(', ')} |`,
    );
  const rest = all.filter(({ places }) => places.length === 0).map(({ name }) => titles[name].title);
  return [
    '| program | where its history lies |',
    '|---|---|',
    ...rows,
    `| ${rest.join(', ')} | what you export |`,
  ].join('\n');
}

/** The folder above the first name with a wildcard, or the file. */
function folderOf(path) {
  const parts = path.split('/');
  const wild = parts.findIndex((part) => /[*{]/.test(part));
  return wild < 0 ? path : parts.slice(0, wild).join('/');
}

/** Writes a table between its marks. */
export function fillTable(file, name, table) {
  const text = readFileSync(file, 'utf8');
  const mark = new RegExp(`(<!-- table: ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`);
  if (!mark.test(text)) throw new Error(`${file} has no place for the table ${name}`);
  writeFileSync(
    file,
    text.replace(mark, (_, before, after) => `${before}${table}\n${after}`),
  );
}
