// Interface between judges and their callers. Judges use no clock, network or database; their callers provide the
// model, if they need one.

import type { Extract } from "@ems/assertions";

export type JudgeType = "NATURALNESS" | "STYLE" | "RECALL" | "FACT" | "CUSTOM" | "OUTPUT_MATCH";

/** The data to judge, and the settings to judge it by. */
export interface JudgeInput {
  /** The application's input. */
  readonly question: string;
  /** The application's output; undefined if the trace contains none. */
  readonly output: string | undefined;
  /** Results of the retriever steps, in order. */
  readonly context: readonly string[];
  /** True if the trace has a retriever step. */
  readonly hasRetriever: boolean;
  /** Facts of the task's topic and of the application; empty if the definition contains the ground truth. */
  readonly facts: readonly string[];
  readonly definition: JudgedBy;
  /** Expected answer of the nearest link that has one. */
  readonly expected: string | readonly string[] | undefined;
  /** Number of calls (votes), whose median counts: an odd number from 1 to 9. */
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
  /** True to compare texts byte by byte. */
  readonly exact?: boolean | undefined;
}

export interface JudgeDeps {
  /** The model; undefined if there is no model connection. */
  readonly model: ModelCaller | undefined;
  /** Cryptographically random bytes, for markers and seeds. */
  readonly random: (size: number) => Buffer;
  readonly signal: AbortSignal;
  /** Replies from earlier attempts, which are not requested a second time; undefined if there is only one attempt. */
  readonly stored?: ReplyStore | undefined;
}

/** Stored replies to a judge's calls, by a hash of the request. */
export interface ReplyStore {
  find(key: string): StoredReply | undefined;
  keep(key: string, reply: StoredReply): void;
}

/**
 * An answer that matches the schema, or the fact that the model gave none and why. Rows of earlier versions lack the
 * kind, and mean `schema`.
 */
export type StoredReply = { readonly answer: unknown } | { readonly isInvalid: true; readonly kind?: RepairableKind };

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Result of a judge. */
export interface Judgment {
  readonly status: "COMPLETED" | "FAILED" | "SKIPPED";
  readonly score?: number;
  readonly passed?: boolean;
  /** Reason why the judge failed or skipped: a code such as `no_context`, then `: ` and a text for the user. */
  readonly message?: string;
  /** The API's EvalResults, with additional `details`. */
  readonly results?: { readonly [key: string]: Json };
  /** Version of the judge, such as `custom/1`; changes when the prompt or the arithmetic changes. */
  readonly judgeVersion: string;
}

/** A judge. Throws the ModelFaults that are caused by the connection; those of an answer are its result. */
export type Judge = (input: JudgeInput, deps: JudgeDeps) => Promise<Judgment>;

/** Calls the model of a connection. Callers of judges wrap it to add limits, budgets and counts. */
export interface ModelCaller {
  generate<T>(request: ModelRequest<T>): Promise<ModelAnswer<T>>;
}

export interface ModelRequest<T> {
  readonly system: string;
  readonly prompt: string;
  readonly schema: AnswerSchema<T>;
  readonly temperature: number;
  readonly seed?: number;
  /** Maximum number of output tokens, which limits the cost of the call. */
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
  /** Object in which the call records the delivery state of its request. */
  readonly transmission?: Transmission;
}

/**
 * Delivery state of a call's last request. `unsent`: none of its body was passed to a connection. `sent`: some or all
 * of it was. `answered`: a response with a success status arrived. `unknown` counts as sent, so that a caller without
 * this information is charged.
 */
export interface Transmission {
  state: "unknown" | "unsent" | "sent" | "answered";
  /** The answer; set if the state is `answered`. */
  answer?: ArrivedAnswer;
}

/** Sizes and usage of an answer, measured before it is interpreted. */
export interface ArrivedAnswer {
  /** Number of UTF-8 bytes that the model wrote. */
  readonly textBytes: number;
  readonly usage: ReportedUsage;
}

/** Schema of a structured answer: JSON Schema for the provider, and a parser that validates the answer. */
export interface AnswerSchema<T> {
  readonly name: string;
  readonly json: { readonly [key: string]: Json };
  /** Returns the parsed value, with its spellings normalized; undefined if it breaks the schema. */
  parse(value: unknown): T | undefined;
  /** Returns true if the value matches the JSON Schema, as it does if the provider enforces it. */
  isExact?(value: unknown): boolean;
  /** Describes the first field that breaks the schema; undefined if the reason is not a single field. */
  findProblem?(value: unknown): string | undefined;
}

export interface ModelAnswer<T> {
  readonly object: T;
  readonly usage: ReportedUsage;
  /** Name of the model that answered, as the provider reports it. */
  readonly model: string;
  /**
   * `honored`: the schema was sent as a parameter, and the answer is exactly its JSON. `emulated`: the schema is in the
   * instructions, or the answer had to be normalized. Undefined: unknown.
   */
  readonly structuredOutput?: "honored" | "emulated";
}

export interface Usage {
  /** All input tokens, including those read from the provider's cache or written to it. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The parts of `inputTokens` that the provider read from its cache and wrote to it, which have prices of their own. */
  readonly cachedInputTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
}

/** Usage as reported by the provider; an undefined count is unknown. */
export type ReportedUsage = { readonly [Count in keyof Usage]?: number | undefined };

/** Faults of an answer that a second request, with a repair prompt, may mend. */
export type RepairableKind = "not_json" | "schema" | "empty";

/**
 * Kinds of faults. `unavailable`: 5xx, timeouts, failed connections. `rate_limited`: 429. `rejected`: an error in the
 * connection's settings or the request. `not_completion`: a success status without a completion. `refused`: the model
 * declined to answer. `filtered`: the provider's content filter. `truncated`: the token limit. `empty`, `not_json`, `schema`:
 * an answer without text, without a JSON object, or with one that breaks the schema.
 */
export type ModelFaultKind =
  | "unavailable"
  | "rate_limited"
  | "rejected"
  | "not_completion"
  | "refused"
  | "filtered"
  | "truncated"
  | RepairableKind;

/** Codes of faults in messages of evaluations. */
export const faultCodes = {
  unavailable: "model_unavailable",
  rate_limited: "rate_limited",
  rejected: "model_error",
  not_completion: "not_a_completion",
  refused: "model_refused",
  filtered: "answer_filtered",
  truncated: "answer_cut",
  empty: "empty_answer",
  not_json: "answer_not_json",
  schema: "invalid_answer",
} as const satisfies Readonly<Record<ModelFaultKind, string>>;

/** Retry that may help. `later`: one after a delay. `repair`: one with a repair prompt. `never`: the same call fails again. */
export type Retry = "later" | "repair" | "never";

const retries: Readonly<Record<ModelFaultKind, Retry>> = {
  unavailable: "later",
  rate_limited: "later",
  rejected: "never",
  not_completion: "never",
  refused: "never",
  filtered: "never",
  truncated: "never",
  empty: "repair",
  not_json: "repair",
  schema: "repair",
};

/** Reasons of the faults that a repair may mend. */
export const repairableReasons: Readonly<Record<RepairableKind, string>> = {
  empty: "The model's answer has no text. If the model reasons, its server may return only the reasoning",
  not_json: "The model's answer contains no JSON object",
  schema: "The JSON of the model's answer does not match the schema",
};

/** Kinds that are properties of the model's answer, not of its connection. */
const answerKinds: ReadonlySet<ModelFaultKind> = new Set([
  "refused",
  "filtered",
  "truncated",
  "empty",
  "not_json",
  "schema",
]);

interface ModelFaultOptions {
  readonly retryAfterMs?: number | undefined;
  /** Parameter that the provider does not accept. */
  readonly parameter?: string | undefined;
  /** HTTP status of the response, if one arrived. */
  readonly status?: number | undefined;
  /** Usage of the failed call. */
  readonly usage?: ReportedUsage | undefined;
  /** Set if this fault's retry differs from that of its kind. */
  readonly retry?: Retry;
  /** True if the provider does not know the model. */
  readonly isModelUnknown?: boolean;
}

/** Thrown for a call without a usable answer. The message is for users: it contains no key, header or address. */
export class ModelFault extends Error {
  override readonly name = "ModelFault";
  readonly kind: ModelFaultKind;
  readonly retry: Retry;
  readonly retryAfterMs: number | undefined;
  readonly parameter: string | undefined;
  readonly status: number | undefined;
  readonly usage: ReportedUsage | undefined;
  readonly isModelUnknown: boolean;

  constructor(kind: ModelFaultKind, message: string, options: ModelFaultOptions = {}) {
    super(message);
    this.kind = kind;
    this.retry = options.retry ?? retries[kind];
    this.retryAfterMs = options.retryAfterMs;
    this.parameter = options.parameter;
    this.status = options.status;
    this.usage = options.usage;
    this.isModelUnknown = options.isModelUnknown ?? false;
  }

  /** True if the model answered, so that the connection works. */
  get isOfAnswer(): boolean {
    return answerKinds.has(this.kind);
  }

  /** The message of an evaluation that ends with this fault: a code, and the reason. */
  get failure(): string {
    return `${faultCodes[this.kind]}: ${this.message}`;
  }
}
