// What an agent gets: the text it would be handed for a message, part by part, with where each piece comes from and what was left out.

import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { upperFirst } from '../../src/base/text.ts';
import type { ContextBlock, ContextResult, ContextSlot } from '../../src/base/types.ts';
import { Await, linkOfPath, pageName, Section, Text, talkName } from '../parts.tsx';
import { go, linkTo, useAnswer } from '../state.ts';
import { many, visible } from '../words.ts';

type Answer = Omit<ContextResult, 'slots'> & { readonly slots: readonly Omit<ContextSlot, 'text'>[] };

export function ContextPage({ query }: { readonly query: URLSearchParams }): JSX.Element {
  const message = query.get('m') ?? '';
  const tokens = Number(query.get('tokens') ?? 2000);
  const field = useRef<HTMLTextAreaElement>(null);
  const size = useRef<HTMLSelectElement>(null);
  const known = useAnswer<Answer>(message === '' ? null : 'context', { message, tokens, why: true });
  useEffect(() => {
    if (message === '') field.current?.focus();
  }, [message]);
  const submit = (event?: Event) => {
    event?.preventDefault();
    go(linkTo('context', '', { m: field.current?.value.trim(), tokens: size.current?.value }));
  };
  return (
    <>
      <h1>What an agent gets</h1>
      <form class="message" onSubmit={submit}>
        <label for="message">A message to an agent</label>
        <textarea
          id="message"
          ref={field}
          rows={2}
          defaultValue={message}
          placeholder="When does the workshop open?"
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey) submit(event);
          }}
        />
        <div class="buttons">
          <button type="submit" class="button main">
            Compile
          </button>
          <label>
            within{' '}
            <select ref={size} defaultValue={String(tokens)} onChange={() => message !== '' && submit()}>
              {[500, 1000, 2000, 4000, 8192].map((number) => (
                <option key={number} value={number} selected={number === tokens}>
                  {number.toLocaleString('en')}
                </option>
              ))}
            </select>{' '}
            tokens
          </label>
        </div>
      </form>
      {message !== '' && <Await known={known}>{(answer) => <Handed answer={answer} />}</Await>}
    </>
  );
}

function Handed({ answer }: { readonly answer: Answer }): JSX.Element {
  const slots = answer.slots.filter(({ tokens, blocks, left }) => tokens > 0 || blocks.length + left.length > 0);
  const blocks = slots.reduce((sum, slot) => sum + slot.blocks.length, 0);
  return (
    <>
      <p class="lead">
        {upperFirst(many(blocks, 'piece'))} from {many(slots.filter(({ tokens }) => tokens > 0).length, 'part')}:{' '}
        {answer.tokens.toLocaleString('en')} of {answer.budget.toLocaleString('en')} tokens, {answer.counted}.
      </p>
      <div class="stack" role="img" aria-label={slots.map(({ slot, tokens }) => `${slot} ${tokens} tokens`).join(', ')}>
        {slots.map(
          ({ slot, tokens }, index) =>
            tokens > 0 && (
              <i
                key={slot}
                class={`shade${index % 6}`}
                style={{ flexGrow: tokens }}
                title={`${slot}: ${tokens} tokens`}
              />
            ),
        )}
      </div>
      <div class="two">
        <div>
          <Section title="The text">
            <pre class="handed" tabIndex={0}>
              <Text text={answer.text} />
            </pre>
          </Section>
        </div>
        <aside aria-label="Why each piece is there">
          <Section title="Why">
            {slots.map((slot, index) => (
              <details key={slot.slot} class="slot" open={slot.blocks.length > 0 && slot.blocks.length <= 8}>
                <summary>
                  <i class={`shade${index % 6}`} aria-hidden="true" />
                  {slot.slot}{' '}
                  <span class="meta">
                    {slot.tokens} {slot.budget === null ? '' : `of ${slot.budget} `}tokens
                  </span>
                </summary>
                <ul>
                  {slot.blocks.map((block, at) => (
                    <Piece key={at} block={block} />
                  ))}
                  {slot.left.map((left, at) => (
                    <li key={`left${at}`} class="left">
                      <s>{visible(nameOf(left.source))}</s>
                      <div class="meta">left out: {visible(left.why)}</div>
                    </li>
                  ))}
                </ul>
              </details>
            ))}
          </Section>
        </aside>
      </div>
    </>
  );
}

function nameOf(source: string): string {
  const [path = '', turn] = source.split('#');
  if (path.startsWith('raw/')) return `${talkName(path)}${turn === undefined ? '' : `, turn ${turn}`}`;
  if (path.startsWith('memories/')) return 'a claim';
  return path.startsWith('knowledge/') ? pageName(path) : source;
}

function Piece({ block }: { readonly block: ContextBlock }): JSX.Element {
  const claim = useAnswer<{ content: string }>(block.id === undefined ? null : 'show', { what: block.id ?? '' });
  const name = claim.data === undefined ? visible(nameOf(block.source)) : <Text text={claim.data.content} />;
  return (
    <li>
      {block.path === undefined ? name : <a href={linkOfPath(block.path, block.turn)}>{name}</a>}
      <div class="meta">
        {block.tokens} tokens{block.score !== undefined && `, ${block.score.toFixed(2)}`}
        {block.isCut === true && ', cut'}: {visible(block.why)}
      </div>
    </li>
  );
}
