// A stand-in for a language model behind an OpenAI-compatible server on the loopback interface, so that examples run without a key:
// it searches the memory for what it is asked, and answers with what the search found.
import http from 'node:http';

export async function standInModel() {
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { messages } = JSON.parse(body);
    const last = messages.at(-1);
    const message =
      last.role === 'tool'
        ? { role: 'assistant', content: `I looked it up: ${/^1\. +(.*)$/m.exec(last.content)?.[1]}` }
        : { role: 'assistant', content: null, tool_calls: [callOf(last)] };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        id: 'answer',
        object: 'chat.completion',
        created: 0,
        model: 'stand-in',
        choices: [{ index: 0, message, finish_reason: last.role === 'tool' ? 'stop' : 'tool_calls' }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/v1`, close: () => server.close() };
}

function callOf({ content }) {
  const query = typeof content === 'string' ? content : content.map(({ text }) => text).join(' ');
  const call = { name: 'memory_search', arguments: JSON.stringify({ query }) };
  return { id: 'call-1', type: 'function', function: call };
}
