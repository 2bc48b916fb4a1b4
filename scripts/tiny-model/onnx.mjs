// Just enough of ONNX to write a model: a graph of named operations as protocol-buffer bytes.
// Field numbers are those of onnx.proto: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto

export const types = { float: 1, int8: 3, int64: 7 };

function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}

const integerField = (field, value) => Buffer.concat([varint(field << 3), varint(value)]);

function bytesField(field, content) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

/** An attribute of an operation: a whole number or a list of them. */
function attribute(name, value) {
  const content = Array.isArray(value)
    ? [...value.map((item) => integerField(8, item)), integerField(20, 7)]
    : [integerField(3, value), integerField(20, 2)];
  return Buffer.concat([bytesField(1, name), ...content]);
}

/** Names a value of the graph's interface; a dimension is a number, or a name where any size goes. */
function valueInfo(name, type, shape) {
  const dimensions = shape.map((size) =>
    bytesField(1, typeof size === 'string' ? bytesField(2, size) : integerField(1, size)),
  );
  const tensor = Buffer.concat([integerField(1, type), bytesField(2, Buffer.concat(dimensions))]);
  return Buffer.concat([bytesField(1, name), bytesField(2, bytesField(1, tensor))]);
}

/** Collects operations and constants; every one is called by the name of its result. */
export class Graph {
  #operations = [];
  #constants = new Map();

  /** Adds an operation and gives the names of its results: one, or a list of `outputs`. */
  add(operator, inputs, attributes = {}, { outputs = 1, name } = {}) {
    const own = `${operator}_${this.#operations.length}`;
    const results = Array.from({ length: outputs }, (_, at) => (outputs === 1 && name ? name : `${own}_${at}`));
    this.#operations.push(
      Buffer.concat([
        ...inputs.map((input) => bytesField(1, input)),
        ...results.map((result) => bytesField(2, result)),
        bytesField(3, own),
        bytesField(4, operator),
        ...Object.entries(attributes).map(([key, value]) => bytesField(5, attribute(key, value))),
      ]),
    );
    return outputs === 1 ? results[0] : results;
  }

  /** Adds a constant, once per name, and gives its name. */
  constant(name, type, shape, values) {
    this.#constants.set(
      name,
      Buffer.concat([
        ...shape.map((size) => integerField(1, size)),
        integerField(2, type),
        bytesField(8, name),
        bytesField(9, Buffer.from(values.buffer, values.byteOffset, values.byteLength)),
      ]),
    );
    return name;
  }

  scalar(name, value) {
    return this.constant(name, types.float, [], Float32Array.of(value));
  }

  integers(name, values, shape = [values.length]) {
    return this.constant(name, types.int64, shape, BigInt64Array.from(values, BigInt));
  }

  /** Formats the model: IR version 7, operator set 13, which every runtime since 2021 reads. */
  format({ name, inputs, outputs }) {
    const graph = Buffer.concat([
      ...this.#operations.map((operation) => bytesField(1, operation)),
      bytesField(2, name),
      ...[...this.#constants.values()].map((constant) => bytesField(5, constant)),
      ...inputs.map(({ name: input, type, shape }) => bytesField(11, valueInfo(input, type, shape))),
      ...outputs.map(({ name: output, type, shape }) => bytesField(12, valueInfo(output, type, shape))),
    ]);
    const operatorSet = Buffer.concat([bytesField(1, ''), integerField(2, 13)]);
    return Buffer.concat([integerField(1, 7), bytesField(2, name), bytesField(7, graph), bytesField(8, operatorSet)]);
  }
}
