// Repositories that git's own test suite left behind, with the answers of native git, for the tests that read them where they are
// present. Nothing of them is kept in this project.

import fs from 'node:fs';
import path from 'node:path';
import { discoverRepository, openRepository, type Repository } from '../../src/store/git/repository.ts';
import { git, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const data = path.resolve('../shared/data/git-suite');

export const suiteIsPresent = hasGit && fs.existsSync(data);

/** What a skipped suite says of itself. */
export const suiteNote = suiteIsPresent ? '' : ' (skipped, data not present)';

/** Reads the answers of one file, such as `blame.jsonl`. */
export function suiteAnswers<T>(name: string): T[] {
  const lines = fs.readFileSync(`${data}/${name}`, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T);
}

/** Unpacks repositories when they are first asked for. */
export class Suite {
  private readonly folder = temporaryFolder();
  private readonly open = new Map<string, Repository>();

  /** The folder of a repository, bare. */
  folderOf(name: string): string {
    const folder = `${this.folder}/${name}`;
    if (!fs.existsSync(folder)) git(this.folder, 'clone', '-q', '--mirror', `${data}/bundles/${name}.bundle`, name);
    return folder;
  }

  repository(name: string): Repository {
    let repository = this.open.get(name);
    if (!repository) {
      repository = openRepository(fs, discoverRepository(fs, this.folderOf(name))!);
      this.open.set(name, repository);
    }
    return repository;
  }
}
