// An index of one view, and ONE order of its hits. Nothing here is a source of truth: what is derived is keyed by a tree and can go.
//
// Needs: base, language, store.
// Start reading: search-index.ts, then rank.ts.

export { type AskedTime, askedTimeOf } from './asked-time.ts';
export { endingOf, endingsOf, endingsOfLines, namedLines, namesClaims } from './claim-endings.ts';
export { isProbablyNothing } from './confidence.ts';
export { Corpus } from './corpus.ts';
export { headingOf } from './documents.ts';
export type { CorpusFile } from './file-table.ts';
export type { HiddenDocuments } from './filter.ts';
export type { Follower, FollowingOptions } from './followers.ts';
export { type Ended, hasCome, type JudgedHit } from './judged-hit.ts';
export type { Layout } from './layout.ts';
export type { LexicalEntry, LexicalIndex } from './lexical-index.ts';
export { type Member, orderByTime } from './order-by-time.ts';
export {
  buildPostings,
  type DocumentTerms,
  editsAllowed,
  findTerm,
  letterMark,
  minPrefixLength,
  type Postings,
  termsLike,
} from './postings.ts';
export { parseQuery } from './query.ts';
export { hitOf } from './rank.ts';
export { rankingSettings } from './ranking-settings.ts';
export { checkOptions, maxLimit, type RankedHit, type RecallOptions } from './recall-options.ts';
export type { SearchDocument } from './search-document.ts';
export { SearchIndex } from './search-index.ts';
export { SegmentCache } from './segment-cache.ts';
export { snippetOf } from './snippet.ts';
export { type IsPrivate, likenessIn, type SemanticAnswer, SemanticIndex } from './vectors/semantic-index.ts';
export { forgetReplaced, type VectorCachePlace } from './vectors/vector-cache.ts';
export { VectorTable } from './vectors/vector-table.ts';
export { type Claim, type Claims, endsSometime } from './view-claims.ts';
