// How people know the forms. A caller that only names them loads no reader.

import type { ConversationForm } from '../../../base/types.ts';

/** What a form is called, and what of it is read, in the order in which forms are listed. */
export const formTitles: Readonly<Record<ConversationForm, { readonly title: string; readonly what: string }>> = {
  'claude-code': { title: 'Claude Code', what: 'session files, or a folder of them; sub-agents are counted' },
  codex: { title: 'Codex', what: 'rollouts of the CLI and the editor' },
  gemini: { title: 'Gemini CLI', what: 'session files, JSON or JSON lines; sub-agents are counted' },
  qwen: { title: 'Qwen Code', what: 'session files' },
  opencode: { title: 'OpenCode', what: 'the database, or the folder `storage`; sub-agents are counted' },
  cursor: { title: 'Cursor', what: 'chats of the editor, in its database, and transcripts of the command line' },
  copilot: { title: 'Copilot Chat', what: 'chats of VS Code, and what "Export Chat…" writes' },
  'copilot-cli': { title: 'Copilot CLI', what: 'the events of its sessions' },
  cline: { title: 'Cline, Roo Code, Kilo Code', what: 'tasks, each a folder' },
  aider: { title: 'Aider', what: '`.aider.chat.history.md` of a repository' },
  continue: { title: 'Continue', what: 'sessions of the editor and the command line' },
  goose: { title: 'Goose', what: 'the database, or session files' },
  specstory: { title: 'SpecStory', what: '`.specstory/history` of a project' },
  pi: { title: 'pi and OpenClaw', what: 'session files' },
  zed: { title: 'Zed', what: 'threads of its database; those packed with zstd need Node 22.15' },
  chats: { title: 'ChatGPT and Claude', what: 'conversations.json of an account export, with what lies beside it' },
  whatsapp: { title: 'WhatsApp', what: 'exported chats of phones, in any language; notices have the role `system`' },
  telegram: { title: 'Telegram', what: '`result.json` of the desktop, a chat or a whole account' },
  signal: {
    title: 'Signal',
    what: 'its own export (`main.jsonl`), `data.json` of signal-export, what signal-cli prints',
  },
  messenger: {
    title: 'Messenger and Instagram',
    what: '`message_1.json` and so on of a download in JSON, also of encrypted chats',
  },
  discord: { title: 'Discord', what: 'JSON or CSV of DiscordChatExporter, and the data package of an account' },
  slack: {
    title: 'Slack',
    what: 'the unpacked export of a workspace; a transcript for each channel and day, replies with what they answer',
  },
  captions: { title: 'Captions', what: 'WebVTT and SRT, with the speakers of Teams, Zoom and others' },
  talks: {
    title: 'Meetings',
    what: 'texts with speakers: of Teams, Otter and Zoom, and markdown with the day and the speakers in its front matter',
  },
  'mcp-memory': {
    title: 'MCP memory server',
    what: 'the knowledge graph in `memory.jsonl`; a memory for each observation and relation',
  },
  mem0: { title: 'mem0 and OpenMemory', what: 'what `get_all` answers, exports and backups as JSON, `history.db`' },
  letta: { title: 'Letta', what: 'agent files, `.af`: blocks become notes, passages memories, messages a transcript' },
  beads: { title: 'beads', what: 'issues, `.beads/*.jsonl`; a memory for each' },
  'basic-memory': { title: 'basic-memory', what: 'markdown: observations and relations become memories, prose notes' },
  rules: {
    title: 'Instructions of agents',
    what: '`CLAUDE.md`, `AGENTS.md`, `GEMINI.md`, `copilot-instructions.md`, rules of Cursor and others, the notes of Claude Code; a note for each',
  },
  conversations: {
    title: 'Logs',
    what: 'dialogues, chats as they are copied, transcripts, JSON or JSONL messages of the usual APIs; cut at pauses',
  },
};
