// One claim: its words, how long it held, how strong it is, where it comes from, what became of it, and what can be done about it.

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { actorOf } from '../../src/apps/ui/changes.ts';
import type { MemoryRecord, RelationRecord } from '../../src/base/types/stored-types.ts';
import type { BacklinksResult, ProvenanceResult } from '../../src/base/types.ts';
import { type Decay, scoreOf } from '../../src/store/records/strength.ts';
import {
  Await,
  Button,
  judge,
  linkOfPath,
  pageName,
  Reword,
  Section,
  SourceLink,
  Text,
  useConfig,
  useZone,
} from '../parts.tsx';
import { act, ask, at, go, linkTo, mayWrite, tick, useAnswer } from '../state.ts';
import { clockOf, dayOf, middleDay, shortDay, visible } from '../words.ts';

type Claim = MemoryRecord & {
  readonly path: string;
  readonly score: number;
  readonly relations?: readonly RelationRecord[];
};

export function ClaimPage({ name }: { readonly name: string }): JSX.Element {
  const here = useAnswer<Claim>('show', { what: name });
  const origin = useAnswer<ProvenanceResult>('provenance', { what: name }, { state: null });
  const commits = origin.data?.commits ?? [];
  // What is gone is shown as it was last.
  const removal = here.failure?.status === 404 ? commits.findLast(({ change }) => change === 'removed') : undefined;
  const last = useAnswer<Claim>(
    removal === undefined ? null : 'show',
    { what: name },
    { state: removal?.parents[0] ?? null },
  );
  const claim = here.data ?? last.data;
  if (claim === undefined)
    return (
      <>
        <h1>A claim</h1>
        <Await known={here.failure !== undefined && removal === undefined ? here : last}>{() => null}</Await>
      </>
    );
  return <ClaimView claim={claim} origin={origin.data} isHere={here.data !== undefined} removedAt={removal?.time} />;
}

function ClaimView({
  claim,
  origin,
  isHere,
  removedAt,
}: {
  readonly claim: Claim;
  readonly origin: ProvenanceResult | undefined;
  readonly isHere: boolean;
  readonly removedAt: string | undefined;
}): JSX.Element {
  const zone = useZone();
  const commits = origin?.commits ?? [];
  const day = (seconds: number) => middleDay(dayOf(seconds * 1000, zone));
  const from = claim.validFrom ?? claim.createdAt;
  const now = Date.now() / 1000;
  return (
    <div class="two">
      <div>
        <p class="meta above">
          {[claim.subject, claim.category, claim.attribute]
            .filter((word) => word !== undefined)
            .map((word) => visible(word))
            .join(' · ')}
          {' · '}
          <code>{visible(claim.id.slice(0, 12))}</code>
        </p>
        <h1 class="claim">
          <Text text={claim.content} />
        </h1>
        <p class="lead">
          {claim.statement !== undefined && (
            <>
              <Text text={claim.statement} />{' '}
            </>
          )}
          {!isHere && removedAt !== undefined ? (
            <>
              Known from {day(from)}; forgotten on <b>{middleDay(dayOf(removedAt, zone))}</b>. It is in history, and can
              be brought back.
            </>
          ) : claim.validUntil !== undefined ? (
            <>
              {claim.validUntil > now ? 'Holds' : 'Held'} from {day(from)} until <b>{day(claim.validUntil)}</b>.
            </>
          ) : claim.status === 'active' ? (
            <>
              Holds {from > now ? 'from' : 'since'} {day(from)}.
            </>
          ) : (
            <>
              Known from {day(from)}; {claim.status} now.
            </>
          )}
          {claim.due !== undefined && <> Due on {middleDay(claim.due)}.</>}
        </p>
        {claim.replacedBy !== undefined && <Replacement id={claim.replacedBy} />}
        <StrengthCurve claim={claim} commits={commits} isHere={isHere} />
        <Section title="Where it comes from">
          {origin === undefined ? (
            <p class="wait-line" role="status">
              Reading the memory…
            </p>
          ) : (
            <Chain origin={origin} />
          )}
        </Section>
      </div>
      <aside aria-label="History and what can be done">
        {mayWrite.value && <Verdicts claim={claim} isHere={isHere} />}
        <History commits={commits} zone={zone} />
        <Relations claim={claim} />
      </aside>
    </div>
  );
}

function Replacement({ id }: { readonly id: string }): JSX.Element {
  const known = useAnswer<Claim>('show', { what: id }, { state: null });
  return (
    <p class="replaced">
      <span class="meta">In its place: </span>
      <a href={linkTo('claim', id)}>
        {known.data === undefined ? id.slice(0, 12) : <Text text={known.data.content} />}
      </a>
    </p>
  );
}

/** The words, back to the turn in which they were said. */
function Chain({ origin }: { readonly origin: ProvenanceResult }): JSX.Element {
  const zone = useZone();
  const made = origin.commits[0];
  return (
    <ol class="chain">
      {made !== undefined && (
        <li>
          <b>{made.operation === 'extract' ? 'Extracted' : 'Written'}</b>{' '}
          <span class="meta">
            by{' '}
            {visible(
              (made.operation === 'extract'
                ? [origin.extractor, origin.model, origin.agent].filter((word) => word !== undefined).join(', ')
                : '') || actorOf(made),
            )}{' '}
            on {middleDay(dayOf(made.time, zone))} at {clockOf(made.time, zone)},{' '}
            <a href={linkTo('operation', made.oid)}>
              <code>{made.oid.slice(0, 7)}</code>
            </a>
          </span>
        </li>
      )}
      {origin.source !== undefined && origin.sources.length === 0 && (
        <li>
          <b>From</b> <Text text={origin.source} />
        </li>
      )}
      {origin.sources.map((source) => (
        <li key={`${source.path}#${source.turn}`}>
          <b>{visible(source.speaker ?? source.role ?? 'Somebody')} said it</b>{' '}
          <span class="meta">
            <SourceLink source={source} />
            {source.time !== undefined && <> at {clockOf(source.time, zone)}</>}
          </span>
          {source.text !== undefined && (
            <blockquote>
              <Text text={source.text} />
            </blockquote>
          )}
        </li>
      ))}
      {(origin.from ?? []).map(({ id, relation, origin: inner }) => (
        <li key={id}>
          <b>{relation === 'split_from' ? 'Split from' : 'Made of'}</b>{' '}
          <a href={linkTo('claim', id)}>
            {inner?.content === undefined ? <code>{visible(id.slice(0, 12))}</code> : <Text text={inner.content} />}
          </a>
          {inner !== null && <Chain origin={inner} />}
        </li>
      ))}
      {made === undefined && <li class="meta">It waits for its commit.</li>}
      {origin.sources.length === 0 && origin.source === undefined && origin.from === undefined && (
        <li class="meta">
          No conversation is named as its source
          {origin.agent !== undefined && <>: {visible(origin.agent)} wrote it outright</>}.
        </li>
      )}
    </ol>
  );
}

function History({
  commits,
  zone,
}: {
  readonly commits: ProvenanceResult['commits'];
  readonly zone: string;
}): JSX.Element {
  const words = { added: 'came', modified: 'changed', removed: 'forgotten', boundary: 'or before' } as const;
  const classes = { added: 'came', modified: 'changed', removed: 'gone', boundary: '' } as const;
  return (
    <Section title="History">
      <ol class="history">
        {[...commits].reverse().map((commit) => (
          <li key={commit.oid}>
            <b class={classes[commit.change]}>{words[commit.change]}</b>{' '}
            <a href={linkTo('operation', commit.oid)}>{middleDay(dayOf(commit.time, zone))}</a>{' '}
            <span class="meta">
              {visible(commit.operation ?? '')} by {visible(actorOf(commit))}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Relations({ claim }: { readonly claim: Claim }): JSX.Element | null {
  const links = useAnswer<BacklinksResult>(claim.path === undefined ? null : 'knowledge', {
    path: claim.path,
    links: true,
  });
  const relations = claim.relations ?? [];
  const pages = [...(links.data?.links ?? []), ...(links.data?.mentions ?? [])];
  if (relations.length + pages.length === 0) return null;
  return (
    <Section title="Belongs with">
      <ul class="history">
        {relations.map((relation) => {
          const isFrom = relation.fromMemoryId === claim.id;
          const other = isFrom ? relation.toMemoryId : relation.fromMemoryId;
          return (
            <li key={relation.id}>
              <span class="meta">
                {isFrom ? '' : '← '}
                {visible(relation.relationType.replaceAll('_', ' '))}
              </span>{' '}
              <OtherWords id={other} />
            </li>
          );
        })}
        {pages.map(({ path, line }) => (
          <li key={`${path}:${line}`}>
            <a href={linkOfPath(path)}>{visible(pageName(path))}</a> <span class="meta">line {line}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function OtherWords({ id }: { readonly id: string }): JSX.Element {
  const known = useAnswer<Claim>('show', { what: id });
  return (
    <a href={linkTo('claim', id)}>
      {known.data === undefined ? visible(id.slice(0, 12)) : <Text text={known.data.content} />}
    </a>
  );
}

/** What can be done about a claim; each is one commit. */
function Verdicts({ claim, isHere }: { readonly claim: Claim; readonly isHere: boolean }): JSX.Element {
  const isRewording = useSignal(false);
  useEffect(() => {
    isRewording.value = false;
  }, [claim.id, claim.content]);
  const isOpen = isHere && claim.status === 'active';
  const reword = async (content: string) => {
    const into = (await judge('edit', claim.id, { content }))?.into;
    if (into !== undefined) go(linkTo('claim', into));
  };
  return (
    <Section title="Set right">
      <div class="buttons">
        {isOpen && (
          <>
            <Button keyName="confirm" onClick={() => void judge('keep', claim.id)}>
              Keep
            </Button>
            <Button
              keyName="reword"
              onClick={() => {
                isRewording.value = true;
              }}
            >
              Reword
            </Button>
            <Button keyName="close" onClick={() => void judge('close', claim.id)}>
              Close
            </Button>
          </>
        )}
        {isHere && (
          <Button keyName="forget" onClick={() => void judge('forget', claim.id)}>
            Forget
          </Button>
        )}
        {(!isHere || claim.status === 'archived') && (
          <Button isMain keyName="restore" onClick={() => void act('restore', { id: claim.id }, 'Brought back.')}>
            Bring back
          </Button>
        )}
      </div>
      {isRewording.value && (
        <Reword
          words={claim.content}
          onWrite={(words) => void reword(words)}
          onLeave={() => {
            isRewording.value = false;
          }}
        />
      )}
    </Section>
  );
}

const mostStates = 24;

/** How strong it was from its first day on, and how it fades if nobody uses it. */
function StrengthCurve({
  claim,
  commits,
  isHere,
}: {
  readonly claim: Claim;
  readonly commits: ProvenanceResult['commits'];
  readonly isHere: boolean;
}): JSX.Element | null {
  const config = useConfig();
  const zone = useZone();
  const states = useSignal<readonly { readonly time: number; readonly claim: Claim }[]>([]);
  const kept = commits.filter(({ change }) => change !== 'removed').slice(-mostStates);
  const key = kept.map(({ oid }) => oid).join();
  useEffect(() => {
    let isOver = false;
    void Promise.all(
      kept.map(async ({ oid, time }) => ({
        time: Date.parse(time),
        claim: await ask<Claim>('show', { what: claim.id }, oid),
      })),
    ).then(
      (found) => {
        if (!isOver) states.value = found;
      },
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [key, claim.id]);
  const decay = useMemo(() => decayOf(config), [config]);
  const removal = commits.at(-1)?.change === 'removed' ? commits.at(-1)!.time : undefined;
  const curve = useMemo(() => {
    const known = states.value.length > 0 ? states.value : [{ time: claim.createdAt * 1000, claim }];
    const first = Math.min(known[0]!.time, claim.createdAt * 1000);
    const now = Math.max(at.value === null ? Date.now() : Date.parse(`${at.value}T23:59:59Z`), first + 86_400_000);
    const end = removal === undefined ? now : Math.max(Date.parse(removal), first + 86_400_000);
    const last = removal === undefined && isHere ? now + Math.max(7 * 86_400_000, (now - first) * 0.4) : end;
    const points = Array.from({ length: 161 }, (_, index) => {
      const time = first + ((last - first) * index) / 160;
      const state = known.findLast((one) => one.time <= time) ?? known[0]!;
      return { time, score: scoreOf(state.claim, time, decay) };
    });
    return { first, now: end, last, points };
  }, [states.value, claim, decay, removal, at.value, tick.value]);
  if (config.size === 0) return null;
  const [width, height] = [640, 120];
  const most = Math.max(1, ...curve.points.map(({ score }) => score));
  const x = (time: number) => ((time - curve.first) / (curve.last - curve.first)) * width;
  const y = (score: number) => height - (score / most) * (height - 8);
  const path = (points: typeof curve.points) =>
    points
      .map(({ time, score }, index) => `${index === 0 ? 'M' : 'L'}${x(time).toFixed(1)} ${y(score).toFixed(1)}`)
      .join('');
  const past = curve.points.filter(({ time }) => time <= curve.now);
  const ahead = curve.points.filter(({ time }) => time >= (past.at(-1)?.time ?? 0));
  const [nowScore, lastScore] = [past.at(-1)?.score ?? claim.score, curve.points.at(-1)!.score];
  const dayAt = (time: number) => shortDay(dayOf(time, zone));
  const said = `${nowScore.toFixed(2)} on ${dayAt(curve.now)}${curve.last > curve.now ? `, ${lastScore.toFixed(2)} on ${dayAt(curve.last)} without further use` : ''}`;
  return (
    <Section title="Strength" aside={said}>
      <svg
        class="curve"
        viewBox={`0 0 ${width} ${height + 18}`}
        role="img"
        aria-label={`Strength from ${dayAt(curve.first)}: ${said}`}
      >
        <path class="grid" d={`M0 ${height}H${width}M0 ${y(most)}H${width}M0 ${y(most / 2)}H${width}`} />
        <path class="area" d={`${path(past)}L${x(past.at(-1)?.time ?? curve.first)} ${height}L0 ${height}Z`} />
        <path class="past" d={path(past)} />
        {curve.last > curve.now && <path class="ahead" d={path(ahead)} />}
        <path class="now" d={`M${x(curve.now)} 4V${height}`} />
        {states.value.slice(1).map(({ time }) => (
          <circle
            key={time}
            cx={x(time)}
            cy={y(scoreOf(states.value.findLast((one) => one.time <= time)!.claim, time, decay))}
            r="2.5"
          />
        ))}
        <text x="0" y={height + 14}>
          {dayAt(curve.first)}
        </text>
        <text x={Math.min(width - 100, Math.max(60, x(curve.now)))} y={height + 14} text-anchor="middle">
          {removal === undefined ? (at.value === null ? 'now' : dayAt(curve.now)) : 'forgotten'}
        </text>
        {curve.last > curve.now && (
          <text x={width} y={height + 14} text-anchor="end">
            {dayAt(curve.last)}
          </text>
        )}
      </svg>
    </Section>
  );
}

/** The configuration has a value for each of these. */
function decayOf(config: ReadonlyMap<string, unknown>): Decay {
  return { model: config.get('decay.model'), halfLifeDays: config.get('decay.half_life_days') } as Decay;
}
