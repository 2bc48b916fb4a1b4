// The graph of a project's log, the page of what matters now, and its tasks.

import type { Redaction } from './basics-types.ts';
import type { ChangelogEvent } from './changelog-types.ts';
import type { IntegrityProblem } from './ledger-types.ts';

/** How a derived file stands to the log: made of its last event, of an earlier one, or not there. */
export type LayerState = 'fresh' | 'stale' | 'missing';

export interface ProjectNode {
  readonly name: string;
  readonly type: 'component' | 'task' | 'dependency' | 'decision' | 'document' | 'milestone';
  readonly status: 'active' | 'blocked' | 'completed' | 'deprecated' | 'planned';
  /** The event that brought it, and the last one that changed it. */
  readonly created: string;
  readonly last: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface ProjectEdge {
  readonly from: string;
  readonly to: string;
  readonly relation:
    | 'depends_on'
    | 'blocks'
    | 'implements'
    | 'tests'
    | 'documents'
    | 'contains'
    | 'precedes'
    | 'related_to';
  readonly created: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The graph as the log says it, whatever is in the files. */
export interface GraphResult {
  /** The last event; null for an empty log. */
  readonly horizon: string | null;
  readonly nodes: readonly ProjectNode[];
  readonly edges: readonly ProjectEdge[];
  /** The graph as markdown, `.memory/graph.md`. */
  readonly text: string;
  /** How the files stand to the log. */
  readonly graph: LayerState;
  readonly context: LayerState;
  /** What is wrong with the derived files and TODO.md, by line. */
  readonly problems: readonly IntegrityProblem[];
}

/** One layer of what an agent reads before it begins. */
export interface BootLayer {
  /** From 0, what holds always, to 3, what matters now. */
  readonly layer: 0 | 2 | 3;
  readonly path: string;
  /** Of AGENTS.md, which follows from nothing: `fresh` or `missing`. */
  readonly state: LayerState;
  /** Up to date, also where the file is not; null where there is none. */
  readonly text: string | null;
}

/** All an agent reads before it begins. */
export interface BootResult {
  readonly horizon: string | null;
  /** AGENTS.md, the context, the graph. */
  readonly layers: readonly BootLayer[];
  /** The layers as one text, with what is stale or missing said in it. */
  readonly text: string;
  /** Files that are shown as somebody edited them in the work tree, and no commit has yet; absent where there are none. */
  readonly edited?: readonly string[];
}

/** One item of TODO.md. */
export interface TodoTask {
  readonly section: TodoSection;
  /** Its words, without box, day and events. */
  readonly task: string;
  /** The day on which it was completed. */
  readonly completed?: string;
  /** Events that it names. */
  readonly events: readonly string[];
  /** Tasks that have to be done before, as `(after: A, B)` says, and are not yet. */
  readonly waitsFor: readonly string[];
  /** 1-based. */
  readonly line: number;
}

export interface TodoResult {
  readonly path: string;
  /** In the order of the file. */
  readonly tasks: readonly TodoTask[];
  readonly problems: readonly IntegrityProblem[];
}

/** What to do with a task of TODO.md; a task is named by its words, or a part of them that no other has. */
export type TodoChange =
  | { readonly add: string /** Default Backlog. */; readonly to?: TodoSection }
  | { readonly move: string; readonly to: TodoSection }
  | {
      readonly complete: string;
      /** The event that tells of it; without one it is recorded, in the same commit. */
      readonly event?: string;
    };

export interface TodoChangeResult {
  readonly path: string;
  /** It is durable, and joins the next commit. */
  readonly pending: boolean;
  /** The event that was recorded for a task that is completed. */
  readonly event?: string;
  readonly task: TodoTask;
}

/** How many files a project has: with AGENTS.md, the log alone, the context too, or tasks and graph as well. */
export type ProjectTier = 2 | 3 | 5;

export interface DeployResult {
  /** Files that were made; they wait for the next commit. */
  readonly written: readonly string[];
  /** Files that were there and stay as they are. */
  readonly kept: readonly string[];
  readonly pending: boolean;
}

export interface ShutdownResult {
  /** The events that were given, as they are in the changelog. */
  readonly events: readonly ChangelogEvent[];
  /** Null when nothing changed, and while git's index is busy: the journal has it. */
  readonly commit: string | null;
  /** The last event: graph and context know it. */
  readonly horizon: string | null;
  readonly redacted?: readonly Redaction[];
}

/** The sections of TODO.md, in the order of the file (spec 2). */
export const todoSections = ['In Progress', 'Up Next', 'Completed', 'Backlog'] as const;

export type TodoSection = (typeof todoSections)[number];
