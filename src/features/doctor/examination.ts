// One run of doctor: where findings are gathered, repairs are done or only named, and what is suspicious is put aside.

import { MemoryError } from '../../base/errors.ts';
import type { Codec } from '../../store/codec.ts';
import type { Disk } from '../../store/git/disk.ts';
import { asMemoryError } from '../../store/git/file-errors.ts';
import type { Repository } from '../../store/git/repository.ts';
import { type Finding, type FindingCode, findingCodes, type Severity } from './finding.ts';

/** A way to mend what was found: a phrase, and the deed; the deed may say more exactly what was done. */
export interface Repair {
  readonly does: string;
  readonly run: () => string | undefined;
}

/** What the parts look at that need the key of private texts, too. */
export interface Examined {
  readonly examination: Examination;
  readonly repository: Repository;
  readonly codec: Codec;
}

const maxOfOneCode = 100;

export class Examination {
  readonly disk: Disk;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Whether repairs are done; only ever under the repository lock. */
  mayRepair = false;
  private readonly found: Finding[] = [];
  private readonly counts = new Map<FindingCode, number>();
  /** Where each finding is in the list. */
  private readonly places = new Map<string, number>();
  /** `<common directory>/git-memory/quarantine/<time>`, made when first needed. */
  private readonly quarantineRoot: { readonly base: string; readonly folder: string };

  constructor(disk: Disk, commonDirectory: string, now: number) {
    this.disk = disk;
    this.now = now;
    const time = new Date(now).toISOString().replace(/[:.]/g, '-');
    this.quarantineRoot = { base: commonDirectory, folder: `${commonDirectory}/git-memory/quarantine/${time}` };
  }

  get findings(): readonly Finding[] {
    const cut = [...this.counts].filter(([, count]) => count > maxOfOneCode);
    const rest = cut.map(([code, count]): Finding => {
      const what = `${count - maxOfOneCode} more of the same are not listed`;
      return { code, severity: severityOf(code), where: '…', what, isFixed: false };
    });
    return [...this.found, ...rest];
  }

  /** Notes a finding, and mends it when repairs are done; a repair that fails is noted, too, and the examination goes on. */
  find(code: FindingCode, where: string, what: string, mend?: Repair | string): void {
    // Several parts meet the same damage: one of them knows what mends it.
    const key = code in findingCodes ? `${code} ${where} ${what}` : `${code} ${where}`;
    const known = this.places.get(key);
    if (known !== undefined) {
      if (typeof mend === 'object')
        this.found[known] = this.mended({ code, severity: severityOf(code), where, what }, mend);
      return;
    }
    const count = (this.counts.get(code) ?? 0) + 1;
    this.counts.set(code, count);
    const finding = this.mended({ code, severity: severityOf(code), where, what }, mend);
    if (count > maxOfOneCode) return;
    this.places.set(key, this.found.length);
    this.found.push(finding);
  }

  /** Notes an error that some part of the engine would throw. */
  findError(error: unknown, mend?: Repair): void {
    const known = asMemoryError(error);
    if (!(known instanceof MemoryError)) throw error;
    this.find(known.code, known.where ?? '', known.what, mend ?? known.hint);
  }

  private mended(finding: Omit<Finding, 'isFixed'>, mend: Repair | string | undefined): Finding {
    if (mend === undefined) return { ...finding, isFixed: false };
    if (typeof mend === 'string') return { ...finding, fix: mend, isFixed: false };
    if (!this.mayRepair) return { ...finding, fix: `--fix: ${mend.does}`, isFixed: false };
    try {
      return { ...finding, fix: mend.run() ?? mend.does, isFixed: true };
    } catch (error) {
      const known = asMemoryError(error);
      if (!(known instanceof MemoryError)) throw error;
      return { ...finding, fix: `tried: ${mend.does}; ${known.message}`, isFixed: false };
    }
  }

  /** The way to mend what is only in the way, and suspicious. */
  moving(path: string, why: string, does = 'move it into quarantine'): Repair {
    return { does, run: () => `moved to ${this.quarantine(path, why)}` };
  }

  /** Runs one part of the examination; what stops it is a finding, and the others still run. */
  part<T>(look: () => T): T | null {
    try {
      return look();
    } catch (error) {
      this.findError(error);
      return null;
    }
  }

  /** Moves a suspicious file to where a person can look at it; nothing is deleted. `list.txt` there says where each was. Gives the new path. */
  quarantine(path: string, why: string): string {
    const { base, folder } = this.quarantineRoot;
    const name = path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path.slice(path.lastIndexOf('/') + 1);
    let target = `${folder}/${name}`;
    for (let count = 2; this.disk.exists(target); count++) target = `${folder}/${name}.${count}`;
    this.disk.refuseLinks(base, target);
    this.disk.makeDirectory(target.slice(0, target.lastIndexOf('/')));
    const line = Buffer.from(`${JSON.stringify({ from: path, to: target, why })}\n`);
    this.disk.inFile(`${folder}/list.txt`, 'a+', (list) => this.disk.writeAll(list, line));
    this.disk.rename(path, target);
    return target;
  }
}

function severityOf(code: FindingCode): Severity {
  return code in findingCodes ? findingCodes[code as keyof typeof findingCodes][0] : 'error';
}
