// Brings in what people have elsewhere, once, as it was said.
//
// Needs: store, history, core.
// Start reading: source.ts.

export { importFrom, looksOf } from './import.ts';
export { isConversationForm } from './import-conversations.ts';
export { readConversations } from './read-conversations.ts';
export { openSource, type SourceText } from './source.ts';
