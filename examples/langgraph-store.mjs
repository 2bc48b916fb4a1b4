// LangGraph's long-term memory: a node keeps what it learns about a user, a later thread finds it, and the past stays readable.
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { openMemory } from 'git-memory';
import { GitMemoryStore } from 'git-memory/langgraph';
import { scratch } from './scratch.mjs';

const memory = await openMemory({ dir: scratch(), create: true });
const graph = new StateGraph(MessagesAnnotation)
  .addNode('clerk', async ({ messages }, { store }) => {
    const { text } = messages.at(-1);
    const [name, value] = text.split(' is ');
    if (value === undefined) {
      const item = await store.get(['users', 'ada'], text);
      return { messages: [{ role: 'assistant', content: `${text}: ${item.value.text}` }] };
    }
    await store.put(['users', 'ada'], name, { text: value });
    return { messages: [{ role: 'assistant', content: 'kept' }] };
  })
  .addEdge(START, 'clerk')
  .addEdge('clerk', END)
  .compile({ store: new GitMemoryStore(memory) });

const say = async (content) => (await graph.invoke({ messages: [{ role: 'user', content }] })).messages.at(-1).text;
console.log(await say('favourite colour is green'));
await memory.snapshots.create('green');
console.log(await say('favourite colour is blue'));
await memory.commit();
console.log(await say('favourite colour'));

const then = new GitMemoryStore(await memory.at('memory/milestone/green'));
console.log('before:', (await then.get(['users', 'ada'], 'favourite colour')).value.text);
await memory.close();
