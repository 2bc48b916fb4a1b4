// Issues of beads, `.beads/*.jsonl`: an issue a line, which grows with its state, its comments and what it depends on.
//
//   {"id":"bd-a1","title":"Mend the oven","status":"open","priority":1,"issue_type":"bug","created_at":"…","updated_at":"…"}

import { type Fields, objectsOf, timeOf, wordOf, wordsAmong } from './fields.ts';
import type { Entry, Form } from './form.ts';
import { firstLines, jsonLines } from './json-files.ts';

export const beads: Form = {
  channel: '',
  isKnowledge: true,
  places: [{ root: '<project>', files: '.beads/{issues,beads}.jsonl' }],

  detect: (path, head) => (/\.jsonl$/i.test(path) && firstLines(head).some(isIssue) ? 0.9 : 0),

  *read(file, reading) {
    for (const { line, value } of jsonLines(file, reading)) {
      if (!isIssue(value)) reading.broken('is no issue', line);
      else if (value.status === 'tombstone') reading.leave('were deleted there', line);
      else yield issueOf(value, line);
    }
  },
};

const isIssue = (value: Fields): boolean =>
  wordOf(value.id) !== undefined &&
  wordOf(value.title) !== undefined &&
  typeof value.status === 'string' &&
  (typeof value.issue_type === 'string' || typeof value.priority === 'number');

function issueOf(value: Fields, line: number): Entry {
  const { id, title, status } = value as { id: string; title: string; status: string };
  const time = timeOf(value.created_at);
  const reason = wordOf(value.close_reason);
  const told = [
    ['Design', value.design],
    ['Acceptance criteria', value.acceptance_criteria],
    ['Notes', value.notes],
    ['See', value.external_ref],
  ].flatMap(([name, text]) => wordsAmong([text]).map((words) => `${name}: ${words}`));
  const needs = objectsOf(value.dependencies);
  const comments = objectsOf(value.comments);
  const text = [
    `${title.trim()} (${id}, ${status}${reason === undefined ? '' : `: ${reason}`})`,
    ...wordsAmong([value.description]),
    ...told,
    ...needs.map((need) => `${wordOf(need.type) ?? 'depends on'}: ${need.depends_on_id ?? need.id}`),
    ...comments.map(({ author, text: words }) => `${wordOf(author) ?? 'Comment'}: ${words}`),
  ].join('\n\n');
  const labels = wordsAmong(value.labels);
  const priority = typeof value.priority === 'number' ? [`P${value.priority}`] : [];
  const tags = [wordOf(value.issue_type) ?? 'issue', status, ...priority, ...labels];
  const entities = wordsAmong([value.assignee, value.owner]);
  return { kind: 'record', id, text, time, tags, entities, line };
}
