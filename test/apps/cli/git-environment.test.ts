import { describe, expect, it } from 'vitest';
import { forgetRepository, startDirectory } from '../../../src/apps/cli/run.ts';

describe('the folder to start from', () => {
  it('is the current one when git says nothing', () => {
    expect(startDirectory({}, '/a/b')).toBe('/a/b');
    expect(startDirectory({ GIT_DIR: '' }, '/a/b')).toBe('/a/b');
  });

  it('is that of the repository that git was told', () => {
    expect(startDirectory({ GIT_DIR: '.git' }, '/a/b')).toBe('/a/b');
    expect(startDirectory({ GIT_DIR: '../x/.git' }, '/a/b')).toBe('/a/x');
    expect(startDirectory({ GIT_DIR: '/bare.git' }, '/a/b')).toBe('/bare.git');
    expect(startDirectory({ GIT_DIR: '/bare.git', GIT_WORK_TREE: '/files' }, '/a/b')).toBe('/files');
  });

  it('is the current one in a linked work tree', () => {
    expect(startDirectory({ GIT_DIR: '/a/.git/worktrees/x' }, '/x/sub')).toBe('/x/sub');
  });
});

it('an environment loses what names one repository and nothing else', () => {
  const environment = { GIT_DIR: 'x', GIT_INDEX_FILE: 'y', GIT_AUTHOR_NAME: 'Ada', PATH: '/bin' };
  forgetRepository(environment);
  expect(environment).toEqual({ GIT_AUTHOR_NAME: 'Ada', PATH: '/bin' });
});
