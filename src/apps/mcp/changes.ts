// What a client learns when the memory changed: which of the resources it may have read, and whether there are others than before.

import type { McpServer } from '@modelcontextprotocol/server';
import type { MemoryChange } from '../../base/types.ts';
import { graphUri } from './reference.ts';
import { fileUri, memoryUri } from './uris.ts';

/** Above it a client learns that much changed, and not what: an import of thousands would flood it. */
const mostUris = 500;

/** What follows from any change. */
const always = ['memory://status', 'memory://recent', 'memory://session-start'];

/** A change in the words of the protocol. */
export interface ResourceChange {
  /** Resources that may answer otherwise now. */
  readonly uris: readonly string[];
  /** There may be others than before. */
  readonly isListChanged: boolean;
  /** So much changed, or so little is known of it, that it may be any resource. */
  readonly isWhole: boolean;
  /** Relations changed, which are named with the memories at their ends. */
  readonly ofRelations: boolean;
}

/** Tells which resources a change is about. */
export function resourcesChanged({ paths }: MemoryChange): ResourceChange {
  if (paths === null || paths.length > mostUris)
    return { uris: [...always, graphUri], isListChanged: true, isWhole: true, ofRelations: true };
  const isListed = (path: string) => path.startsWith('memories/') || path.startsWith('knowledge/');
  const ofGraph = paths.some((path) => /^knowledge\/(?:people|entities|reference)\//.test(path));
  const uris = paths.flatMap((path) => {
    const id = /^memories\/(?:[0-9a-f]{2}\/)?([^/]+)\.json$/.exec(path)?.[1];
    return id === undefined ? [fileUri(path)] : [memoryUri(id), fileUri(path)];
  });
  return {
    uris: [...always, ...(ofGraph ? [graphUri] : []), ...uris],
    isListChanged: paths.some(isListed),
    isWhole: false,
    ofRelations: paths.some((path) => path.startsWith('relations/')),
  };
}

/** The resources that one client asked to hear of, by the handshake of 2025; later ones say so to the transport. */
export class Subscriptions {
  private readonly uris = new Set<string>();
  private readonly server: McpServer;

  constructor(server: McpServer, onFirst: () => Promise<unknown>) {
    this.server = server;
    server.server.setRequestHandler('resources/subscribe', async ({ params }) => {
      await onFirst();
      this.uris.add(params.uri);
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', async ({ params }) => {
      this.uris.delete(params.uri);
      return {};
    });
  }

  /** The subscribed ones that a change is about. What depends on more than one file is about every change. */
  of({ uris, isWhole, ofRelations }: ResourceChange): string[] {
    const changed = new Set(uris);
    return [...this.uris].filter((uri) => {
      if (isWhole || changed.has(uri) || uri.startsWith('memory://context/')) return true;
      // A memory may be named by the beginning of its id.
      return uri.startsWith('memory://memories/') && (ofRelations || uris.some((one) => one.startsWith(uri)));
    });
  }
}

/** Tells a client of a change: of what it asked for, or of all where the transport knows what it listens to. */
export function tellClient(server: McpServer, subscriptions: Subscriptions | null, change: ResourceChange): void {
  for (const uri of subscriptions?.of(change) ?? change.uris) attempt(server.server.sendResourceUpdated({ uri }));
  if (change.isListChanged) server.sendResourceListChanged();
}

/** A client that went away, or a probe that was never one, has no use for it. */
function attempt(sending: Promise<unknown>): void {
  void sending.catch(() => undefined);
}
