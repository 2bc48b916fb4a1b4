// Finds what is damaged or out of step, and mends it.
//
// Needs: store, history, core.
// Start reading: doctor.ts.

export { type DoctorOptions, type DoctorReport, examine } from './doctor.ts';
export type { Finding, FindingCode, Severity } from './finding.ts';
