// The English of the project: its pages, the comments of its code, and the texts that the program prints. Each file becomes one text whose
// lines are those of the file, so a finding has a line. What is no English is left blank.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** Texts of this many words are read as sentences; shorter ones are names and values. */
const minWords = 5;

/** Lists `{ file, text }` of everything that people read; `file` is relative to the root. */
export function* textsOf(root) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md', 'src', 'scripts'], {
    cwd: root,
  });
  for (const file of new Set(listed.toString().split('\n'))) {
    // Captured conversations are the words of those who spoke.
    if (!/\.(md|ts|mjs)$/.test(file) || /^(?:test|raw\/conversations)\//.test(file)) continue;
    const source = readOrNull(`${root}/${file}`);
    if (source === null) continue;
    yield { file, text: file.endsWith('.md') ? source : englishOfCode(source, /^src\/(verbs|entry)\//.test(file)) };
  }
}

function readOrNull(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Keeps the comments of a source, and with `withTexts` its texts of several words, at their lines. */
export function englishOfCode(source, withTexts) {
  const lines = source.split('\n').map(() => '');
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const put = (start, text) => {
    const { line } = file.getLineAndCharacterOfPosition(start);
    for (const [at, part] of text.split('\n').entries()) lines[line + at] += part;
  };
  const seen = new Set();
  const visit = (node) => {
    for (const { pos, end } of ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      put(pos, plainComment(source.slice(pos, end)));
    }
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node);
    if (withTexts && isText && node.text.split(/\s+/).length >= minWords) put(node.getStart(), asSentence(node));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return lines.join('\n');
}

/** Begins and ends a text of the program as a sentence, unless `+` joins it to another. A script for a shell has no sentences. */
function asSentence(node) {
  if (node.text.startsWith('#')) return '';
  const line = node.text.replaceAll('\n', ' ').trim();
  const { parent } = node;
  const isFirst = !isSum(parent) || parent.left === node;
  const isLast = !isSum(parent) || (parent.right === node && !isSum(parent.parent));
  const begun = isFirst ? line.slice(0, 1).toUpperCase() + line.slice(1) : line;
  return isLast && !/[.!?:]$/.test(begun) ? `${begun}.` : begun;
}

const isSum = (node) => ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;

/** Gives the words of a comment. A line that is indented three spaces and more is part of a table or a drawing, and has none. */
function plainComment(comment) {
  if (/^\/\/ {3}/.test(comment)) return '';
  return comment
    .replace(/^\/\*\*?|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\/\/|\*)?\s?/, '').replace(/^\s*@\w+\s*/, ''))
    .join('\n')
    .replace(/\{@link (\w[^}]*)\}/g, '`$1`');
}
