// What is known of a path, a command, an error or a name of code, from what coding agents did and people said to them.
//
// Needs: store, features/code.
// Start reading: about.ts; store/records/acts-file.ts says what is kept of a session.

export { aboutIn } from './about.ts';
export { placeText } from './words.ts';
