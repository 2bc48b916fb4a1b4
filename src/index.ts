// The public names of the library, one by one.

export { ephemeralFileSystem } from './adapters/ephemeral.ts';
export type { FunctionEmbedderOptions } from './adapters/function-embedder.ts';
export { functionEmbedder } from './adapters/function-embedder.ts';
export type { HostedEmbedderOptions, HostedModel } from './adapters/hosted-embedder.ts';
export { hostedEmbedder } from './adapters/hosted-embedder.ts';
export type { LanguageModelOptions } from './adapters/language-model.ts';
export { languageModel } from './adapters/language-model.ts';
export type { ProviderOptions, SdkModel } from './adapters/model-provider.ts';
export { nodeFileSystem, systemClock } from './adapters/node.ts';
export type { RunOptions } from './adapters/running-model.ts';
export { tableEmbedder } from './adapters/table-embedder.ts';
export type { TransformersOptions } from './adapters/transformers.ts';
export { transformersEmbedder } from './adapters/transformers.ts';
export type { ErrorCode, ErrorDetails } from './base/errors.ts';
export { errorCodes, MemoryError } from './base/errors.ts';
export type {
  Clock,
  Credential,
  Embedder,
  EmbedderSource,
  EmbeddingKind,
  EmbedOptions,
  FileSystem,
  HttpAnswer,
  HttpClient,
  HttpRequest,
  IdSource,
  KeyStore,
  Logger,
  Network,
  Processes,
  ProcessIdentity,
  Programs,
  RunningProgram,
  ShapedAnswer,
  ShapedRequest,
  SpokenText,
  TextModel,
  TextRequest,
  TokenUsage,
  TurnScorer,
  TurnScorerSource,
  WordVectors,
} from './base/ports.ts';
export type { ChangelogDetail, ChangelogEvent, ChangelogEventType, ChangeWords } from './base/types/changelog-types.ts';
export type { EventType, EventWords, LedgerEvent, Priority } from './base/types/ledger-types.ts';
export type {
  MemoryCategory,
  MemoryRecord,
  RelationRecord,
  SourceReference,
  Transcript,
  Turn,
} from './base/types/stored-types.ts';
/** All shapes that verbs take and give, by name: `Shapes.NightlyResult`. */
export type * as Shapes from './base/types.ts';
export type {
  CaptureInput,
  ContextOptions,
  ContextResult,
  Placement,
  RecallHit,
  RecallOptions,
  RecallResult,
  RememberInput,
  SessionOptions,
} from './base/types.ts';
export type { CaptureFormat } from './core/capture/input.ts';
export type { CaptureTextOptions } from './core/capture/recorder.ts';
export type { MessageOptions, RecordedMessage, SessionEnd } from './core/capture/session.ts';
export { Session } from './core/capture/session.ts';
export type { SignalLevel } from './core/capture/signals.ts';
export type { ExtractionTrigger } from './core/capture/smart-buffer.ts';
export type {
  ExtractedItem,
  Extraction,
  ExtractionContext,
  Extractor,
  ItemPriority,
  KnownAsked,
  TrustLevel,
} from './core/extract/extractor.ts';
export type { OwnExtractors } from './core/extract/extractors.ts';
export type { ScheduleLines, Scheduler } from './core/maintain/schedule-lines.ts';
export type { DoctorOptions, DoctorReport, Finding, FindingCode, Severity } from './features/doctor/index.ts';
export type { SourceText } from './features/import/index.ts';
export type { InstalledHooks, StagedReport } from './features/repository/index.ts';
export type { DoctorInput } from './memory/doctor-questions.ts';
export { doctor } from './memory/doctor-questions.ts';
export type { Memory, MemoryPart, OpenOptions } from './memory/open-memory.ts';
export { openMemory } from './memory/open-memory.ts';
export type { View } from './memory/view.ts';
export { type MergeDriverOptions, memoryMergeDriver } from './store/git/memory-merge-driver.ts';
export type { InitialConfiguration } from './store/records/configuration-text.ts';
export type { ScopeInput } from './store/scope.ts';
