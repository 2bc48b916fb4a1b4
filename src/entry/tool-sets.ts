// Sets of tools by name; what is in them stands in tools.ts and mcp/. Known to the command line, which loads neither.

/**
 * How much a server offers: what is used every day, all that needs no files of the caller, `search` and `fetch` alone, or the nine tools of
 * the reference memory server.
 */
export const toolSets = ['everyday', 'all', 'chatgpt', 'reference'] as const;
export type ToolSet = (typeof toolSets)[number];
