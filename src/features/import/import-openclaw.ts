// Workspaces of OpenClaw-like agents (spec 3, migration): daily notes, a ledger in one file, MEMORY.md, knowledge. Each part goes to its
// own place, paths that name others follow, and ids stay where they can. Nothing here is replaced, and what is derived is left to be made
// anew.

import { slugOf } from '../../base/text.ts';
import { checkMemoryPath } from '../../store/guard/path.ts';
import { noteTaker, placeOf } from './import-files.ts';
import { type ImportContext, ImportPlan } from './import-plan.ts';
import { planLedger } from './openclaw-ledger.ts';
import { type Source, type SourceFile, textOf, wordsIn } from './source.ts';

const dailyNote = /^memory\/(\d{4}-\d\d-\d\d)(-[^/]+)?\.md$/;
const identity = /^(?:SOUL|USER|IDENTITY|AGENTS|TOOLS|HEARTBEAT|BOOTSTRAP)\.md$/;
const derived = /^(?:recall\/pack\.md|memory\/(?:index\/.*|checkpoint\.json|integrity\.json|integrity-log\.md))$/;
const ledgerFile = /^memory\/(?:ledger\.jsonl|ledger-archive-\d{4}\.jsonl|archive\/[^/]+\.jsonl)$/;

/** Tells a workspace by the names in it. */
export function isOpenClaw(paths: readonly string[]): boolean {
  const has = (pattern: RegExp) => paths.some((path) => pattern.test(path));
  return has(ledgerFile) || has(dailyNote) || (has(/^MEMORY\.md$/) && has(/^(?:SOUL|USER|IDENTITY)\.md$/));
}

/** Gives the place here of a file of a workspace; null for what is derived or state of its program. */
function openClawPlace(path: string, source: Pick<Source, 'name' | 'isFolder'>, into?: string): string | null {
  const [, day, rest] = dailyNote.exec(path) ?? [];
  if (day !== undefined) return `raw/daily/${day}${rest === undefined ? '' : `-${slugOf(rest)}`}.md`;
  if (derived.test(path) || ledgerFile.test(path)) return null;
  if (path === 'recall/triggers.json') return path;
  if (path === 'MEMORY.md') return 'knowledge/memory/MEMORY.md';
  if (identity.test(path)) return `knowledge/identity/${path}`;
  if (!/\.(?:md|markdown|txt)$/i.test(path)) return null;
  if (path.startsWith('second-brain/')) return `knowledge/reference/${path}`;
  return placeOf(path, source, into);
}

/** Plans a workspace. */
export async function planOpenClaw(source: Source, context: ImportContext): Promise<ImportPlan> {
  const plan = new ImportPlan(context);
  const takeNote = noteTaker(plan);
  const rewrite = rewriterOf(source);
  const { into } = context.settings;
  for (const [index, file] of source.files.entries()) {
    if (index % 100 === 0) await context.pace(index, source.files.length);
    const { path } = file;
    if (ledgerFile.test(path)) continue;
    const place = openClawPlace(path, source, into);
    if (derived.test(path))
      plan.notes.push({ source: path, why: 'is derived; `git memory maintain night` makes it anew' });
    else if (place === null) plan.left.push({ source: path, why: 'is state of its program, or no text' });
    else if (place.startsWith('raw/daily/')) takeDaily(file, place, plan);
    else if (place === 'recall/triggers.json') takeTriggers(file, plan, rewrite);
    else takeNote(rewritten(file, rewrite), freeMemory(place, path, context, source));
  }
  const ledgers = source.files.filter(({ path }) => ledgerFile.test(path));
  planLedger(ledgers, plan, rewrite);
  await context.pace(source.files.length, source.files.length);
  return plan;
}

/** MEMORY.md has limits and may be there already: then it comes beside, as a note. */
function freeMemory(place: string, path: string, { view, earlier }: ImportContext, source: Source): string {
  const isFree = view.snapshot.oidOf(place) === null || earlier.has(place);
  return path !== 'MEMORY.md' || isFree ? place : `knowledge/reference/${slugOf(source.name)}/MEMORY.md`;
}

type Rewrite = (text: string) => string;

/** Lets texts name files by the places that they have here; only whole paths of files that are in the workspace. */
function rewriterOf(source: Source): Rewrite {
  const places = new Map<string, string>();
  for (const { path } of source.files) {
    const place = openClawPlace(path, source);
    if (place !== null && place !== path) places.set(path, place);
  }
  return (text) => places.get(text.replace(/#.*$/, '')) ?? text;
}

/** A note in which `[source: …]` names places that are here. */
function rewritten(file: SourceFile, rewrite: Rewrite): SourceFile {
  return {
    ...file,
    read() {
      const bytes = file.read();
      const text = textOf(bytes);
      if (text === null) return bytes;
      return Buffer.from(
        text.replace(/\[source: ([^\]\n]+)\]/g, (_, named: string) => `[source: ${rewrite(named.trim())}]`),
      );
    },
  };
}

/** A daily note only grows: what is not in that of here yet comes below it. */
function takeDaily(file: SourceFile, path: string, plan: ImportPlan): void {
  const { view, earlier } = plan.context;
  plan.attempt(file.path, () => {
    const text = plan.filter.pass(wordsIn(file), file.path);
    const isRedacted = plan.wasRedacted();
    const current = view.snapshot.readText(checkMemoryPath(path));
    if (current === null && earlier.has(path)) {
      plan.left.push({ source: file.path, why: 'was taken out here since it was imported' });
    } else if (current?.includes(text.trim()) === true) plan.unchanged += 1;
    else {
      const known = earlier.textOf(path);
      // What was imported before and has grown there grows here, too, by what is new.
      const fresh = known !== undefined && text.startsWith(known) ? text.slice(known.length) : text;
      const gap = current === null ? '' : current.endsWith('\n') ? '\n' : '\n\n';
      plan.take({ path, text: `${current ?? ''}${gap}${fresh}`, source: file.path, isRedacted });
    }
  });
}

function takeTriggers(file: SourceFile, plan: ImportPlan, rewrite: Rewrite): void {
  const { path } = file;
  plan.attempt(path, () => {
    const words = plan.filter.pass(wordsIn(file), path);
    const text = words.replace(/"([^"\n]+\.md)"/g, (_, named: string) => `"${rewrite(named)}"`);
    plan.settle({ path, text, source: path, isRedacted: plan.wasRedacted() });
  });
}
