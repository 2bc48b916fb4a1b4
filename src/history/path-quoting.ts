// Paths in patches: quoted as git quotes them (core.quotePath=false, so that other scripts stay readable).

const escapes: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
};

/** Writes a path after a prefix such as `a/`, in double quotes if it has a control character, a quote or a backslash. */
export function quotedPath(prefix: string, path: string): string {
  if (!/[\x00-\x1f\x7f"\\]/.test(path)) return `${prefix}${path}`;
  return `"${prefix}${path.replace(/[\x00-\x1f\x7f"\\]/g, (character) => escaped(character.charCodeAt(0)))}"`;
}

/** Writes a path whose bytes are not UTF-8, each byte beyond ASCII as an octal number. */
export function quotedRawPath(prefix: string, path: Uint8Array): string {
  const text = Array.from(path, (byte) =>
    byte < 0x20 || byte >= 0x7f || byte === 34 || byte === 92 ? escaped(byte) : String.fromCharCode(byte),
  );
  return `"${prefix}${text.join('')}"`;
}

const escaped = (code: number): string => escapes[code] ?? `\\${code.toString(8).padStart(3, '0')}`;
