// How cited lines stand at a commit. Git's history decides: each line is followed from commit to commit as `git blame --reverse` does, so that
// nothing holds which was touched on the way. Where history does not lead from one to the other, the two versions are compared.
//
//     noted at A ──► … ──► at          every line is seen in `at`: holds, moved, grown; else changed or gone, since the child that lacks one
//     noted before it was committed    as if noted at the first commit in which its words stand
//     A on another branch              the version there against the version here
//     A is lost                        its words are looked for

import { orElse } from '../../base/errors.ts';
import type { Citation, CitationVerdict, CodeLines } from '../../base/types.ts';
import { Descent, type HistoryCatalogue, historyOf, hunksOf, renamedPath } from '../../history/index.ts';
import type { Repository } from '../../store/git/repository.ts';
import { findEntry } from '../../store/git/tree.ts';
import { findLines, isOneBlock, linesOf, mapLines, quote, wholeOf } from './lines.ts';

const held = { descents: 8, verdicts: 50_000 };
/** A larger file is compared as a whole: its lines would take longer than an answer may. */
const maxComparedBytes = 4 << 20;
/** Words of so many characters may be found by their fingerprint alone, as many as `git blame -M` asks for: a brace is everywhere. */
const leastCharacters = 20;

interface Version {
  readonly path: string;
  readonly oid: string;
}

type Found = Omit<CitationVerdict, 'at'>;

const unknown: Found = { state: 'unknown' };

/** Judges citations in one repository, each once for a commit. */
export class Judge {
  private readonly repository: Repository;
  private readonly catalogue: HistoryCatalogue;
  private readonly verdicts = new Map<string, CitationVerdict>();
  private readonly descents = new Map<string, Descent>();

  constructor(repository: Repository) {
    this.repository = repository;
    this.catalogue = historyOf(repository);
  }

  judge(citation: Citation, at: string): CitationVerdict {
    const { commit, path, blob, lines, fingerprint } = citation;
    const key = `${at}${commit}${blob}${fingerprint}${lines?.from}-${lines?.to} ${path}`;
    const known = this.verdicts.get(key);
    if (known) return known;
    const verdict = { ...orElse(() => this.find(citation, at), unknown), at };
    // What is not there may be fetched.
    if (verdict.state !== 'unknown') hold(this.verdicts, key, verdict, held.verdicts);
    return verdict;
  }

  /** Gives the history behind a commit; throws OBJECT_MISSING, INVALID_ARGUMENT. */
  descentTo(at: string): Descent {
    const descent = this.descents.get(at) ?? new Descent(this.repository, at);
    hold(this.descents, at, descent, held.descents);
    return descent;
  }

  /** Gives a file of a commit; `null` for what is none, and where the commit is not there. */
  fileAt(commit: string, path: string): Version | null {
    const tree = orElse(() => this.catalogue.treeAt(this.catalogue.numberOf(commit)), null);
    const entry = findEntry(tree, path, this.repository.objects.readTree);
    return entry?.mode.startsWith('100') ? { path, oid: entry.oid } : null;
  }

  /** Cuts a file into lines; `null` for what is none of text, and for what is too large. */
  textOf(oid: string): readonly string[] | null {
    const bytes = orElse(() => this.repository.objects.readBlob(oid), null, 'TOO_LARGE');
    return bytes && bytes.length <= maxComparedBytes ? linesOf(bytes) : null;
  }

  private find(citation: Citation, at: string): Found {
    const { commit, path, blob } = citation;
    const descent = this.descentTo(at);
    const isBehind = orElse(() => descent.reaches(commit), false);
    if (this.fileAt(commit, path)?.oid === blob)
      return isBehind ? this.follow(citation, at) : this.compare(citation, at);
    const later = isBehind ? descent.after(commit).filter((one) => this.touches(one, path)) : [at];
    for (const one of later) {
      const found = this.findIn(citation, one);
      if (!found) continue;
      const verdict = this.follow({ ...citation, ...found, commit: one }, at);
      const isThere = verdict.state === 'holds' && found.lines?.from !== citation.lines?.from;
      return isThere ? { ...verdict, state: 'moved' } : verdict;
    }
    return unknown;
  }

  private touches(commit: string, path: string): boolean {
    return this.catalogue.changesOf(commit).some((change) => change.path === path && change.after !== null);
  }

  /** Finds the cited words in the file of another commit. */
  private findIn(citation: Citation, commit: string): Pick<Citation, 'blob' | 'lines'> | null {
    const { path, blob, lines } = citation;
    const file = this.fileAt(commit, path);
    if (file?.oid === blob) return { blob, ...(lines && { lines }) };
    const place = file && this.wordsIn(citation, file);
    return place && { blob: file.oid, lines: place };
  }

  private wordsIn({ lines, fingerprint }: Citation, { oid }: Version): CodeLines | null {
    const text = lines && this.textOf(oid);
    const place = text && findLines(text, fingerprint, lines);
    return place && quote(text, place).replace(/\s/g, '').length >= leastCharacters ? place : null;
  }

  /** Follows lines from a commit to another that it leads to. */
  private follow(citation: Citation, at: string): Found {
    const { commit, path, blob } = citation;
    const descent = this.descentTo(at);
    const text = this.textOf(blob);
    if (text === null || text.length === 0) return this.whole(citation, at);
    const cited = citation.lines ?? wholeOf(text);
    const size = cited.to - cited.from + 1;
    let parted: string | undefined;
    const seen = descent.lastSeen(commit, path, [cited.from - 1, cited.to], ({ number }, there) => {
      const count = there.reduce((sum, one) => sum + one.count, 0);
      if (count === size && !isOneBlock(there)) parted ??= this.catalogue.oidAt(number);
    });
    const kept = seen.filter((one) => one.commit === at);
    const [first, last] = [kept[0], kept.at(-1)];
    if (first && last && kept.length === seen.length) {
      const now = { path: first.originalPath, oid: this.fileAt(at, first.originalPath)!.oid };
      const lines = { from: first.originalStart + 1, to: last.originalStart + last.count };
      if (kept.length > 1) return this.grown(now, lines, parted);
      // The whole file is cited: what was put before or behind its lines is in it.
      const all = citation.lines ? null : this.textOf(now.oid);
      if (all && all.length > size) return this.grown(now, wholeOf(all), this.firstTouch(commit, path, at));
      return placed(now.path, lines, path, cited);
    }
    const since = this.firstWithout(
      descent,
      seen.flatMap((one) => (one.commit === at ? [] : [one.commit!])),
    );
    const there = first ? this.fileAt(at, first.originalPath) : (this.fileAt(at, path) ?? this.fileFrom(citation, at));
    const replaced = this.replaced(citation, cited, there);
    if (!first || replaced.state === 'changed') return { ...replaced, since };
    // Where they were is known by what is left of them.
    const left = { from: first.originalStart + 1, to: last!.originalStart + last!.count };
    return { state: 'changed', path: there!.path, lines: left, since, now: this.quoted(there!, left) };
  }

  /** Compares the versions of two commits that do not lead to one another. */
  private compare(citation: Citation, at: string): Found {
    const { commit, path, blob } = citation;
    const renamed = () => renamedPath(this.repository, commit, path, at);
    const there = this.fileAt(at, path) ?? this.fileAt(at, renamed() ?? '');
    const text = this.textOf(blob);
    if (text === null || text.length === 0) return this.whole(citation, at);
    const cited = citation.lines ?? wholeOf(text);
    const { kept, lines } = there ? mapLines(this.hunks(blob, there.oid), cited) : { kept: 0, lines: cited };
    const size = cited.to - cited.from + 1;
    if (!there || kept < size) return this.replaced(citation, cited, there);
    return lines.to - lines.from + 1 > size ? this.grown(there, lines) : placed(there.path, lines, path, cited);
  }

  /** Tells how a file stands whose lines nobody looks at. */
  private whole({ path, blob }: Citation, at: string): Found {
    const there = this.fileAt(at, path);
    if (there?.oid === blob) return { state: 'holds', path };
    return there ? { state: 'changed', path } : { state: 'gone' };
  }

  private grown(now: Version, lines: CodeLines, since?: string): Found {
    return { state: 'grown', path: now.path, lines, ...(since && { since }), now: this.quoted(now, lines) };
  }

  /** Tells what is where lines were. */
  private replaced(citation: Citation, cited: CodeLines, there: Version | null): Found {
    if (!there) return { state: 'gone' };
    const { path } = there;
    const words = this.wordsIn({ ...citation, lines: cited }, there);
    const lines = words ?? mapLines(this.hunks(citation.blob, there.oid), cited).lines;
    if (lines.to < lines.from) return { state: 'gone', path };
    return { state: 'changed', path, lines, ...(words && { sameWords: true }), now: this.quoted(there, lines) };
  }

  private hunks(before: string, after: string) {
    return hunksOf(this.repository).betweenIn(this.repository, before, after);
  }

  private quoted(version: Version, lines: CodeLines): string {
    return quote(this.textOf(version.oid) ?? [], lines);
  }

  /** Finds what a file became, by its other lines. */
  private fileFrom({ commit, path }: Citation, at: string): Version | null {
    const left = this.descentTo(at)
      .lastSeen(commit, path, null)
      .find((one) => one.commit === at);
    return left ? this.fileAt(at, left.originalPath) : null;
  }

  private firstTouch(commit: string, path: string, at: string): string | undefined {
    return this.descentTo(at)
      .after(commit)
      .find((one) => this.touches(one, path));
  }

  /** Gives the first child of commits that were the last to have some lines. */
  private firstWithout(descent: Descent, last: readonly string[]): string {
    const children = [...new Set(last)].map((commit) => descent.childrenOf(commit)[0]!);
    const timeOf = (commit: string) => this.catalogue.timeAt(this.catalogue.numberOf(commit));
    return children.reduce((first, child) => (timeOf(child) < timeOf(first) ? child : first));
  }
}

function placed(path: string, lines: CodeLines, before: string, cited: CodeLines): Found {
  return { state: path === before && lines.from === cited.from ? 'holds' : 'moved', path, lines };
}

function hold<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  if (map.size >= most && !map.has(key)) map.delete(map.keys().next().value!);
  map.set(key, value);
}
