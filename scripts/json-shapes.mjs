// Makes the page that says what each verb answers with --json, read off the schemas of the table. The schemas themselves are what
// `git memory help VERB --json` prints.

import { sameAgain } from './outputs.mjs';

const head = `# What \`--json\` prints

Every verb takes \`--json\`: then standard output is one JSON object, the one that the library gives, and nothing else. Failures are
\`{ "error": { "code", "what", "where"?, "hint"? } }\` on standard error, with an exit number from the table of \`git memory help\`; codes are
promised, words are not. Objects may grow keys and lose none, so read what you know and pass over the rest.

\`git memory help VERB --json\` prints the same as JSON Schema (draft 2020-12), with what \`input\` it takes, and \`git memory help --json\` that
of all verbs. Every shape below is held to real answers by a test. \`?\` marks a key that may be absent, \`|\` what it may be instead. Names
of commits and trees have 40 hex digits; times are ISO 8601.

\`npm run docs\` makes this page.
`;

/** Makes the page of the verbs, each with the JSON Schema of its answer. */
export function formatShapes(verbs) {
  const parts = verbs.map(({ name, summary, schema }) =>
    [`## ${name}`, '', `${summary}.`, '', '```text', ...shapeOf(schema, schema, ''), '```', ''].join('\n'),
  );
  return `${head}\n${parts.join('\n')}`;
}

/** Renders a schema in lines, the first without its indent. */
function shapeOf(schema, root, indent) {
  const forms = schema.anyOf ?? schema.oneOf;
  if (schema.description === sameAgain) return [sameAgain];
  if (forms !== undefined) {
    const shown = forms.map((form) => shapeOf(form, root, indent));
    if (shown.every((lines) => lines.length === 1)) return [shown.map(([line]) => line).join(' | ')];
    return shown.flatMap((lines, index) => (index === 0 ? lines : [`${indent}| ${lines[0]}`, ...lines.slice(1)]));
  }
  if (schema.enum !== undefined) return [schema.enum.map((value) => JSON.stringify(value)).join(' | ')];
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.type === 'array') return listed(shapeOf(schema.items ?? {}, root, indent));
  if (schema.type !== 'object') return [nameOf(schema)];
  if (schema.propertyNames !== undefined)
    return [`{ [name]: ${shapeOf(schema.additionalProperties ?? {}, root, indent).join(' ')} }`];
  const required = new Set(schema.required ?? []);
  const inner = `${indent}  `;
  const rows = Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const [first, ...rest] = shapeOf(value, root, inner);
    const note = value.description === undefined ? '' : `    # ${value.description}`;
    const label = `${inner}${key}${required.has(key) ? '' : '?'}: `;
    return rest.length === 0
      ? [`${label}${first}${note}`]
      : [...(note === '' ? [] : [`${inner}${note.trim()}`]), `${label}${first}`, ...rest];
  });
  return ['{', ...rows, `${indent}}`];
}

function listed(lines) {
  if (lines.length === 1) return [lines[0].includes(' ') ? `[(${lines[0]}), …]` : `[${lines[0]}, …]`];
  return [`[${lines[0]}`, ...lines.slice(1, -1), `${lines.at(-1)}, …]`];
}

function nameOf(schema) {
  if (schema.type === undefined) return 'any value';
  return [schema.type]
    .flat()
    .map((type) => (type === 'integer' ? 'number' : type))
    .join(' | ');
}
