// What a sentence of this project does not do. Each rule has a pattern of a sentence, and how to say it instead.

const maxWords = 25;

export const rules = [
  {
    name: 'long-sentence',
    isBroken: (sentence) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length > maxWords,
    instead: `Say it in two sentences of at most ${maxWords} words`,
  },
  {
    name: 'bare-who',
    isBroken: (sentence) => /^Who(ever)?\s/.test(sentence) && !sentence.endsWith('?'),
    instead: 'Name the one who acts: a caller, a process, a person',
  },
  {
    name: 'of-which',
    isBroken: (sentence) => /\bof which\b/i.test(sentence),
    instead: 'Use "whose", or a sentence of its own',
  },
  {
    name: 'stands-in',
    isBroken: (sentence) => /\b(stands?|stood) in\b/i.test(sentence),
    instead: 'Use "is in", or name what holds it',
  },
  {
    name: 'is-told',
    isBroken: (sentence) => /\b(is|are|was|were|be) told\b/i.test(sentence),
    instead: 'Name who learns it, or use "is given", "is named"',
  },
];
