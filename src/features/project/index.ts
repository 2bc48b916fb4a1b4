// A project's log: its files, what is asked of it, and how a session with it ends.
//
// Needs: store, history, core.
// Start reading: project-questions.ts.

export { deployFiles, pathsOfTier } from './project-files.ts';
export { bootOf, graphOf, type ProjectQuestion, todoOf } from './project-questions.ts';
export { changeTodo, type RecordingDependencies, shutDown } from './shutdown.ts';
