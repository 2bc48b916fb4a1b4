// The forms of knowledge files that are made here (spec 3, layer 3): front matter in YAML, below it the sections in their order. A file that
// is there is never brought into a form; whoever wrote it decided.

import { oneLine, upperFirst } from '../../base/text.ts';
import { formatFrontMatter } from './front-matter.ts';

const maxTitle = 72;

/** What a file is made of. */
type Texts<Names extends string> = Readonly<Record<Names, string>>;

/** The memory that a file was written from, which goes with it; none for what was never one. */
interface Owned {
  readonly memory?: string | undefined;
}

const ownerKey = ({ memory }: Owned) => (memory === undefined ? {} : { memory });

/** Makes the words of a title: no mark of markdown survives in them. */
function titleOf(words: string): string {
  const bare = oneLine(words.replace(/[#`*_[\]<>|]/g, ' '), maxTitle).replace(/[.!?:;,]+$/, '');
  return bare === '' ? 'Untitled' : upperFirst(bare);
}

function sections(headings: Readonly<Record<string, string>>): string {
  return Object.entries(headings)
    .map(([heading, text]) => `\n## ${heading}\n${text === '' ? '' : `\n${text}\n`}`)
    .join('');
}

/** The sections of an entity file, in their order. */
export const entityHeadings = ['Summary', 'Key Facts', 'Relationships', 'Active Context', 'History'] as const;

/** Makes the file of an entity: a person, company, project, account or tool. */
export function entityFile({ name, type, day }: Texts<'name' | 'type' | 'day'>): string {
  const empty = Object.fromEntries(entityHeadings.map((heading) => [heading, '']));
  return formatFrontMatter({ type, name, updated: day }, `\n# ${oneLine(name, maxTitle)}\n${sections(empty)}`);
}

/** Makes the file of a procedure; without steps they are for whoever knows them. */
export function procedureFile(
  procedure: Texts<'title' | 'day' | 'source' | 'when'> & Owned & { readonly steps: readonly string[] },
): string {
  const { title, day, source, when, steps } = procedure;
  const numbered = steps.map((step, at) => `${at + 1}. ${step}`).join('\n');
  return formatFrontMatter(
    { type: 'procedure', updated: day, source, ...ownerKey(procedure) },
    `\n# Procedure: ${titleOf(title)}\n${sections({ 'When to Use': when, Steps: numbered, Notes: '' })}`,
  );
}

/** Makes the file of a standing rule; reason and exceptions are the words behind "because" and "unless". */
export function principleFile(principle: Texts<'rule' | 'priority' | 'day' | 'source'> & Owned): string {
  const { rule, priority, day, source } = principle;
  const [, rationale = ''] = /\b(?:because|since|so that)\b\s+([^.;]+)/i.exec(rule) ?? [];
  const [, exceptions = ''] = /\b(?:unless|except(?: when| for| if)?)\b\s+([^.;]+)/i.exec(rule) ?? [];
  return formatFrontMatter(
    { type: 'principle', priority, established: day, source, ...ownerKey(principle) },
    `\n# Principle: ${titleOf(rule)}\n${sections({ Rule: rule, Rationale: sentence(rationale), Exceptions: sentence(exceptions) })}`,
  );
}

/** Makes the file of an insight. */
export function insightFile(insight: Texts<'words' | 'day' | 'source'> & Owned): string {
  const { words, day, source } = insight;
  return formatFrontMatter(
    { type: 'insight', learned: day, source, ...ownerKey(insight) },
    `\n# Insight: ${titleOf(words)}\n${sections({ 'The Insight': words, Evidence: '', Application: '' })}`,
  );
}

function sentence(words: string): string {
  const text = words.trim();
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/[.!?]+$/, '')}.`;
}
