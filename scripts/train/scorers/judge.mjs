// How well scorers do, set by set: a mean hides the writer who is served worst.

import { categories, textKinds } from '../../../dist/language/read.js';
import { isChange } from './sets.mjs';

const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
const percent = (share) => (Number.isNaN(share) ? '–' : (100 * share).toFixed(0));
const logistic = (sum) => 1 / (1 + Math.exp(-sum));
export const turnsOf = ({ rows }) => rows.filter(({ of }) => of?.turn !== undefined);
const pairsOf = (sets) => sets.flatMap(({ rows }) => rows.filter(({ of }) => of?.later !== undefined));
const changeOf = ({ sums }) => logistic(sums.change);
const worthOf = ({ sums }) => logistic(sums.worth);
const isKept = ({ of }) => of.worth === 'keep';
const isStanding = ({ of }) => of.keep.some(({ standing }) => standing);
const shareOf = (rows, test) => rows.filter(test).length / rows.length;
const likeliest = (names, sums) => names.reduce((best, name) => (sums[name] > sums[best] ? name : best));

/** The area below the curve: how often one of the first kind has more than one of the second. */
export function areaOf(yes, no) {
  const all = [...yes.map((value) => [value, 1]), ...no.map((value) => [value, 0])].sort(
    (one, other) => one[0] - other[0],
  );
  let ranks = 0;
  for (const [at, [, label]] of all.entries()) if (label === 1) ranks += at + 1;
  return (ranks - (yes.length * (yes.length + 1)) / 2) / (yes.length * no.length);
}

/** The highest value that so great a share of some values reaches. */
const reachedBy = (values, share) => values.sort((one, other) => other - one)[Math.ceil(share * values.length) - 1];

/** Sets of plain sentences: nothing is chosen by them. */
const plain = new Set(['own', 'plain', 'sa', 'sb', 'se']);

/** The share of what is worth it, or changes something, that each threshold is to reach. */
const reached = { keep: 0.905, low: 0.96, short: 0.89, change: 0.9 };
/** So many of those that are taken for standing are to be so. */
const right = 0.7;

/** The lowest value from which on so great a share of all is right. */
function rightFrom(values, share) {
  let [from, found] = [1, 0];
  for (const [at, [value, isRight]] of values.sort((one, other) => other[0] - one[0]).entries()) {
    found += isRight ? 1 : 0;
    if (found / (at + 1) >= share) from = value;
  }
  return from;
}

/** Chooses what the product keeps by, on writers who were left out; the same for all. */
export function thresholdsFrom(sets, shares = reached) {
  const turns = sets.filter(({ name }) => !plain.has(name)).flatMap(turnsOf);
  const worths = turns.filter(isKept).map(worthOf);
  const short = turns.filter(({ of }) => of.turn.text.length < 60);
  const round = (value) => Math.floor(value * 1000) / 1000;
  const standings = turns.map((row) => [logistic(row.sums.standing), isStanding(row)]);
  const changes = pairsOf(sets).filter(({ of }) => isChange(of));
  return {
    keep: round(reachedBy([...worths], shares.keep)),
    low: round(reachedBy([...worths], shares.low)),
    short: round(reachedBy(short.filter(isKept).map(worthOf), shares.short)),
    standing: round(rightFrom(standings, right)),
    ...(changes.length === 0 ? {} : { change: round(reachedBy(changes.map(changeOf), shares.change)) }),
  };
}

/** Prints a line for each set, and the mean. Thresholds are the same for all, or those for a set. */
export function judgeSets(how, sets, given) {
  const thresholdsOf = (set) => (typeof given === 'function' ? given(set) : given);
  const lines = sets.map((set) => {
    const turns = turnsOf(set);
    const [kept, dropped] = [turns.filter(isKept), turns.filter((row) => !isKept(row))];
    const pairs = pairsOf([set]);
    const thresholds = thresholdsOf(set);
    const reaches = (row) => worthOf(row) >= thresholds.keep;
    const found = turns.filter(({ sums }) => logistic(sums.standing) >= thresholds.standing);
    const isShort = ({ of }) => of.turn.text.length < 60;
    const others = dropped.filter(({ of }) => of.class !== undefined && of.class !== 'talk');
    const classed = turns.filter(({ of }) => of.class !== undefined);
    return {
      set: set.name,
      area: areaOf(kept.map(worthOf), dropped.map(worthOf)).toFixed(3),
      keeps: shareOf(kept, reaches),
      drops: shareOf(dropped, reaches),
      'short keeps': shareOf(kept.filter(isShort), reaches),
      'short drops': shareOf(dropped.filter(isShort), reaches),
      'not talk': shareOf(others, reaches),
      'standing right': shareOf(found, isStanding),
      found: shareOf(turns.filter(isStanding), (row) => found.includes(row)),
      category: shareOf(kept, ({ of, sums }) =>
        of.keep.some(({ category }) => category === likeliest(categories, sums)),
      ),
      kind: shareOf(classed, ({ of, sums }) => of.class === likeliest(textKinds, sums)),
      change: areaOf(
        ...[true, false].map((is) => pairs.filter(({ of }) => isChange(of) === is).map(({ sums }) => sums.change)),
      ),
    };
  });
  const columns = Object.keys(lines[0]).slice(2);
  const cells = (line) => columns.map((name) => percent(line[name]));
  console.log(`\n${how}, at ${JSON.stringify(thresholdsOf(sets[0]))}\nset · area · ${columns.join(' · ')}`);
  for (const line of lines) console.log([line.set, line.area, ...cells(line)].join(' · '));
  const means = Object.fromEntries(
    columns.map((name) => [name, mean(lines.map((line) => line[name]).filter((value) => !Number.isNaN(value)))]),
  );
  console.log(['mean', mean(lines.map(({ area }) => Number(area))).toFixed(3), ...cells(means)].join(' · '));
  const classes = textKinds.map((kind) => {
    const rows = sets.flatMap((set) => {
      const { keep } = thresholdsOf(set);
      return turnsOf(set).flatMap((row) => (row.of.class === kind ? { ...row, keep } : []));
    });
    const [drops, keeps] = [rows.filter((row) => !isKept(row)), rows.filter(isKept)];
    const reaches = (row) => worthOf(row) >= row.keep;
    return `${kind} ${percent(shareOf(keeps, reaches))}/${percent(shareOf(drops, reaches))} (${drops.length}; ${percent(shareOf(rows, ({ sums }) => likeliest(textKinds, sums) === kind))} named)`;
  });
  console.log(`kept of keeps/drops: ${classes.join(', ')}`);
}
