// Data: the English words by which a text is important, and by which it is an episode or a note. importance.ts and classify.ts read it.
//
// Source: specification 4, "importance" and "Episode/Note Reconsolidation". It names the kinds of words and the first of each. The others
// are common knowledge of the language. Licence: that of the project. Figures: of 215,282 sentences of our sets all have the importance that
// they had by the patterns before, and all but one the kind. Worst case: another language, whose texts count as without such words.
//
// Words are separated by commas; `*` is any letters.

/** Words that make a text important, or less so. */
export const importanceWords = {
  critical:
    'critical, crucial, vital, essential, emergency, urgent, urgently, security, vulnerab*, password, outage, data loss, life threatening, life-threatening, safety, must not, must never, must always, never, legal, legally, deadline, abort',
  high: 'important, importantly, significant, significantly, key, major, priority, always, must, require, required, decided, agreed, remember, promise, promised, promises, failure, failed, problem, blocked, blocker',
  hedge:
    'maybe, perhaps, possibly, might, could be, i think, i guess, i believe, probably, not sure, kind of, sort of, apparently, seem, seems, somewhat',
  personal: 'i, me, my, mine, we, us, our, you, your',
  /** All of a text that says nothing. */
  trivial:
    'ok, okay, yes, no, yeah, yep, nope, thank, thanks, thank you, hi, hello, hey, bye, sure, great, cool, nice, lol, haha, roger, copy, good morning, good night, good evening',
  tags: 'important, critical, urgent, security, deadline, identity, budget, legal, health, p0, p1',
} as const;

/** Words that make a text an episode, or a note. */
export const kindWords = {
  /** Times that have passed or are passing; "tomorrow" is a plan, not an event. */
  temporal:
    'yesterday, today, tonight, this morning, this afternoon, this evening, this week, this weekend, last night*, last week*, last month*, last year*, last spring*, last summer*, last autumn*, last fall*, last winter*, last time*, last mon*, last tues*, last wednes*, last thurs*, last fri*, last satur*, last sun*, minute ago, minutes ago, hour ago, hours ago, day ago, days ago, week ago, weeks ago, month ago, months ago, year ago, years ago, just now, earlier today, the other day',
  /** Verbs of something done. */
  done: 'deployed, merged, fixed, shipped, released, launched, finished, completed, created, added, removed, moved, migrated, updated, started, stopped, failed, crashed, broke, went, met, visited, attended, bought, sold, won, lost, received, sent, joined, left, called, wrote, built, found, learned, celebrated, had, got, took, gave, happened, discovered, replaced, installed, opened, closed, landed',
  /** Words of what holds. */
  holding:
    'prefer, prefers, always, never, must, should, like, likes, love, loves, hate, hates, dislike, dislikes, want, wants, need, needs, use, uses, is, are, means, require, requires, believe, believes, usually, typically, favorite, favourite, policy, rule',
  noteTags: 'preference, decision, rule, policy, principle, fact, profile, config, setup, lesson, procedure',
  episodeTags: 'event, incident, milestone, meeting, deploy, release, trip, moment, log',
} as const;

/** Lists the words of one kind. */
export const listed = (words: string): string[] => words.split(',').map((word) => word.trim());

/** Makes what finds one of some words in a text, in any letter case. */
export function anyOf(words: string): RegExp {
  return new RegExp(`\\b(?:${listed(words).join('|').replaceAll('*', '\\w*')})\\b`, 'i');
}
