// Leaves of the declarations in dist/ what the package's entries reach. Files that no entry needs go, and so do statements of the others
// that no public shape names. What is inside is no promise, and was half of what a user had to install.

import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Prunes declarations; `entries` are paths of .d.ts files. */
export function pruneTypes(root, entries) {
  const dist = join(root, 'dist');
  const options = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    noLib: true,
    noEmit: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  // What other packages declare stays as it is, and reading it takes longer than all of ours.
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) =>
      text.startsWith('.') ? ts.resolveModuleName(text, from, options, host) : { resolvedModule: undefined },
    );
  const program = ts.createProgram(entries, options, host);
  const checker = program.getTypeChecker();
  const needed = reached(
    checker,
    entries.map((entry) => program.getSourceFile(entry)),
    dist,
  );
  const kept = new Set();
  for (const [file, statements] of needed) {
    kept.add(file.fileName);
    writeFileSync(file.fileName, textOf(file, statements));
  }
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const path = join(dist, name);
    if (name.endsWith('.d.ts') && !kept.has(path)) rmSync(path);
  }
}

/** Maps files to the statements that public shapes are made of, and the names that each export or import statement keeps. */
function reached(checker, files, dist) {
  const needed = new Map();
  const queue = [];
  const note = (statement, name) => {
    const file = statement.getSourceFile();
    if (!file.fileName.startsWith(dist)) return;
    if (!needed.has(file)) needed.set(file, new Map());
    const names = needed.get(file).get(statement);
    if (names === undefined) {
      needed.get(file).set(statement, new Set(name === undefined ? [] : [name]));
      if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) queue.push(statement);
    } else if (name !== undefined) names.add(name);
  };
  /** Notes where a name is declared, and every statement on the way there. */
  const follow = (symbol) => {
    for (const declaration of symbol?.declarations ?? []) {
      let statement = declaration;
      while (statement.parent && !ts.isSourceFile(statement.parent)) statement = statement.parent;
      if (ts.isSourceFile(statement)) {
        for (const one of checker.getExportsOfModule(symbol)) follow(one);
        continue;
      }
      note(statement, statement === declaration ? undefined : symbol.name);
    }
    if (symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias) {
      const next = checker.getImmediateAliasedSymbol(symbol);
      if (next !== undefined && next !== symbol) {
        follow(next);
        passStars(symbol, next);
      }
    }
  };
  /** A name may come through `export *` of a file between. */
  const passStars = (symbol, next) => {
    const [declaration] = symbol.declarations ?? [];
    let statement = declaration;
    while (statement && !statement.moduleSpecifier) statement = statement.parent;
    const module = statement && checker.getSymbolAtLocation(statement.moduleSpecifier);
    if (module) throughStars(module, next, new Set());
  };
  const throughStars = (module, target, seen) => {
    if (seen.has(module)) return false;
    seen.add(module);
    for (const own of module.exports?.values() ?? []) if (own === target) return true;
    let isFound = false;
    for (const star of module.exports?.get('__export')?.declarations ?? []) {
      const other = checker.getSymbolAtLocation(star.moduleSpecifier);
      if (other && throughStars(other, target, seen)) {
        note(star);
        isFound = true;
      }
    }
    return isFound;
  };
  for (const file of files) {
    const module = checker.getSymbolAtLocation(file);
    needed.set(file, new Map());
    for (const symbol of checker.getExportsOfModule(module)) {
      follow(symbol);
      throughStars(module, symbol, new Set());
    }
  }
  /** Notes a shape that is named by its file, as in `types.ListResult`: that one alone, and what leads to it. */
  const isOfFile = (node) => {
    const [file, name] = ts.isQualifiedName(node) ? [node.left, node.right] : [node.expression, node.name];
    const alias = file && ts.isIdentifier(file) ? checker.getSymbolAtLocation(file) : undefined;
    const found = alias?.declarations?.find(ts.isNamespaceImport);
    if (found === undefined || name === undefined) return false;
    const module = checker.getAliasedSymbol(alias);
    const shape = checker.tryGetMemberInModuleExports(name.text, module);
    note(found.parent.parent, alias.name);
    follow(shape);
    throughStars(module, shape, new Set());
    return true;
  };
  const names = (node) => {
    if (ts.isParameter(node) && isVerbFactory(node.parent)) return;
    if ((ts.isQualifiedName(node) || ts.isPropertyAccessExpression(node)) && isOfFile(node)) return;
    if (ts.isIdentifier(node)) follow(checker.getSymbolAtLocation(node));
    if (ts.isImportTypeNode(node) && node.argument.literal) {
      const module = checker.getSymbolAtLocation(node.argument.literal);
      if (node.qualifier === undefined && module) follow(module);
    }
    ts.forEachChild(node, names);
  };
  for (let statement = queue.pop(); statement !== undefined; statement = queue.pop()) names(statement);
  return needed;
}

/** Whether of a function only what it gives is public: memory/ joins what a memory can do of such functions, as ReturnType<typeof historyVerbs>. */
function isVerbFactory(node) {
  return ts.isFunctionDeclaration(node) && /(?:Verbs|Questions)$/.test(node.name?.text ?? '');
}

/** The text of a file with these statements alone. */
function textOf(file, statements) {
  const lines = file.statements.flatMap((statement) => {
    const names = statements.get(statement);
    if (names === undefined) return [];
    const clause = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : statement.exportClause;
    const text = statement.getFullText(file).trim();
    if (isVerbFactory(statement) && statement.parameters.length > 0) {
      const parameters = file.text.slice(statement.parameters[0].getStart(file), statement.parameters.at(-1).getEnd());
      return [text.replace(parameters, '...dependencies: any[]')];
    }
    if (!clause || !(ts.isNamedImports(clause) || ts.isNamedExports(clause))) return [text];
    const kept = clause.elements.filter((one) => names.has(one.name.text)).map((one) => one.getText(file));
    return [text.replace(clause.getText(file), `{ ${kept.join(', ')} }`)];
  });
  // Without an import or export a file would be a script, and its names everybody's.
  const isModule = lines.some((line) => /^(?:export|import)\b/m.test(line));
  // A tab for the compiler's four spaces: a twentieth of what is left.
  const text = [...lines, ...(isModule ? [] : ['export {};'])].join('\n');
  return `${text.replace(/^(?: {4})+/gm, (indent) => '\t'.repeat(indent.length / 4))}\n`;
}
