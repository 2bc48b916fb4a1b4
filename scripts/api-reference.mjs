// Makes the pages of the library: its public names with their signatures and docstrings, as they are in the source. Read by syntax alone,
// since every public signature is written out.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where the entries of package.json come from, in the order of the page. */
const entries = [
  ['git-memory', 'src/index.ts'],
  ['git-memory/ai-sdk', 'src/apps/ai-sdk/memory-tools.ts'],
  ['git-memory/memory-tool', 'src/apps/memory-tool/memory-tool.ts'],
  ['git-memory/langgraph', 'src/apps/langgraph/memory-store.ts'],
  ['git-memory/openai-agents', 'src/apps/openai-agents/agent-session.ts'],
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
      // The shapes of a namespace are listed by their own names.
      if (statement.exportClause?.elements === undefined) for (const [name, found] of from) names.set(name, found);
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
    .replace(/^@(?:internal|handedBack)\b.*$/gm, '')
    .trim();
}

/** Whether a verb of a family is written as `name: async (…) => …`. */
const isArrow = (node) => ts.isPropertyAssignment(node) && ts.isArrowFunction(node.initializer);

/** Gives source without what only its author needs: bodies, `export`, the name of the file that types are of, blank space at line starts. */
function signatureOf(node) {
  const text = node.getSourceFile().text;
  const end = isArrow(node) ? node.initializer.equalsGreaterThanToken.getStart() : (node.body?.getStart() ?? node.end);
  return text
    .slice(node.getStart(), end)
    .replace(isArrow(node) ? /: (?:async )?/ : /^(?:export|public|abstract|async|override|\s)+/, '')
    .replace(/\btypes\./g, '')
    .replace(/^default /, '')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/,? \)/g, ')')
    .replace(/\( /g, '(')
    .replace(/[\s;]+$/, '');
}

const isInternal = (member) => /@internal\b/.test(member.getFullText());

/** Lists the public members of a class or interface; of overloads all but the one that holds the body. An interface has those of what it extends. */
function membersOf({ node, path }) {
  if (ts.isInterfaceDeclaration(node)) {
    const above = (node.heritageClauses ?? []).flatMap(({ types }) =>
      types.flatMap((type) => membersOfType(type, path)),
    );
    return [...node.members.filter((member) => !isInternal(member) && !isFamily(member)), ...above];
  }
  const own = node.members.filter(
    (member) =>
      (ts.isMethodDeclaration(member) || ts.isGetAccessor(member) || ts.isPropertyDeclaration(member)) &&
      ts.isIdentifier(member.name) &&
      !has(member, ts.SyntaxKind.PrivateKeyword) &&
      !has(member, ts.SyntaxKind.ProtectedKeyword) &&
      !isInternal(member),
  );
  const overloaded = new Set(
    own.filter((one) => ts.isMethodDeclaration(one) && !one.body).map(({ name }) => name.text),
  );
  return own.filter((one) => !(one.body && overloaded.has(one.name.text)));
}

/** Lists the members of an interface, or of the object that a family of verbs returns, `ReturnType<typeof verbs>`, or of several of these. */
function membersOfType(type, path) {
  if (ts.isIntersectionTypeNode(type)) return type.types.flatMap((one) => membersOfType(one, path));
  const name = (type.expression ?? type.typeName).text;
  const found = declarationOf(path, name === 'ReturnType' ? type.typeArguments[0].exprName.text : name);
  if (name === 'ReturnType') return propertiesIn(found.node.body.statements.at(-1).expression);
  return ts.isTypeAliasDeclaration(found.node) ? membersOfType(found.node.type, found.path) : membersOf(found);
}

/**
 * Lists what the objects in an expression have: one object, or several within calls, such as `compose(within(acting, { … }), { … })`.
 * Of a family of verbs, an object within such an object, they are its verbs.
 */
function propertiesIn(expression) {
  if (ts.isCallExpression(expression)) return expression.arguments.flatMap(propertiesIn);
  if (!ts.isObjectLiteralExpression(expression)) return [];
  return expression.properties.flatMap((one) => (isFamily(one) ? propertiesIn(one.initializer) : [one]));
}

/** Whether a member is a family of verbs, such as `ledger`; an interface joins those of several objects. */
function isFamily(member) {
  if (ts.isPropertyAssignment(member)) return ts.isObjectLiteralExpression(member.initializer);
  return ts.isPropertySignature(member) && ts.isIntersectionTypeNode(member.type);
}

/** Gives the name of a member as callers write it: that of a verb of a family is `family.verb`. */
function nameOf({ name, parent }) {
  const family = ts.isObjectLiteralExpression(parent) && ts.isPropertyAssignment(parent.parent) ? parent.parent : null;
  return family === null ? name.text : `${family.name.text}.${name.text}`;
}

const fence = (text) => `\`\`\`ts\n${text}\n\`\`\``;
/** What callers hold: interfaces with verbs, which the pages list verb by verb like a class. */
const held = ['Memory', 'MemoryPart', 'View'];
const isHeld = ({ node }) => ts.isInterfaceDeclaration(node) && held.includes(node.name.text);
const isType = (found) =>
  (ts.isInterfaceDeclaration(found.node) || ts.isTypeAliasDeclaration(found.node)) && !isHeld(found);
const hasMembers = (found) => ts.isClassDeclaration(found.node) || isHeld(found);
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
  const byName = groupBy(members, nameOf);
  return [...byName]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, [...all]]) => {
      const doc = all.map(docOf).find((one) => one !== '') ?? '';
      return section(
        `${owner}.${name}`,
        4,
        all.map((one) =>
          ts.isMethodDeclaration(one) || ts.isMethodSignature(one) || isArrow(one) ? signatureOf(one) : propertyOf(one),
        ),
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
const first = ['openMemory', 'Memory', 'MemoryPart', 'View', 'Session', 'MemoryError', 'errorCodes'];
const rank = (name) => (first.includes(name) ? first.indexOf(name) : first.length);

/** Makes both pages. */
export function pages() {
  const all = entries.map(([entry, path]) => ({ entry, path, names: exportsOf(path) }));
  const types = new Map();
  for (const { entry, names } of all) {
    for (const [name, [found]] of names) if (isType(found) && !types.has(name)) types.set(name, { ...found, entry });
  }
  const membersOfHeld = (name) => new Set(membersOf(all[0].names.get(name)[0]));
  const asked = membersOfHeld('View');
  const inPart = membersOfHeld('MemoryPart');
  const values = all.map(({ entry, path, names }) => {
    const parts = [...names]
      .filter(([, [found]]) => !isType(found))
      .sort(([left], [right]) => rank(left) - rank(right))
      .map(([name, declarations]) => {
        const [found] = declarations;
        if (!hasMembers(found)) {
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
        const members = membersOf(found).filter((member) => name === 'View' || !asked.has(member));
        const shown = name === 'MemoryPart' ? [] : members;
        const signatures =
          built === undefined || name === 'Session' ? [] : [signatureOf(built).replace(/^constructor/, `new ${name}`)];
        const owner = name.replace(/^[A-Z]+(?=[A-Z])|^[A-Z]/, (start) => start.toLowerCase());
        const verbs = [...inPart].filter((member) => !asked.has(member)).map((member) => `\`${nameOf(member)}\``);
        const notes = {
          Memory: 'Answers also whatever a [View](#view) answers, of the present.',
          MemoryPart: `Answers also whatever a [View](#view) answers, of the present; and has of a [Memory](#memory): ${verbs.sort().join(', ')}.`,
        };
        const note = notes[name] ?? '';
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
    for (const one of hasMembers({ node }) ? membersOf({ node, path: pathOf(node) }) : [node]) {
      const signature = signatureOf(one).replace(/\/\*.*?\*\//g, '');
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
      if (!hasMembers(found)) continue;
      const byName = groupBy(membersOf(found), nameOf);
      for (const [member, [...all]] of byName)
        if (all.every((one) => docOf(one) === '')) missing.push(`${name}.${member}`);
    }
  }
  return missing;
}
