// Numbers of things in words. By hand, because the first number that Intl formats takes a short command more than 10 milliseconds.

/** Writes a whole number with commas between thousands: `12,345`. */
export const grouped = (number: number): string => String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** Counts things: `1 turn`, `3 turns`, `2 memories`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${grouped(number)} ${number === 1 ? one : many}`;

/** Tells how long something took or is: `40 s`, `12 min`, `30 h`, `3 days`. */
export function lengthOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`;
}
