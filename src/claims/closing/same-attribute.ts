// The attribute that two frames give another value to, for the same person.

import type { Attribute, Mention } from '../attributes.ts';
import type { Frame } from '../reading/frames.ts';
import type { Reading } from '../reading.ts';
import { content, type Pair } from './pair.ts';
import { isSamePerson } from './subjects.ts';

const stop =
  /[,;:!?()]|(?<!\b(?:St|Dr|Mr|Mrs|Ms|Prof|Mt))\.(?=\s|$)|\b(?:and|but|so|because|since|from|until|with|for|as|now|again|these|instead|at least|where|which|who|by|(?:in|on|at) (?:the|a|my))\b|\b\d/i;

/** The words behind or before a form that give its value. */
function valueAt(mention: Mention, frame: Frame): string {
  const { attribute, start, end } = mention;
  const place = attribute.value;
  if (place === 'after') {
    const rest = frame.text
      .slice(end)
      .replace(/^[^\p{Alpha}\d]+/u, '')
      .replace(/^(?:(?:the|a|an|my|our|their|this|some|someone|somebody)\b,? ?)+/i, '')
      // "14 Alder Road".
      .replace(/^\d{1,4}\p{Lower}? (?=\p{Upper})/u, '');
    return rest.slice(0, stop.exec(rest)?.index ?? rest.length).trim();
  }
  if (place === 'before') {
    const lead = frame.text.slice(0, start).trim();
    return /((?:\p{Upper}[\p{Alpha}.'’-]*\s?)+)[\s(]*$/u.exec(lead)?.[1]?.trim() ?? '';
  }
  if ('type' in place) return frame.values.find(({ type }) => type === place.type)?.key ?? '';
  return place.words.find((word) => new RegExp(`\\b${word}\\b`, 'i').test(frame.text)) ?? '';
}

const isName = (text: string): boolean => /^\p{Upper}| \p{Upper}/u.test(text);

/**
 * Names the attribute that a sentence gives a value to: `residence`, `diet`, `editor`; undefined where it gives none, or says several things.
 * What a person can have two of at a time is left out.
 */
export function attributeNamed({ frames }: Reading): string | undefined {
  for (const frame of frames) {
    if (frame.mode !== 'stated' || frame.cues.has('negated')) continue;
    for (const mention of frame.mentions) {
      const { name, isNamed, isShared } = mention.attribute;
      const value = isShared === true ? '' : valueAt(mention, frame);
      if (value !== '' && (isNamed !== true || isName(value))) return name;
    }
    if (frame.tools.length === 1) return frame.tools[0]!.kind;
  }
  return undefined;
}

/** Finds the attribute that the two give different values to, for the same person. */
export function attributeOf(pair: Pair): Attribute | undefined {
  const { earlier, later, e, l } = pair;
  if (
    e.values.length === 0 || l.values.length === 0
      ? !e.mentions.some(({ attribute: { name } }) => l.mentions.some((other) => other.attribute.name === name))
      : false
  )
    return undefined;
  // A landlord's letter tells what the amount in the next sentence is.
  const spoken = (frame: Frame, reading: Reading): Mention[] => [
    ...frame.mentions,
    ...[...reading.frames, ...reading.around].flatMap(({ mentions }) =>
      mentions.filter(({ attribute }) => typeof attribute.value === 'object' && 'type' in attribute.value),
    ),
  ];
  const others = spoken(l, later);
  for (const mine of spoken(e, earlier)) {
    for (const theirs of others) {
      if (mine.attribute.name !== theirs.attribute.name || !isSamePerson(pair, theirs.attribute)) continue;
      const [mineText, theirText] = [valueAt(mine, e), valueAt(theirs, l)];
      if (
        [mine, theirs].some(
          ({ attribute }, at) => attribute.isNamed === true && !isName(at === 0 ? mineText : theirText),
        )
      )
        continue;
      const [one, other] = [content(mineText), content(theirText)];
      if (one.size === 0 || other.size === 0) continue;
      if (
        [...one].some((word) => other.has(word) && !/^(?:the|at|in|of|and)$/.test(word)) &&
        mine.attribute.name !== 'job'
      )
        continue;
      if ([...one].every((word) => other.has(word)) || [...other].every((word) => one.has(word))) continue;
      return theirs.attribute;
    }
  }
  return undefined;
}
