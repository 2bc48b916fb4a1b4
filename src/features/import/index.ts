// Brings in what people have elsewhere, once, as it was said.
//
// Needs: store, history, core.
// Start reading: import.ts.
//
// A new form needs its name in base/types/exchange-types.ts and in importForms of apps/verbs/import.ts. Records and notes then need a planner in
// import.ts. Conversations need a reader in read-conversations.ts, a parser in core/capture/exports.ts and a place in conversationForms. Forms
// are recognised by looksOf in import.ts and conversationFormOf in read-conversations.ts.

export { importFrom, looksOf } from './import.ts';
export { isConversationForm } from './import-conversations.ts';
export { readConversations } from './read-conversations.ts';
export { openSource, type SourceText } from './source.ts';
