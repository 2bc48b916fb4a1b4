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
export type { CaptureFormat } from './capture/input.ts';
export type { CaptureTextOptions } from './capture/recorder.ts';
export type { MessageOptions, RecordedMessage, SessionEnd } from './capture/session.ts';
export { Session } from './capture/session.ts';
export type { SignalLevel } from './capture/signals.ts';
export type { ExtractionTrigger } from './capture/smart-buffer.ts';
export type { DoctorOptions, DoctorReport } from './doctor/doctor.ts';
export type { Finding, FindingCode, Severity } from './doctor/finding.ts';
export type { ErrorCode, ErrorDetails } from './errors.ts';
export { errorCodes, MemoryError } from './errors.ts';
export type {
  ExtractedItem,
  Extraction,
  ExtractionContext,
  Extractor,
  ItemPriority,
  TrustLevel,
} from './extract/extractor.ts';
export type { OwnExtractors } from './extract/extractors.ts';
export { type MergeDriverOptions, memoryMergeDriver } from './git/memory-merge-driver.ts';
export type { SourceText } from './import/source.ts';
export type { ScheduleLines, Scheduler } from './maintain/schedule-lines.ts';
export type { DoctorInput } from './memory/doctor.ts';
export { doctor } from './memory/doctor.ts';
export type { Memory, MemoryPart, OpenOptions } from './memory/open-memory.ts';
export { openMemory } from './memory/open-memory.ts';
export type { View } from './memory/view.ts';
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
} from './ports.ts';
export type { InitialConfiguration } from './records/configuration-text.ts';
export type { StagedReport } from './repository/check-staged.ts';
export type { InstalledHooks } from './repository/install-hooks.ts';
export type { ScopeInput } from './store/scope.ts';
export type { ChangelogDetail, ChangelogEvent, ChangelogEventType, ChangeWords } from './types/changelog.ts';
export type { EventType, EventWords, LedgerEvent, Priority } from './types/ledger.ts';
export type {
  MemoryCategory,
  MemoryRecord,
  RelationRecord,
  SourceReference,
  Transcript,
  Turn,
} from './types/stored.ts';
/** All shapes that verbs take and give, by name: `Shapes.NightlyResult`. */
export type * as Shapes from './types.ts';
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
} from './types.ts';
