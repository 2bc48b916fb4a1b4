// How records and files of a memory are named to clients.

/** Gives the URI of a memory: `memory://memories/<id>`. */
export function memoryUri(id: string): string {
  return `memory://memories/${encodeURIComponent(id)}`;
}

/** Gives the URI of a file: `memory://files/<path>`, each segment percent-encoded. */
export function fileUri(path: string): string {
  return `memory://files/${path.split('/').map(encodeURIComponent).join('/')}`;
}
