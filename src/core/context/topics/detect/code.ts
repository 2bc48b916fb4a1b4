// Which programming languages a text has in it: what a fence says it is, else what its lines look like.

/** Other names of languages, in lower case. */
const aliases: Readonly<Record<string, string>> = {
  js: 'javascript',
  jsx: 'javascript',
  node: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  python3: 'python',
  rb: 'ruby',
  rs: 'rust',
  golang: 'go',
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  console: 'shell',
  'c++': 'cpp',
  cc: 'cpp',
  cs: 'csharp',
  'c#': 'csharp',
  kt: 'kotlin',
  yml: 'yaml',
  htm: 'html',
  patch: 'diff',
  postgresql: 'sql',
};

/** How lines of a language look; each is tried on one line, from its beginning, and repeats nothing it can leave. */
const looks: readonly (readonly [language: string, line: RegExp])[] = [
  [
    'python',
    /^\s*(?:def \w+\(.*\)\s*(?:->.*)?:|class \w+.*:$|from [\w.]+ import |import \w+(?:\.\w+)*$|elif .*:$|print\()/,
  ],
  ['python', /^\s*(?:for \w+ in .*:|if .*:|with .* as \w+:|except\b.*:|try:|@\w+\S*)$/],
  [
    'javascript',
    /^\s*(?:const|let|var) [\w{[].*=|^\s*(?:export |async )?function\b.*\{|=> ?[{(]|^\s*(?:module\.exports|require\()/,
  ],
  [
    'typescript',
    /^\s*(?:export )?(?:interface|type|enum) \w+.*[{=]|^\s*(?:const|let) \w+: \w+|\w\): (?:Promise<|string|number|void|boolean)/,
  ],
  ['java', /^\s*(?:public|private|protected) (?:static |final )*(?:class|void|\w+(?:<.*>)?) \w+|System\.out\.print/],
  ['c', /^\s*#(?:include|define|ifdef|ifndef)\b|^\s*(?:int|void|char) \*?\w+\(.*\)\s*\{?$|\bprintf\(/],
  ['cpp', /\bstd::|^\s*template ?<|^\s*using namespace /],
  ['csharp', /^\s*using System|^\s*namespace [\w.]+|Console\.Write/],
  ['go', /^\s*func (?:\(.*\) )?\w+\(|^package \w+$|:= /],
  ['rust', /^\s*(?:pub )?fn \w+|^\s*let mut |\bimpl\b.*\{|println!\(/],
  ['ruby', /^\s*def \w+[^:]*$|^\s*(?:end|require '.*')$|\bdo \|\w+\|/],
  ['php', /<\?php|^\s*\$\w+ = .*;|\becho ['"$]/],
  ['shell', /^\s*(?:\$ |#!\/.*sh\b)|^\s*(?:sudo|apt-get|npm|npx|git|docker|kubectl|curl|cd|chmod|export \w+=|pip) ?\S/],
  ['sql', /^\s*(?:select\b.*\bfrom\b|insert into |update \w+ set |delete from |create (?:table|index) |alter table )/i],
  ['html', /^\s*<(?:!doctype html|\/?(?:html|head|body|div|span|p|a|ul|li|table|script|style)\b)/i],
  ['css', /^\s*(?:[.#]?[\w-]+(?:[ ,>:][\w .#,>:-]*)?\{|[a-z-]+: [^;{}]*;)$/],
  ['json', /^\s*"[^"]*": ?(?:["[{\d]|true|false|null)/],
  ['yaml', /^\s*(?:- )?[a-z_]\w*:(?: \S.*)?$/],
  ['diff', /^(?:diff --git |@@ -\d+|\+\+\+ |--- \S)/],
  ['stacktrace', /^\s*at .*\(.*:\d+(?::\d+)?\)$|^\s*File ".*", line \d+|^Traceback \(most recent/],
];

const maxLines = 400;
const maxLineLength = 400;

/** Gives the name under which a language is known here: `py` is `python`. */
export function languageNamed(name: string): string {
  const lower = name.toLowerCase();
  return Object.hasOwn(aliases, lower) ? aliases[lower]! : lower;
}

/**
 * Lists the languages of code in a text; `code` stands for a language that it cannot tell.
 *
 * Code is what stands between fences, what is indented by four after an empty line, and three lines and more that look like one language.
 */
export function codeIn(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  const lines = text.split('\n', maxLines).map((line) => line.slice(0, maxLineLength).trimEnd());
  const loose: string[] = [];
  let block: string[] | null = null;
  let isLabelled = false;
  let isIndented = false;
  let isAfterBlank = true;
  for (const line of lines) {
    const fence = /^ {0,3}(?:```|~~~)[`~]*\s*([\w+#-]*)/.exec(line);
    if (fence !== null) {
      if (block === null) {
        isLabelled = fence[1] !== '';
        found.add(isLabelled ? languageNamed(fence[1]!) : 'code');
        block = [];
      } else {
        if (!isLabelled) for (const language of languagesOf(block, 1)) found.add(language);
        block = null;
      }
      continue;
    }
    if (block !== null) {
      block.push(line);
      continue;
    }
    isIndented = /^(?: {4}|\t)\S/.test(line) && (isAfterBlank || isIndented) && !/^\s*(?:[-*+]|\d+[.)]) /.test(line);
    if (isIndented) found.add('code');
    isAfterBlank = line === '';
    loose.push(line);
  }
  for (const language of languagesOf([...loose, ...(block ?? [])], found.has('code') ? 1 : 3)) found.add(language);
  return found;
}

/** Names the languages that so many lines look like; what many are like (YAML, CSS) needs more of them than anything else. */
function languagesOf(lines: readonly string[], least: number): string[] {
  const counts = new Map<string, number>();
  for (const line of lines) {
    if (line === '') continue;
    const seen = new Set<string>();
    for (const [language, look] of looks) if (!seen.has(language) && look.test(line)) seen.add(language);
    for (const language of seen) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  return [...counts].filter(([, count]) => count >= least && count >= most / 2).map(([language]) => language);
}
