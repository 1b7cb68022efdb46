/** The text or the bytes of a file in any form that `rankbox` reads: TREC, JSON, CSV, compressed or not. Not the name of a file. */
export type FileContent = string | Uint8Array | ArrayBuffer;

/**
 * Grades by query and document. JavaScript puts keys that are whole numbers first, in ascending order: use a Map or the text of a
 * file if the order of queries or of equal scores counts.
 */
export type Qrels = FileContent | Table;

/** Scores by query and document. Its order is that of the scores; equal ones are ordered by document id, descending. */
export type Run = FileContent | Table;

export type Table = Record<string, Record<string, number>> | Map<string, Map<string, number> | Record<string, number>>;

/** Runs under their names. */
export type Runs = Record<string, Run> | Map<string, Run>;

/** Notations as `nDCG@10`, `AP`, `P(rel=2)@5`: in a list, or in one string with spaces. */
export type Measures = string | readonly string[];

export interface EvaluateOptions {
  /** Conventions of the measures, as `missing=skip,ties=input`. */
  policy?: string;
}

/** One run, measured: what `rankbox eval -q -o json` prints. */
export interface Evaluation {
  /** The mean over the judged queries, or the sum of what is counted. */
  measures: Record<string, number>;
  /** Values by query and measure. */
  queries: Record<string, Record<string, number>>;
  /** Doubts about the files. */
  warnings: string[];
}

/** Measures a run, or each of several. */
export function evaluate(qrels: Qrels, run: Run, measures: Measures, options?: EvaluateOptions): Promise<Evaluation>;
export function evaluate(
  qrels: Qrels,
  runs: Runs,
  measures: Measures,
  options?: EvaluateOptions,
): Promise<Record<string, Evaluation>>;

export interface CompareOptions extends EvaluateOptions {
  /** The run that the others are held against: its name, or its place from 0. The first if you name none. */
  baseline?: string | number;
  /** The test on the first measure, as `t-test`; the one that suits the data if you name none. */
  test?: string;
  /** The correction for several pairs, as `holm`. */
  correction?: string;
}

/** A mean with its 95 % interval, and the letters of the groups that are not significantly different. */
export interface Mean {
  mean: number;
  low: number;
  high: number;
  groups?: string;
  [more: string]: unknown;
}

/** A comparison: what `rankbox compare -q -o json` prints, whose schema is docs/schemas/report.schema.json. */
export interface Report {
  format: 'rankbox-report';
  version: number;
  /** SHA-256 of the measured values: the same comparison has the same one on the page, in the terminal and here. */
  hash: string;
  /** The report that `rankbox verify` writes this one again from. */
  data?: string;
  /** The conclusion, in a sentence. */
  finding: string;
  note: string;
  baseline: string;
  collection: { name: string; queries: number; judgments: number; [more: string]: unknown };
  policies: Record<string, string>;
  test: Record<string, unknown>;
  runs: { name: string; measures: Record<string, Mean>; [more: string]: unknown }[];
  measures: { measure: string; [more: string]: unknown }[];
  pairs: Record<string, unknown>[];
  queries: { query: string; values: Record<string, (number | null)[]>; [more: string]: unknown }[];
  skipped: string[];
  warnings: string[];
  /** Doubts about the files. */
  files: string[];
  [more: string]: unknown;
}

/** Compares runs on the same judgments. The first measure is tested. */
export function compare(
  qrels: Qrels,
  runs: Runs | readonly Run[],
  measures?: Measures,
  options?: CompareOptions,
): Promise<Report>;

export interface Document {
  id: string;
  title?: string;
  text: string;
}

export interface IndexOptions {
  /** Queries of the collection: {id: text}, a list, or a file. */
  queries?: FileContent | Record<string, string> | Map<string, string> | readonly { id: string; text: string }[];
  /** Their judgments. Queries without one are left out. */
  qrels?: Qrels;
  /** What makes terms of texts: `lucene-english` if you name none. `rankbox analyze -list` names them. */
  analyzer?: string;
}

export interface Hit {
  rank: number;
  id: string;
  title: string;
  score: number;
}

/** A part of a score: what `rankbox explain -o json` prints, whose schema is docs/schemas/explanation.schema.json. */
export interface Explanation {
  name: string;
  score: number;
  values: Record<string, number>;
  /** How the numbers make the score. */
  note?: string;
  parts?: Explanation[];
}

export interface SystemOptions {
  /** A system in one line, as `bm25(k1=1.2,b=0.75)` or `bm25 >> rm3(docs=10,terms=10)`. */
  system?: string;
}

export interface SearchOptions extends SystemOptions {
  /** How many documents are listed: 10. */
  k?: number;
}

export interface Index {
  readonly documents: number;
  readonly queries: number;
  /** SHA-256 of the collection. */
  readonly hash: string;
  readonly warnings: readonly string[];
  /** The best documents for a text, or for a query of the collection by its id. */
  search(query: string, options?: SearchOptions): Promise<Hit[]>;
  /** A run over the judged queries, or over all if none is judged: 100 documents each if k says nothing. */
  run(options?: SearchOptions): Promise<Record<string, Record<string, number>>>;
  /** Why a document has its score. */
  explain(query: string, document: string, options?: SystemOptions): Promise<Explanation>;
  /** Frees the memory. */
  close(): Promise<void>;
}

/** Indexes documents: a list, {id: text}, or the text of a file (JSONL, CSV, TREC). */
export function index(
  documents: FileContent | readonly Document[] | Record<string, string> | Map<string, string>,
  options?: IndexOptions,
): Promise<Index>;

export function search(index: Index, query: string, options?: SearchOptions): Promise<Hit[]>;
export function explain(index: Index, query: string, document: string, options?: SystemOptions): Promise<Explanation>;

/** What was asked cannot be done: the message names the file, the line and the reason. */
export class RankboxError extends Error {}
