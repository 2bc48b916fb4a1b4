// Makes of the types of the library what its calls take: src/memory/generated/calls.ts, by the build; see outputs.mjs.
// A call's type is all that is said of its arguments, and src/memory/arguments.ts checks them by it.

import ts from 'typescript';

/** Whose methods are calls, and under which name; the families of a memory go by their own. */
const holders = { Memory: '', MemoryPart: '', View: '', Session: 'session.' };

/** What is no call: it belongs to the engine. */
const engine = new Set(['store', 'batch', 'origins']);

/** Kinds of things that have a life of their own, by the names of their types. */
const kindOfType = { AbortSignal: 'a', Buffer: 'y', Date: 'd', RegExp: 'r', Uint8Array: 'y' };

/**
 * Gives what calls take, as JSON holds it.
 *
 * ```
 * { "calls": { "recall": [["query", "s"], ["options?", 4]] }, "sync": ["watch"],
 *   "shapes": [ …, { "limit?": "n", "mode?": ["=", "hybrid", "lexical"], "signal?": "a" } ] }
 * ```
 *
 * A shape is a letter, the place of a shape in `shapes`, fields by name, or a list that begins with what it is.
 *
 * - Letters are s text, n number, b boolean, f function, d Date, r RegExp, y bytes, a AbortSignal, 0 null, * anything.
 * - Lists are `=` one of these values, `[]` a list, `{}` fields of any name, `o` a thing with these functions, `|` one of these.
 * - Fields with a `+` have others, too. `sync` names what answers at once.
 *
 * `mustKnow` throws for a file that the build does not look at to know whether types are others.
 */
export function callsOf(program, entry, mustKnow) {
  const checker = program.getTypeChecker();
  const made = new Calls(checker, mustKnow);
  for (const exported of checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)))) {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const prefix = holders[exported.name];
    if (prefix !== undefined) made.addHolder(checker.getDeclaredTypeOfSymbol(symbol), prefix);
    else if (['openMemory', 'doctor'].includes(exported.name)) made.add(exported.name, checker.getTypeOfSymbol(symbol));
  }
  return made.whole;
}

class Calls {
  whole = { calls: {}, sync: [], shapes: [] };
  /** Places of types in the list of shapes, and of shapes by what they say. */
  #places = new Map();
  #same = new Map();

  constructor(checker, mustKnow) {
    this.checker = checker;
    this.mustKnow = mustKnow;
  }

  addHolder(type, prefix) {
    for (const property of this.checker.getPropertiesOfType(type)) {
      const isHidden = property.getJsDocTags(this.checker).some(({ name }) => name === 'internal');
      const modifiers = property.valueDeclaration ? ts.getCombinedModifierFlags(property.valueDeclaration) : 0;
      if (isHidden || engine.has(property.name) || modifiers & ts.ModifierFlags.Private) continue;
      const held = this.checker.getTypeOfSymbol(property);
      if (held.getCallSignatures().length > 0) this.add(prefix + property.name, held);
      else if (prefix === '' && held.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))
        for (const one of this.checker.getPropertiesOfType(held))
          this.add(`${property.name}.${one.name}`, this.checker.getTypeOfSymbol(one));
    }
  }

  /** The last of several signatures takes what the others take. */
  add(name, type) {
    const signature = type.getCallSignatures().at(-1);
    const taken = signature.getParameters().map((parameter) => {
      const { name: node } = parameter.valueDeclaration;
      if (!ts.isIdentifier(node)) throw new Error(`${name} takes an argument that has no name`);
      const given = this.checker.getTypeOfSymbol(parameter);
      const isOptional = this.checker.isOptionalParameter(parameter.valueDeclaration) || mayLack(given);
      return [`${parameter.name}${isOptional ? '?' : ''}`, this.shapeOf(given)];
    });
    const before = this.whole.calls[name];
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(taken))
      throw new Error(`${name} takes other arguments in another place`);
    this.whole.calls[name] = taken;
    const answer = signature.getReturnType();
    if (answer.symbol?.name !== 'Promise' && !this.whole.sync.includes(name)) this.whole.sync.push(name);
  }

  shapeOf(type) {
    const { flags } = type;
    for (const { declarations = [] } of [type.symbol, type.aliasSymbol].filter((symbol) => symbol !== undefined))
      for (const declaration of declarations) this.mustKnow(declaration.getSourceFile().fileName);
    const named = kindOfType[type.symbol?.name ?? this.checker.typeToString(type)];
    if (named !== undefined) return named;
    if (type.isUnion()) return this.#union(type.types);
    if (flags & (ts.TypeFlags.StringLiteral | ts.TypeFlags.NumberLiteral)) return ['=', type.value];
    if (flags & ts.TypeFlags.BooleanLiteral) return ['=', type.intrinsicName === 'true'];
    if (flags & ts.TypeFlags.StringLike) return 's';
    if (flags & ts.TypeFlags.NumberLike) return 'n';
    if (flags & ts.TypeFlags.Null) return '0';
    if (flags & ts.TypeFlags.NonPrimitive) return ['o'];
    if (!(flags & ts.TypeFlags.Object || flags & ts.TypeFlags.Intersection)) return '*';
    if (this.checker.isArrayType(type) || this.checker.isTupleType(type))
      return ['[]', this.#union(this.checker.getTypeArguments(type))];
    if (type.getCallSignatures().length > 0) return 'f';
    return this.#placeOf(type);
  }

  #union(types) {
    const given = types.filter((one) => !(one.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Never)));
    const shapes = given.map((one) => this.shapeOf(one));
    const isOf = (operator) => (shape) => Array.isArray(shape) && shape[0] === operator;
    const values = shapes.filter(isOf('=')).flatMap(([, ...held]) => held);
    const isBoolean = values.includes(true) && values.includes(false);
    const isText = shapes.includes('s');
    const words = values.filter((value) => (typeof value === 'boolean' ? !isBoolean : !isText)).sort();
    const lists = shapes.filter(isOf('[]')).map(([, one]) => one);
    const forms = [
      ...(words.length === 0 ? [] : [['=', ...words]]),
      ...(isBoolean ? ['b'] : []),
      ...(lists.length === 0 ? [] : [['[]', lists.length === 1 ? lists[0] : ['|', ...lists]]]),
      ...shapes.filter((shape) => !isOf('=')(shape) && !isOf('[]')(shape)),
    ];
    const distinct = [...new Map(forms.map((form) => [JSON.stringify(form), form])).values()];
    return distinct.length === 1 ? distinct[0] : ['|', ...distinct];
  }

  /** A type that holds itself has its place before it is said. */
  #placeOf(type) {
    if (this.#places.has(type)) return this.#places.get(type);
    const place = this.whole.shapes.push(null) - 1;
    this.#places.set(type, place);
    const shape = this.#fieldsOf(type);
    const said = JSON.stringify(shape);
    const same = this.#same.get(said);
    if (same !== undefined && place === this.whole.shapes.length - 1) {
      this.whole.shapes.pop();
      this.#places.set(type, same);
      return same;
    }
    this.#same.set(said, place);
    this.whole.shapes[place] = shape;
    return place;
  }

  #fieldsOf(type) {
    const fields = {};
    const functions = [];
    for (const property of this.checker.getPropertiesOfType(type)) {
      const held = this.checker.getTypeOfSymbol(property);
      const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0 || mayLack(held);
      if (!isOptional && held.getCallSignatures().length > 0) functions.push(property.name);
      if (held.flags & ts.TypeFlags.Undefined) continue;
      fields[`${property.name}${isOptional ? '?' : ''}`] = held;
    }
    if (functions.length > 0) return ['o', ...functions];
    const named = this.checker.getIndexInfoOfType(type, ts.IndexKind.String);
    if (named !== undefined && Object.keys(fields).length === 0) return ['{}', this.shapeOf(named.type)];
    const isHandedBack = type.symbol?.getJsDocTags(this.checker).some(({ name }) => name === 'handedBack');
    const shapes = Object.entries(fields).map(([name, held]) => [name, this.shapeOf(held)]);
    return { ...Object.fromEntries(shapes), ...(isHandedBack ? { '+': '*' } : {}) };
  }
}

/** Whether a value of a type may be left out. */
function mayLack(type) {
  return type.isUnion() && type.types.some(({ flags }) => flags & ts.TypeFlags.Undefined);
}
