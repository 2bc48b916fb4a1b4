// Reads the address of a remote: text → an address of a form that runs nothing by itself.

import { MemoryError } from '../../base/errors.ts';
import { withoutEndSlash } from '../../base/text.ts';
import { resolvePath } from './discovery.ts';

/** An address that was checked. `shown` may be printed: it holds no secret. */
export type RemoteAddress =
  | { readonly kind: 'http'; readonly url: string; readonly shown: string }
  | {
      readonly kind: 'ssh';
      readonly host: string;
      readonly port: number | null;
      readonly path: string;
      readonly shown: string;
    }
  | { readonly kind: 'local'; readonly path: string; readonly shown: string };

/**
 * Reads `https://host/path`, `http://…`, `ssh://[user@]host[:port]/path`, `[user@]host:path`, `file:///path` and paths of this machine,
 * which count from `directory`.
 *
 * Throws INVALID_ARGUMENT for every other form, for `helper::address`, for what an option could be, and for a password in the address.
 */
export function parseRemoteAddress(text: string, directory: string): RemoteAddress {
  const refuse = (what: string, hint: string) => new MemoryError('INVALID_ARGUMENT', what, { where: 'remote', hint });
  const forms = 'Give https://host/path, ssh://host/path, host:path, or a folder';
  if (typeof text !== 'string' || text === '' || text.length > 2000)
    throw refuse('the address is missing or too long', forms);
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)) throw refuse('the address has an invisible character', forms);
  if (text.startsWith('-')) throw refuse('the address begins like an option', forms);
  if (/^[A-Za-z0-9+.-]+::/.test(text)) throw refuse('the address names a helper program, and none is run', forms);
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text)?.[1]?.toLowerCase();
  if (scheme === 'http' || scheme === 'https' || scheme === 'ssh') return parseUrl(text, scheme, refuse);
  if (scheme === 'file') return local(decodeURIComponent(text.slice('file://'.length)), directory);
  if (scheme !== undefined) throw refuse(`addresses of the form ${scheme}:// are not spoken`, forms);
  const isWindowsPath = /^[A-Za-z]:[\\/]/.test(text);
  const scp = isWindowsPath ? null : /^([^/:]+):(.+)$/s.exec(text);
  if (scp === null) return local(text, directory);
  const [, host, path] = scp as unknown as [string, string, string];
  return ssh(host, null, path, refuse);
}

type Refuse = (what: string, hint: string) => MemoryError;

function parseUrl(text: string, scheme: 'http' | 'https' | 'ssh', refuse: Refuse): RemoteAddress {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    // What the parser says quotes the address, which may hold a secret.
    throw refuse('the address cannot be read', 'Give https://host/path');
  }
  if (url.password !== '') {
    throw refuse(
      'the address holds a password',
      "Leave it out: git's credential helpers or GIT_MEMORY_CREDENTIALS give it",
    );
  }
  if (url.hostname === '') throw refuse('the address names no host', 'Give https://host/path');
  if (scheme === 'ssh') {
    const user = url.username === '' ? '' : `${decodeURIComponent(url.username)}@`;
    return ssh(
      `${user}${url.hostname}`,
      url.port === '' ? null : Number(url.port),
      decodeURIComponent(url.pathname),
      refuse,
    );
  }
  if (url.search !== '' || url.hash !== '') throw refuse('the address has a query', 'Give https://host/path');
  const plain = `${url.origin}${withoutEndSlash(url.pathname)}`;
  // A user name alone is asked for with the password.
  return { kind: 'http', url: plain, shown: plain };
}

function ssh(host: string, port: number | null, path: string, refuse: Refuse): RemoteAddress {
  const isPlain = /^(?:[A-Za-z0-9_][A-Za-z0-9_.+-]*@)?(?:[A-Za-z0-9][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])$/.test(host);
  if (!isPlain) throw refuse('the host of the address has a form that ssh could misread', 'Give ssh://user@host/path');
  if (path === '' || path.startsWith('-'))
    throw refuse('the path of the address is missing, or like an option', 'Give host:path');
  // `ssh://host/~ada/notes` means a home folder, as to git.
  const place = path.startsWith('/~') ? path.slice(1) : path;
  return {
    kind: 'ssh',
    host,
    port,
    path: place,
    shown: port === null ? `${host}:${place}` : `ssh://${host}:${port}${path}`,
  };
}

function local(path: string, directory: string): RemoteAddress {
  const absolute = resolvePath(directory, path);
  return { kind: 'local', path: absolute, shown: absolute };
}
