// Operations: who did what, one of them by claim, and what taking it back would do, shown before it happens.

import type { JSX } from 'preact';
import { actorOf, trailerOf } from '../../src/apps/ui/changes.ts';
import type { PagedDiff } from '../../src/apps/ui/lists.ts';
import { upperFirst } from '../../src/base/text.ts';
import type { BranchEntry, ExperimentListResult, LogEntry, LogResult, UndoResult } from '../../src/base/types.ts';
import { isExport } from '../brought.ts';
import {
  Await,
  Button,
  ChangeList,
  More,
  pageName,
  Row,
  Rows,
  Section,
  Text,
  takeBack,
  talkName,
  useLog,
  useZone,
} from '../parts.tsx';
import { go, linkTo, mayWrite, useAnswer } from '../state.ts';
import { clockOf, dayOf, longDay, many, middleDay, shortDay, visible } from '../words.ts';

export function OperationsPage({ query }: { readonly query: URLSearchParams }): JSX.Element {
  const zone = useZone();
  const who = query.get('who') ?? '';
  const kind = query.get('kind') ?? '';
  const { log, more } = useLog({ ...(who && { who }), ...(kind && { kind }) });
  const { commits: shown = [], actors = [], kinds = [], number = 0 } = log ?? {};
  return (
    <>
      <h1>Operations</h1>
      <p class="lead">
        {upperFirst(many(number, 'operation'))}, newest first.
        {mayWrite.value && ' Each can be taken back.'}
      </p>
      <div class="buttons">
        <Choice
          label="by"
          value={who}
          values={actors}
          onChoose={(value) => go(linkTo('operations', '', { who: value, kind }), true)}
        />
        <Choice
          label="kind"
          value={kind}
          values={kinds}
          onChoose={(value) => go(linkTo('operations', '', { who, kind: value }), true)}
        />
      </div>
      <Section title="What was done" number={number}>
        <Rows items={shown}>
          {(commit, index) => {
            const day = dayOf(commit.time, zone);
            const isNew = index === 0 || dayOf(shown[index - 1]!.time, zone) !== day;
            return (
              <Row
                key={commit.oid}
                margin={
                  <>
                    {isNew && <b>{shortDay(day)} </b>}
                    {clockOf(commit.time, zone)} · {visible(actorOf(commit))} · {visible(commit.operation ?? 'by hand')}
                  </>
                }
              >
                <a href={linkTo('operation', commit.oid)}>{visible(commit.subject)}</a>
              </Row>
            );
          }}
        </Rows>
        <More more={more} />
      </Section>
      {!isExport && <Branches />}
    </>
  );
}

function Choice({
  label,
  value,
  values,
  onChoose,
}: {
  readonly label: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly onChoose: (value: string) => void;
}): JSX.Element {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">any</option>
        {values.map((one) => (
          <option key={one} value={one}>
            {visible(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Branches(): JSX.Element | null {
  const zone = useZone();
  const branches = useAnswer<{ branches: readonly BranchEntry[] }>('branch', {}, { state: null });
  const experiments = useAnswer<{ listed: ExperimentListResult }>('experiment', { action: 'list' }, { state: null });
  const others = (branches.data?.branches ?? []).filter(({ isCurrent }) => !isCurrent);
  const tried = experiments.data?.listed.experiments ?? [];
  if (others.length + tried.length === 0) return null;
  return (
    <Section title="Beside this" number={others.length + tried.length}>
      <ul class="rows">
        {tried.map((one) => (
          <Row
            key={one.name}
            margin={
              <>
                {one.isFinished ? 'finished' : `${one.done} of ${one.total} conversations`}
                {one.isAdopted && ', adopted'}
              </>
            }
          >
            Experiment {visible(one.name)}: {many(one.created, 'claim')} made, {one.updated} changed, {one.skipped}{' '}
            skipped by <code>{visible(one.extractor)}</code>
          </Row>
        ))}
        {others.map(({ name, time, ahead, behind }) => (
          <Row key={name} margin={middleDay(dayOf(time, zone))}>
            <code>{visible(name)}</code>{' '}
            <span class="meta">
              {ahead} ahead, {behind} behind
            </span>
          </Row>
        ))}
      </ul>
    </Section>
  );
}

export function OperationPage({ name }: { readonly name: string }): JSX.Element {
  const zone = useZone();
  const { log, isKnown } = useLog({ oid: name });
  const commit = log?.commits[0];
  const [parent] = commit?.parents ?? [];
  const diff = useAnswer<PagedDiff>(
    commit === undefined || parent === undefined ? null : 'diff',
    { from: `${parent}..${commit?.oid}`, stat: true },
    { state: null, isPaged: true },
  );
  if (commit === undefined)
    return (
      <>
        <h1>An operation</h1>
        <p class="lead">{isKnown ? 'This memory has no such operation.' : 'Reading the memory…'}</p>
      </>
    );
  const session = trailerOf(commit, 'Session');
  return (
    <>
      <p class="meta above">
        <a href={linkTo('operations')}>Operations</a> · <code>{commit.oid.slice(0, 12)}</code>
      </p>
      <h1 class="claim">{visible(commit.subject)}</h1>
      <p class="lead">
        {visible(actorOf(commit))}, {longDay(dayOf(commit.time, zone))} at {clockOf(commit.time, zone)}
        {session?.startsWith('raw/') === true && (
          <>
            , from <a href={linkTo('talk', session)}>{visible(talkName(session))}</a>
          </>
        )}
      </p>
      {!isExport && parent !== undefined && <Plan commit={commit} />}
      {diff.data !== undefined && <ChangeList diff={diff.data} more={diff.more} />}
      <Section title="In full">
        <dl class="trailers">
          {commit.trailers.map(({ key, value }, index) => (
            <div key={index}>
              <dt>{visible(key)}</dt>
              <dd>
                {key === 'Memory' || key === 'Closes' ? (
                  <a href={linkTo('claim', value)}>
                    <code>{visible(value.slice(0, 16))}</code>
                  </a>
                ) : key === 'Undoes' ? (
                  <a href={linkTo('operation', value)}>
                    <code>{value.slice(0, 12)}</code>
                  </a>
                ) : (
                  <Text text={value} />
                )}
              </dd>
            </div>
          ))}
        </dl>
      </Section>
    </>
  );
}

/** What taking it back would do: the same by claim, the other way round; or what stands in the way. */
function Plan({ commit }: { readonly commit: LogEntry }): JSX.Element {
  const plan = useAnswer<UndoResult>('undo', { revision: commit.oid }, { state: null, dryRun: true });
  const back = useAnswer<PagedDiff>(
    'diff',
    { from: `${commit.oid}..${commit.parents[0]}`, stat: true },
    { state: null, isPaged: true },
  );
  const way = useAnswer<LogResult>(
    (plan.data?.conflicts.length ?? 0) > 0 ? 'log' : null,
    { path: plan.data?.conflicts[0] ?? '', limit: 5 },
    { state: null },
  );
  return (
    <Section title={mayWrite.value ? 'Taking it back' : 'What taking it back would do'}>
      <Await known={plan}>
        {({ conflicts, undone, derived }) =>
          conflicts.length > 0 ? (
            <div class="plan">
              <p>
                It cannot be taken back alone: later changes stand in the way of{' '}
                {conflicts
                  .map((path) => pageName(path))
                  .slice(0, 4)
                  .map(visible)
                  .join(', ')}
                .
              </p>
              <ul>
                {(way.data?.commits ?? [])
                  .filter(({ oid }) => oid !== commit.oid)
                  .map((later) => (
                    <li key={later.oid}>
                      <a href={linkTo('operation', later.oid)}>{visible(later.subject)}</a>
                    </li>
                  ))}
              </ul>
            </div>
          ) : undone.length === 0 ? (
            <p class="plan">There is nothing of it left to take back.</p>
          ) : (
            <div class="plan" role="status">
              {back.data !== undefined && <PlanList diff={back.data} />}
              {derived.length > 0 && <p class="meta">{many(derived.length, 'file')} that came from it would stay.</p>}
              <Button isMain keyName="undo" onClick={() => void takeBack(commit.oid)}>
                Take it back
              </Button>
            </div>
          )
        }
      </Await>
    </Section>
  );
}

function PlanList({ diff }: { readonly diff: PagedDiff }): JSX.Element {
  const { came, back, changed, closed, replaced, gone, pages, talks } = diff.counts;
  const lines = [
    ['takes away', gone, 'claim'],
    ['brings back', came + back + replaced, 'claim'],
    ['sets back', changed, 'claim'],
    ['closes', closed, 'claim'],
    ['sets back', pages, 'page'],
    ['takes back', talks, 'conversation'],
  ] as const;
  const told = lines.filter(([, number]) => number > 0);
  return (
    <ul>
      {told.length === 0 ? (
        <li>sets back what was weighed</li>
      ) : (
        told.map(([verb, number, what]) => (
          <li key={`${verb}${what}`}>
            <b>{verb}</b> {many(number, what)}
          </li>
        ))
      )}
    </ul>
  );
}
