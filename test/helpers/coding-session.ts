// A session file of Claude Code, told step by step: what a person types, edits of the agent, commands with what they print.

interface Told {
  readonly cwd: string;
  readonly session: string;
  readonly start: string;
  readonly branch?: string;
}

export interface TellSession {
  says(text: string): TellSession;
  answers(text: string): TellSession;
  edits(path: string, old: string, text: string, details?: unknown): TellSession;
  runs(command: string, output?: string): TellSession;
  fails(command: string, output: string): TellSession;
  calls(name: string, input: object, output: string, isError?: boolean): TellSession;
  text(): string;
}

/** Tells a session; each step is 20 seconds later. `text()` gives the file. */
export function codingSession({ cwd, session, start, branch = 'main' }: Told): TellSession {
  let time = Date.parse(start);
  let count = 0;
  let parent: string | null = null;
  const lines: string[] = [];
  const entry = (type: 'user' | 'assistant', content: unknown, beside: object = {}): void => {
    time += 20_000;
    const uuid = `${session}-0000-4000-8000-${String(++count).padStart(12, '0')}`;
    const message = { role: type, content, ...(type === 'assistant' ? { model: 'claude-opus-4-5' } : {}) };
    const where = { cwd, sessionId: session, gitBranch: branch, version: '2.1.200', isSidechain: false };
    const timestamp = new Date(time).toISOString();
    lines.push(JSON.stringify({ ...where, parentUuid: parent, type, message, uuid, timestamp, ...beside }));
    parent = uuid;
  };
  const tool = (name: string, input: object, output: string, isError = false, toolUseResult?: unknown): void => {
    const id = `toolu_${count}`;
    entry('assistant', [{ type: 'tool_use', id, name, input }]);
    const result = { type: 'tool_result', tool_use_id: id, content: output, ...(isError ? { is_error: true } : {}) };
    entry('user', [result], toolUseResult === undefined ? {} : { toolUseResult });
  };
  const told: TellSession = {
    says: (text: string) => step(() => entry('user', text)),
    answers: (text: string) => step(() => entry('assistant', [{ type: 'text', text }])),
    edits: (path: string, old_string: string, new_string: string, details?: unknown) =>
      step(() => tool('Edit', { file_path: `${cwd}/${path}`, old_string, new_string }, 'Updated.', false, details)),
    runs: (command: string, output = '') => step(() => tool('Bash', { command }, output)),
    fails: (command: string, output: string) => step(() => tool('Bash', { command }, output, true)),
    calls: (name: string, input: object, output: string, isError = false) =>
      step(() => tool(name, input, output, isError)),
    text: () => `${lines.join('\n')}\n`,
  };
  function step(tell: () => void): TellSession {
    tell();
    return told;
  }
  return told;
}
