// A conversation, turn by turn, with the claims that were taken from each in the margin.

import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { ListResult } from '../../src/base/types.ts';
import { parseHeading } from '../../src/store/records/turn-heading.ts';
import { Await, Text, talkName, useZone } from '../parts.tsx';
import { linkTo, route, useAnswer } from '../state.ts';
import { dayOf, longDay, visible } from '../words.ts';

interface FileAnswer {
  readonly path: string;
  readonly text?: string;
  readonly type?: string;
  readonly bytes?: number;
}

interface ShownTurn {
  readonly number: number;
  readonly who: string;
  readonly clock: string;
  readonly text: string;
}

function turnsOf(text: string): { readonly head: ReadonlyMap<string, string>; readonly turns: readonly ShownTurn[] } {
  const front = /^---\n([\s\S]*?)\n---\n/.exec(text);
  const head = new Map(
    (front?.[1] ?? '').split('\n').flatMap((line) => {
      const [, key, value] = /^(\w+): (.*)$/.exec(line) ?? [];
      return key === undefined ? [] : [[key, value!] as const];
    }),
  );
  const turns: { number: number; who: string; clock: string; lines: string[] }[] = [];
  for (const line of text.slice(front?.[0].length ?? 0).split('\n')) {
    const heading = parseHeading(line);
    if (heading !== undefined) {
      const clock = `${String(heading.hour).padStart(2, '0')}:${String(heading.minute).padStart(2, '0')}`;
      turns.push({ number: turns.length + 1, who: heading.speaker ?? heading.role, clock, lines: [] });
    } else turns.at(-1)?.lines.push(line.replace(/^\\(\\*(?:# |## \d|---))/, '$1'));
  }
  return { head, turns: turns.map(({ lines, ...turn }) => ({ ...turn, text: lines.join('\n').trim() })) };
}

export function TalkPage({ name, query }: { readonly name: string; readonly query: URLSearchParams }): JSX.Element {
  const zone = useZone();
  const file = useAnswer<FileAnswer>('show', { what: name });
  const talk = useMemo(() => (file.data?.text === undefined ? null : turnsOf(file.data.text)), [file.data]);
  const session = talk?.head.get('session_id');
  const claims = useAnswer<ListResult>(session === undefined ? null : 'list', { session: session ?? '' });
  const wanted = Number(query.get('turn') ?? 0);
  useEffect(() => {
    if (wanted > 0 && talk !== null) document.getElementById(`turn-${wanted}`)?.scrollIntoView({ block: 'center' });
  }, [wanted, talk !== null, route.value]);
  const started = talk?.head.get('started');
  return (
    <>
      <h1>{visible(talk?.head.get('topic') ?? talkName(name))}</h1>
      <p class="lead">
        {started !== undefined && longDay(dayOf(started, zone))}
        {talk !== null && talk.turns.length > 0 && <>, {talk.turns.length} turns</>}
        {talk?.head.get('channel') !== undefined && <>, by {visible(talk.head.get('channel')!)}</>}
        {talk?.head.get('trust') === 'low' && <b class="gone"> Low trust: the words may be anybody's.</b>}
      </p>
      <Await known={file}>
        {({ text, type, bytes }) =>
          text === undefined ? (
            <p class="meta">
              {visible(type ?? 'no text')}, {bytes} bytes
            </p>
          ) : talk!.turns.length === 0 ? (
            <p class="plain">
              <Text text={text} />
            </p>
          ) : (
            <ol class="talk">
              {talk!.turns.map((turn) => {
                const taken = (claims.data?.memories ?? []).filter(({ sources = [] }) =>
                  sources.some(({ path, turn: at }) => path === name && at === turn.number),
                );
                return (
                  <li
                    key={turn.number}
                    id={`turn-${turn.number}`}
                    class={turn.number === wanted ? 'row turn here' : 'row turn'}
                    aria-current={turn.number === wanted || undefined}
                  >
                    <span class="sign none">{turn.number}</span>
                    <div class="words">
                      <span class="who">
                        {visible(turn.who)} <span class="meta">{turn.clock}</span>
                      </span>
                      <Text text={turn.text} />
                    </div>
                    <div class="margin">
                      {taken.map((claim) => (
                        <div key={claim.id} class="came">
                          <a href={linkTo('claim', claim.id)}>
                            <Text text={claim.content} />
                          </a>
                        </div>
                      ))}
                    </div>
                  </li>
                );
              })}
            </ol>
          )
        }
      </Await>
    </>
  );
}
