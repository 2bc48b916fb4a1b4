// Writes a memory out as files that others read.
//
// Needs: store.
// Start reading: export.ts.

export { exportTo } from './export.ts';
