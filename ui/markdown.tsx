// Markdown as elements: marked reads tokens, and nothing here ever makes a string of HTML. A link leads into this memory, or is text.

import { lexer, type Token, type Tokens } from 'marked';
import type { JSX } from 'preact';
import { linkOfPath } from './parts.tsx';
import { visible } from './words.ts';

/** A block of a page and the 1-based lines that it stands on. */
export interface Block {
  readonly first: number;
  readonly last: number;
  readonly element: JSX.Element;
}

/** Above it a page is shown as plain lines: reading it as markdown would take longer than anybody waits. */
const mostCharacters = 200_000;
const longestLine = 20_000;

/** Splits a page into blocks with their lines; front matter is left out. */
export function blocksOf(text: string, path: string): readonly Block[] {
  const head = /^---\n[\s\S]*?\n---\n/.exec(text)?.[0] ?? '';
  const body = text.slice(head.length);
  const firstLine = head.split('\n').length;
  if (body.length > mostCharacters || body.split('\n').some((line) => line.length > longestLine)) {
    return body.split('\n').map((line, index) => ({
      first: firstLine + index,
      last: firstLine + index,
      element: (
        <p class="plain">
          <bdi dir="auto">
            {visible(line.slice(0, longestLine))}
            {line.length > longestLine ? '…' : ''}
          </bdi>
        </p>
      ),
    }));
  }
  const blocks: Block[] = [];
  let line = firstLine;
  const put = (raw: string, element: JSX.Element | null): void => {
    const lines = raw.split('\n').length - 1;
    const used = raw.trimEnd().split('\n').length;
    if (element !== null) blocks.push({ first: line, last: line + used - 1, element });
    line += lines;
  };
  for (const token of lexer(body)) {
    if (token.type === 'list') {
      const list = token as Tokens.List;
      let rest = token.raw;
      // Each item by itself, so that each has its own margin.
      list.items.forEach((item, index) => {
        const start = rest.indexOf(item.raw);
        const end = index === list.items.length - 1 ? rest.length : start + item.raw.length;
        put(rest.slice(0, end), <ListItem list={list} item={item} index={index} path={path} />);
        rest = rest.slice(end);
      });
    } else put(token.raw, blockOf(token, path));
  }
  return blocks;
}

function ListItem({
  list,
  item,
  index,
  path,
}: {
  readonly list: Tokens.List;
  readonly item: Tokens.ListItem;
  readonly index: number;
  readonly path: string;
}): JSX.Element {
  const mark = list.ordered ? `${Number(list.start || 1) + index}.` : '•';
  return (
    <div class="item">
      <span class="mark">{item.task ? (item.checked ? '☑' : '☐') : mark}</span>
      <div>
        {item.tokens.map((token, at) => (
          <Part key={at} token={token} path={path} />
        ))}
      </div>
    </div>
  );
}

/** A token within an item or a quotation. */
function Part({ token, path }: { readonly token: Token; readonly path: string }): JSX.Element | null {
  if (token.type === 'text')
    return (
      <span>
        <Inline tokens={(token as Tokens.Text).tokens ?? [token]} path={path} />
      </span>
    );
  if (token.type === 'checkbox') return null;
  if (token.type === 'list') {
    const list = token as Tokens.List;
    return (
      <>
        {list.items.map((item, index) => (
          <ListItem key={index} list={list} item={item} index={index} path={path} />
        ))}
      </>
    );
  }
  return blockOf(token, path);
}

function blockOf(token: Token, path: string): JSX.Element | null {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading': {
      // The page has the only heading of the first level.
      const Tag = `h${Math.min(6, token.depth + 1)}` as 'h2';
      return (
        <Tag>
          <Inline tokens={token.tokens ?? []} path={path} />
        </Tag>
      );
    }
    case 'paragraph':
      return (
        <p>
          <Inline tokens={token.tokens ?? []} path={path} />
        </p>
      );
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{visible(token.text)}</code>
        </pre>
      );
    case 'blockquote':
      return (
        <blockquote>
          {(token.tokens ?? []).map((one, at) => (
            <Part key={at} token={one} path={path} />
          ))}
        </blockquote>
      );
    case 'hr':
      return <hr />;
    case 'table':
      return <Table table={token as Tokens.Table} path={path} />;
    default:
      // HTML among them: what it says, as it is written.
      return (
        <p class="plain">
          <bdi dir="auto">{visible(token.raw.trimEnd())}</bdi>
        </p>
      );
  }
}

function Table({ table, path }: { readonly table: Tokens.Table; readonly path: string }): JSX.Element {
  return (
    <div class="table" tabIndex={0} role="region" aria-label="table">
      <table>
        <thead>
          <tr>
            {table.header.map((cell, at) => (
              <th key={at} scope="col">
                <Inline tokens={cell.tokens} path={path} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column}>
                  <Inline tokens={cell.tokens} path={path} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Inline({ tokens, path }: { readonly tokens: readonly Token[]; readonly path: string }): JSX.Element {
  return <bdi dir="auto">{tokens.map((token, at) => inlineOf(token, path, at))}</bdi>;
}

function inlineOf(token: Token, path: string, key: number): JSX.Element | string {
  const inner = () => (
    <Inline tokens={token.type === 'link' || 'tokens' in token ? (token.tokens ?? []) : []} path={path} />
  );
  switch (token.type) {
    case 'strong':
      return <strong key={key}>{inner()}</strong>;
    case 'em':
      return <em key={key}>{inner()}</em>;
    case 'del':
      return <s key={key}>{inner()}</s>;
    case 'codespan':
      return <code key={key}>{visible(token.text)}</code>;
    case 'br':
      return <br key={key} />;
    case 'link': {
      const target = withinMemory(String(token.href), path);
      if (target !== null)
        return (
          <a key={key} href={linkOfPath(target)}>
            {inner()}
          </a>
        );
      const isBare = token.text === token.href;
      return (
        <span key={key}>
          {inner()}
          {!isBare && <span class="address"> ({visible(String(token.href))})</span>}
        </span>
      );
    }
    case 'image':
      return (
        <span key={key} class="address">
          [picture: {visible(String(token.text))} ({visible(String(token.href))})]
        </span>
      );
    case 'text':
    case 'escape':
      return 'tokens' in token && token.tokens ? (
        <span key={key}>{inner()}</span>
      ) : (
        <Plain key={key} text={String(token.text)} />
      );
    default:
      return visible(token.raw);
  }
}

/** Gives the path of a file of this memory that an address means; null for any other address. */
function withinMemory(address: string, path: string): string | null {
  if (/^[a-z][\w+.-]*:|^\/|^#|[\u0000-\u001f]/i.test(address)) return null;
  const parts = path.split('/').slice(0, -1);
  for (const part of address.replace(/#.*$/, '').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  const target = parts.join('/');
  return /^(?:knowledge|raw|memories)\/.+\.\w+$/.test(target) ? target : null;
}

/** Text with what only this memory writes: `[source: raw/…#3]` and `[[people/ada]]`. */
function Plain({ text }: { readonly text: string }): JSX.Element {
  const pieces = text.split(/(\[source: [^\]\s]+\]|\[\[[^\][|]+(?:\|[^\][]+)?\]\])/);
  return (
    <>
      {pieces.map((piece, at) => {
        const source = /^\[source: ([^#\]]+)(?:#(\d+))?\]$/.exec(piece);
        if (source !== null) {
          const turn = source[2] === undefined ? undefined : Number(source[2]);
          return (
            <a key={at} class="source" href={linkOfPath(source[1]!, turn)}>
              source
            </a>
          );
        }
        const link = /^\[\[([^|\]]+)(?:\|(.+))?\]\]$/.exec(piece);
        if (link === null) return visible(piece);
        const name = link[1]!.replace(/^knowledge\//, '').replace(/\.md$/, '');
        return (
          <a key={at} href={linkOfPath(`knowledge/${name}.md`)}>
            {visible(link[2] ?? link[1]!)}
          </a>
        );
      })}
    </>
  );
}
