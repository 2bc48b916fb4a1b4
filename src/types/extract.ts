// From transcripts to memories.

export interface ExtractOptions {
  /** Path, session id, or several; default: every transcript that this extractor has not seen. */
  readonly from?: string | readonly string[];
  readonly dryRun?: boolean;
  readonly onProgress?: (progress: { done: number; total: number }) => void;
  readonly signal?: AbortSignal;
}

export interface ExtractResult {
  readonly extractor: string;
  readonly transcripts: readonly {
    readonly path: string;
    readonly commit: string | null;
    readonly created: readonly {
      readonly id: string;
      readonly path: string;
      readonly category?: string;
      readonly content: string;
    }[];
    readonly updated: readonly string[];
    readonly skipped: readonly { readonly content: string; readonly why: string }[];
    /** Paths of the memory boxes that changed. */
    readonly boxes: readonly string[];
  }[];
}
