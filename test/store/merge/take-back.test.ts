import { describe, expect, it } from 'vitest';
import { takeItemsBack } from '../../../src/store/merge/take-back.ts';

const first = '---\ntype: x\n---\n\n# T\n\n## A\n\n- one\n- two\n\n## B\n\n- three\n';

describe('taking back the items of one change', () => {
  it('leaves what others added, under its headings', () => {
    const present = `${first.replace('- two\n', '- two\n- of others\n')}\n## C\n\n- four\n`;
    expect(takeItemsBack({ before: null, after: first }, present)).toBe(
      '---\ntype: x\n---\n\n# T\n\n## A\n\n- of others\n\n## C\n\n- four\n',
    );
  });

  it('leaves no file where nothing else was said, and prose alone counts as nothing', () => {
    expect(takeItemsBack({ before: null, after: first }, first)).toBeNull();
    expect(takeItemsBack({ before: null, after: first }, first.replace('- two\n', ''))).toBeNull();
  });

  it('refuses when an item of its own was said anew', () => {
    const long = first.replace('- two', '- the port is 8080 now');
    expect(takeItemsBack({ before: null, after: long }, long.replace('8080', '8443'))).toBeUndefined();
  });

  it('takes back what was added to a file that was there, and the section it made', () => {
    const after = `${first.replace('- two\n', '- two\n- more\n')}\n## C\n\n- four\n`;
    const present = `${after}\n## D\n\n- five\n`;
    expect(takeItemsBack({ before: first, after }, present)).toBe(`${first}\n## D\n\n- five\n`);
  });

  it('is not for changes that did more than add', () => {
    expect(takeItemsBack({ before: first, after: first.replace('# T', '# U') }, first)).toBeUndefined();
  });

  it('takes an item from its own section only', () => {
    const present = first.replace('- three\n', '- three\n- one\n');
    expect(takeItemsBack({ before: null, after: first }, present)).toContain('## B\n\n- one\n');
  });
});
