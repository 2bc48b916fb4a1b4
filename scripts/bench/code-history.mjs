// Makes a repository of code with a history such as people make. Branches are merged and files renamed; blocks are moved, indented anew,
// deleted and brought back. The lines are those of real files, so that braces and blank lines repeat.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { randomOf } from '../random.mjs';

/** Runs git in a folder and gives what it prints; throws what it says when it fails, unless `mayFail`. */
export function gitIn(dir, args, { mayFail = false, input, env } = {}) {
  const options = {
    cwd: dir,
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, ...identity, ...env },
  };
  const { status, stdout, stderr } = spawnSync('git', args, options);
  if (status !== 0 && !mayFail) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return status === 0 ? stdout : null;
}

const identity = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** Begins a repository with files of `corpus`, whose names end in one of `endings`, and adds so many commits to it. */
export function makeCodeHistory(dir, { corpus, endings, commits, seed = 1, files = 12 }) {
  const random = randomOf(seed);
  const below = (count) => Math.floor(random() * count);
  const pick = (list) => list[below(list.length)];
  const source = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
    .filter((name) => endings.some((ending) => name.endsWith(ending)))
    .sort()
    .map((name) => readFileSync(path.join(corpus, name), 'utf8').split('\n'))
    .filter((lines) => lines.length > 30 && lines.length < 1500);
  const ending = endings[0];
  let clock = 1_700_000_000;
  let made = 0;
  const git = (...args) => {
    // Now and then several commits have the same second, and one has an earlier one.
    clock += pick([0, 1, 60, 3600, 3600]);
    const date = `${clock - (below(40) === 0 ? 5000 : 0)} +0000`;
    return gitIn(dir, args, { mayFail: true, env: { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date } });
  };
  const at = (name) => path.join(dir, name);
  const read = (name) => readFileSync(at(name), 'utf8').split('\n');
  const write = (name, lines) => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), lines.join('\n'));
  };
  const list = () =>
    gitIn(dir, ['ls-files'])
      .trim()
      .split('\n')
      .filter((name) => existsSync(at(name)));
  const block = (lines, most = 25) => {
    const from = below(lines.length);
    return [from, Math.min(lines.length - from, 1 + below(most))];
  };
  const fresh = () => {
    const lines = pick(source);
    const [from, count] = block(lines, 12);
    return lines.slice(from, from + count);
  };
  const named = () => {
    made += 1;
    return `${pick(['src', 'lib', 'src/core', 'tools', 'app/models'])}/part${made}${ending}`;
  };
  const edits = {
    replace: (lines) => lines.splice(...block(lines, 4), ...fresh().slice(0, 1 + below(4))),
    touch: (lines) => {
      const line = below(lines.length);
      lines[line] += ` ${pick(['//', '#'])} ${below(1000)}`;
    },
    insert: (lines) => lines.splice(below(lines.length), 0, ...fresh()),
    append: (lines) => lines.push(...fresh()),
    remove: (lines) => lines.splice(...block(lines)),
    indent: (lines) => {
      const [from, count] = block(lines);
      for (let line = from; line < from + count; line++) lines[line] = `  ${lines[line]}`;
    },
    move: (lines) => {
      const taken = lines.splice(...block(lines));
      lines.splice(below(lines.length), 0, ...taken);
    },
    copy: (lines) => {
      const [from, count] = block(lines, 10);
      lines.splice(below(lines.length), 0, ...lines.slice(from, from + count));
    },
  };
  const edit = (name) => {
    const lines = read(name);
    for (let times = 1 + below(3); times > 0; times--) {
      edits[pick(['replace', 'touch', 'touch', 'insert', 'insert', 'append', 'remove', 'indent', 'move', 'copy'])](
        lines,
      );
    }
    write(name, lines.length < 20 ? [...lines, ...fresh(), ...pick(source).slice(0, 60)] : lines);
  };
  const commit = () => {
    const names = list();
    const name = pick(names);
    const kind = below(100);
    if (kind < 5) {
      const to = named();
      mkdirSync(path.dirname(at(to)), { recursive: true });
      gitIn(dir, ['mv', name, to]);
      if (kind < 3) edit(to);
    } else if (kind < 7) write(named(), pick(source));
    else if (kind < 9 && names.length > files / 2) rmSync(at(name));
    else if (kind < 11) {
      // A block goes to another file.
      const [from, to] = [read(name), pick(names)];
      const taken = from.splice(...block(from));
      write(name, from);
      write(to, [...read(to), ...taken]);
    } else if (kind < 14 && git('revert', '--no-edit', 'HEAD') !== null) return;
    else for (let times = 1 + below(3); times > 0; times--) edit(pick(names));
    git('add', '-A');
    git('commit', '-qm', `Change ${name}`);
  };
  mkdirSync(dir, { recursive: true });
  gitIn(dir, ['init', '-q', '-b', 'main']);
  gitIn(dir, ['config', 'gc.auto', '0']);
  for (let file = 0; file < files; file++) write(named(), pick(source));
  git('add', '-A');
  git('commit', '-qm', 'Begin');
  let branches = 0;
  const open = [];
  for (let count = 1; count < commits; ) {
    const way = below(100);
    if (way < 8 && open.length < 4) {
      branches += 1;
      const branch = `topic-${branches}`;
      git('switch', '-qc', branch, pick(['main', 'main', ...open]));
      open.push(branch);
    } else if (way < 20 && open.length > 0) {
      const branch = pick(open);
      const [into, from] = below(4) === 0 ? [branch, 'main'] : ['main', branch];
      git('switch', '-q', into);
      const merged = git('merge', '-q', '--no-ff', '-X', pick(['ours', 'theirs']), '-m', `Merge ${from}`, from);
      if (merged === null) {
        git('add', '-A');
        if (git('commit', '-qm', `Merge ${from}`) === null) git('merge', '--abort');
      }
      count += 1;
      if (into === 'main') open.splice(open.indexOf(branch), 1);
    } else git('switch', '-q', pick(['main', ...open]));
    for (let times = 1 + below(4); times > 0 && count < commits; times--) {
      commit();
      count += 1;
    }
  }
  for (const branch of open) {
    git('switch', '-q', 'main');
    if (git('merge', '-q', '-X', 'theirs', '-m', `Merge ${branch}`, branch) !== null) continue;
    git('add', '-A');
    if (git('commit', '-qm', `Merge ${branch}`) === null) git('merge', '--abort');
  }
  git('switch', '-q', 'main');
  return dir;
}
