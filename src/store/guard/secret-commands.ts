// Passwords that are given to a program on its command line, and in files of one line that programs read.

import type { FoundSecret } from './secret-rules.ts';
import { classOf, isCredential, isExpression, isOrdinary, isPlaceholder } from './secret-words.ts';

/** Flags whose value is a password of these programs, and what stands between the two. */
const shortFlags: readonly { readonly flag: string; readonly programs: RegExp; readonly gap: RegExp }[] = [
  { flag: '-p', programs: /\b(?:mysql|mariadb)[\w-]*\s|\b(?:7z[az]?|rar|unrar)\s/, gap: /["']?/y },
  { flag: '-p', programs: /\b(?:docker|podman|nerdctl|helm registry|az|oras) login\b|\bmongo\w*\s/, gap: /[ =]["']?/y },
  { flag: '-p', programs: /\bsshpass\s/, gap: / ?["']?/y },
  { flag: '-P', programs: /\b(?:zip|unzip|sqlcmd|bcp|isql)\s/, gap: / ?["']?/y },
  { flag: '-a', programs: /\b(?:redis|valkey|keydb)-cli\s/, gap: / ["']?/y },
  { flag: '-w', programs: /\bldap\w+\s/, gap: / ?["']?/y },
  { flag: '-U', programs: /\b(?:smbclient|rpcclient|net|winexe)\s/, gap: / ?["']?[\w.\\-]{1,64}%/y },
  { flag: '-u', programs: /(?:)/, gap: /[ =]["']?[^\s:"']{1,64}:/y },
];
const userFlag = /--(?:proxy-)?user[ =]["']?[^\s:"']{1,64}:/y;
const passwordFlag =
  /--?(?:[a-z]{1,20}-)*(?:pass(?:word|wd|phrase)?|(?:store|key)pass)[ =]["']?|-pass(?:in|out)? pass:/y;
const keyFlag = /--(?:[a-z]{1,20}-)*(?:token|api-?key|secret|secret-key|access-key)[ =]["']?/y;
const value = /[^\s"'`\\]{4,200}/y;

/** Finds passwords behind flags, before `| sudo -S`, in lines of `.pgpass` and in codes for wireless networks. */
export function findInCommands(text: string, found: FoundSecret[]): void {
  for (let at = text.indexOf(' -'); at >= 0; at = text.indexOf(' -', at + 1)) findBehindFlag(text, at + 1, found);
  if (text.includes('sudo'))
    for (const match of text.matchAll(toSudo)) add(match[1]!, endOf(match) - match[2]!.length, found);
  if (text.includes('WIFI:')) for (const match of text.matchAll(wireless)) add(match[1]!, endOf(match), found);
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    const next = text.charCodeAt(at + 1);
    if (next !== 0x2a && classOf(next) !== 0) continue;
    serverLine.lastIndex = at;
    const match = serverLine.exec(text);
    if (match !== null && isServer(text.slice(Math.max(0, at - 101), at))) add(match[1]!, endOf(match), found);
  }
}

const toSudo = /\becho +["']?([^\n"'|]{4,100}?)(["']? *\| *sudo +-\w*S)/g;
const wireless = /WIFI:[^\n]{0,100}?P:([^;\n]{5,63})/g;
/** `host:port:database:user:password`, from the port on. */
const serverLine = /:(?:\*|\d{4,5}):[A-Za-z*][\w*.-]{0,63}:[A-Za-z*][\w*.@-]{0,63}:([^\s"'`]{4,200})/y;

/** Compilers and searches name places in files by the same form. */
function isServer(before: string): boolean {
  const host = /(?:^|[\s"'`])([\w.*-]{1,100})$/.exec(before)?.[1];
  return (
    host !== undefined &&
    !/\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|c|h|cc|cpp|cs|md|json|ya?ml|txt|log|sh|css|html|php|swift)$/.test(host)
  );
}

function findBehindFlag(text: string, at: number, found: FoundSecret[]): void {
  if (text[at + 1] === '-' || text.startsWith('pass', at + 1) || text.startsWith('storepass', at + 1)) {
    const password = after(passwordFlag, text, at) ?? after(userFlag, text, at);
    if (password !== undefined) {
      const word = password.word;
      if (/[\d\W]/.test(word) && !/^-|^\W+$/.test(word) && !isExpression(word)) add(word, password.end, found);
    }
    const key = password ?? after(keyFlag, text, at);
    if (password === undefined && key !== undefined && isCredential(key.word)) add(key.word, key.end, found);
    return;
  }
  const line = text.slice(Math.max(0, at - 300), at);
  const command = line.slice(Math.max(line.lastIndexOf('\n'), line.lastIndexOf('|'), line.lastIndexOf(';')) + 1);
  for (const { flag, programs, gap } of shortFlags) {
    if (!text.startsWith(flag, at) || !programs.test(command)) continue;
    const given = after(gap, text, at + 2);
    if (given === undefined || given.word.startsWith('-')) continue;
    add(given.word, given.end, found);
    return;
  }
}

function after(pattern: RegExp, text: string, at: number): { readonly word: string; readonly end: number } | undefined {
  pattern.lastIndex = at;
  if (!pattern.test(text)) return undefined;
  value.lastIndex = pattern.lastIndex;
  const word = value.exec(text)?.[0];
  return word === undefined ? undefined : { word, end: value.lastIndex };
}

const endOf = (match: RegExpMatchArray): number => match.index! + match[0].length;

function add(word: string, end: number, found: FoundSecret[]): void {
  if (isPlaceholder(word) || isOrdinary(word)) return;
  found.push({ kind: 'password', start: end - word.length, end });
}
