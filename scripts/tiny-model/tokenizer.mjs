// The vocabulary of word pieces and the files that tell transformers.js how to cut texts into them.

const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
const signs = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'];
const digits = [...'0123456789'];
const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const endings = 's es ed ing er ers est ly ion ions ment ness able al ity ive ous ful less y en ize ized'.split(' ');
const words =
  `the a an and or but if then else when while for to of in on at by with from into over under about as is are was
were be been being do does did done have has had not no yes can could will would should may might must i you he she it we they me
him her us them my your his its our their this that these those what which who whom where why how all any some each more most
other such only own same so than too very just now here there again once git commit branch merge diff log file line code test
build run bug fix error issue pull request review memory agent user model data index search query store read write load save
open close start stop key value name type list map set table row column node edge graph tree path link time date day week month
year today yesterday tomorrow morning night hour minute first last next new old good bad big small long short high low left right
up down true false null number string function class method module package server client web page response token cache queue
task job team project plan work home food dog cat bird fish car bike road city country school music book movie game art paint
hike run swim travel trip family friend mother father sister brother child kid love like want need know think say tell ask give
take make get go come see look find use try help keep let put call feel seem leave red green blue black white water fire earth
air sun moon star house door window room street park beach lake mountain river one two three four five six seven eight nine ten
hundred thousand python rust java script linux mac windows cloud deploy release version update change add remove`.split(
    /\s+/,
  );

/** All word pieces; the place of a piece is its number. */
export const vocabulary = [
  ...new Set([
    ...special,
    ...signs,
    ...[digits, letters].flatMap((group) => [...group, ...group.map((piece) => `##${piece}`)]),
    ...endings.map((piece) => `##${piece}`),
    ...words,
  ]),
];

const numberOf = (token) => vocabulary.indexOf(token);
const markToken = (token, type) => ({ SpecialToken: { id: token, type_id: type } });
const sequence = (id, type) => ({ Sequence: { id, type_id: type } });

export const tokenizer = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: special.map((content) => ({
    id: numberOf(content),
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })),
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [markToken('[CLS]', 0), sequence('A', 0), markToken('[SEP]', 0)],
    pair: [markToken('[CLS]', 0), sequence('A', 0), markToken('[SEP]', 0), sequence('B', 1), markToken('[SEP]', 1)],
    special_tokens: Object.fromEntries(
      ['[CLS]', '[SEP]'].map((token) => [token, { id: token, ids: [numberOf(token)], tokens: [token] }]),
    ),
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(vocabulary.map((piece, number) => [piece, number])),
  },
};

export const specialTokens = {
  pad_token: '[PAD]',
  unk_token: '[UNK]',
  cls_token: '[CLS]',
  sep_token: '[SEP]',
  mask_token: '[MASK]',
};

export const tokenizerConfig = {
  tokenizer_class: 'BertTokenizer',
  do_lower_case: true,
  ...specialTokens,
  strip_accents: null,
  tokenize_chinese_chars: true,
};

/** Tells transformers.js the shape of the model. */
export function configOf({ words, dimensions, layers, heads, inner, positions }) {
  return {
    architectures: ['BertModel'],
    model_type: 'bert',
    hidden_size: dimensions,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    intermediate_size: inner,
    max_position_embeddings: positions,
    vocab_size: words,
    type_vocab_size: 2,
    hidden_act: 'gelu',
    layer_norm_eps: 1e-5,
    pad_token_id: 0,
    position_embedding_type: 'absolute',
  };
}
