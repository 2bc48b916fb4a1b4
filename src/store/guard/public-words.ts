// Knows what looks like a secret and is public: keys that are meant to be seen, addresses, hashes, encoded text.

import { eitherOf } from '../../base/words.ts';

const base58 = '[1-9A-HJ-NP-Za-km-z]';
/** Publishable keys of services, and public keys of ssh and minisign. */
const publishable = eitherOf(
  '',
  /^(?:pk_(?:live|test)_|pk\.eyJ|phc_|sb_publishable_|AAAA(?:[BC]3NzaC1|E2VjZHNh|[GI]nNrL)|RWQ[\w+/]{53}$)/,
  /^https?:\/\/[0-9a-f]{32}@(?:[\w-]+\.)*(?:ingest|sentry|glitchtip)\./,
);
/** Addresses of wallets, and of content. */
const address = new RegExp(`^(?:[13LDTr]${base58}{25,34}|Qm${base58}{44}|${base58}{43,44}|0x[0-9a-fA-F]{40})$`);
/** What a public value is called, before it. */
const publicKind = eitherOf(
  '',
  /public[-_ ]?key|pubkey|publishable[-_ ]?key|site[-_]?key|vapid\w{0,20}|nonce|hash|digest|sha-?\d{1,3}|md5|checksum/,
  /fingerprint|integrity|etag|cursor|(?:^|[^A-Za-z])kid|(?<!sess|session[-_ ]?)(?<![A-Za-z])id|address/,
  /"(?:[xyn]|x5t\S{0,5})/,
).source;
const publicMark = eitherOf(
  '',
  /base64,[\w+/=%-]{0,80}|sha-?\d{0,3}["']?[-:=]? ?|\bmd5[:=]|\bh1:|nonce-|\|1\||\|1\|[\w+/=]{28}\||DKIM1[^"]{0,60}p=/,
  new RegExp(`(?:${publicKind})["']?\\s{0,4}(?:[:=]\\s{0,4})?(?:W\\/|\\$\\w{1,8}\\$\\d{1,3}\\$)?["'\`]?`),
).source;
const publicName = new RegExp(`(?:${publicMark})$`, 'i');

/** Tells whether a key is meant to be seen, whatever it is called. */
export function isPublishable(word: string): boolean {
  if (publishable.test(word)) return true;
  const claims = /^eyJ[\w-]+\.(eyJ[\w-]+)\./.exec(word)?.[1];
  // The key that Supabase gives to browsers, and the example that everybody copies.
  return claims !== undefined && /"role":"anon"|"John Doe"/.test(Buffer.from(claims, 'base64url').toString('latin1'));
}

/** Tells whether a random word is public: by its form, by what it is called, or because it holds text. */
export function isPublic(text: string, start: number, end: number, word: string): boolean {
  if (isPublishable(word) || address.test(word) || text[end] === '@') return true;
  if (publicName.test(text.slice(Math.max(0, start - 90), start)) || isDataLine(text, start, end)) return true;
  const decoded = decodedText(word);
  return decoded !== undefined && !/^[^\s:"{]+:\S+$|pass|secret|token|key/i.test(decoded);
}

const lineBelow = /^["',]{0,3}[ \t]*\r?\n[ \t>|"'+]{0,20}[A-Za-z0-9+/=_-]{28}/;
const lineAbove = /[A-Za-z0-9+/=_-]{60}["',]{0,3}[ \t]*\r?\n[ \t>|"'+]{0,20}$/;

/** A line of base64 above or below another one is data: a file, a mail. */
function isDataLine(text: string, start: number, end: number): boolean {
  if (end - start >= 60 && lineBelow.test(text.slice(end, end + 120))) return true;
  return lineAbove.test(text.slice(Math.max(0, start - 120), start));
}

/** Gives the text that a word of base64 holds; undefined for any other word. */
export function decodedText(word: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]{12,}={0,2}$/.test(word)) return undefined;
  const text = Buffer.from(word, 'base64').toString('utf8');
  return /[\ufffd\0-\x08\x0e-\x1f\x7f]/.test(text) ? undefined : text;
}
