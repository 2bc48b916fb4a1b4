// The BERT encoder as an ONNX graph, in floating point or with 8-bit weights and dynamic quantisation as published models have.
// Devlin et al. 2018, https://arxiv.org/abs/1810.04805

import { Graph, types } from './onnx.mjs';

/** Formats the model: input_ids, attention_mask and token_type_ids of [batch, sequence] → last_hidden_state. */
export function bertModel(shape, weights, { quantised }) {
  const { dimensions, heads, words, positions } = shape;
  const graph = new Graph();
  const add = graph.add.bind(graph);
  const [one, two, half] = [graph.scalar('one', 1), graph.scalar('two', 2), graph.scalar('half', 0.5)];
  const zeroPoint = quantised ? graph.constant('zero_point', types.int8, [], Int8Array.of(0)) : undefined;

  function embedding(name, rows, values, ids) {
    if (!quantised) {
      return add('Gather', [graph.constant(name, types.float, [rows, dimensions], values), ids], { axis: 0 });
    }
    const { integers, scale } = quantise(values);
    const gathered = add('Gather', [graph.constant(name, types.int8, [rows, dimensions], integers), ids], { axis: 0 });
    return add('DequantizeLinear', [gathered, graph.scalar(`${name}_scale`, scale), zeroPoint]);
  }

  function linear(name, input, { from, to, factors, offsets }) {
    const offset = graph.constant(`${name}_offset`, types.float, [to], offsets);
    if (!quantised) {
      return add('Add', [add('MatMul', [input, graph.constant(name, types.float, [from, to], factors)]), offset]);
    }
    const { integers, scale } = quantise(factors);
    const [rounded, inputScale, inputZero] = add('DynamicQuantizeLinear', [input], {}, { outputs: 3 });
    const matrix = graph.constant(name, types.int8, [from, to], integers);
    const product = add('Cast', [add('MatMulInteger', [rounded, matrix, inputZero, zeroPoint])], { to: types.float });
    const factor = add('Mul', [inputScale, graph.scalar(`${name}_scale`, scale)]);
    return add('Add', [add('Mul', [product, factor]), offset]);
  }

  const epsilon = graph.scalar('epsilon', 1e-5);
  const mean = (input) => add('ReduceMean', [input], { axes: [-1], keepdims: 1 });
  function normalised(input, name) {
    const centred = add('Sub', [input, mean(input)]);
    const variance = mean(add('Pow', [centred, two]));
    const deviation = add('Sqrt', [add('Add', [variance, epsilon])]);
    return add('Div', [centred, deviation], {}, { name });
  }

  const firstAxis = graph.integers('first_axis', [1], []);
  const length = add('Gather', [add('Shape', ['input_ids']), firstAxis], { axis: 0 });
  const places = add('Range', [graph.integers('from_zero', [0], []), length, firstAxis]);
  const word = embedding('word', words, weights.word, 'input_ids');
  const type = embedding('type', 2, weights.type, 'token_type_ids');
  let state = add('Add', [add('Add', [word, type]), embedding('position', positions, weights.position, places)]);
  state = normalised(state);

  // What pads a text gets −10,000 before the softmax, and thereby no attention.
  const present = add('Unsqueeze', [
    add('Cast', ['attention_mask'], { to: types.float }),
    graph.integers('mask_axes', [1, 2]),
  ]);
  const mask = add('Mul', [add('Sub', [one, present]), graph.scalar('hidden', -10_000)]);
  const split = graph.integers('split', [0, 0, heads, dimensions / heads]);
  const join = graph.integers('join', [0, 0, dimensions]);
  const damping = graph.scalar('damping', 1 / Math.sqrt(dimensions / heads));
  const squareRootOfHalf = graph.scalar('square_root_of_half', Math.SQRT1_2);

  for (const [number, layer] of weights.layers.entries()) {
    const name = (part) => `layer${number}_${part}`;
    const headsOf = (part, perm) =>
      add('Transpose', [add('Reshape', [linear(name(part), state, layer[part]), split])], { perm });
    const scores = add('Mul', [add('MatMul', [headsOf('query', [0, 2, 1, 3]), headsOf('key', [0, 2, 3, 1])]), damping]);
    const attention = add('Softmax', [add('Add', [scores, mask])], { axis: -1 });
    const mixed = add('MatMul', [attention, headsOf('value', [0, 2, 1, 3])]);
    const heard = add('Reshape', [add('Transpose', [mixed], { perm: [0, 2, 1, 3] }), join]);
    state = normalised(add('Add', [state, linear(name('output'), heard, layer.output)]));

    const wide = linear(name('widen'), state, layer.widen);
    const error = add('Add', [add('Erf', [add('Mul', [wide, squareRootOfHalf])]), one]);
    const gelu = add('Mul', [add('Mul', [wide, half]), error]);
    const isLast = number === weights.layers.length - 1;
    state = normalised(
      add('Add', [state, linear(name('narrow'), gelu, layer.narrow)]),
      isLast ? 'last_hidden_state' : undefined,
    );
  }

  const interfaceShape = ['batch_size', 'sequence_length'];
  return graph.format({
    name: 'tiny-bert',
    inputs: ['input_ids', 'attention_mask', 'token_type_ids'].map((input) => ({
      name: input,
      type: types.int64,
      shape: interfaceShape,
    })),
    outputs: [{ name: 'last_hidden_state', type: types.float, shape: [...interfaceShape, dimensions] }],
  });
}

/** Symmetric quantisation of a whole tensor. */
function quantise(values) {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const scale = Math.fround(largest / 127);
  return { integers: Int8Array.from(values, (value) => Math.round(value / scale)), scale };
}
