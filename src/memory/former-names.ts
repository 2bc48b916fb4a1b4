// What verbs and options were called before: `event` is `ledger.add` now. A program that was written for those names still runs.

/** Former names by the families that have them now, each as `former=now` where they differ. */
const formerNames: Readonly<Record<string, string>> = {
  branches: 'branches=list branch=open compare dropBranch=drop expireBranches=expire',
  experiments:
    'experiments=list experiment=run compareExperiments=compare probes adoptExperiment=adopt dropExperiment=drop',
  git: 'installHooks trackWithLfs checkStaged resolveMerge',
  handed: 'handed=list replay noteShown',
  keys: 'keyStatus=status showKey=show newKey=new importKey=import',
  knowledge: 'knowledge=list boxes box verify promote distil bundle backlinks entities changeEntities',
  ledger: 'event=add events=list loops integrity=check',
  maintenance:
    'maintain=run nightly=night runSchedule=runDue schedule scheduleLines maintainUntilStopped=runUntilStopped startSchedule=start reindex',
  mounts: 'mounts=list mount=add unmount=remove',
  project: 'boot changes graph todo logChange=change deploy task shutdown',
  quarantine: 'quarantined=list showQuarantined=show acceptQuarantined=accept dropQuarantined=drop',
  records: 'due relations touch touchAll expand archive restore relate consolidate split splitCandidates gist',
  snapshots: 'snapshots=list snapshot=create',
  topics: 'topics=test topicFiles=list activate=turn newTopic=new rateTopic=rate tuneTopics=tune',
};

/** The calls that take `others`, and the place of their options: `main` said the contrary. */
const callsForOthers: Readonly<Record<string, number>> = { context: 1, sessionStart: 0 };

/** Gives what a call is given as it is said now. */
export function inPresentNames(call: string, given: readonly unknown[]): readonly unknown[] {
  const place = callsForOthers[call];
  const options = place === undefined ? undefined : given[place];
  if (typeof options !== 'object' || options === null || !('main' in options) || 'others' in options) return given;
  const { main, ...rest } = options;
  return typeof main === 'boolean' ? given.with(place!, { ...rest, others: !main }) : given;
}

type Verb = (...given: unknown[]) => unknown;

/** Lets an object answer to former names, too, for one version; they are on no list and in no type. `topics(…)` calls a family. */
export function withFormerNames<Whole extends object>(whole: Whole): Whole {
  const families = whole as Readonly<Record<string, Readonly<Record<string, Verb | undefined>> | undefined>>;
  for (const [family, names] of Object.entries(formerNames)) {
    for (const name of names.split(' ')) {
      const [former = '', now = former] = name.split('=');
      const verb = families[family]?.[now];
      if (verb === undefined) continue;
      const isFamily = former === family;
      const value = isFamily ? Object.assign((...given: unknown[]) => verb(...given), families[family]) : verb;
      Object.defineProperty(whole, former, { value, configurable: true, enumerable: isFamily });
    }
  }
  return whole;
}
