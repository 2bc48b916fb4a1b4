// What is done before the rest of the page is read: the token leaves the address, and the program is asked for what the first view shows. It
// answers while the browser reads on.

const token = /^#token=([\w-]+)(?:&(.*))?$/.exec(location.hash);
// Into the storage of this origin: a reload and a second tab find it there.
if (token !== null) {
  localStorage.setItem('token', token[1]!);
  history.replaceState(null, '', `#/${token[2] ?? ''}`);
}
const isExport = document.getElementById('answers')!.textContent !== '';
if (!isExport) {
  const headers = { Authorization: `Bearer ${localStorage.getItem('token') ?? ''}` };
  const ask = (address: string) => {
    const asked = fetch(address, { headers });
    // Whoever waits for it learns of a failure.
    asked.catch(() => undefined);
    return asked;
  };
  // Ahead of every question, so that no change is missed.
  globalThis.eventsAsked = ask('/api/events');
  if (/^(?:#\/?(?:today)?)?$/.test(location.hash)) globalThis.firstAsked = ask('/api/first');
}
// They are wanted as soon as something is shown, and until then nothing of it would be.
for (const weight of [400, 600]) document.fonts.load(`${weight} 1em "Memory Serif"`).catch(() => undefined);

declare global {
  /** The line that tells of changes; absent in a copy. */
  var eventsAsked: Promise<Response> | undefined;
  /** What was asked for the first view; absent where that is another page than today's. */
  var firstAsked: Promise<Response> | undefined;
}

export {};
