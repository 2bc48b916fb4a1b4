// Turns the Apollo 13 air-to-ground transcription into messages, one JSON object per line on standard output:
//   node scripts/apollo.mjs ../shared/data/apollo-13.json | git-memory capture --format jsonl -
// The ground is the user and the spacecraft the agent: Houston asks and instructs, the crew does and reports.
import { readFileSync } from 'node:fs';

const path = process.argv[2] ?? '../shared/data/apollo-13.json';
const launch = Date.parse('1970-04-11T19:13:00Z');

/** Mission control speaks as the user; everybody aboard, as the agent. Recovery forces are guests of the conversation. */
const ground = new Set(['CC', 'LCC', 'F', 'S', 'CT']);
const aboard = new Set(['CDR', 'CMP', 'LMP', 'SC', 'MS']);

let transcript;
try {
  ({ transcript } = JSON.parse(readFileSync(path, 'utf8')));
} catch (error) {
  console.error(`Cannot read ${path}: ${error.message}`);
  process.exit(1);
}

const lines = transcript.map(({ timestamp, speaker, text }) => {
  const [hours, minutes, seconds] = timestamp.split(':').map(Number);
  const time = new Date(launch + ((hours * 60 + minutes) * 60 + seconds) * 1000).toISOString();
  const role = ground.has(speaker) || !aboard.has(speaker) ? 'user' : 'agent';
  return `${JSON.stringify({ speaker, text, time, role })}\n`;
});
process.stdout.write(lines.join(''));
