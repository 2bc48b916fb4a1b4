// Finds what is wrong with a changelog, by file and line. It repairs nothing: the changelog is what is true.

import type { IntegrityCheck, IntegrityProblem } from '../base/types.ts';
import { isOfMissing } from '../store/records/changelog-fields.ts';
import { noHour } from '../store/records/changelog-heading.ts';
import type { Changelog, StoredChange } from './changelog.ts';
import { duplicates, lostNames, missingIds } from './integrity.ts';

/**
 * Runs every check (spec 2, validation); `form` is what the file as a whole lacks. Lines can be read, and ids are unique and from 1 to the
 * last. Times of one agent never go back, and refs lead somewhere and not ahead. Each has scope and summary. What else is bent and clear
 * is no problem, and no check names it.
 */
export function checkChangelog(
  changelog: Changelog,
  form: readonly IntegrityProblem[] = [],
): readonly IntegrityCheck[] {
  const all = [...changelog.archived, ...changelog.events];
  const known = new Set(all.map(({ id }) => id));
  const check = (name: string, problems: readonly IntegrityProblem[]): IntegrityCheck => ({ name, problems });
  return [
    check('changelog lines', [...form, ...changelog.damaged, ...changelog.bent.filter(isOfMissing)]),
    check('changelog ids', duplicates(all)),
    // The archive has its batches in the order in which they left, and what was held leaves late.
    check('changelog sequence', [...missingIds(all), ...disordered(changelog.events)]),
    check('changelog times', [
      ...timesGoingBack([...changelog.archived].sort((a, b) => a.value.number - b.value.number)),
      ...timesGoingBack(changelog.events),
    ]),
    check('changelog refs', [...lostNames(all, known, 'changelog'), ...all.flatMap(forwardRefs)]),
  ];
}

const at = ({ path, line, id }: StoredChange, why: string): IntegrityProblem => ({ path, line, id, why });

function disordered(events: readonly StoredChange[]): IntegrityProblem[] {
  return events.flatMap((event, position) => {
    const before = events[position - 1];
    return before !== undefined && before.value.number > event.value.number
      ? [at(event, `the id is lower than ${before.id}, which stands before it`)]
      : [];
  });
}

function timesGoingBack(events: readonly StoredChange[]): IntegrityProblem[] {
  const problems: IntegrityProblem[] = [];
  // A merge puts what one side did earlier behind what the other has published; of one writer times go on.
  const lastOf = new Map<string, StoredChange>();
  for (const event of events) {
    const last = lastOf.get(event.agent);
    const hasHour = event.notes?.some(({ why }) => why === noHour) !== true;
    const isSameDay = last?.value.time.slice(0, 10) === event.value.time.slice(0, 10);
    if (last !== undefined && event.time < last.time && (hasHour || !isSameDay))
      problems.push(at(event, `the time is before that of ${last.id}, ${last.value.time}`));
    if (last === undefined || event.time > last.time) lastOf.set(event.agent, event);
  }
  return problems;
}

function forwardRefs(event: StoredChange): IntegrityProblem[] {
  const ahead = event.value.refs.filter((ref) => Number(ref.slice('evt-'.length)) > event.value.number);
  return ahead.map((ref) => at(event, `it refers to ${ref}, which comes after it`));
}
