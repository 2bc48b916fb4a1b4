// Lines for cron, systemd and launchd, whatever the folder is called.

import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { scheduleLines } from '../../../src/core/maintain/schedule-lines.ts';

const odd = {
  node: '/usr/bin/node',
  program: '/opt/git memory/main.js',
  directory: `/home/ada/it's 100% <mine> & "yours" $HOME`,
  branch: 'main',
};

describe('lines for schedulers', () => {
  it('are read by a shell as the words they are made of', () => {
    const { files } = scheduleLines('crontab', odd);
    const line = files[0]!.text
      .replace(/^\*\/15 \* \* \* \* /, '')
      .replaceAll('\\%', '%')
      .replace(' >/dev/null\n', '');
    const { stdout } = spawnSync('sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' });
    expect(stdout.trimEnd().split('\n')).toEqual([
      odd.node,
      odd.program,
      'maintain',
      'schedule',
      'run',
      '--dir',
      odd.directory,
      '--branch',
      'main',
    ]);
  });

  it('escape what systemd and XML would read otherwise', () => {
    const [service, timer] = scheduleLines('systemd', odd).files;
    expect(service!.text).toContain(`"/home/ada/it's 100%% <mine> & \\"yours\\" $$HOME" --branch main`);
    expect(timer!.text).toContain('Persistent=true');
    const { text } = scheduleLines('launchd', odd).files[0]!;
    expect(text).toContain('<string>/home/ada/it\'s 100% &lt;mine&gt; &amp; "yours" $HOME</string>');
  });

  it('have a name for each memory of a machine', () => {
    const names = ['/a/notes', '/b/notes'].map(
      (directory) => scheduleLines('systemd', { ...odd, directory }).files[0]!.path,
    );
    expect(new Set(names).size).toBe(2);
    expect(names[0]).toMatch(/git-memory-notes-[0-9a-f]{6}\.service$/);
  });
});
