// Reads the English of the project by a few rules (scripts/prose/rules.mjs). What was there when a rule came is known and may stay; nothing new may come.
//   npm run prose              what is new, and how many known sentences are left
//   npm run prose -- --all     every sentence that breaks a rule, for whoever mends some
//   npm run prose -- --forget  takes mended sentences out of the list of the known ones

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TextlintKernel } from '@textlint/kernel';
import markdownModule from '@textlint/textlint-plugin-markdown';
import { splitAST } from 'sentence-splitter';
import { rules } from './prose/rules.mjs';
import { textsOf } from './prose/texts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const knownFile = fileURLToPath(new URL('prose/known.txt', import.meta.url));

const markdown = markdownModule.default ?? markdownModule;
const kernel = new TextlintKernel();
const options = {
  ext: '.md',
  plugins: [{ pluginId: 'markdown', plugin: markdown }],
  rules: [{ ruleId: 'sentences', rule: readSentences }],
};

/** Wraps the rules of sentences as one rule of textlint: it finds paragraphs, the splitter their sentences. */
function readSentences(context) {
  const { Syntax, RuleError, report } = context;
  const read = (node) => {
    for (const sentence of splitAST(node).children) {
      if (sentence.type !== 'Sentence') continue;
      const said = saidBy(sentence).trim().replace(/\s+/g, ' ');
      for (const { name, isBroken } of rules) if (isBroken(said)) report(sentence, new RuleError(`${name}\n${said}`));
    }
  };
  return { [Syntax.Paragraph]: read, [Syntax.TableCell]: read };
}

/** Gives a sentence as it is read: code counts as one word. */
function saidBy(node) {
  if (node.type === 'Code' || node.type === 'Html') return 'code';
  return node.children === undefined ? (node.value ?? '') : node.children.map(saidBy).join('');
}

/** Lists the sentences that break a rule: `{ file, line, rule, sentence, id }`; an id is of the rule and the words, wherever they stand. */
export async function proseFindings() {
  const findings = [];
  for (const { file, text } of textsOf(root)) {
    const { messages } = await kernel.lintText(text, options);
    for (const { message, line } of messages) {
      const [rule, sentence] = message.split('\n');
      const id = createHash('sha256').update(message).digest('hex').slice(0, 10);
      findings.push({ file, line, rule, sentence, id });
    }
  }
  return findings;
}

/** Gives the ids of the sentences that were there when their rule came. */
export function knownSentences() {
  return new Set(readFileSync(knownFile, 'utf8').split('\n').filter(Boolean));
}

/** One line for a person: where, what, how to mend it. */
export function tellFinding({ file, line, rule, sentence }) {
  const { instead } = rules.find(({ name }) => name === rule);
  return `${file}:${line} ${rule}: ${sentence}\n    ${instead}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const findings = await proseFindings();
  const known = knownSentences();
  const isAll = process.argv.includes('--all');
  const told = isAll ? findings : findings.filter(({ id }) => !known.has(id));
  for (const finding of told) console.log(tellFinding(finding));
  if (process.argv.includes('--forget')) {
    const left = new Set(findings.map(({ id }) => id).filter((id) => known.has(id)));
    writeFileSync(knownFile, `${[...left].sort().join('\n')}\n`);
  }
  console.log(
    `${findings.filter(({ id }) => known.has(id)).length} known, ${findings.filter(({ id }) => !known.has(id)).length} new`,
  );
  process.exitCode = isAll || told.length === 0 ? 0 : 1;
}
