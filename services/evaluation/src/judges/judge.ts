// What judges and their callers agree on. No clock, no network, no database: a judge is given its model, if it has one.

export type JudgeType = "NATURALNESS" | "STYLE" | "RECALL" | "FACT" | "CUSTOM" | "OUTPUT_MATCH";

/** What is judged, and by what. */
export interface JudgeInput {
  /** What the application was asked. */
  readonly question: string;
  /** What it answered; undefined when the trace has no output. */
  readonly output: string | undefined;
  /** Results of retriever steps, in their order. */
  readonly context: readonly string[];
  /** Whether the trace has a retriever step. */
  readonly hasRetriever: boolean;
  /** What is true by the facts of the task's topic and of the application; empty where the definition says what is. */
  readonly facts: readonly string[];
  readonly definition: JudgedBy;
  /** The expectation of the nearest link that has one. */
  readonly expected: string | readonly string[] | undefined;
  /** Calls of which the median counts: odd, 1 to 9. */
  readonly votes: number;
}

/** A definition's settings; which ones depends on its type. */
export interface JudgedBy {
  readonly type: JudgeType;
  readonly name: string;
  readonly criterion?: string | undefined;
  readonly groundTruth?: string | undefined;
  readonly comparison?: Comparison | undefined;
  readonly styleGuide: readonly { readonly heading: string; readonly content: string }[];
}

/** OUTPUT_MATCH: what is compared, and how. */
export interface Comparison {
  readonly type: "string" | "list";
  readonly extract?: Extract | undefined;
  readonly matchMode?: "exact_unordered" | "contains" | undefined;
  readonly passThreshold?: number | undefined;
  readonly scoreMetric?: "f1" | "precision" | "recall" | undefined;
}

export interface Extract {
  readonly pattern: string;
  readonly flags: string;
  /** Of a list, the first group that took part counts. */
  readonly group: number | readonly number[];
}

export interface JudgeDeps {
  /** Undefined without a model connection. */
  readonly model: ModelCaller | undefined;
  /** Cryptographically random bytes, for markers and seeds. */
  readonly random: (size: number) => Buffer;
  readonly signal: AbortSignal;
  /** Replies of earlier attempts, which are not asked for again; absent where there is one attempt. */
  readonly stored?: ReplyStore | undefined;
}

/** Replies of a judge's calls, by a hash of what was asked. */
export interface ReplyStore {
  find(key: string): StoredReply | undefined;
  keep(key: string, reply: StoredReply): void;
}

/** An answer of the schema, or that there was none. */
export type StoredReply = { readonly answer: unknown } | { readonly isInvalid: true };

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** What came out. */
export interface Judgement {
  readonly status: "COMPLETED" | "FAILED" | "SKIPPED";
  readonly score?: number;
  readonly passed?: boolean;
  /** Why it failed or was skipped: a code, such as `no_context`, then for people after `: `. */
  readonly message?: string;
  /** EvalResults, with `details` of ours. */
  readonly results?: { readonly [key: string]: Json };
  /** Such as `custom/1`; changes with the prompt and with the arithmetic. */
  readonly judgeVersion: string;
}

/** Throws the ModelFaults that a retry may mend or that the connection is at fault for: retryable and permanent ones. */
export type Judge = (input: JudgeInput, deps: JudgeDeps) => Promise<Judgement>;

/** A connection's model. Callers of judges wrap it by limits, budgets and counts. */
export interface ModelCaller {
  generate<T>(request: ModelRequest<T>): Promise<ModelAnswer<T>>;
}

export interface ModelRequest<T> {
  readonly system: string;
  readonly prompt: string;
  readonly schema: AnswerSchema<T>;
  readonly temperature: number;
  readonly seed?: number;
  /** Bounds what a call may cost. */
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
  /** Where the caller notes what was sent. */
  readonly transmission?: Transmission;
}

/**
 * Delivery state of a call's last request. `unsent`: no byte of its body was given to a connection. `sent`: some or all bytes were.
 * `answered`: an answer with a success status arrived. `unknown` counts as sent: a caller that notes nothing makes no call free
 * of charge.
 */
export interface Transmission {
  state: "unknown" | "unsent" | "sent" | "answered";
  /** What arrived, once the state is `answered`. */
  answer?: ArrivedAnswer;
}

/** Measures of an answer, taken before it is interpreted. */
export interface ArrivedAnswer {
  /** UTF-8 bytes that the model wrote. */
  readonly textBytes: number;
  readonly usage: ReportedUsage;
}

/** A structured answer: for the provider, and the check of what arrived. */
export interface AnswerSchema<T> {
  readonly name: string;
  readonly json: { readonly [key: string]: Json };
  /** Undefined when the value breaks the schema. */
  parse(value: unknown): T | undefined;
}

export interface ModelAnswer<T> {
  readonly object: T;
  readonly usage: ReportedUsage;
  /** The model that answered, as the provider names it. */
  readonly model: string;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Usage that the provider reported; undefined is unknown. */
export type ReportedUsage = { readonly [Count in keyof Usage]?: number | undefined };

/**
 * `retryable`: 429, 5xx, timeouts, connections that fail. `permanent`: the connection's settings are at fault, or the request.
 * `refused`: the model would not answer. `invalid`: an answer that breaks the schema.
 */
export type ModelFaultKind = "retryable" | "permanent" | "refused" | "invalid";

interface ModelFaultOptions {
  readonly retryAfterMs?: number | undefined;
  /** The parameter that the provider does not take. */
  readonly parameter?: string | undefined;
  /** HTTP status, if any arrived. */
  readonly status?: number | undefined;
  /** Tokens that the call cost all the same. */
  readonly usage?: ReportedUsage | undefined;
}

/** A call without a usable answer. The message is shown to people: no key, no header, no address. */
export class ModelFault extends Error {
  override readonly name = "ModelFault";
  readonly kind: ModelFaultKind;
  readonly retryAfterMs: number | undefined;
  readonly parameter: string | undefined;
  readonly status: number | undefined;
  readonly usage: ReportedUsage | undefined;

  constructor(kind: ModelFaultKind, message: string, options: ModelFaultOptions = {}) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
    this.parameter = options.parameter;
    this.status = options.status;
    this.usage = options.usage;
  }
}
