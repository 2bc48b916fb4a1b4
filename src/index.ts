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
export type { TransformersOptions } from './adapters/transformers.ts';
export { transformersEmbedder } from './adapters/transformers.ts';
export type { CaptureTextOptions, SessionOptions } from './capture/recorder.ts';
export type { SessionEnd } from './capture/session.ts';
export { Session } from './capture/session.ts';
export type { DoctorInput } from './doctor.ts';
export { doctor } from './doctor.ts';
export type { ErrorCode, ErrorDetails } from './errors.ts';
export { errorCodes, MemoryError } from './errors.ts';
export type { ExtractedItem, ExtractionContext, Extractor, ItemPriority } from './extract/extractor.ts';
export type { OpenOptions } from './memory.ts';
export { Memory, openMemory } from './memory.ts';
export type { ExperimentOptions } from './operations/experiment/run.ts';
export type { SourceText } from './operations/import/source.ts';
export type {
  Clock,
  Embedder,
  EmbedderSource,
  EmbeddingKind,
  EmbedOptions,
  FileSystem,
  IdSource,
  Logger,
  Processes,
  ProcessIdentity,
  ShapedAnswer,
  ShapedRequest,
  TextModel,
  TextRequest,
  TokenUsage,
} from './ports.ts';
export type { EventType, LedgerEvent, Priority } from './records/ledger-event.ts';
export type { MemoryCategory, MemoryRecord, SourceReference, Transcript, Turn } from './records/types.ts';
export type {
  ActiveTopic,
  AdoptResult,
  Attachment,
  BisectOptions,
  BisectResult,
  BisectStep,
  BranchComparison,
  BranchEntry,
  BundleResult,
  CaptureInput,
  CaptureMessage,
  CaptureResult,
  CommitResult,
  ComparedMeasure,
  ComparedMemory,
  ComparedSide,
  CompareOptions,
  CompareResult,
  ConfigurationEntry,
  ConfigurationResult,
  ConsideredTopic,
  ConsolidateMemoriesOptions,
  ConsolidateResult,
  ConversationForm,
  ConversationTurn,
  Correction,
  DiffFile,
  DiffOptions,
  DiffResult,
  DropExperimentResult,
  DropResult,
  DueOptions,
  DueResult,
  EventFilter,
  EventInput,
  EventResult,
  EventsResult,
  ExperimentListResult,
  ExperimentRunOptions,
  ExperimentRunResult,
  ExperimentState,
  ExpireResult,
  ExportOptions,
  ExportResult,
  ExtractionCost,
  ExtractOptions,
  ExtractResult,
  GistOptions,
  GistResult,
  ImportForm,
  ImportNote,
  ImportOptions,
  ImportResult,
  IntegrityCheck,
  IntegrityProblem,
  IntegrityResult,
  LearnedEntry,
  LearnedOptions,
  LearnedResult,
  ListedEvent,
  ListFilter,
  ListResult,
  LogEntry,
  LogFilter,
  LogResult,
  LoopsResult,
  MaintainOptions,
  MaintainResult,
  MergeOptions,
  MergeResult,
  ModelReport,
  NoteInput,
  NoteResult,
  PackOptions,
  PackResult,
  PassOptions,
  PassResult,
  Placement,
  Probe,
  ProbesOptions,
  PromoteOptions,
  PromoteResult,
  ProvenanceResult,
  RecallHit,
  RecallOptions,
  RecallResult,
  RecordForm,
  ReindexOptions,
  ReindexResult,
  RelateOptions,
  RelationsResult,
  RememberInput,
  RememberResult,
  ResolveResult,
  SchemaOptions,
  SchemaResult,
  Significance,
  SnapshotResult,
  SplitCandidates,
  SplitOptions,
  SplitPartInput,
  SplitResult,
  StatusResult,
  TimeInput,
  TopicActivation,
  TopicEvent,
  TopicPriority,
  TopicProblem,
  TopicsOptions,
  TopicsResult,
  TouchAllResult,
  TouchOptions,
  UndoOptions,
  UndoResult,
  UndoTarget,
  WriteResult,
} from './types.ts';
export { View } from './view.ts';
