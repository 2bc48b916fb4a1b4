// Brings in what people have elsewhere, once, as it was said.
//
// Needs: store, history, core.
// Start reading: import.ts; forms/index.ts says how a new form is written.

export { discover, type Machine, programsOf } from './discover.ts';
export type { Form } from './forms/form.ts';
export { forms } from './forms/index.ts';
export { formTitles } from './forms/titles.ts';
export { importFrom, looksOf } from './import.ts';
export { earliestOf } from './import-conversations.ts';
export { runningSession } from './running-session.ts';
export { openSource, type SourceText } from './source.ts';
