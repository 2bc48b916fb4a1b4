// Trains the scorers of src/language and judges them, each writer left out in turn. Plain JavaScript, one thread, the same each time.
//   node scripts/train/scorers/main.mjs [--write] [--data FOLDER] [--apart NAME,NAME] [--tables FOLDER]
//     --write    puts the weights into data/scorers/english.bin
//     --data     further hand-written sets, a folder a writer, beside scripts/train/sets
//     --apart    sets that nothing is trained with or chosen by; they are judged at the end
//     --scorer   a folder with a scorer of turns: with --write, what joins it with words goes into data/scorers/beside.json
//     --unseen   the sets that it has not seen, which are learned from and judged for that
//     --groups   writers are left out in so many groups; as many as there are writers leaves each out alone
//     --tables   a folder of tables without-W, trained without any text of W; else each writer is judged with the table of the package
// It reads dist/: `npm run build` first.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { categories } from '../../../dist/language/read.js';
import { joinWith } from './beside.mjs';
import { judgeSets, thresholdsFrom } from './judge.mjs';
import { calibrate, learn } from './network.mjs';
import { FeatureIndex, outputs, rowsOf, setsIn } from './sets.mjs';
import { openVectors, withVectors } from './vectors.mjs';
import { writeWeights } from './weights.mjs';

const inProject = (name) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const text = { type: 'string' };
const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    data: { ...text, default: inProject('../shared/data/english') },
    sets: { ...text, default: inProject('scripts/train/sets') },
    apart: { ...text, default: 'nd,nf,pf,qb,sc,th,plain-apart' },
    scorer: text,
    unseen: {
      ...text,
      default:
        'na,nb,nc,nd,ne,nf,pa,pb,pc,pd,pe,pf,pg,ph,pi,qa,qb,qc,qd,qe,qf,qg,qh,qi,sa,sb,sc,sd,se,ta,tb,tc,td,te,tf,tg,th',
    },
    tables: text,
    groups: { ...text, default: '6' },
  },
});

/** With this a category's share of 0.8 is right four times of five, in sets of writers left out. */
const sharper = 1.2;

const sets = [values.data, ...values.sets.split(',')].flatMap(setsIn);
if (sets.length < 3) {
  console.log('No scorer is trained: there are no sets.');
  process.exit(0);
}
const index = new FeatureIndex();
for (const set of sets) set.rows = rowsOf(set, index);
const features = index.names.length;
const isApart = new Set(values.apart.split(','));
const apart = sets.filter(({ name }) => isApart.has(name));
const used = sets.filter((set) => !apart.includes(set));

function tableFor(writer) {
  const own = path.join(values.tables ?? '', `without-${writer}`);
  return values.tables !== undefined && existsSync(own) ? own : inProject('data/english-table');
}

/** Learns every output from some sets; the rows have their vectors already. */
const learnFrom = (from, dimensions) =>
  learn(
    from.flatMap((set) => set.rows),
    features,
    dimensions,
    outputs,
  );

const read = (model, set) => {
  for (const row of set.rows) row.sums = model.sumsOf(row);
};

let opened;
function withTable(folder) {
  if (opened?.folder !== folder) {
    opened = { folder, vectors: openVectors(folder) };
    for (const set of sets) withVectors(set.rows, index.names, opened.vectors);
  }
  return opened.vectors;
}

// Each set is read by scorers that have not seen its writer. Writers are left out in groups, those with one table together.
for (const table of new Set(used.map(({ name }) => tableFor(name)))) {
  const those = used.filter(({ name }) => tableFor(name) === table);
  const { dimensions } = withTable(table);
  for (let group = 0; group < Number(values.groups); group++) {
    const left = those.filter((_, nth) => nth % values.groups === group);
    if (left.length === 0) continue;
    const model = learnFrom(
      used.filter((other) => !left.includes(other)),
      dimensions,
    );
    for (const set of left) read(model, set);
  }
}
const pairsOf = (name) =>
  used.flatMap(({ rows }) =>
    rows.flatMap(({ goals, sums, of }) =>
      of !== undefined && goals[name] !== undefined ? [[sums[name], goals[name][0]]] : [],
    ),
  );
const calibration = Object.fromEntries(
  outputs.map((name) => [
    name,
    ['worth', 'standing', 'change'].includes(name)
      ? calibrate(pairsOf(name))
      : { slope: categories.includes(name) ? sharper : 1, shift: 0 },
  ]),
);
const calibrated = (set) => {
  for (const row of set.rows)
    for (const [name, { slope, shift }] of Object.entries(calibration)) row.sums[name] = slope * row.sums[name] + shift;
};
used.forEach(calibrated);
const thresholds = thresholdsFrom(used);
judgeSets('left out', used, thresholds);

const vectors = withTable(inProject('data/english-table'));
const model = learnFrom(used, vectors.dimensions);
for (const set of apart) {
  read(model, set);
  calibrated(set);
}
if (apart.length > 0) judgeSets('kept apart', apart, thresholds);
if (values.scorer !== undefined) {
  const unseen = values.unseen.split(',');
  const file = values.write ? inProject('data/scorers/beside.json') : undefined;
  await joinWith(
    values.scorer,
    sets.filter(({ name }) => unseen.includes(name)),
    file,
  );
}
if (values.write) {
  const turns = used.flatMap(({ rows }) => rows.filter(({ of }) => of !== undefined));
  const kept = { model, calibration, names: index.names, vectors, outputs, thresholds, turns };
  console.log(writeWeights(inProject('data/scorers/english.bin'), kept));
}
