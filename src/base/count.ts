// Numbers of things in words. By hand, because the first number that Intl formats takes a short command more than 10 milliseconds.

/** Writes a whole number with commas between thousands: `12,345`. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Counts things: `1 turn`, `3 turns`, `2 memories`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}
