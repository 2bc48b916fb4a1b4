// Consolidation of real memories: what becomes one, what is asked, what stays apart; nothing is lost, and all of it can be taken back.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextModel } from '../../../src/base/ports.ts';
import { consolidation } from '../../../src/core/lifecycle/consolidate.ts';
import type { PassPorts, PassView } from '../../../src/core/lifecycle/pass.ts';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { sayingOf } from '../../../src/store/claims/saying.ts';
import { defaultConfiguration } from '../../../src/store/records/configuration.ts';
import { memoryPath, newMemory } from '../../../src/store/records/memory-record.ts';
import {
  formatRelation,
  newRelation,
  parseRelation,
  relationPath,
} from '../../../src/store/records/relation-record.ts';
import { newTestMemory } from '../../helpers/memories.ts';

const alike = [
  'The archive moves to Braga because the office in Porto closes.',
  'The archive moves to Braga, because the office in Porto closes.',
  'the archive moves to Braga because an office in Porto closes',
];

const moving = [
  'The archive moves to Braga soon.',
  'Because the office in Porto closes, the archive moves to Braga.',
  'The archive is to move to Braga soon, for the office in Porto closes.',
];

/** A sentence, and two words that make opposites of it. */
const opposites = `
The pump is _ during the night. | on | off
The side door stays _ in winter. | open | locked
Kasimir _ spicy food. | loves | hates
The lake is _ for swimming. | safe | dangerous
We _ the second supplier. | trust | distrust
The lift goes _ first. | up | down
Take the tablets _ breakfast. | before | after
Take the tablets _ food. | with | without
The rent went _ last year. | up | down
The dog sleeps _ the house. | inside | outside
Invoices are _ by hand. | accepted | refused
Sofie is _ of the choir. | in | out
The valve turns to the _ to close. | left | right
The contract was _ by the board. | approved | rejected
The team is _ the plan. | for | against
The path is _ to bicycles. | open | closed
Oskar is the _ of the two brothers. | older | younger
The printer is the _ one in the row. | first | last
The samples are kept _ zero degrees. | above | below
Visitors come in at the _ gate. | north | south
The paint is _ yet. | dry | wet
We ship on the _ day of the month. | first | last
The old boiler uses _ oil. | more | less
Guests _ pets to the hut. | may bring | may not bring
The server is _ the firewall. | behind | before
Lena _ the offer of the museum. | accepted | declined
The alarm is _ at weekends. | armed | disarmed
The branch is _ by the bot. | merged | rejected
The river is too _ for the ferry. | high | low
Children _ the workshop. | may enter | must leave
The film is _ than the book. | better | worse
We pay _ delivery. | on | before
Milk goes in _ the tea. | before | after
The switch is _ the shelf. | over | under
Sugar is _ in the recipe. | doubled | halved
The new rule makes it _ to apply. | easier | harder
The shop _ on Mondays. | opens | closes
Marta _ her job at the mill. | started | quit
The feature is _ by default. | enabled | disabled
The parcel was _ on time. | sent | lost
The lamp on the quay is _ after ten. | lit | dark
Rosalie is _ peanuts. | fond of | allergic to
The ferry sails _ the storm. | despite | because of
The lease _ in March. | begins | ends
The tenor sings _ the soprano. | louder than | softer than
Interest rates are _ again. | rising | falling
Gustav _ the meeting on Friday. | attends | skips
The bread was _ this morning. | fresh | stale
Refunds are _ for tickets. | possible | impossible
The bridge carries _ ten tonnes. | more than | less than
The jury found him _ of the theft. | guilty | innocent
Put the seeds in _ the frost. | before | after
The window faces _ and gets the sun. | east | west
The cellar is _ of bottles. | full | empty
We _ the house in Alder Road. | bought | sold
The minutes are _ to the public. | open | secret
The nurse _ the dose of the patient. | raised | lowered
Ottilie _ the choir in spring. | joined | left
The debate made the plan _. | stronger | weaker
The tyre on the left is _. | full | flat
Logs are kept _ the cluster. | inside | outside
The clause is _ in the new contract. | included | omitted
The kitchen is _ to dogs. | open | off limits
Ludwig _ his brother the money. | lent | owes
The pass in the mountains is _ in May. | passable | impassable
The tests run _ the build. | before | after
Every member _ vote on the budget. | can | cannot
The captain turned to _ at the buoy. | port | starboard
The exhibit is _ and may be touched. | real | fake
The soup needs _ salt. | more | less
Margarete _ the heating at night. | turns on | turns off
Our margin _ in autumn. | grew | shrank
The older cache is _ by the job. | kept | deleted
The witness _ the driver. | recognised | did not recognise
Wear the brace _ sleep. | during | except during
The theatre _ its subsidy. | got | lost
The mushroom with the red foot is _. | edible | poisonous
The hut on the ridge is _ in winter. | staffed | unstaffed
The gate locks _ you leave. | when | before
The vote went _ the mayor. | for | against`
  .trim()
  .split('\n')
  .map((line) => line.split(' | ') as [string, string, string]);

const clusters = `
The pottery class starts at 18:30 on Tuesdays. | Pottery class is on Tuesdays and begins at half past six. | On Tuesdays at 18:30 we have pottery class. | Pottery class starts at 18:30 on Tuesdays.
Imke is allergic to peanuts. | Imke cannot eat peanuts, she has an allergy. | Peanut allergy: Imke. | Imke has a peanut allergy and cannot eat peanuts.
The spare key hangs behind the fuse box. | You find the spare key behind the fuse box. | Behind the fuse box there is a spare key. | The spare key hangs behind the fuse box.
We deploy the billing service from the release branch only. | The billing service is deployed from the release branch and nowhere else. | Only the release branch may deploy the billing service. | The billing service is deployed only from the release branch.
Our accountant is Mrs. Pereira in Setubal. | Mrs. Pereira from Setubal does our accounts. | The accounts are done by Mrs. Pereira, Setubal. | Mrs. Pereira in Setubal is our accountant and does our accounts.
I prefer short answers without small talk. | Please keep answers short and skip the small talk. | Short answers, no small talk, please. | I prefer short answers without small talk.
The boiler was serviced in October by Nordwarm. | Nordwarm serviced the boiler in October. | In October Nordwarm came and did the service of the boiler. | Nordwarm serviced the boiler in October.
The team retro takes place every second Thursday. | Every second Thursday we hold the team retro. | Team retro: every second Thursday. | The team retro takes place every second Thursday.
Backups of the photo archive go to the disk in the cellar. | The photo archive is backed up to the disk in the cellar. | The disk in the cellar holds the backups of the photo archive. | Backups of the photo archive go to the disk in the cellar.
Rafael moved to Ghent to study law. | Rafael lives in Ghent now, he studies law there. | Rafael is studying law in Ghent, where he moved. | Rafael moved to Ghent, where he lives now, to study law.
The choir meets in the chapel on Mondays at eight. | Choir practice is at eight on Mondays, in the chapel. | On Mondays at eight the choir sings in the chapel. | The choir meets in the chapel on Mondays at eight.
Yannick is the new treasurer of the club. | The club has a new treasurer, Yannick. | New treasurer of the club: Yannick. | Yannick is the new treasurer of the club.
The wifi in the barn only reaches the first floor. | In the barn the wifi reaches no further than the first floor. | Wifi in the barn: first floor only. | The wifi in the barn only reaches the first floor.
Invoices above 5000 euros need the signature of Renate. | Renate has to sign invoices above 5000 euros. | For invoices above 5000 euros we need Renate's signature. | Invoices above 5000 euros need the signature of Renate.
The dog of the Marchands is called Biscuit. | Biscuit is the dog of the Marchands. | The Marchands have a dog called Biscuit. | The dog of the Marchands is called Biscuit.
Our staging cluster runs in Frankfurt on three nodes. | The staging cluster has three nodes and stands in Frankfurt. | In Frankfurt we run the staging cluster on three nodes. | Our staging cluster runs in Frankfurt on three nodes.
My daughter starts school in September. | In September my daughter begins school. | My daughter will go to school from September on. | My daughter starts school in September.
The old mill is rented to a potter. | A potter rents the old mill. | We let the old mill to a potter. | The old mill is rented to a potter.
Tabs are used for indentation in this repository. | This repository indents with tabs. | We indent with tabs in this repository. | This repository uses tabs for indentation.
Dr. Achebe sees patients in Wing C on Wednesdays. | On Wednesdays Dr. Achebe has patients in Wing C. | Wing C, Wednesdays: Dr. Achebe sees patients. | Dr. Achebe sees patients in Wing C on Wednesdays.`
  .trim()
  .split('\n')
  .map((line) => line.split(' | '))
  .map((texts) => ({ says: texts.slice(0, 3), merged: texts[3]! }));

async function memoryOf(contents: readonly string[], options: Parameters<typeof newTestMemory>[0] = {}) {
  const { memory, clock } = await newTestMemory(options);
  for (const [at, content] of contents.entries()) {
    clock.advance({ minutes: 1 });
    await memory.remember({ id: `m${at}`, content, tags: [`t${at}`] });
  }
  await memory.commit();
  return { memory, clock };
}

const treeOf = async (memory: Memory): Promise<string> => (await memory.at('HEAD')).tree;

const relationsOf = async (memory: Memory) => {
  const paths = await memory.files('relations/');
  return Promise.all(paths.map(async (path) => parseRelation(await memory.read(path), path)));
};

describe('consolidate', () => {
  it('makes one memory of several in one commit, links it to them, and is taken back exactly', async () => {
    const { memory } = await memoryOf([...alike, 'Ana plays chess on Sundays with her brother Rui.']);
    const before = await treeOf(memory);
    const shown = await memory.records.consolidate({ dryRun: true });
    expect(shown.commits).toEqual([]);
    expect(await treeOf(memory)).toBe(before);
    const { items, commits, open, comparedBy } = await memory.records.consolidate();
    expect(comparedBy).toBe('hashed words');
    expect(open).toEqual([]);
    expect(items).toEqual(shown.items);
    expect(commits).toHaveLength(1);
    expect(items[0]).toMatchObject({ action: 'merge', by: 'rule' });
    expect(items[0]!.why).toMatch(/^3 memories alike, cohesion 1\.00$/);
    const merged = await memory.get(items[0]!.into);
    expect(merged.meta.tags).toEqual(['t0', 't1', 't2']);
    // The first wording stands; the others are its sources.
    expect(merged.content).toBe(alike[0]);
    expect((await memory.list()).memories).toHaveLength(2);
    const relations = await relationsOf(memory);
    expect(relations.map(({ relationType, toMemoryId }) => [relationType, toMemoryId]).sort()).toEqual([
      ['consolidated_from', 'm0'],
      ['consolidated_from', 'm1'],
      ['consolidated_from', 'm2'],
    ]);
    expect(relations[0]!.metadata.cluster_id).toMatch(/^clust-/);
    const [commit] = (await memory.log({ limit: 1 })).commits;
    expect(commit!.subject).toBe(`consolidate: merge 3 memories into ${items[0]!.into.slice(0, 8)}`);
    expect(commit!.paths).toHaveLength(1 + 3 + 3 + 1);
    await memory.undo(commits[0]!);
    expect(await treeOf(memory)).toBe(before);
    await memory.undo({ redo: true });
    expect((await memory.get(items[0]!.into)).content).toBe(merged.content);
  });

  it('can be followed back to the words, through one consolidation after another', async () => {
    const { memory } = await newTestMemory();
    await memory.capture({ messages: [{ role: 'user', text: `Decision: ${alike[0]}` }] });
    await memory.extract();
    const [extracted] = (await memory.list({ category: 'decision' })).memories;
    expect(extracted).toBeDefined();
    await memory.remember({ id: 'second', content: extracted!.content.replace('closes', 'closes now') });
    const first = await memory.records.consolidate({ ids: [extracted!.id, 'second'] });
    await memory.remember({ id: 'third', content: 'The boxes of the archive are counted.' });
    const last = await memory.records.consolidate({ ids: [first.items[0]!.into.slice(0, 12), 'third'] });
    const { from } = await memory.provenance(last.items[0]!.into);
    const inner = from!.find(({ id }) => id === first.items[0]!.into)!;
    const source = inner.origin!.from!.find(({ id }) => id === extracted!.id)!;
    expect(source.origin!.alive).toBe(false);
    expect(source.origin!.sources[0]!.text).toContain('moves to Braga');
  });

  it('asks about clusters in doubt, and merges two of them by their ids', async () => {
    const contents = [
      'The build of the project needs Node 20 and npm, nothing else is installed.',
      'The build of the project needs Node 20 and npm; nothing else has to be there.',
    ];
    const { memory } = await memoryOf(contents);
    const asked = await memory.records.consolidate();
    expect(asked.items).toEqual([]);
    expect(asked.open).toMatchObject([{ ids: ['m0', 'm1'], contents }]);
    expect(asked.open[0]!.why).toMatch(/^to be asked: alike, cohesion 0\.\d\d, and not word for word the same$/);
    expect((await memory.records.consolidate({ uncertain: true })).items).toEqual([]);
    await memory.remember({ id: 'm2', content: 'The build of the project runs on any machine with Node 20.' });
    const three = await memory.records.consolidate({ ids: ['m0', 'm1', 'm2'] });
    expect([three.items, three.open[0]!.ids]).toEqual([[], ['m0', 'm1', 'm2']]);
    expect((await memory.records.consolidate({ ids: ['m0', 'm1'] })).items).toHaveLength(1);
  });

  it('merges none of eighty opposites, by itself or with what is uncertain', async () => {
    const contents = opposites.flatMap(([text, one, other]) => [text.replace('_', one), text.replace('_', other)]);
    const { memory } = await memoryOf(contents);
    for (const options of [{}, { uncertain: true }, { uncertain: true, likeness: 'words' as const }])
      expect((await memory.records.consolidate(options)).items).toEqual([]);
    expect(opposites).toHaveLength(80);
  });

  it('keeps a chain apart whose ends have little in common', async () => {
    const contents = [
      'The harbour opens at dawn for boats.',
      'Boats leave the harbour early.',
      'Early boats are loud.',
    ];
    const memories = contents.map((content, at) => {
      const record = newMemory({ id: `m${at}`, content, now: 0 });
      return { path: memoryPath(record.id), oid: String(at), record };
    });
    const alike = (one: number, other: number) => (one + other === 2 ? 0.3 : 0.85);
    const pairs = [
      [0, 1],
      [1, 2],
    ].map(([one, other]) => ({ one: one!, other: other!, likeness: 0.85 }));
    const view = { memories, relations: [], configuration: defaultConfiguration(), now: 0 } as unknown as PassView;
    const likeness = { by: 'a script', pairs: async () => pairs, of: alike };
    const { items, left } = await consolidation.plan(view, {} as PassPorts, {
      likenessOf: async () => likeness,
      uncertain: true,
    });
    expect(items).toEqual([]);
    expect(left).toEqual([{ id: 'm0', why: 'kept apart: cohesion 0.67 is below 0.75 (with m1, m2)' }]);
  });

  it('never merges by itself what differs in a number, a name, a denial or a due day', async () => {
    const { memory } = await memoryOf([
      'The server of the project listens on port 8080 in production.',
      'The server of the project listens on port 8081 in production.',
      'We never use Redis for the sessions of the users.',
      'We use Redis for the sessions of the users.',
    ]);
    for (const [id, due] of [
      ['d1', '2026-03-01'],
      ['d2', '2026-03-02'],
    ] as const) {
      await memory.remember({ id, content: 'I will send the contract to the landlord.', category: 'commitment', due });
    }
    const { items } = await memory.records.consolidate({ uncertain: true, likeness: 'words' });
    expect(items).toEqual([]);
  });

  it('merges what has the same words, and offers what is near', async () => {
    const same = ['The shop shuts at 18:00', 'Shop shuts at 18:00!'];
    const near = ['Zeynep is allergic to walnuts', 'Zeynep has a walnut allergy'];
    const turned = ['The east gate opens before the market', 'The east gate opens after the market'];
    const { memory } = await memoryOf([...same, ...near, ...turned]);
    // The same words of two people are two claims.
    await memory.remember({ id: 'x', content: 'I ride to work', subject: 'Ada' });
    await memory.remember({ id: 'y', content: 'I ride to work.', subject: 'Ben' });
    const { items, open } = await memory.records.consolidate();
    expect(items.map(({ content }) => content)).toEqual([same[0]]);
    expect(open.map(({ contents }) => contents).sort()).toEqual([near, turned].sort());
  });

  it('moves the relations of the sources to what they became', async () => {
    const { memory } = await memoryOf([...alike.slice(0, 2), 'Ana plays chess on Sundays.']);
    const relate = async (id: string, from: string, to: string, type: string) => {
      const record = newRelation({ id, fromMemoryId: from, toMemoryId: to, relationType: type, now: 0 });
      await memory.write(relationPath(id), formatRelation(record));
    };
    await relate('r1', 'm0', 'm2', 'supports');
    await relate('r2', 'm1', 'm2', 'supports');
    await relate('r3', 'm0', 'm1', 'related');
    await relate('r4', 'm0', 'older', 'split_from');
    const { items } = await memory.records.consolidate();
    const { into } = items[0]!;
    const relations = (await relationsOf(memory)).filter(({ relationType }) => relationType !== 'consolidated_from');
    expect(relations.map((one) => [one.relationType, one.fromMemoryId, one.toMemoryId]).sort()).toEqual([
      ['split_from', 'm0', 'older'],
      ['supports', into, 'm2'],
    ]);
  });

  it('says what stands in the way', async () => {
    const { memory } = await memoryOf(alike);
    await expect(memory.records.consolidate({ ids: ['m0'] })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(memory.records.consolidate({ ids: ['m0', 'nobody'] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await memory.records.archive('m1');
    await expect(memory.records.consolidate({ ids: ['m0', 'm1'] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('loses nothing, whatever is merged', async () => {
    const fact = fc.constantFrom(
      ...alike,
      'Ana plays chess.',
      'ana plays chess',
      'Rui sings.',
      'Rui sings.\n\nAna plays chess.',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fact, { minLength: 2, maxLength: 8 }), async (contents) => {
        const { memory } = await memoryOf(contents);
        const before = await treeOf(memory);
        const { items, commits } = await memory.records.consolidate({ uncertain: true });
        const alive = (await memory.list()).memories;
        for (const [at, content] of contents.entries()) {
          const holder = items.find(({ ids }) => ids.includes(`m${at}`));
          if (holder === undefined) expect(alive.some(({ id }) => id === `m${at}`)).toBe(true);
          else {
            const text = (await memory.get(holder.into)).content.toLowerCase();
            const isThere = content
              .toLowerCase()
              .split('\n\n')
              .every((part) => text.includes(part));
            expect(isThere || sayingOf(text) === sayingOf(content)).toBe(true);
            const { from } = await memory.provenance(holder.into);
            expect(from!.find(({ id }) => id === `m${at}`)!.origin!.content).toBe(content);
          }
        }
        for (const commit of [...commits].reverse()) await memory.undo(commit);
        expect(await treeOf(memory)).toBe(before);
        await memory.close();
      }),
      { numRuns: 12 },
    );
  });
});

describe('consolidate with a model', () => {
  const answering = (answer: string | Error): TextModel & { asked: string[] } => {
    const asked: string[] = [];
    return {
      name: 'scripted',
      asked,
      complete: ({ prompt }) => {
        asked.push(prompt);
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    };
  };

  it('lets it put the words together, and names it', async () => {
    const model = answering('The archive moves to Braga soon, because the office in Porto closes.');
    const { memory } = await memoryOf(moving, { model });
    const { items } = await memory.records.consolidate();
    expect(items[0]).toMatchObject({
      by: 'scripted',
      content: 'The archive moves to Braga soon, because the office in Porto closes.',
    });
    expect(model.asked[0]).toContain(moving[2]);
    const [commit] = (await memory.log({ limit: 1 })).commits;
    expect(commit!.trailers).toContainEqual({ key: 'Model', value: 'scripted' });
  });

  it.each([
    ['forgets a name', 'The archive moves to Braga.'],
    ['answers nothing', ' '],
    ['fails', new Error('no connection')],
    ['talks', `${'The archive moves to Braga, the office in Porto closes soon. '.repeat(9)}`],
    ['makes up a number', 'The archive moves to Braga in 14 boxes, because the office in Porto closes.'],
    ['stacks them', 'The archive moves to Braga.\n\nThe office in Porto closes.'],
  ])('leaves them to a person when it %s', async (_, answer) => {
    const { memory } = await memoryOf([...moving, ...alike.map((text) => text.replaceAll('Braga', 'Faro'))], {
      model: answering(answer),
    });
    const { items, open } = await memory.records.consolidate();
    // What has the same words needs no model.
    expect(items.map(({ by, content }) => [by, content])).toEqual([['rule', alike[0]!.replace('Braga', 'Faro')]]);
    expect(open.map(({ ids }) => ids)).toEqual([['m0', 'm1', 'm2']]);
  });

  it('merges natural clusters of three by one that answers well', async () => {
    const reader: TextModel = {
      name: 'reader',
      complete: async ({ prompt }) => {
        const notes = prompt.split(/^Note \d+:$/m).flatMap((note) => note.trim() || []);
        const known = clusters.find(({ says }) => notes.every((note) => says.includes(note)));
        return known?.merged ?? 'KEEP APART';
      },
    };
    const { memory } = await memoryOf(
      clusters.flatMap(({ says }) => says),
      { model: reader },
    );
    const { items } = await memory.records.consolidate();
    expect(items.filter(({ sources }) => sources.length === 3).length).toBeGreaterThanOrEqual(16);
    for (const { sources, content } of items) {
      const known = clusters.find(({ merged }) => merged === content)!;
      expect(sources.every(({ content: said }) => known.says.includes(said))).toBe(true);
    }
  });

  it('asks it about clusters in doubt, and believes it when it keeps them apart', async () => {
    const contents = ['Ana likes long walks by the river at night.', 'Ana likes long walks by the sea at night.'];
    const model = answering('Keep apart.');
    const { memory } = await memoryOf(contents, { model });
    const { items, left, open } = await memory.records.consolidate();
    expect([items, open]).toEqual([[], []]);
    expect(left[0]!.why).toMatch(/^kept apart by scripted/);
  });
});
