// What is known of a path, a command, an error or a name of code. Facts are what a person said when the code was changed, and what failed, with
// what was done before it went well. Where nothing is known, nothing is said.

import { defined, orElse } from '../../base/errors.ts';
import { oncePer, oncePerValue } from '../../base/once-per.ts';
import { oneLine } from '../../base/text.ts';
import { formatTime } from '../../base/time.ts';
import { estimateTokens } from '../../base/token-estimate.ts';
import type {
  AboutFact,
  AboutKind,
  AboutOptions,
  AboutResult,
  CheckedFact,
  CitationVerdict,
  FailedFact,
  SaidFact,
} from '../../base/types.ts';
import { isCodeName } from '../../core/capture/acts.ts';
import { isProbablyNothing } from '../../search/index.ts';
import { forgottenIn } from '../../store/forgotten.ts';
import { BoundedCache } from '../../store/git/bounded-cache.ts';
import type { Repository } from '../../store/git/repository.ts';
import { type Edit, isLocalFolder, type PlacedAct, type Run, type Scene } from '../../store/records/acts-file.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { ActsIndex, errorWord, type KnownSession, keyOf, type Stored } from './acts-index.ts';
import { type ClaimSources, claimsNaming, type Named } from './claims.ts';
import { type Episode, episodesOf, isRun } from './episodes.ts';
import {
  codesAsWritten,
  codesIn,
  codeWordsIn,
  commandKeys,
  covers,
  endingsOf,
  filesIn,
  isSameCommand,
  likenessOf,
  prefixesOf,
  signatureOf,
  stepsOf,
} from './keys.ts';
import { factText, headText, quoted } from './words.ts';

const mostTokens = 400;
/** Sessions that are looked at, and facts of a kind that an answer has. */
const mostSessions = 8;
const mostOfKind = { said: 6, failed: 4, checked: 1 } as const;
const damage = ['OBJECT_CORRUPT', 'OBJECT_MISSING'] as const;
/** A failed command counts as mended by what came within so many episodes. */
const mostEpisodes = 4;

/** What is asked beside sessions. */
export interface AboutSources extends ClaimSources {
  readonly zone: string;
}

class About {
  private readonly repository: Repository;
  private readonly index: ActsIndex;
  private readonly sessions = new BoundedCache<readonly Episode[]>(256);

  constructor(repository: Repository) {
    this.repository = repository;
    this.index = new ActsIndex(repository);
  }

  /** Tells what a state knows. The code of a session's project is looked at, where it is on this machine, to tell how it stands. */
  async of(snapshot: Snapshot, target: string, options: AboutOptions, sources: AboutSources): Promise<AboutResult> {
    const { zone } = sources;
    const asked = target.trim();
    const kinds: readonly AboutKind[] =
      options.kind === undefined ? ['path', 'command', 'error', 'symbol'] : [options.kind];
    for (const kind of kinds) {
      const question = questionOf(kind, asked, this.repository.workTree);
      if (question === null) continue;
      const episodes = this.episodesWith(snapshot, question);
      const held = episodes.filter((episode) => isHeld(episode, question));
      const facts = factsOf(
        episodes,
        question,
        held.length === 0 ? noJudge : await judgeOf(held, this.repository, snapshot),
      );
      facts.push(...(await claimsNaming(sources, question, facts)));
      if (facts.length === 0) continue;
      const told = tell(kind, asked, facts, options.tokens ?? mostTokens, zone);
      if (told.facts.length > 0) return { target, kind, ...told };
    }
    return { target, facts: [], text: '', tokens: 0 };
  }

  /** Reads the newest sessions that hold what is asked; of an error those first that have most of its words. */
  private episodesWith(snapshot: Snapshot, { keys, areWords }: Question): readonly Episode[] {
    const { turns: forgotten } = forgottenIn(snapshot);
    const held = this.index.holding(snapshot, keys, (session) => this.episodesIn(snapshot, session, new Map()));
    if (areWords) held.sort((one, other) => other.count - one.count);
    return held
      .slice(0, mostSessions)
      .flatMap(({ session }) => [...this.episodesIn(snapshot, session, forgotten)].reverse());
  }

  private episodesIn(
    snapshot: Snapshot,
    { acts, transcript, id }: KnownSession,
    forgotten: ReadonlyMap<string, ReadonlySet<number>>,
  ) {
    const gone = forgotten.get(transcript.path);
    const known = gone === undefined ? this.sessions.get(id) : undefined;
    if (known !== undefined) return known;
    const textOf = ({ path, oid }: Stored) =>
      snapshot.isReadable(path) ? orElse(() => snapshot.readBlob(oid, path).toString('utf8'), null, ...damage) : null;
    const words = textOf(transcript);
    const done = acts === undefined ? '' : textOf(acts);
    const made = words === null || done === null ? [] : episodesOf(transcript.path, words, done, gone);
    if (gone === undefined) this.sessions.set(id, made, 1);
    return made;
  }
}

/** Gives what answers for a repository. */
export const aboutIn = oncePer((repository: Repository) => new About(repository));

/** What is looked for: keys of the index, and how an act or what was said is known to be about it. */
interface Question extends Named {
  readonly keys: readonly string[];
  readonly edit: (edit: Edit, episode: Episode) => boolean;
  readonly run: (run: Run, episode: Episode) => boolean;
  /** Whether a failure is about it that its own words do not name: the code was changed before it, or mended it. */
  readonly byEdits: boolean;
  readonly word?: string;
  /** The keys are words of what is asked, and few of them are not it. */
  readonly areWords: boolean;
}

const never = () => false;

/** Gives how to look for a target of a kind; null where it cannot be one. */
function questionOf(kind: AboutKind, target: string, root: string | null): Question | null {
  const common = { edit: never, run: never, byEdits: false, areWords: false };
  if (kind === 'path') return pathQuestion(target.replaceAll('\\', '/'), root);
  if (kind === 'command') {
    const keys = commandKeys(target);
    const [head] = keys[0]?.split(' ') ?? [];
    if (head === undefined || !/^[\w.-]+$/.test(head)) return null;
    return {
      ...common,
      keys: [
        ...keys.flatMap(prefixesOf).map(keyOf.command),
        ...keys.map(keyOf.beginning),
        keyOf.name(head),
        ...keys.flatMap(tellingWord).map(keyOf.name),
      ],
      run: ({ run }) => commandKeys(run).some((one) => keys.some((key) => isSameCommand(one, key))),
      said: (words, episode, before) => isToldOf(words, head, keys, episode, before),
      // What was remembered has no runs beside it: it tells of a command by what it quotes.
      needles: keys.filter((key) => key.includes(' ')),
      word: head,
    };
  }
  if (kind === 'error') {
    const lines = target
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !/^at /.test(line));
    const wanted = lines.map((line) => ({ signature: signatureOf(line), codes: codesIn(line) }));
    const keys = wanted.flatMap(({ signature, codes }) => [...(signature.match(errorWord) ?? []), ...codes]);
    if (keys.length === 0) return null;
    const codes = wanted.flatMap((one) => one.codes);
    return {
      ...common,
      keys: [...keys, ...codes].map(keyOf.error),
      areWords: true,
      // A code names one error; words of one are many things.
      said: (words) => codesIn(words).some((code) => codes.includes(code)),
      needles: lines.flatMap(codesAsWritten),
      run: ({ errors = [] }) => errors.some((line) => isLike(line, wanted)),
    };
  }
  const name = target
    .replace(/\(\)$/, '')
    .split(/[.#:]+/)
    .at(-1)!;
  if (!/^[A-Za-z_$][\w$]{2,63}$/.test(name)) return null;
  return {
    ...common,
    keys: [keyOf.name(name)],
    edit: ({ names = [] }) => names.includes(name),
    run: ({ errors = [] }) => errors.some((line) => codeWordsIn(line).includes(name)),
    // A word of any talk names code only where it is written as code; a name with a capital stands there as it is.
    said: (words) =>
      isCodeName(name)
        ? codeWordsIn(words).includes(name)
        : /^[A-Z]/.test(name)
          ? words.split(/[^\p{L}\p{N}_$]+/u).includes(name)
          : words.includes(`\`${name}\``) || words.includes(`${name}()`),
    byEdits: true,
    needles: [name],
  };
}

/** A path is asked by what it is below the project, or by its end. An absolute one means the file of that project, wherever that was cloned. */
function pathQuestion(target: string, root: string | null): Question | null {
  const isOwn = root !== null && target.startsWith(`${root}/`);
  const path = isOwn ? target.slice(root.length + 1) : target.replace(/^(?:\.\/)+/, '');
  if (/\s/.test(path) || !/[./]/.test(path) || path === root) return null;
  const isAbsolute = /^(?:\/|[A-Za-z]:\/)/.test(path);
  const isIn = (project: string, edit: string) =>
    path === `${project}/${edit}` || path.endsWith(`/${project.slice(project.lastIndexOf('/') + 1)}/${edit}`);
  const isPath = (edit: string, { project = '' }: Scene) =>
    isAbsolute
      ? path === edit || isIn(project.replaceAll('\\', '/'), edit)
      : edit === path || (!isOwn && edit.endsWith(`/${path}`));
  // A text that is of no project may name its files from some folder on.
  const isEnd = (file: string, { project }: Scene) =>
    !isAbsolute && project === undefined && file.includes('/') && path.endsWith(`/${file}`);
  const named = (words: string, scene: Scene) =>
    filesIn(words).some((file) => isPath(file, scene) || isEnd(file, scene));
  return {
    keys: endingsOf(path)
      .filter((end) => isAbsolute || end === path || end.includes('/'))
      .map(keyOf.path),
    edit: ({ edit }, { scene }) => isPath(edit, scene),
    run: ({ errors = [] }, { scene }) => errors.some((line) => named(line, scene)),
    said: (words, { scene }) => named(words, scene),
    byEdits: true,
    areWords: false,
    needles: [path.slice(path.lastIndexOf('/') + 1)],
  };
}

/** Two errors are one by a code that both have, or by most of their words. Codes that differ tell them apart, and so does what they quote. */
function isLike(
  line: string,
  wanted: readonly { readonly signature: string; readonly codes: readonly string[] }[],
): boolean {
  const signature = signatureOf(line);
  const codes = codesIn(line);
  return wanted.some((one) => {
    const likeness = likenessOf(signature, one.signature);
    if (one.codes.length === 0 || codes.length === 0) return !isProbablyNothing([likeness]);
    return likeness > 0 && one.codes.some((code) => codes.includes(code));
  });
}

/**
 * Words tell of a command that they quote. They tell of a program where they name it beside another that was run then: "podman, not docker".
 * They tell of what was just run where they name its second word: "Commit messages are short" after `git commit`.
 */
function isToldOf(
  words: string,
  head: string,
  keys: readonly string[],
  { acts, next }: Episode,
  before?: Episode,
): boolean {
  const named = new Set(codeWordsIn(words));
  if (keys.some((key) => key.includes(' ') && words.includes(key))) return true;
  const ran = before?.acts.filter(isRun).flatMap(({ run }) => commandKeys(run)) ?? [];
  const lower = new Set([...named].map((word) => word.toLowerCase()));
  const isJustRun = (key: string) => tellingWord(key).some((word) => lower.has(word));
  if (keys.some((key) => isJustRun(key) && ran.some((one) => isSameCommand(one, key)))) return true;
  if (!named.has(head)) return false;
  const after = [...acts, ...(next?.acts ?? [])].filter(isRun);
  const heads = after.flatMap(({ run }) => commandKeys(run).map((key) => key.split(' ')[0]!));
  return heads.some((one) => one !== head && named.has(one));
}

/** Gives the second word of a command; shorter ones, such as `run` and `test`, are words of any talk. */
function tellingWord(key: string): string[] {
  const [, second = ''] = key.split(' ');
  return second.length >= 6 ? [second] : [];
}

/** How code stands that was edited, and where an episode was. */
interface Judge {
  readonly code: (edit: Edit | undefined, episode: Episode) => CitationVerdict | undefined;
  readonly place: (episode: Episode) => Pick<SaidFact, 'standing' | 'branch'>;
}

const noJudge: Judge = { code: () => undefined, place: () => ({}) };

/** What judges is loaded where there is something to judge: most questions end without a word. */
async function judgeOf(episodes: readonly Episode[], repository: Repository, snapshot: Snapshot): Promise<Judge> {
  if (!episodes.some(({ scene: { head, branch } }) => head !== undefined || branch !== undefined)) return noJudge;
  const { codeOfProject } = await import('../code/index.ts');
  const open = oncePerValue((project: string) => {
    const code = codeOfProject(repository, snapshot, project);
    return { code, standings: code.standings() };
  });
  const codeOf = ({ scene: { project } }: Episode) =>
    project === undefined || !isLocalFolder(project) ? undefined : open(project);
  return {
    code: (edit, episode) => {
      const verdict = edit?.cited === undefined ? undefined : codeOf(episode)?.code.judge(edit.cited);
      return verdict?.state === 'unknown' ? undefined : verdict;
    },
    place: (episode) => {
      const { head, branch } = episode.scene;
      const standing = codeOf(episode)?.standings(head, branch, episode.acts.at(-1)?.time ?? episode.time);
      return standing === 'elsewhere' || standing === 'lost' ? { standing, ...defined({ branch }) } : {};
    },
  };
}

function isHeld(episode: Episode, { edit, run }: Question): boolean {
  return episode.acts.some((act) => ('edit' in act ? edit(act, episode) : run(act, episode)));
}

function factsOf(episodes: readonly Episode[], question: Question, judge: Judge): AboutFact[] {
  const said: SaidFact[] = [];
  const failed: FailedFact[] = [];
  const checks = new Set<string>();
  const later = new Map<string, PlacedAct & Edit>();
  for (const [place, episode] of episodes.entries()) {
    const { acts, path, turn, time, speaker } = episode;
    const before = episodes[place + 1]?.next === episode ? episodes[place + 1] : undefined;
    const edits = acts.filter((act): act is PlacedAct & Edit => 'edit' in act && question.edit(act, episode));
    if (episode.said !== '' && (edits.length > 0 || question.said(episode.said, episode, before))) {
      const code = judge.code(
        edits.findLast(({ cited }) => cited !== undefined),
        episode,
      );
      const text = quoted(episode.said, [...question.needles, question.word ?? '']);
      const again =
        code === undefined
          ? edits.map(({ edit, now }) => later.get(`${edit} ${now}`)).findLast((one) => one !== undefined)
          : undefined;
      const edited = again && { time: formatTime(again.time), text: oneLine(again.text, 100) };
      said.push({
        fact: 'said',
        time: formatTime(time),
        path,
        turn,
        speaker,
        text,
        ...judge.place(episode),
        ...defined({ code, edited }),
      });
    }
    // The newest come first, so that what took the place of an edit is known before it.
    for (const act of edits) if (act.was !== undefined) later.set(`${act.edit} ${act.was}`, act);
    for (const [at, act] of acts.entries()) {
      if (!isRun(act)) continue;
      const isAfter = question.byEdits && edits.some((edit) => acts.indexOf(edit) < at);
      if (isAfter) for (const step of stepsOf(act.run).filter(isCheck)) checks.add(oneLine(step, 80));
      if (act.ok !== false || act.errors === undefined) continue;
      const mended = mendedBy(episode, at);
      const isMendedHere = question.byEdits && mended?.edits.some((edit) => question.edit(edit, episode)) === true;
      const isLeft = isAfter && mended === undefined && isCheck(act.run);
      if (isMendedHere || isLeft || question.run(act, episode))
        failed.push({ ...failedFact(act, path, mended), ...judge.place(episode) });
    }
  }
  failed.sort((one, other) => Number(other.mended !== undefined) - Number(one.mended !== undefined));
  const checked: CheckedFact[] = checks.size === 0 ? [] : [{ fact: 'checked', commands: [...checks].slice(0, 4) }];
  return [...said, ...unlike(failed), ...checked];
}

/** How command lines call what checks code: programs and scripts that have one of these in their name. */
const isCheck = (command: string): boolean =>
  /test|lint|tsc|check|spec\b|mypy|clippy|ruff|\bvet\b|\bbuild\b/.test(command);

/** Of failures that say the same, the newest that was mended. */
function unlike(failed: readonly FailedFact[]): FailedFact[] {
  const seen = new Set<string>();
  return failed.filter(({ command, error }) => {
    const key = `${commandKeys(command)[0]} ${signatureOf(error)}`;
    return !seen.has(key) && seen.add(key);
  });
}

interface Mend {
  readonly edits: readonly Edit[];
  readonly ran: readonly string[];
  readonly said: string | undefined;
  readonly time: number;
}

/** Finds the next run of the same command that went well in the same session, and what was done in between. */
function mendedBy(episode: Episode, at: number): Mend | undefined {
  const failed = episode.acts[at] as PlacedAct & Run;
  const edits: Edit[] = [];
  const ran: string[] = [];
  let said: string | undefined;
  let from = at + 1;
  for (let current: Episode | undefined = episode, seen = 0; current !== undefined && seen < mostEpisodes; seen += 1) {
    if (current !== episode && current.said !== '') said ??= current.said;
    for (const act of current.acts.slice(from)) {
      if ('edit' in act) edits.push(act);
      else if (act.ok === true && covers(act.run, failed.run)) return { edits, ran, said, time: act.time };
      else if (act.ok === true && !isLook(act.run)) ran.push(stepsOf(act.run).join(' && '));
    }
    from = 0;
    current = current.next;
  }
  return undefined;
}

const looking: ReadonlySet<string> = new Set('ls cat head tail grep rg find sed wc pwd which git'.split(' '));
const isLook = (command: string): boolean => commandKeys(command).every((key) => looking.has(key.split(' ')[0]!));

function failedFact({ run, errors, time, turn }: PlacedAct & Run, path: string, mend: Mend | undefined): FailedFact {
  const fact: FailedFact = {
    fact: 'failed',
    time: formatTime(time),
    path,
    turn,
    command: oneLine(stepsOf(run).join(' && ') || run, 80),
    error: oneLine(errors![0]!, 160),
  };
  if (mend === undefined) return fact;
  const edited = [...new Set(mend.edits.map(({ edit }) => edit))];
  const last = mend.edits.at(-1);
  // Where code was changed, that is what counts.
  const ran = mend.edits.length > 0 ? [] : mend.ran.slice(-2).map((one) => oneLine(one, 80));
  if (edited.length === 0 && ran.length === 0 && mend.said === undefined) return fact;
  return {
    ...fact,
    mended: {
      time: formatTime(mend.time),
      edited,
      ran,
      ...(last === undefined || last.text.trim() === '' ? {} : { text: oneLine(last.text, 120) }),
      ...(mend.said === undefined ? {} : { said: quoted(mend.said) }),
    },
  };
}

function tell(
  kind: AboutKind,
  target: string,
  facts: readonly AboutFact[],
  most: number,
  zone: string,
): Pick<AboutResult, 'facts' | 'text' | 'tokens'> {
  const lines = [headText(target)];
  let tokens = estimateTokens(lines[0]!);
  const told: AboutFact[] = [];
  const counts = { said: 0, failed: 0, checked: 0 };
  for (const fact of inTurn(kind, facts)) {
    if (counts[fact.fact] >= mostOfKind[fact.fact]) continue;
    const line = factText(fact, zone);
    const cost = estimateTokens(line) + 1;
    if (tokens + cost > most) continue;
    tokens += cost;
    counts[fact.fact] += 1;
    told.push(fact);
    lines.push(line);
  }
  return told.length === 0 ? { facts: [], text: '', tokens: 0 } : { facts: told, text: lines.join('\n'), tokens };
}

/** Puts what is here or landed before what is not. Of code what was said comes first, of commands and errors what failed; checks are short. */
function inTurn(kind: AboutKind, facts: readonly AboutFact[]): AboutFact[] {
  const isAway = (fact: AboutFact) => 'standing' in fact && fact.standing !== undefined;
  const here = [...facts.filter((fact) => !isAway(fact)), ...facts.filter(isAway)];
  const of = <Name extends AboutFact['fact']>(name: Name) =>
    here.filter((one): one is AboutFact & { readonly fact: Name } => one.fact === name);
  const [failed, checked] = [of('failed'), of('checked')];
  const order = (one: SaidFact) => (isAway(one) ? '' : one.time);
  const said = of('said').sort((one, other) => (order(one) < order(other) ? 1 : order(one) > order(other) ? -1 : 0));
  if (kind === 'command' || kind === 'error') return [...failed, ...said];
  return [...said.slice(0, 3), ...failed.slice(0, 1), ...checked, ...failed.slice(1), ...said.slice(3)];
}
