// A memory that lasts nowhere but in its remote. This file knows which branch of it is meant, and brings there what a call wrote, before
// the call is answered.
//
//     call ─► writes ─► commit ─► push ─► answer        calls that write meanwhile share the next push

import { MemoryError } from '../../base/errors.ts';
import type { SyncResult } from '../../base/types.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { defaultTransferLimits } from '../../store/git/pkt-line.ts';
import { parseRemoteAddress } from '../../store/git/remote-address.ts';
import type { TransportSettings } from '../../store/git/remote-http.ts';
import { connect } from '../../store/git/transport.ts';
import { memoryRef } from '../../store/guard/ref-name.ts';
import { isPushed } from './auto-push.ts';
import type { SyncScope } from './exchange.ts';

/** Finds the remote's branch: the named one, that of a memory beside code, or HEAD's, and if it is there. Throws as `connect`, INVALID_ARGUMENT. */
export async function branchOfRemote(
  remote: string,
  branch: string | undefined,
  settings: Omit<TransportSettings, 'limits'>,
): Promise<{ branch: string; isThere: boolean }> {
  const address = parseRemoteAddress(remote, '/');
  const connection = await connect(address, 'upload-pack', { ...settings, limits: defaultTransferLimits });
  connection.close();
  const { refs, head } = connection.advertisement;
  const found = refs.has(memoryRef) ? memoryRef : (head ?? 'refs/heads/main');
  const ref = branch === undefined ? found : `refs/heads/${branch}`;
  return { branch: ref.replace('refs/heads/', ''), isThere: refs.has(ref) };
}

/** Pushes what is written before it is acknowledged; see `acknowledge` of `openMemory`. */
export class Acknowledgement {
  private readonly remote: string;
  private readonly scope: Omit<SyncScope, 'store'>;
  /** The push under way, and the one that begins behind it. */
  private running: Promise<void> | null = null;
  private waiting: Promise<void> | null = null;
  private tags: string | null = null;

  constructor(remote: string, scope: Omit<SyncScope, 'store'>) {
    this.remote = remote;
    this.scope = scope;
  }

  /** Gives the answer of a call when the remote has what is written. Throws what the push threw; what was written stays here. */
  readonly settle = async <T>(store: BranchStore, answer: T): Promise<T> => {
    // A sync says by itself how far it came.
    if (isOfSync(answer)) return answer;
    if (!isPushed(store, this.remote) || this.tags !== tagsOf(store)) {
      this.waiting ??= this.turn(store);
      await this.waiting;
    }
    return isPending(answer) ? { ...answer, pending: false } : answer;
  };

  /** Waits for the push under way, which may have begun before the last write, and pushes. */
  private async turn(store: BranchStore): Promise<void> {
    await this.running?.catch(() => undefined);
    this.waiting = null;
    this.running = this.push(store);
    await this.running;
  }

  private async push(store: BranchStore): Promise<void> {
    const { syncBranch } = await import('./sync.ts');
    const tags = tagsOf(store);
    try {
      const { state, why } = await syncBranch({ ...this.scope, store }, { remote: this.remote });
      if (state === 'offline') throw new MemoryError('REMOTE_UNAVAILABLE', why!);
      this.tags = tags;
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      throw new MemoryError(error.code, `the remote does not have what was written: ${error.what}`, {
        where: error.where ?? 'remote',
        hint: `It is safe in this memory, and the next push may deliver it${error.hint ? `. ${error.hint}` : ''}`,
        cause: error,
      });
    }
  }
}

function isOfSync(answer: unknown): answer is SyncResult {
  return typeof answer === 'object' && answer !== null && 'pushed' in answer && 'fetched' in answer;
}

function isPending(answer: unknown): answer is { pending: boolean } {
  return typeof answer === 'object' && answer !== null && 'pending' in answer && answer.pending === true;
}

/** Milestones travel as tags, and no commit tells of them. */
const tagsOf = ({ repository }: BranchStore): string => JSON.stringify(repository.refs.list('refs/tags/'));
