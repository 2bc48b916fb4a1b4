// Makes dist/ui.html.br, the page of `git memory ui`: one file with its script, its style and its letters, which loads nothing.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { noteBundled } from './licences.mjs';

/** The letters of what is known: those of the west, in two weights; other scripts are the system's. */
const letters = [
  ['400', 'source-serif-4-latin-400-normal.woff2'],
  ['600', 'source-serif-4-latin-600-normal.woff2'],
];

/** Writes dist/ui.html.br: compressed, the page is a third of its size in the package. */
export async function writePage(root) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, 'dist/ui.html.br'), brotliCompressSync(await makePage(root)));
}

/** Makes the page, as a text. */
export async function makePage(root) {
  const [early, script] = await Promise.all(['early.ts', 'main.tsx'].map((name) => scriptOf(root, name)));
  const fonts = letters
    .map(([weight, file]) => {
      const bytes = readFileSync(join(root, 'node_modules/@fontsource/source-serif-4/files', file));
      return `@font-face{font-family:"Memory Serif";font-weight:${weight};font-display:block;src:url(data:font/woff2;base64,${bytes.toString('base64')}) format("woff2")}`;
    })
    .join('');
  const style = readFileSync(join(root, 'ui/style.css'), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s*([{};,>])\s*/g, '$1')
    .replace(/:\s+/g, ':')
    .trim();
  return readFileSync(join(root, 'ui/page.html'), 'utf8')
    .replace('/*style*/', () => fonts + style)
    .replace('/*early*/', () => early)
    .replace('/*script*/', () => script);
}

async function scriptOf(root, name) {
  const bundle = await rolldown({
    input: join(root, 'ui', name),
    platform: 'browser',
    tsconfig: join(root, 'ui/tsconfig.json'),
    logLevel: 'warn',
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  noteBundled(output);
  return output[0].code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--').trim();
}
