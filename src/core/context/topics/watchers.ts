// Triggers of topics as functions that look at a text (spec 5 §4.2). Each says what it saw, and how much that counts.

import type { Cron } from 'croner';
import { MemoryError } from '../../../base/errors.ts';
import { oneLine } from '../../../base/text.ts';
import { globPattern } from '../../../store/guard/glob.ts';
import {
  type PatternMatch,
  ScannedText,
  type ScanPattern,
  StepBudget,
  scanPattern,
} from '../../../store/guard/pattern-automaton.ts';
import type { TopicFile, Trigger } from '../../../store/records/topic-file.ts';
import { languageNamed } from './detect/code.ts';
import { languageCode } from './detect/language.ts';
import { isHost } from './detect/references.ts';
import { plainWords, type Reading } from './reading.ts';
import { type Likeness, likenessTo, profileOf } from './similarity.ts';

/** What a watcher saw. */
export interface Sighting {
  /** How much it counts as evidence, 0 to 1. */
  readonly weight: number;
  /** Such as `pattern "email|inbox" found "Inbox"`. */
  readonly reason: string;
}

/** How a topic as a whole is like the text, which triggers of likeness go by. */
export interface Looking {
  readonly likeness: Likeness;
  /** Of `watchers.similarity_threshold`. */
  readonly threshold: number;
}

interface Common {
  readonly trigger: Trigger;
  /** 1: patterns, 2: likeness and feeling. */
  readonly tier: 1 | 2;
}

/** A trigger that looks at texts; `costly` where a pattern was given up. */
export interface TextWatcher extends Common {
  readonly kind: 'text';
  readonly scope: 'input' | 'output' | 'both';
  readonly hint: string | null;
  look(reading: Reading, looking: Looking): Sighting | null | 'costly';
}

export interface WebhookWatcher extends Common {
  readonly kind: 'webhook';
  readonly source: string;
  readonly event: string | null;
}

export interface CronWatcher extends Common {
  readonly kind: 'cron';
  readonly schedule: string;
  /** Tells whether the schedule names a moment after `since` and up to `until`, in milliseconds, in a time zone. */
  isDue(since: number, until: number, timeZone: string): boolean;
}

export type Watcher = TextWatcher | WebhookWatcher | CronWatcher;

/** How much each kind of evidence counts; two kinds count more than one, see activate.ts. */
const weights = {
  pattern: 0.5,
  glob: 0.6,
  keyword: 0.4,
  furtherKeyword: 0.1,
  mostKeywords: 0.7,
  code: 0.4,
  language: 0.4,
  mention: 0.5,
  url: 0.6,
  shift: 0.4,
  sentiment: 0.4,
  likenessFactor: 2,
  mostLikeness: 0.9,
} as const;
/** Of a webhook or a schedule, which are exact. */
export const eventWeight = 0.9;

const shown = (text: string): string => JSON.stringify(oneLine(text, 60));

type Look = TextWatcher['look'];

/**
 * Makes the watcher of a trigger. `schedules` is the library of schedules, loaded where a topic has one.
 *
 * @throws MemoryError INVALID_ARGUMENT or TOO_LARGE for a pattern, glob or schedule that cannot be read.
 */
export function watcherOf(trigger: Trigger, topic: TopicFile, schedules: typeof Cron | null): Watcher {
  const where = topic.path;
  const tier = trigger.type === 'similarity' || trigger.type === 'sentiment' ? 2 : 1;
  if (trigger.type === 'webhook')
    return { kind: 'webhook', trigger, tier, source: trigger.source, event: trigger.event ?? null };
  if (trigger.type === 'cron') {
    const { schedule } = trigger;
    return { kind: 'cron', trigger, tier, schedule, isDue: scheduleOf(schedule, schedules!, where) };
  }
  const { scope, correction_hint: hint } = trigger;
  return { kind: 'text', trigger, tier, scope, hint: hint ?? null, look: lookOf(trigger, where) };
}

function lookOf(trigger: Exclude<Trigger, { type: 'webhook' | 'cron' }>, where: string): Look {
  switch (trigger.type) {
    case 'pattern':
      return lookForPattern(scanPattern(trigger.match, where));
    case 'glob':
      return lookForFiles(trigger.match, where);
    case 'keywords':
      return lookForWords(trigger.words);
    case 'code':
      return lookForCode(trigger.languages?.map(languageNamed));
    case 'language': {
      const languages = trigger.languages.map(languageCode);
      return (reading) => {
        const language = reading.language();
        const isMeant = language !== null && languages.includes(language);
        return isMeant ? { weight: weights.language, reason: `it is written in ${language}` } : null;
      };
    }
    case 'mention':
      return lookForNames(trigger.names);
    case 'url':
      return lookForLinks(trigger.hosts, trigger.match, where);
    case 'sentiment_shift':
      return ({ shift }) =>
        shift() === null ? null : { weight: weights.shift, reason: `the mood turned: ${shift()}` };
    case 'similarity':
      return lookForLikeness(trigger);
    case 'sentiment': {
      const { below = -2, above = 2 } = trigger;
      return (reading) => {
        const sentiment = reading.sentiment();
        const reason = `its sentiment is ${sentiment.toFixed(2)}`;
        return sentiment <= below || sentiment >= above ? { weight: weights.sentiment, reason } : null;
      };
    }
  }
}

function lookForPattern(pattern: ScanPattern): Look {
  return ({ scanned, budget }) => {
    const found = pattern.find(scanned, budget);
    if (found === null || found === 'costly') return found;
    return {
      weight: weights.pattern,
      reason: `the pattern ${shown(pattern.source)} found ${shown(scanned.at(found))}`,
    };
  };
}

function lookForFiles(globs: readonly string[], where: string): Look {
  const patterns = globs.map((glob) => ({ glob, pattern: scanPattern(globPattern(glob, where), where) }));
  return ({ paths, budget }) => {
    for (const path of paths()) {
      const text = new ScannedText(path);
      for (const { glob, pattern } of patterns) {
        const own = new StepBudget(text);
        const found = pattern.find(text, own);
        budget.left -= own.used;
        if (budget.left < 0) return 'costly';
        if (isObject(found)) return { weight: weights.glob, reason: `the glob ${shown(glob)} fits ${shown(path)}` };
      }
    }
    return null;
  };
}

/** Makes the look for words and phrases, whole ones and in any letter case. */
export function lookForWords(words: readonly string[]): Look {
  const phrases = words.flatMap((word) => {
    const parts = plainWords(word.toLowerCase());
    return parts.length === 0 ? [] : [{ word, first: parts[0]!, phrase: ` ${parts.join(' ')} ` }];
  });
  return (reading) => {
    const said = reading.words();
    const found = phrases.filter(({ first, phrase }) => said.each.has(first) && said.line.includes(phrase));
    if (found.length === 0) return null;
    const weight = Math.min(weights.mostKeywords, weights.keyword + weights.furtherKeyword * (found.length - 1));
    const named = found.slice(0, 5).map(({ word }) => shown(word));
    return { weight, reason: `it says ${named.join(', ')}` };
  };
}

function lookForCode(languages: readonly string[] | undefined): Look {
  return ({ code }) => {
    const found = languages === undefined ? [...code()] : languages.filter((language) => code().has(language));
    return found.length === 0 ? null : { weight: weights.code, reason: `it has code in it: ${found.join(', ')}` };
  };
}

/** `@name` asks for a mention with the sign; a name with a capital is one, `will` without is a word. */
function lookForNames(names: readonly string[]): Look {
  const handles = names.map((name) => ({ name, handle: name.replace(/^@/, '').toLowerCase() }));
  const plain = names
    .filter((name) => !name.startsWith('@'))
    .map((name) => ({ name, phrase: ` ${(name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(' ')} ` }))
    .filter(({ phrase }) => phrase.trim() !== '');
  return (reading) => {
    const found =
      handles.find(({ handle }) => reading.handles().has(handle)) ??
      plain.find(({ phrase }) => reading.names().includes(phrase));
    return found === undefined ? null : { weight: weights.mention, reason: `it names ${shown(found.name)}` };
  };
}

function lookForLinks(hosts: readonly string[] | undefined, globs: readonly string[] | undefined, where: string): Look {
  const paths = globs?.map((glob) => scanPattern(globPattern(glob, where), where));
  return ({ urls, budget }) => {
    for (const { host, path } of urls()) {
      if (hosts !== undefined && !hosts.some((named) => isHost(host, named))) continue;
      if (paths !== undefined) {
        const text = new ScannedText(path);
        const own = new StepBudget(text);
        const isFitting = paths.some((pattern) => isObject(pattern.find(text, own)));
        budget.left -= own.used;
        if (budget.left < 0) return 'costly';
        if (!isFitting) continue;
      }
      return { weight: weights.url, reason: `it links to ${shown(`${host}/${path}`)}` };
    }
    return null;
  };
}

const isObject = (found: PatternMatch | null | 'costly'): found is PatternMatch =>
  typeof found === 'object' && found !== null;

function lookForLikeness({ algorithm, threshold: own, examples }: Extract<Trigger, { type: 'similarity' }>): Look {
  const index = examples === undefined ? null : likenessTo(examples.map(profileOf));
  return (reading, { likeness, threshold }) => {
    const score = index === null ? likeness[algorithm] : Math.max(0, ...index(reading).map((one) => one[algorithm]));
    if (score === 0 || score < (own ?? threshold)) return null;
    return {
      weight: Math.min(weights.mostLikeness, weights.likenessFactor * score),
      reason: `it is like ${examples === undefined ? 'the topic' : 'an example'} (${algorithm} ${score.toFixed(2)})`,
    };
  };
}

function scheduleOf(schedule: string, schedules: typeof Cron, where: string): CronWatcher['isDue'] {
  // Five fields, as crontab has them; one with seconds would name sixty moments of a minute.
  const make = (timezone: string): Cron => new schedules(schedule, { timezone, paused: true, mode: '5-part' });
  try {
    make('UTC');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.replace(/^CronPattern: /, '') : String(cause);
    throw new MemoryError('INVALID_ARGUMENT', `the schedule ${shown(schedule)} cannot be read: ${oneLine(why, 120)}`, {
      where,
      hint: 'Write five fields, such as "0 8 * * *": minute, hour, day of the month, month, day of the week',
    });
  }
  const minute = 60_000;
  return (since, until, timeZone) => {
    const job = make(timeZone);
    // One minute is asked about directly: the next moment of a schedule that names none is looked for over years.
    if (until - since <= minute) return job.match(new Date(Math.floor(until / minute) * minute));
    const next = job.nextRun(new Date(since));
    return next !== null && next.getTime() <= until;
  };
}

/** How much two and more pieces of evidence say together, each taken as independent: 1 − ∏ (1 − weight). */
export const together = (sightings: readonly Sighting[]): number =>
  1 - sightings.reduce((rest, { weight }) => rest * (1 - weight), 1);
