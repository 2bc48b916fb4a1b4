import { describe, expect, it } from 'vitest';
import { splitSentences } from '../../src/base/sentences.ts';

describe('splitSentences', () => {
  it('splits behind closing marks and quotation marks, and not behind abbreviations and initials', () => {
    expect(splitSentences('We met Dr. J. Lovell at 10 a.m. today. He said "Go." Is it 3.5? Yes!')).toEqual([
      'We met Dr. J. Lovell at 10 a.m. today.',
      'He said "Go."',
      'Is it 3.5?',
      'Yes!',
    ]);
    expect(splitSentences('I like P.D. James most. Not all.')).toEqual(['I like P.D. James most.', 'Not all.']);
    expect(splitSentences('The ferry is late :) We wait. it rained 😂 so what')).toEqual([
      'The ferry is late :)',
      'We wait.',
      'it rained 😂 so what',
    ]);
    expect(
      splitSentences('We live in Ahornstr. 3, Apt. B4. Tel. 0151 222 is new. We crossed the str. Then it rained.'),
    ).toEqual(['We live in Ahornstr. 3, Apt. B4.', 'Tel. 0151 222 is new.', 'We crossed the str.', 'Then it rained.']);
    expect(
      splitSentences('I run Crumb & Co. We open at 7 a.m. The shop is in Leeds. Acme Inc. Leeds is ours, too.'),
    ).toEqual(['I run Crumb & Co.', 'We open at 7 a.m.', 'The shop is in Leeds.', 'Acme Inc. Leeds is ours, too.']);
    expect(splitSentences('I <3 my bike, and I ❤️ it')).toEqual(['I <3 my bike, and I ❤️ it']);
    expect(splitSentences('  ')).toEqual([]);
    expect(splitSentences('これは本です。はい。')).toEqual(['これは本です。', 'はい。']);
  });

  it('leaves a quotation whole, with the words around it', () => {
    const whole = [
      'He wrote: "The shop is closed. Come back on Monday!"',
      '“What is it? Who is there?” she asked.',
      '«La porte est fermée. Il faut sonner.» est sur la porte.',
      '‘Don’t wait. It is late,’ she said.',
      "The note says, 'Bring water. It is hot.'",
      'I saw "Never Say Never Again."',
    ];
    expect(splitSentences(whole.join(' '))).toEqual(whole);
    expect(splitSentences('A 6" pan. A 8" pot. "The Wire" is on. So is "Yes, Minister."')).toEqual([
      'A 6" pan.',
      'A 8" pot.',
      '"The Wire" is on.',
      'So is "Yes, Minister."',
    ]);
    expect(splitSentences('She said "we leave. He went on. I say "no way, I stay here." Fine.')).toHaveLength(4);
  });

  it('reads a row of faces of any length, and finds the sentence behind it', () => {
    const row = '🎉'.repeat(300);
    expect(splitSentences(`The boat is in ${row} and we wait`)).toEqual([`The boat is in ${row} and we wait`]);
    expect(splitSentences(`The boat is in ${row} We wait`)).toEqual([`The boat is in ${row}`, 'We wait']);
    const apart = '🎉 '.repeat(300);
    expect(splitSentences(`The boat is in ${apart}We wait`)).toEqual([`The boat is in ${apart.trim()}`, 'We wait']);
    expect(splitSentences(`The boat is in ${apart}and we wait`)).toHaveLength(1);
  });
});
