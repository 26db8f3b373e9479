// The interface between judges and their callers. Judges use no clock, network or database; they receive their model,
// if they have one.

export type JudgeType = "NATURALNESS" | "STYLE" | "RECALL" | "FACT" | "CUSTOM" | "OUTPUT_MATCH";

/** The judged data, and the settings that judge it. */
export interface JudgeInput {
  /** The application's input. */
  readonly question: string;
  /** The application's output; undefined if the trace has none. */
  readonly output: string | undefined;
  /** Results of retriever steps, in order. */
  readonly context: readonly string[];
  /** True if the trace has a retriever step. */
  readonly hasRetriever: boolean;
  /** Facts of the task's topic and of the application; empty if the definition has the truth. */
  readonly facts: readonly string[];
  readonly definition: JudgedBy;
  /** The expectation of the nearest link that has one. */
  readonly expected: string | readonly string[] | undefined;
  /** Number of calls whose median counts: odd, 1 to 9. */
  readonly votes: number;
}

/** A definition's settings, which depend on its type. */
export interface JudgedBy {
  readonly type: JudgeType;
  readonly name: string;
  readonly criterion?: string | undefined;
  readonly groundTruth?: string | undefined;
  readonly comparison?: Comparison | undefined;
  readonly styleGuide: readonly { readonly heading: string; readonly content: string }[];
}

/** Settings of OUTPUT_MATCH. */
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
  /** In a list of groups, the first one that matched counts. */
  readonly group: number | readonly number[];
}

export interface JudgeDeps {
  /** Undefined without a model connection. */
  readonly model: ModelCaller | undefined;
  /** Cryptographically random bytes, for markers and seeds. */
  readonly random: (size: number) => Buffer;
  readonly signal: AbortSignal;
  /** Replies of earlier attempts, which are not requested again; absent if there is only one attempt. */
  readonly stored?: ReplyStore | undefined;
}

/** Replies to a judge's calls, by a hash of the request. */
export interface ReplyStore {
  find(key: string): StoredReply | undefined;
  keep(key: string, reply: StoredReply): void;
}

/** An answer that fits the schema, or the fact that there was none. */
export type StoredReply = { readonly answer: unknown } | { readonly isInvalid: true };

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Result of a judge. */
export interface Judgment {
  readonly status: "COMPLETED" | "FAILED" | "SKIPPED";
  readonly score?: number;
  readonly passed?: boolean;
  /** Reason of a failure or skip: a code, such as `no_context`, then `: ` and a text for people. */
  readonly message?: string;
  /** EvalResults of the contract, with additional `details`. */
  readonly results?: { readonly [key: string]: Json };
  /** Version such as `custom/1`; changes with the prompt and with the arithmetic. */
  readonly judgeVersion: string;
}

/** A judge. Throws retryable ModelFaults, and permanent ones that the connection causes. */
export type Judge = (input: JudgeInput, deps: JudgeDeps) => Promise<Judgment>;

/** A connection's model. Callers of judges wrap it with limits, budgets and counts. */
export interface ModelCaller {
  generate<T>(request: ModelRequest<T>): Promise<ModelAnswer<T>>;
}

export interface ModelRequest<T> {
  readonly system: string;
  readonly prompt: string;
  readonly schema: AnswerSchema<T>;
  readonly temperature: number;
  readonly seed?: number;
  /** Limits the cost of the call. */
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
  /** Receives the delivery state of the request. */
  readonly transmission?: Transmission;
}

/**
 * Delivery state of a call's last request. `unsent`: no byte of its body was given to a connection. `sent`: some or
 * all bytes were. `answered`: an answer with a success status arrived. `unknown` counts as sent, so that a caller
 * without this information is charged.
 */
export interface Transmission {
  state: "unknown" | "unsent" | "sent" | "answered";
  /** The answer, if the state is `answered`. */
  answer?: ArrivedAnswer;
}

/** Measures of an answer, taken before it is interpreted. */
export interface ArrivedAnswer {
  /** UTF-8 bytes that the model wrote. */
  readonly textBytes: number;
  readonly usage: ReportedUsage;
}

/** Schema of a structured answer: JSON Schema for the provider, and a parser for the answer. */
export interface AnswerSchema<T> {
  readonly name: string;
  readonly json: { readonly [key: string]: Json };
  /** Undefined if the value breaks the schema. */
  parse(value: unknown): T | undefined;
}

export interface ModelAnswer<T> {
  readonly object: T;
  readonly usage: ReportedUsage;
  /** The provider's name of the model that answered. */
  readonly model: string;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Usage that the provider reported; undefined counts are unknown. */
export type ReportedUsage = { readonly [Count in keyof Usage]?: number | undefined };

/**
 * `retryable`: 429, 5xx, timeouts, failed connections. `permanent`: an error in the connection's settings or the
 * request. `refused`: the model declined to answer. `invalid`: an answer that breaks the schema.
 */
export type ModelFaultKind = "retryable" | "permanent" | "refused" | "invalid";

interface ModelFaultOptions {
  readonly retryAfterMs?: number | undefined;
  /** The parameter that the provider does not accept. */
  readonly parameter?: string | undefined;
  /** HTTP status, if a response arrived. */
  readonly status?: number | undefined;
  /** Usage of the failed call. */
  readonly usage?: ReportedUsage | undefined;
}

/** A call without a usable answer. The message is for people: no key, no header, no address. */
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
