// Pages of documentation as the tests read them: fenced blocks, and what a page says a command prints.

import { spawn } from 'node:child_process';

/** A fenced block; `output` is the block right after it that shows what it prints. */
export interface PageBlock {
  readonly language: string;
  readonly text: string;
  readonly output?: string;
}

/** Lists the fenced blocks of a page in order; those of `output` belong to the block before them. */
export function blocksOf(page: string): PageBlock[] {
  const blocks: PageBlock[] = [];
  for (const [, language, text] of page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)) {
    const before = blocks.at(-1);
    if (language === 'output') blocks[blocks.length - 1] = { ...before!, output: text! };
    else blocks.push({ language: language!, text: text! });
  }
  return blocks;
}

/** Puts a word for what differs from run to run: ids, commits, times, scores, sizes, and the folder that stands for /home/ada. */
function settled(text: string, folder: string): string {
  return text
    .replaceAll(folder, '/home/ada')
    .replace(/memories\/[0-9a-z]{2}\/[\w-]+\.json/g, 'memories/…')
    .replace(/\b01[0-9a-hjkmnp-tv-z]{8,24}\b/g, 'ULID')
    .replace(/\b[0-9a-f]{7,64}\b/g, 'HASH')
    .replace(/\bses_[0-9a-z]{12}\b/g, 'SESSION')
    .replace(/(?:\d{4}\/\d\d\/)?\d{4}-?\d\d-?\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?Z)?| \(\w+day\))?/g, 'TIME')
    .replace(/\b\d\.\d\d\b/g, 'SCORE')
    .replace(/\b\d+ KB\b/g, 'SIZE')
    .replace(/ +$/gm, '')
    .trimEnd();
}

/**
 * Tells whether a program printed what a page shows; a line `…` of the page stands for any lines, none included.
 *
 * Gives what was printed and what was expected, both settled, or undefined where they agree.
 */
export function differenceOf(
  printed: string,
  shown: string,
  folder: string,
): { readonly printed: string; readonly shown: string } | undefined {
  const result = { printed: settled(printed, folder), shown: settled(shown, folder) };
  const pattern = result.shown
    .split('\n')
    .map((line) => (line === '…' ? '(?:.*\\n)*?' : `${line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\n`))
    .join('');
  return new RegExp(`^${pattern}$`).test(`${result.printed}\n`) ? undefined : result;
}

/** Runs a program to its end, with nothing on standard input. */
export function runToEnd(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly status: number | null; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject).on('close', (status) => resolve({ status, stdout, stderr }));
  });
}
