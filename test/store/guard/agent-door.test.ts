// Which paths an agent's tool may change: the contract, asked of paths alone.

import { describe, expect, it } from 'vitest';
import {
  agentHint,
  asAgent,
  asEngine,
  checkAgentOperation,
  checkFileWrite,
  isAgentActing,
} from '../../../src/store/guard/agent-door.ts';

const peoples = [
  'memory.yaml',
  'memory-config.yaml',
  'expect',
  'expect/tea.yaml',
  'Expect/deep/TEA.yaml',
  '.gitattributes',
  '.gitignore',
  '.memory/purges/2026.json',
];
const engines = [
  'raw/conversations/2026/03/a.md',
  'RAW/a.png',
  'ledger/2026.jsonl',
  '.memory/context.md',
  '.meta.json',
];
const agents = [
  'knowledge/people/ada.md',
  'knowledge/expect/tea.md',
  'topics/deploy.md',
  'memories/3f/3f2a.json',
  'store/a/b.json',
  'state/sessions/x/1.json',
  'TODO.md',
  'expected.md',
];

describe('what an agent may change', () => {
  it.each(peoples)('is never %s', (path) => {
    expect(agentHint(path, 'file')).toEqual(expect.any(String));
    expect(agentHint(path, 'operation')).toEqual(expect.any(String));
  });

  it.each(engines)('is %s by operations of the engine alone', (path) => {
    expect(agentHint(path, 'file')).toEqual(expect.any(String));
    expect(agentHint(path, 'operation')).toBeUndefined();
  });

  it.each(agents)('is %s', (path) => {
    expect([agentHint(path, 'file'), agentHint(path, 'operation')]).toEqual([undefined, undefined]);
  });

  it('is asked for as long as the call of an agent goes on, and no longer', async () => {
    const refused = expect.objectContaining({ code: 'INVALID_PATH', where: 'expect/tea.yaml' });
    const late = asAgent(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return [isAgentActing(), asEngine(isAgentActing)];
    });
    expect(isAgentActing()).toBe(false);
    expect(await late).toEqual([true, false]);
    expect(() => checkAgentOperation(['expect/tea.yaml'])).not.toThrow();
    expect(() => checkFileWrite('expect/tea.yaml')).not.toThrow();
    expect(() => asAgent(() => checkAgentOperation(['TODO.md', 'expect/tea.yaml']))).toThrow(refused);
    expect(() => asAgent(() => checkFileWrite('expect/tea.yaml'))).toThrow(refused);
  });

  it('leaves people what everyday writes leave them', () => {
    expect(() => checkFileWrite('raw/artifacts/a.txt')).not.toThrow();
    for (const path of ['memory.yaml', '.meta.json', '.memory/purges/x']) {
      expect(() => checkFileWrite(path)).toThrow(expect.objectContaining({ code: 'INVALID_PATH', where: path }));
    }
  });
});
