// Redacts and reports secrets on their way in, or refuses them. secrets.ts finds them.

import { MemoryError } from '../../base/errors.ts';
import {
  type AllowList,
  type FoundSecret,
  findCutSecret,
  findSecrets,
  redactionOf,
  redactSecrets,
  type SearchOptions,
} from './secrets.ts';

/** The `secrets` of memory.yaml. */
export interface SecretPolicy {
  /** `redact` what callers hand in, `refuse` it with SECRET, or let everything in. */
  readonly mode: 'redact' | 'refuse' | 'off';
  readonly allow: AllowList;
}

/** Lets texts of one call pass, and counts what it kept out. */
export class SecretFilter {
  /** How many secrets were redacted. */
  count = 0;
  private readonly policy: SecretPolicy;

  constructor(policy: SecretPolicy) {
    this.policy = policy;
  }

  /**
   * Gives a text without its secrets.
   *
   * Those that `known` holds, which is what stood there before, are not new and stay.
   *
   * @throws MemoryError SECRET in the mode `refuse`, naming `where`, the kind and the line.
   */
  pass(text: string, where: string, options: SearchOptions & { readonly known?: string | null } = {}): string {
    const { mode, allow } = this.policy;
    const { known } = options;
    if (mode === 'off') return text;
    const given = known
      ? [...allow, ...findSecrets(known, allow).map(({ start, end }) => known.slice(start, end))]
      : allow;
    const found = findSecrets(text, given, options);
    if (found.length === 0) return text;
    if (mode === 'refuse') throw refusal(text, found[0]!, where);
    this.count += found.length;
    return redactSecrets(text, given, options);
  }

  /**
   * Gives two texts that follow one another, such as messages, without a secret that was cut between them.
   *
   * @throws MemoryError SECRET in the mode `refuse`, naming `where`.
   */
  passOn(former: string, text: string, where: string): readonly [former: string, text: string] {
    const { mode, allow } = this.policy;
    const cut = mode === 'off' ? null : findCutSecret(former, text, allow);
    if (cut === null) return [former, text];
    if (mode === 'refuse') throw refusal(text, { ...cut, start: 0 }, where);
    this.count += 1;
    const redaction = redactionOf(cut.kind);
    return [
      cut.start < former.length ? former.slice(0, cut.start) + redaction : former,
      redaction + text.slice(cut.end),
    ];
  }

  /** Passes every text within a value: lists, and the values of objects, but not their keys. */
  passAll<Value>(value: Value, where: string, options: SearchOptions = {}): Value {
    if (this.policy.mode === 'off') return value;
    if (typeof value === 'string') return this.pass(value, where, options) as Value;
    if (Array.isArray(value)) return value.map((item) => this.passAll(item, where, options)) as Value;
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, this.passAll(item, where, options)]),
    ) as Value;
  }

  /** Passes a name that must stay what it is, such as a session id or a tag. A secret in it is refused in any mode but `off`. */
  passName(name: string, where: string): string {
    if (typeof name === 'string') checkNoSecret(null, name, where, this.policy);
    return name;
  }
}

/**
 * Refuses a text with a secret that was not there before: the last check before anything is written.
 *
 * @throws MemoryError SECRET naming `where`, the kind and the line, see {@link findNewSecret}.
 */
export function checkNoSecret(before: string | null, after: string, where: string, policy: SecretPolicy): void {
  const secret = findNewSecret(before, after, policy);
  if (secret !== null) throw refusal(after, secret, where);
}

/**
 * Refuses a branch, tag or other ref whose name holds a secret: each that is new here, or new to a remote, is asked. Without a memory there
 * are no settings yet.
 *
 * @throws MemoryError SECRET.
 */
export function checkNewRef(ref: string, policy: SecretPolicy = { mode: 'redact', allow: [] }): void {
  checkNoSecret(null, ref, 'the name of a branch or tag', policy);
}

/**
 * Finds the first secret of a text that was not there before; none in the mode `off`.
 *
 * Long random words alone are let through: they may be ids, and what asks here cannot redact. So is what is not text.
 */
export function findNewSecret(before: string | null, after: string, policy: SecretPolicy): FoundSecret | null {
  if (policy.mode === 'off') return null;
  // What only grew is looked at from the last line on that was there, or a long session would be read over and over.
  const isGrown = before !== null && before !== '' && after.startsWith(before);
  const start = isGrown ? before.lastIndexOf('\n', before.length - 1) + 1 : 0;
  const text = start === 0 ? after : after.slice(start);
  for (const secret of findSecrets(text, policy.allow, { isCertain: true })) {
    if (before?.includes(text.slice(secret.start, secret.end))) continue;
    return { ...secret, start: secret.start + start, end: secret.end + start };
  }
  return null;
}

/** Gives a line of a commit message without secrets in any mode but `off`; ids and paths in it stay. */
export const withoutSecrets = (line: string, policy: SecretPolicy): string =>
  policy.mode === 'off' ? line : redactSecrets(line, policy.allow, { isCertain: true });

function refusal(text: string, secret: { kind: string; start: number }, where: string): MemoryError {
  const line = text.slice(0, secret.start).split('\n').length;
  const place = text.includes('\n') ? `line ${line} of ${where}` : where;
  return new MemoryError('SECRET', `${place} contains a secret (${secret.kind})`, {
    where,
    hint: 'Remove it. If it is not a secret, list it under secrets.allow in memory.yaml',
  });
}
