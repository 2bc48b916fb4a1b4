// Makes the pages of the library: its public names with their signatures and docstrings, as they stand in the source. Read by syntax alone,
// since every public signature is written out.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where the entries of package.json come from, in the order of the page. */
const entries = [
  ['git-memory', 'src/index.ts'],
  ['git-memory/ai-sdk', 'src/entry/ai-sdk/memory-tools.ts'],
  ['git-memory/memory-tool', 'src/entry/memory-tool/memory-tool.ts'],
  ['git-memory/langgraph', 'src/entry/langgraph/memory-store.ts'],
  ['git-memory/openai-agents', 'src/entry/openai-agents/agent-session.ts'],
];

const files = new Map();

function parse(path) {
  if (!files.has(path)) {
    const source = readFileSync(join(root, path), 'utf8');
    files.set(path, ts.createSourceFile(path, source, ts.ScriptTarget.ES2023, true));
  }
  return files.get(path);
}

/** Groups by a key, in order. */
function groupBy(list, keyOf) {
  const groups = new Map();
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

const pathOf = (node) => node.getSourceFile().fileName;
const has = (node, kind) => node.modifiers?.some((modifier) => modifier.kind === kind) ?? false;
const pathFrom = (path, specifier) => join(dirname(path), specifier.text);

/** Maps the names that a file exports to their declarations; re-exports are followed. */
function exportsOf(path) {
  const names = new Map();
  for (const statement of parse(path).statements) {
    if (ts.isExportDeclaration(statement)) {
      if (statement.moduleSpecifier === undefined) {
        for (const { name, propertyName } of statement.exportClause.elements) {
          names.set(name.text, [declarationOf(path, (propertyName ?? name).text)]);
        }
        continue;
      }
      if (!statement.moduleSpecifier.text.startsWith('.')) continue;
      const from = exportsOf(pathFrom(path, statement.moduleSpecifier));
      if (statement.exportClause === undefined) for (const [name, found] of from) names.set(name, found);
      else {
        for (const { name, propertyName } of statement.exportClause.elements) {
          names.set(name.text, from.get((propertyName ?? name).text));
        }
      }
    } else if (has(statement, ts.SyntaxKind.ExportKeyword)) {
      const declared = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
      for (const { name } of declared)
        names.set(name.text, [...(names.get(name.text) ?? []), { node: statement, path }]);
    }
  }
  return names;
}

/** Finds what a name in a file stands for: declared there, or imported. */
function declarationOf(path, name) {
  for (const statement of parse(path).statements) {
    if (statement.name?.text === name) return { node: statement, path };
    if (!ts.isImportDeclaration(statement) || !statement.moduleSpecifier.text.startsWith('.')) continue;
    const elements = statement.importClause?.namedBindings?.elements ?? [];
    if (elements.some((element) => element.name.text === name)) {
      return exportsOf(pathFrom(path, statement.moduleSpecifier)).get(name)?.[0];
    }
  }
  return undefined;
}

/** Gives the docstring of a node as Markdown, without its stars; empty where there is none. */
export function docOf(node) {
  const text = node.getSourceFile().text;
  const comment = ts
    .getLeadingCommentRanges(text, node.getFullStart())
    ?.map(({ pos, end }) => text.slice(pos, end))
    .findLast((one) => one.startsWith('/**'));
  return (comment ?? '')
    .replace(/^\/\*\*\s?|\s*\*\/$/g, '')
    .replace(/^\s*\* ?/gm, '')
    .replace(/\{@link ([\w.]+)\}/g, '`$1`')
    .replace(/^@throws \{?MemoryError\}? /gm, 'Throws ')
    .replace(/^@internal\b.*$/gm, '')
    .trim();
}

/** Gives source without what only its author needs: bodies, `export`, blank space at line starts. */
function signatureOf(node) {
  const text = node.getSourceFile().text;
  const end = node.body?.getStart() ?? node.end;
  return text
    .slice(node.getStart(), end)
    .replace(/^(?:export|public|abstract|async|override|\s)+/, '')
    .replace(/^default /, '')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/,? \)/g, ')')
    .replace(/\( /g, '(')
    .replace(/[\s;]+$/, '');
}

const inheritedDocs = new WeakMap();
const inheritedSignatures = new WeakMap();
const memberSignature = (member) => inheritedSignatures.get(member) ?? signatureOf(member);
const memberDoc = (member) => inheritedDocs.get(member) ?? docOf(member);

/** Lists the public members of a class with those it inherits, nearest first; of overloads all but the one that holds the body. */
function membersOf({ node, path }) {
  const own = node.members.filter(
    (member) =>
      (ts.isMethodDeclaration(member) || ts.isGetAccessor(member) || ts.isPropertyDeclaration(member)) &&
      ts.isIdentifier(member.name) &&
      !has(member, ts.SyntaxKind.PrivateKeyword) &&
      !has(member, ts.SyntaxKind.ProtectedKeyword) &&
      !/@internal\b/.test(member.getFullText()),
  );
  const overloaded = new Set(
    own.filter((one) => ts.isMethodDeclaration(one) && !one.body).map(({ name }) => name.text),
  );
  const members = own.filter(
    (one) => has(one, ts.SyntaxKind.AbstractKeyword) || !(one.body && overloaded.has(one.name.text)),
  );
  const base = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0]?.expression
    .text;
  const parent = base === undefined ? undefined : declarationOf(path, base);
  const names = new Set(members.map(({ name }) => name.text));
  const above = parent === undefined ? [] : membersOf(parent);
  // What overrides without a word of its own says what it overrides says.
  for (const member of members) {
    const overridden = above.find(({ name }) => name.text === member.name.text);
    if (overridden === undefined) continue;
    // An override that passes on what it is given is written out by what it overrides, whose words hold for it, too.
    const isPassedOn = /\bParameters</.test(signatureOf(member));
    if (isPassedOn) inheritedSignatures.set(member, memberSignature(overridden));
    const docs = [memberDoc(overridden), docOf(member)].filter((doc) => doc !== '');
    if (docOf(member) === '' || isPassedOn) inheritedDocs.set(member, docs.join('\n\n'));
  }
  return [...members, ...above.filter(({ name }) => !names.has(name.text))];
}

const fence = (text) => `\`\`\`ts\n${text}\n\`\`\``;
const isType = ({ node }) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
const anchor = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Names the types of the page of types that a signature mentions. */
function typesIn(signature, types) {
  const named = [...new Set(signature.match(/\b[A-Z]\w+/g) ?? [])].filter((name) => types.has(name));
  return named.length === 0 ? '' : `Types: ${named.map((name) => `[${name}](types.md#${anchor(name)})`).join(' · ')}`;
}

function section(heading, level, signatures, doc, types) {
  const shown = signatures.length === 0 ? '' : fence(signatures.join('\n'));
  const parts = [`${'#'.repeat(level)} ${heading}`, shown, doc, typesIn(signatures.join(' '), types)];
  return parts.filter((part) => part !== '').join('\n\n');
}

function memberText(owner, members, types) {
  const byName = groupBy(members, ({ name }) => name.text);
  return [...byName]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, [...all]]) => {
      const doc = all.map(memberDoc).find((one) => one !== '') ?? '';
      return section(
        `${owner}.${name}`,
        4,
        all.map((one) => (ts.isMethodDeclaration(one) ? memberSignature(one) : propertyOf(one))),
        doc,
        types,
      );
    })
    .join('\n\n');
}

function propertyOf(member) {
  if (ts.isGetAccessor(member)) return `readonly ${member.name.text}: ${member.type?.getText() ?? 'unknown'}`;
  return signatureOf(member).replace(/ = .*/s, '');
}

/** Text of a declaration as it stands, without `export`; comments stay. */
function declarationText({ node }) {
  return node.getText().replace(/^export (?:declare )?/, '');
}

/** What everybody begins with stands first; the rest in the order of the source. */
const first = ['openMemory', 'Memory', 'View', 'Session', 'MemoryError', 'errorCodes'];
const rank = (name) => (first.includes(name) ? first.indexOf(name) : first.length);

/** Makes both pages. */
export function pages() {
  const all = entries.map(([entry, path]) => ({ entry, path, names: exportsOf(path) }));
  const types = new Map();
  for (const { entry, names } of all) {
    for (const [name, [found]] of names) if (isType(found) && !types.has(name)) types.set(name, { ...found, entry });
  }
  const asked = new Set(membersOf(all[0].names.get('View')[0]));
  const values = all.map(({ entry, path, names }) => {
    const parts = [...names]
      .filter(([, [found]]) => !isType(found))
      .sort(([left], [right]) => rank(left) - rank(right))
      .map(([name, declarations]) => {
        const [found] = declarations;
        if (!ts.isClassDeclaration(found.node)) {
          const isFunction = ts.isFunctionDeclaration(found.node);
          const shown = isFunction
            ? declarations
                .map(({ node }) => node)
                .filter((node, _, list) => list.length === 1 || !node.body)
                .map(signatureOf)
            : [variableOf(found.node)];
          return section(name, 3, shown, docOf(found.node), types);
        }
        const built = found.node.members.find(ts.isConstructorDeclaration);
        const isOurs = name === 'Memory' || name === 'View' || name === 'Session';
        const members = membersOf(found);
        const shown = name === 'Memory' ? members.filter((member) => !asked.has(member)) : members;
        const signatures =
          built === undefined || isOurs ? [] : [signatureOf(built).replace(/^constructor/, `new ${name}`)];
        const owner = name.replace(/^[A-Z]+(?=[A-Z])|^[A-Z]/, (start) => start.toLowerCase());
        const note = name === 'Memory' ? 'Answers also whatever a [View](#view) answers, of the present.' : '';
        return [
          section(name, 3, signatures, [docOf(found.node), note].filter(Boolean).join('\n\n'), types),
          memberText(owner, shown, types),
        ]
          .filter((part) => part !== '')
          .join('\n\n');
      });
    return `## ${entry}\n\nFrom [${path}](../../${path}).\n\n${parts.join('\n\n')}`;
  });
  const listed = [...types]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, found]) => {
      const from = found.entry === 'git-memory' ? '' : ` From \`${found.entry}\`.`;
      const parts = [
        `## ${name}`,
        `${docOf(found.node)}${from}`.trim(),
        fence(declarationText(found)),
        `[${found.path}](../../${found.path})`,
      ];
      return parts.filter((part) => part !== '').join('\n\n');
    });
  return {
    api: `# Reference: functions and classes

Made by \`npm run docs\` from the docstrings; edit those. The shapes that go in and come out stand in [types.md](types.md). Every call
throws a \`MemoryError\` where it is given what it cannot take; the codes are those of [errorCodes](#errorcodes).

${values.join('\n\n')}
`,
    types: `# Reference: types

Made by \`npm run docs\` from the source. What takes and gives them stands in [api.md](api.md).

${listed.join('\n\n')}
`,
  };
}

function variableOf(statement) {
  const text = declarationText({ node: statement });
  return statement.declarationList.declarations[0].type !== undefined ? text.replace(/ = .*/s, '') : text;
}

/** Lists the types that public signatures and shapes name, and no entry exports. */
export function unnamed() {
  const all = entries.map(([, path]) => exportsOf(path));
  const exported = new Set(all.flatMap((names) => [...names.keys()]));
  const missing = new Set();
  for (const { node } of all.flatMap((names) => [...names.values()].flat())) {
    if (ts.isTypeAliasDeclaration(node) || ts.isVariableStatement(node)) continue;
    for (const one of ts.isClassDeclaration(node) ? membersOf({ node, path: pathOf(node) }) : [node]) {
      const signature = memberSignature(one).replace(/\/\*.*?\*\//g, '');
      for (const [name] of signature.matchAll(/\b[A-Z]\w+\b(?!\[)/g)) {
        const found = exported.has(name) ? undefined : declarationOf(pathOf(one), name);
        if (found !== undefined && has(found.node, ts.SyntaxKind.ExportKeyword)) missing.add(name);
      }
    }
  }
  return [...missing].sort();
}

/** Lists the public functions, classes and members that say nothing about themselves. */
export function undocumented() {
  const missing = [];
  for (const [, path] of entries) {
    for (const [name, [found]] of exportsOf(path)) {
      if (isType(found)) continue;
      if (docOf(found.node) === '') missing.push(name);
      if (!ts.isClassDeclaration(found.node)) continue;
      const byName = groupBy(membersOf(found), (member) => member.name.text);
      for (const [member, [...all]] of byName)
        if (all.every((one) => memberDoc(one) === '')) missing.push(`${name}.${member}`);
    }
  }
  return missing;
}
