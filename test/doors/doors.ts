// Every door by which something comes into a memory, found at run time, and how something is brought in by each of them.
//
// A door that a table of ours gets has to be written down here: what comes in by it, or that nothing does.

import fs from 'node:fs';
import path from 'node:path';
import { silentLogger } from '../../src/adapters/node.ts';
import { memoryTools } from '../../src/apps/ai-sdk/memory-tools.ts';
import { GitMemoryStore } from '../../src/apps/langgraph/memory-store.ts';
import { MemoryHost } from '../../src/apps/mcp/host.ts';
import { referenceTools } from '../../src/apps/mcp/reference.ts';
import { memoryTool } from '../../src/apps/memory-tool/memory-tool.ts';
import { GitMemorySession } from '../../src/apps/openai-agents/agent-session.ts';
import { callTool } from '../../src/apps/tool-answers.ts';
import { toolContext } from '../../src/apps/tool-context.ts';
import { toolsOf } from '../../src/apps/tools.ts';
import { serveUi } from '../../src/apps/ui/server.ts';
import { loadVerbs } from '../../src/apps/verbs/index.ts';
import { runVerb, type Verb } from '../../src/apps/verbs/verb.ts';
import { MemoryError } from '../../src/base/errors.ts';
import type { Session } from '../../src/core/capture/session.ts';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { asAgent } from '../../src/store/guard/agent-door.ts';
import { foreignForms } from '../helpers/foreign-histories.ts';
import { foreignMemories } from '../helpers/foreign-memories.ts';
import { ManualClock } from '../helpers/memories.ts';
import { git, tryGit } from '../helpers/native-git.ts';
import { projectRoot } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { alternativesOf, type Call, callsOf, fieldsOf, methodsOf, takenBy } from './calls.ts';

/** What is brought in. Which of it a door takes is seen by which of it its entry reads. */
export interface Brought {
  /** Words: what was said, is known, is to be done. */
  readonly text: string;
  /** What something is called: a tag, a session, an agent. */
  readonly name: string;
  /** When it was, and by when it is due. */
  readonly time: string;
  /** A file in the memory, where it is not one that is called by the name. */
  readonly path?: string;
}

/** What a door takes: the arguments of a call, or the fields of an input, with what is brought in its place. */
type Entry = (brought: Brought) => unknown;

export interface World {
  readonly memory: Memory;
  readonly directory: string;
  /** One that goes on, for the doors of sessions. */
  readonly session: Session | undefined;
}

export interface Door {
  readonly kind: 'library' | 'cli' | 'tool' | 'framework' | 'page' | 'import' | 'native commit' | 'sync' | 'merge';
  readonly name: string;
  /** What it takes; undefined where nothing comes in by it but what it is asked. */
  readonly entry: Entry | undefined;
  /** Brings in what an entry gave; throws what the door refuses with. `meanwhile` is done here once it was written elsewhere. */
  through(world: World, given: unknown, meanwhile?: (world: World) => Promise<unknown>): Promise<unknown>;
}

/** Ids that entries name, which the world has. */
export const [anId, anotherId] = ['tea0000001', 'tea0000002'];
export const aFile = 'knowledge/projects/tea.md';
/** Where another memory lies. */
const elsewhere = temporaryFolder();

const placeOf = ({ name, path: asked = `knowledge/projects/${name}.md` }: Pick<Brought, 'name' | 'path'>) => asked;
const words = (text: string): Readonly<Record<string, Entry>> =>
  Object.fromEntries(
    text
      .trim()
      .split(/\s+/)
      .map((name) => [name, nothing]),
  );
/** Stands for a door by which nothing comes in. */
const nothing: Entry = () => undefined;

/** Calls of the library. What only asks, or names what is there already, brings nothing. */
const ofLibrary: Readonly<Record<string, Entry>> = {
  ...words(`
    about at blame branches.compare branches.drop branches.expire branches.list close config context diff dispose experiments.adopt
    experiments.compare experiments.drop experiments.list experiments.probes experiments.run export extract files get git.checkStaged git.follow
    git.installHooks git.resolveMerge git.trackWithLfs handed.list handed.noteShown handed.replay keys.import keys.new keys.show keys.status
    knowledge.backlinks knowledge.box knowledge.boxes knowledge.bundle knowledge.distil knowledge.entities knowledge.list knowledge.promote
    knowledge.verify learned ledger.check ledger.list ledger.loops list log maintenance.night maintenance.reindex maintenance.run
    maintenance.runDue maintenance.runUntilStopped maintenance.schedule maintenance.scheduleLines maintenance.start merge mounts.list
    mounts.remove pack project.boot project.changes project.deploy project.graph project.todo provenance purge quarantine.accept
    quarantine.drop quarantine.list quarantine.show read readBytes readingCost recall records.archive records.consolidate records.due records.expand
    records.gist records.relations records.restore records.splitCandidates review scoped sessionStart snapshots.list status sync test
    topics.list topics.rate topics.test topics.tune undo watch bisect doctor openMemory remove forget`),
  'branches.open': ({ name }) => [`explore/${name}`, { create: true }],
  capture: ({ text, name, time }) => [
    {
      messages: [{ role: 'user', text, time, speaker: name }],
      session: name,
      topic: name,
      agent: name,
      tags: [name],
      started: time,
    },
  ],
  captureText: ({ text, name, time }) => [text, { topic: name, channel: name, time }],
  commit: ({ text }) => [text],
  configure: ({ name }) => [{ name }],
  edit: ({ text }) => [aFile, 'green', text],
  import: ({ text, name }) => [[{ path: 'notes/a.md', text }], { as: 'markdown', into: `knowledge/reference/${name}` }],
  'knowledge.changeEntities': ({ text, name }) => [{ create: [{ name, entityType: 'person', observations: [text] }] }],
  'ledger.add': ({ text, name, time }) => [
    {
      type: 'commitment',
      content: text,
      entity: name,
      tags: [name],
      source: name,
      agent: name,
      time,
      due: time.slice(0, 10),
    },
  ],
  'mounts.add': ({ name }) => [{ name, dir: elsewhere }],
  move: (brought) => [aFile, placeOf(brought)],
  note: ({ text }) => [{ text, extracts: [{ priority: 'P1', text }] }],
  'project.change': ({ text, name, time }) => [
    { type: 'fix', scope: name, summary: text, agent: name, tags: [name], details: { entity: name }, time },
  ],
  'project.shutdown': ({ text, name }) => [
    [{ type: 'fix', scope: name, summary: text, agent: name, details: { entity: name } }],
  ],
  'project.task': ({ text }) => [{ add: text }],
  'records.relate': ({ name, text }) => [anId, anotherId, name, { metadata: { why: text } }],
  'records.split': ({ text, name }) => [anId, [{ content: text, tags: [name] }, 'The kettle is old.']],
  'records.touch': ({ name }) => [anId, { tags: [name] }],
  'records.touchAll': ({ name }) => [[anId], { tags: [name] }],
  remember: ({ text, name, time }) => [
    {
      content: text,
      tags: [name],
      entities: [name],
      source: name,
      context: text,
      subject: name,
      session: name,
      agent: name,
      validFrom: time,
    },
  ],
  rememberAll: ({ text, name, time }) => [
    [{ content: text, tags: [name], validFrom: time }],
    { session: name, agent: name },
  ],
  'session.end': ({ name, time }) => [{ tags: [name], time }],
  'session.message': ({ text, name, time }) => ['user', text, { speaker: name, flag: name, time }],
  'session.toolCall': ({ text, name }) => [name, text, text],
  'snapshots.create': ({ name }) => [name],
  startSession: ({ name, time }) => [
    { session: name, topic: name, channel: name, agent: name, tags: [name], started: time },
  ],
  'topics.new': ({ text, name }) => [{ name, description: text, words: [name], instructions: text }],
  'topics.turn': ({ text }) => [text],
  verdict: ({ text }) => ['edit', anId, { content: text }],
  write: (brought) => [placeOf(brought), brought.text],
};

/** Verbs, as the command line, the page and tools run them. */
const ofVerbs: Readonly<Record<string, Entry>> = {
  ...words(`
    init status export extract experiment recall about show expand list boxes events changes loops pack context session-start boot graph todo
    integrity knowledge verify archive rm forget restore consolidate gist promote schema bundle log blame diff learned test bisect provenance
    undo merge quarantine resolve sync purge replay nightly maintain schedule model key hook hooks plug unplug merge-driver reindex doctor import`),
  branch: ({ name }) => ({ name: `explore/${name}` }),
  capture: ({ text, name, time }) => ({
    messages: [{ role: 'user', text, time, speaker: name }],
    session: name,
    topic: name,
    channel: name,
  }),
  change: ({ text, name, time }) => ({
    summary: text,
    type: 'fix',
    scope: name,
    agent: name,
    tags: [name],
    detail: [`entity=${name}`],
    time,
  }),
  commit: ({ text }) => ({ message: text }),
  config: ({ name }) => ({ action: 'set', key: 'name', value: name }),
  edit: ({ text }) => ({ path: aFile, old: 'green', new: text }),
  event: ({ text, name, time }) => ({
    content: text,
    type: 'fact',
    entity: name,
    tags: [name],
    source: name,
    agent: name,
    time,
  }),
  mount: ({ name }) => ({ name, folder: elsewhere }),
  mv: (brought) => ({ from: aFile, to: placeOf(brought) }),
  note: ({ text }) => ({ text }),
  relate: ({ name }) => ({ from: anId, to: anotherId, type: name }),
  remember: ({ text, name, time }) => ({
    content: text,
    tags: [name],
    entities: [name],
    context: text,
    session: name,
    agent: name,
    validFrom: time,
  }),
  review: ({ text }) => ({ action: 'edit', id: anId, content: text }),
  shutdown: ({ text, name }) => ({
    events: [{ type: 'fix', scope: name, summary: text, agent: name, details: { entity: name } }],
  }),
  snapshot: ({ name }) => ({ name }),
  split: ({ text }) => ({ id: anId, parts: [text, 'The kettle is old.'] }),
  task: ({ text }) => ({ action: 'add', task: text }),
  topics: ({ text, name }) => ({ action: 'new', text: name, description: text, words: [name], instructions: text }),
  touch: ({ name }) => ({ id: anId, tags: [name] }),
  write: (brought) => ({ path: placeOf(brought), text: brought.text }),
};

/** Tools that are not just a verb. */
const ofTools: Readonly<Record<string, Entry>> = {
  ...words(
    'memory_search memory_about memory_context memory_get memory_list memory_forget memory_undo memory_status memory_review',
  ),
  memory_add: ({ text, name, time }) => ({
    content: text,
    tags: [name],
    entities: [name],
    subject: name,
    session: name,
    validFrom: time,
  }),
  memory_capture: ({ text, name }) => ({ messages: [{ role: 'user', text }], topic: name }),
  memory_event: ({ text, name, time }) => ({ content: text, type: 'fact', entity: name, due: time.slice(0, 10) }),
  ...words('delete_entities delete_observations delete_relations read_graph search_nodes open_nodes'),
  create_entities: ({ text, name }) => ({ entities: [{ name, entityType: 'person', observations: [text] }] }),
  create_relations: ({ name }) => ({ relations: [{ from: name, to: 'tea', relationType: name }] }),
  add_observations: ({ text }) => ({ observations: [{ entityName: 'Ada', contents: [text] }] }),
};

type Calls = readonly (readonly [name: string, call: Call])[];

/** What frameworks call, by the doors of the package for them. The AI SDK has the tools, which are doors of their own. */
const frameworks: Readonly<Record<string, (memory: Memory) => Calls | Promise<Calls>>> = {
  './ai-sdk': async (memory) =>
    Object.entries(await memoryTools(memory)).map(([name, { execute }]) => [name, execute as Call]),
  './langgraph': (memory) => boundOf(new GitMemoryStore(memory)),
  './memory-tool': (memory) => Object.entries(memoryTool(memory)) as [string, Call][],
  './openai-agents': (memory) => boundOf(new GitMemorySession(memory, { sessionId: 'tea' })),
};

function boundOf(instance: object): Calls {
  return methodsOf(instance, [], '').map(([name, call]) => [name, call.bind(instance)]);
}

const toolFile = (name: string) => `/memories/projects/${name}.md`;
const ofFrameworks: Readonly<Record<string, Entry>> = {
  ...words(`
    ./memory-tool.view ./memory-tool.delete ./openai-agents.getSessionId ./openai-agents.getItems ./openai-agents.popItem
    ./openai-agents.clearSession ./openai-agents.end`),
  './langgraph.batch': ({ text, name }) => [[{ namespace: [name], key: name, value: { text, name } }]],
  './memory-tool.create': ({ text, name }) => [{ path: toolFile(name), file_text: text }],
  './memory-tool.str_replace': ({ text }) => [{ path: toolFile('tea'), old_str: 'green', new_str: text }],
  './memory-tool.insert': ({ text }) => [{ path: toolFile('tea'), insert_line: 3, insert_text: text }],
  './memory-tool.rename': ({ name }) => [{ old_path: toolFile('tea'), new_path: toolFile(name) }],
  './memory-tool.execute': ({ text, name }) => [{ command: 'create', path: toolFile(name), file_text: text }],
  './openai-agents.addItems': ({ text, name }) => [
    [
      { role: 'user', content: text },
      { type: 'function_call', callId: 'c1', name, arguments: JSON.stringify({ text }) },
    ],
  ],
};

/** Sources of imports, by the form that they have. */
const ofImports: Readonly<Record<string, Entry>> = {
  'claude-code': ({ text, time }) =>
    `${JSON.stringify({ type: 'user', uuid: 'u1', sessionId: 's1', timestamp: time, message: { role: 'user', content: text } })}\n`,
  chats: ({ text }) =>
    JSON.stringify([
      {
        uuid: 'c1',
        name: 'tea',
        chat_messages: [{ uuid: 'm1', sender: 'human', text, created_at: '2026-02-01T08:00:00Z' }],
      },
    ]),
  conversations: ({ text }) => `${JSON.stringify({ role: 'user', content: text })}\n`,
  facts: ({ text, name, time }) =>
    `---\nid: fact-1739548800000-aa11\ncategory: fact\ncreated: ${time}\ntags: [${JSON.stringify(name)}]\n---\n\n${text}\n`,
  jsonl: ({ text, name }) => `${JSON.stringify({ id: 'import0001', content: text, tags: [name] })}\n`,
  markdown: ({ text }) => `# Tea\n\n${text}\n`,
  memories: ({ text }) => `# Tea\n\n${text}\n`,
  openclaw: ({ text }) => `# Memory\n\n- ${text}\n`,
  slack: ({ text }) => JSON.stringify([{ type: 'message', user: 'U1', text, ts: '1770000000.000100' }]),
};
const nameOfSource: Readonly<Record<string, string>> = {
  'claude-code': 's1.jsonl',
  chats: 'conversations.json',
  conversations: 'talk.jsonl',
  facts: 'facts/2025-02-14/fact-1739548800000-aa11.md',
  jsonl: 'store.jsonl',
  openclaw: 'MEMORY.md',
  slack: 'general/2026-02-01.json',
};

/** Takes a history, or what another program remembers, as its files, in JSON. */
const asHistory =
  (form: string): Entry =>
  ({ text }) =>
    JSON.stringify(
      foreignForms[form]?.make({ title: 'tea', texts: [text, 'Yes.'] }) ??
        foreignMemories[form]!.make({ name: 'tea', facts: [text] }),
    );

/** Tells whether a form is a database, which comes in by a path alone. */
function isDatabase(form: string): boolean {
  const files = foreignForms[form]?.make({ title: 'tea', texts: ['Is there tea?', 'Yes.'] }) ?? {};
  return Object.values(files).some((file) => typeof file !== 'string');
}

/** Lists the files of a source. */
function sourcesOf(form: string, given: string): { path: string; text: string }[] {
  if (form in ofImports) return [{ path: nameOfSource[form] ?? 'notes/tea.md', text: given }];
  return Object.entries(JSON.parse(given) as Record<string, string>).map(([path, text]) => ({ path, text }));
}

/** Runs a call on the memory of a world; a session's on one that was begun. */
async function callIn({ memory, session }: World, name: string, given: unknown): Promise<unknown> {
  const calls = session === undefined ? callsOf(memory) : methodsOf(session, [], 'session.');
  return new Map(calls).get(name)!(...(given as unknown[]));
}

async function fileIn({ directory }: { readonly directory: string }, brought: Pick<Brought, 'name' | 'path' | 'text'>) {
  const file = path.join(directory, placeOf(brought));
  fs.mkdirSync(path.dirname(file), { recursive: true });
  // Settings are changed by a comment.
  fs.writeFileSync(file, brought.path === undefined ? `# Tea\n\n${brought.text}\n` : `# ${brought.text}\n`);
  git(directory, 'add', '-A');
}

const fileEntry: Entry = ({ text, name, path: asked }) => ({ text, name, path: asked });

/** Doors that are no call of ours: what native git and other machines bring. */
const fromOutside: readonly Door[] = [
  {
    kind: 'native commit',
    name: 'a hand edit that is staged',
    entry: fileEntry,
    async through({ memory, directory }, given) {
      await fileIn({ directory }, given as never);
      const { violations } = await memory.git.checkStaged();
      if (violations[0] !== undefined)
        throw new MemoryError('IMMUTABLE', violations[0].why, { where: violations[0].path });
    },
  },
  {
    kind: 'merge',
    name: 'a branch that native git committed to',
    entry: fileEntry,
    async through(world, given, meanwhile) {
      const { memory, directory } = world;
      git(directory, 'switch', '-qc', 'other');
      await fileIn({ directory }, given as never);
      git(directory, 'commit', '-qm', 'by hand');
      git(directory, 'switch', '-q', 'main');
      await meanwhile?.(world);
      return memory.merge('other');
    },
  },
  {
    kind: 'sync',
    name: 'a remote that another machine pushed to',
    entry: fileEntry,
    async through(world, given, meanwhile) {
      const { memory } = world;
      const [remote, clone] = [path.join(temporaryFolder(), 'x.git'), path.join(temporaryFolder(), 'clone')];
      git('.', 'init', '-q', '--bare', remote);
      await memory.sync({ remote });
      git('.', 'clone', '-q', '-b', 'main', remote, clone);
      await fileIn({ directory: clone }, given as never);
      git(clone, 'commit', '-qm', 'by hand');
      tryGit(clone, ['push', '-q', 'origin', 'main']);
      await meanwhile?.(world);
      return memory.sync({ remote });
    },
  },
];

/** A list of all doors, each with its entry. */
export async function allDoors(memory: Memory): Promise<readonly Door[]> {
  const verbs = await loadVerbs();
  (await openMemory({ dir: elsewhere, create: true, durability: 'fast' })).dispose();
  const library = [...new Set([...callsOf(memory).map(([name]) => name), ...Object.keys(takenBy)])].map(
    (name): Door => ({
      kind: 'library',
      name,
      entry: ofLibrary[name],
      through: (world, given) => callIn(world, name, given),
    }),
  );
  const cli = verbs.map(
    (verb): Door => ({
      kind: 'cli',
      name: verb.name,
      entry: ofVerbs[verb.name],
      // At a command line a folder is one of this machine.
      through: ({ memory: own }, given) =>
        runVerb(verb, { ...toolContext(async () => own, {}), pathOf: (folder) => folder }, given),
    }),
  );
  const offered = await toolsOf('all', false);
  const entryOfTool = (name: string): Entry | undefined => {
    const verb = offered.find(({ entry }) => entry.name === name)?.entry.verb;
    return ofTools[name] ?? (typeof verb === 'string' ? ofVerbs[verb] : undefined);
  };
  const tools = offered.map(
    (tool): Door => ({
      kind: 'tool',
      name: tool.entry.name,
      entry: entryOfTool(tool.entry.name),
      through: ({ memory: own }, given) => asAgent(() => callTool(tool, async () => own, given, {})),
    }),
  );
  const host = ({ directory }: { readonly directory: string }) =>
    new MemoryHost({ dir: directory, start: directory, environment: {}, logger: silentLogger });
  const graph = referenceTools(host({ directory: '/nowhere' })).map(
    ({ name }): Door => ({
      kind: 'tool',
      name,
      entry: ofTools[name],
      async through(world, given) {
        const own = host(world);
        const tool = referenceTools(own).find((one) => one.name === name)!;
        return await asAgent(() => tool.run(given, {} as never)).finally(() => own.close());
      },
    }),
  );
  const { exports } = JSON.parse(fs.readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as {
    exports: Readonly<Record<string, unknown>>;
  };
  const parts = Object.keys(exports).filter((name) => name !== '.' && name !== './package.json');
  const framed = await Promise.all(
    parts.map(async (part): Promise<Door[]> => {
      const callsIn = async (own: Memory) => (await frameworks[part]?.(own)) ?? [[part, fail] as const];
      return (await callsIn(memory)).map(([name]) => ({
        kind: 'framework',
        name: `${part}.${name}`,
        entry: part === './ai-sdk' ? asFramework(entryOfTool(name)) : ofFrameworks[`${part}.${name}`],
        through: async ({ memory: own }, given) => new Map(await callsIn(own)).get(name)!(...(given as unknown[])),
      }));
    }),
  );
  const forms = fieldsOf(alternativesOf(takenBy.import![1]![1])[0]!)!.find(([name]) => name === 'as')![2] as readonly [
    string,
    ...string[],
  ];
  const texts = forms.slice(1).filter((form) => form in ofImports || !isDatabase(form));
  const imports = texts.map(
    (form): Door => ({
      kind: 'import',
      name: form,
      entry: ofImports[form] ?? asHistory(form),
      through: ({ memory: own }, given) => own.import(sourcesOf(form, given as string), { as: form as never }),
    }),
  );
  const page = await pageDoors(memory, verbs);
  return [...library, ...cli, ...tools, ...graph, ...framed.flat(), ...page, ...imports, ...fromOutside];
}

/** The one argument of a tool is what a framework calls it with. */
const asFramework = (entry: Entry | undefined): Entry | undefined =>
  entry && ((brought) => [entry(brought)].filter((given) => given !== undefined));

const fail: Call = () => {
  throw new Error('nobody knows what this part of the package calls');
};

/** The page's routes are those verbs that its server knows. */
async function pageDoors(memory: Memory, verbs: readonly Verb[]): Promise<readonly Door[]> {
  const ask = async (own: Memory, route: string, given: unknown) => {
    const server = await serveUi({ memory: own, page: '<html></html>', port: 0, isReadOnly: false });
    try {
      const { origin, hash } = new URL(server.url);
      const headers = { Authorization: `Bearer ${hash.replace('#token=', '')}` };
      const request = given === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(given) };
      const answer = await fetch(`${origin}/api/${route}`, request);
      // What goes on without end only tells.
      if (answer.headers.get('content-type') === 'text/event-stream') {
        await answer.body?.cancel();
        return { status: 404, told: {} };
      }
      return {
        status: answer.status,
        told: (await answer.json().catch(() => ({}))) as { error?: { code: never; what: string } },
      };
    } finally {
      await server.close();
    }
  };
  const doors: Door[] = [];
  for (const { name } of verbs) {
    if ((await ask(memory, name, undefined)).status === 404) continue;
    doors.push({
      kind: 'page',
      name,
      entry: ofVerbs[name],
      async through({ memory: own }, given) {
        const { status, told } = await ask(own, name, given);
        if (status >= 400) throw new MemoryError(told.error?.code ?? 'READ_ONLY', told.error?.what ?? `${status}`);
        return told;
      },
    });
  }
  return doors;
}

/** Names the entries to which there is no door. */
export function entriesWithoutDoor(doors: readonly Door[]): readonly string[] {
  const names = (kind: Door['kind']) => new Set(doors.filter((door) => door.kind === kind).map(({ name }) => name));
  const tables = {
    library: ofLibrary,
    cli: ofVerbs,
    tool: ofTools,
    framework: ofFrameworks,
    import: ofImports,
  } as const;
  return Object.entries(tables).flatMap(([kind, entries]) =>
    Object.keys(entries)
      .filter((name) => !names(kind as Door['kind']).has(name))
      .map((name) => `${kind} ${name}`),
  );
}

/** What is brought where no rule is broken. */
export const good: Brought = { text: 'The tea is white.', name: 'kettle', time: '2026-02-15T08:00:00Z' };

/** Tells which of what is brought a door takes. */
export function takenAt({ entry }: Door): ReadonlySet<keyof Brought> {
  const read = new Set<keyof Brought>();
  const watched = new Proxy(good, {
    get(from, part: keyof Brought) {
      read.add(part);
      return from[part];
    },
  });
  entry?.(watched);
  return read;
}

/** Begins a memory in which what entries name is there; for a door that commits, something waits. */
export async function newWorld(door?: Door): Promise<World> {
  const directory = temporaryFolder();
  const clock = new ManualClock();
  const keys = { place: '/elsewhere/keys', read: () => [], add: () => undefined };
  const memory = await openMemory({ dir: directory, create: true, durability: 'fast', clock, keys });
  await memory.rememberAll([
    { content: 'Ada likes tea', id: anId },
    { content: 'The kettle is blue', id: anotherId },
  ]);
  await memory.write(aFile, '# Tea\n\n- The tea is green.\n');
  await memory.knowledge.changeEntities({ create: [{ name: 'Ada', entityType: 'person', observations: [] }] });
  await memory.topics.new({ name: 'brewing', words: ['tea'], activation: 'gated' });
  await memory.commit();
  const session = door?.name.startsWith('session.') ? await memory.startSession({ topic: 'tea' }) : undefined;
  if (/\bcommit$|_commit$/.test(door?.name ?? '')) await memory.records.touch(anId);
  return { memory, directory, session };
}

/** Gives each list in the first fields as JSON in a text, as models do; undefined where there is none. */
export function withListsAsTexts(given: unknown): unknown {
  const fields = Object.entries((given ?? {}) as object);
  if (!fields.some(([, value]) => Array.isArray(value))) return undefined;
  return Object.fromEntries(
    fields.map(([name, value]) => [name, Array.isArray(value) ? JSON.stringify(value) : value]),
  );
}

/** Puts a field that nobody knows beside those of the first fields that are given; undefined where none are. */
export function withStranger(given: unknown): unknown {
  const isFields = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isFields(given)) return { ...given, strangr: 'x' };
  if (!Array.isArray(given)) return undefined;
  const at = given.findIndex(isFields);
  return at < 0 ? undefined : given.with(at, { ...(given[at] as object), strangr: 'x' });
}
