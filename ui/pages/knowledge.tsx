// Knowledge: its files, and one file as it reads, with git's answer in the margin of each block.

import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { actorOf } from '../../src/apps/ui/changes.ts';
import type { BacklinksResult, BlameResult, KnowledgeResult, LogEntry } from '../../src/base/types.ts';
import { blocksOf } from '../markdown.tsx';
import { Await, linkOfPath, pageName, Row, Rows, Section, Text, useZone } from '../parts.tsx';
import { act, at, linkTo, mayWrite, useAnswer } from '../state.ts';
import { dayOf, many, middleDay, visible } from '../words.ts';

export function PagesPage(): JSX.Element {
  const known = useAnswer<{ files: readonly string[] }>('list', { folder: 'knowledge' });
  return (
    <>
      <h1>Knowledge</h1>
      <Await known={known}>
        {({ files }) => (
          <>
            <p class="lead">
              {files.length === 0
                ? 'No page is written yet.'
                : `${many(files.length, 'page')} that agents and people keep.`}
            </p>
            {[...Map.groupBy(files, (path) => path.split('/').slice(1, -1).join('/'))].map(([folder, paths]) => (
              <Section key={folder} title={visible(folder === '' ? 'knowledge' : folder)} number={paths.length}>
                <Rows items={paths}>
                  {(path) => (
                    <Row key={path}>
                      <a href={linkTo('page', path)}>{visible(path.split('/').at(-1)!.replace(/\.md$/, ''))}</a>
                    </Row>
                  )}
                </Rows>
              </Section>
            ))}
          </>
        )}
      </Await>
    </>
  );
}

interface FileAnswer {
  readonly path: string;
  readonly text?: string;
  readonly type?: string;
  readonly bytes?: number;
}

export function PagePage({ name }: { readonly name: string }): JSX.Element {
  const file = useAnswer<FileAnswer>('show', { what: name });
  const blame = useAnswer<BlameResult>('blame', { what: name });
  const links = useAnswer<BacklinksResult>(name.startsWith('knowledge/') ? 'knowledge' : null, {
    path: name,
    links: true,
  });
  const facts = useAnswer<KnowledgeResult>(name.startsWith('knowledge/') ? 'knowledge' : null, {
    path: name,
    all: true,
  });
  const blocks = useMemo(
    () => (file.data?.text === undefined ? [] : blocksOf(file.data.text, name)),
    [file.data, name],
  );
  const old = (facts.data?.facts ?? []).filter(({ state }) => state === 'stale' || state === 'aging');
  let before: string | undefined;
  return (
    <>
      <p class="meta above">
        <a href={linkTo('pages')}>Knowledge</a> · {visible(name)}
      </p>
      <h1 class="unseen">{visible(pageName(name))}</h1>
      <Await known={file}>
        {({ text, type, bytes }) =>
          text === undefined ? (
            <p class="meta">
              {visible(type ?? 'no text')}, {bytes} bytes
            </p>
          ) : (
            <div class="page">
              {blocks.map(({ first, last, element }) => {
                const commit = newestOf(blame.data, first, last);
                const name = commit === null ? 'pending' : commit?.oid;
                const isSame = name === before;
                before = name;
                return (
                  <div class="block" key={first}>
                    <div class="text">{element}</div>
                    <div class={isSame ? 'margin same' : 'margin'}>
                      {commit === undefined ? (
                        ''
                      ) : commit === null ? (
                        'not committed yet'
                      ) : (
                        <BlameLine commit={commit} path={text} />
                      )}
                    </div>
                  </div>
                );
              })}
            </div>
          )
        }
      </Await>
      {old.length > 0 && (
        <Section title="Grows old" number={old.length}>
          <ul class="rows">
            {old.map((fact) => (
              <Row
                key={fact.line}
                sign="wait"
                margin={
                  <>
                    <div>{visible(fact.why)}</div>
                    {mayWrite.value && at.value === null && (
                      <button
                        type="button"
                        class="button"
                        onClick={() => void act('verify', { path: name, line: fact.line }, 'Confirmed.')}
                      >
                        It is true today
                      </button>
                    )}
                  </>
                }
              >
                <Text text={fact.text} />
              </Row>
            ))}
          </ul>
        </Section>
      )}
      {links.data !== undefined && links.data.links.length + links.data.mentions.length > 0 && (
        <Section title="Linked from" number={links.data.links.length + links.data.mentions.length}>
          <Rows items={[...links.data.links, ...links.data.mentions]}>
            {(link) => (
              <Row
                key={`${link.path}:${link.line}`}
                margin={<a href={linkOfPath(link.path)}>{visible(pageName(link.path))}</a>}
              >
                <Text text={link.text} />
              </Row>
            )}
          </Rows>
        </Section>
      )}
    </>
  );
}

/** The newest commit that a line of a block is from; null while one of them waits. */
function newestOf(blame: BlameResult | undefined, first: number, last: number): LogEntry | null | undefined {
  if (blame === undefined) return undefined;
  const oids = new Set(blame.lines.filter(({ line }) => line >= first && line <= last).map(({ commit }) => commit));
  if (oids.has(null)) return null;
  return blame.commits.find(({ oid }) => oids.has(oid));
}

function BlameLine({ commit }: { readonly commit: LogEntry; readonly path: string }): JSX.Element {
  const zone = useZone();
  return (
    <a href={linkTo('operation', commit.oid)} title={visible(commit.subject)}>
      {middleDay(dayOf(commit.time, zone))} · {visible(actorOf(commit))}
      <span class="subject">{visible(commit.subject)}</span>
    </a>
  );
}
