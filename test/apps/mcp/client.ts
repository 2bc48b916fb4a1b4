// A real client of the protocol, for the tests: of the present revision, or of the one before it.

import { Client, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { programEnvironment, programPath } from '../../helpers/program.ts';

/** The handshake of 2025 and the one of 2026. */
export const eras = ['legacy', 'auto'] as const;

/** What a tool answered. */
export interface Answer {
  readonly text: string;
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: each tool has a shape of its own, and the test knows it.
  readonly data: any;
  /** The object of an error, where there was one. */
  readonly failure?: unknown;
}

export class TestClient {
  readonly client: Client;

  private constructor(client: Client) {
    this.client = client;
  }

  static async over(transport: Transport, mode: (typeof eras)[number]): Promise<TestClient> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(transport);
    return new TestClient(client);
  }

  /** Starts the built program as a client does. */
  static async start(
    folder: string,
    {
      mode = 'auto',
      args = [],
      env = {},
    }: { mode?: (typeof eras)[number]; args?: readonly string[]; env?: Record<string, string> } = {},
  ): Promise<TestClient> {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [programPath, 'mcp', ...args],
      cwd: folder,
      env: programEnvironment(env),
      stderr: 'pipe',
    });
    return TestClient.over(transport, mode);
  }

  async call(name: string, input: Record<string, unknown> = {}): Promise<Answer> {
    const result = await this.client.callTool({ name, arguments: input });
    const [first] = result.content as { text: string }[];
    const failure = result._meta?.['git-memory/error'];
    return {
      text: first?.text ?? '',
      isError: result.isError === true,
      data: result.structuredContent,
      ...(failure === undefined ? {} : { failure }),
    };
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
