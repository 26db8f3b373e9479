// Limits that comments in the contract refer to by name: the API reference shows the number in place of `{resourceBytesMax}`.

const kib = 1024;
const mib = 1024 * kib;

/** Request body, both as sent and decompressed. The larger limit is for ingestion and uploads (`large_body` in proto). */
export const bodyBytesMax = mib;
export const largeBodyBytesMax = 16 * mib;

/** A resource as JSON, the form in its `created` event. */
export const resourceBytesMax = 128 * kib;

/** A response with long texts: a page of resources, all versions of a document, a trace with its steps. */
export const answerBytesMax = 3 * mib;

/** A response over gRPC: the default limit of clients. */
export const grpcAnswerBytesMax = 4 * mib;

/** A trace without its steps, so that a page of 100 fits into one response. */
export const traceMetadataBytesMax = 16 * kib;

/** Details of the score in an evaluation. */
export const evaluationResultsBytesMax = 32 * kib;

/** Evaluations sent with a trace, in total. */
export const traceEvalsBytesMax = 32 * kib;

/** A stored trace with its steps. */
export const traceBytesMax = 64 * mib;

/** Steps of a trace. */
export const traceStepsMax = 20_000;

/** A step of a trace. */
export const stepBytesMax = 8 * mib;

/** Steps returned with one trace, and with a page of traces, where each trace has its share. */
export const traceStepsBytesMax = 2 * mib;
export const listStepsBytesMax = 8 * mib;

/** Traces, steps and spans in one request (default of a setting). The largest trace fits into one request. */
export const ingestRowsMax = 21_000;

/** API keys of an application (default of a setting). */
export const apiKeysMax = 100;

/** Part of a receiver's response that an attempt stores. */
export const storedBytesMax = 16 * kib;

/** Links: definitions per topic, topics per definition, tags per task. */
export const topicDefinitionsMax = 100;
export const definitionTopicsMax = 1_000;
export const taskTagsMax = 100;

/** Characters of a message in the result of one item of a bulk request. */
export const itemMessageMax = 200;

/** Limits of one task import: tasks, columns of the table, and all cells and JSON values. */
export const taskImportRowsMax = 1_000;
export const taskImportColumnsMax = 1_000;
export const taskImportValuesMax = 100_000;
/** Errors listed by an import, and their size as JSON. */
export const taskImportErrorsMax = 100;
export const taskImportErrorsBytesMax = 60 * kib;

/** Part of a style guide that judges read, so that 50 definitions with style guides fit into one response. */
export const judgedStyleBytesMax = 48 * kib;

/** Facts that judges read, for the same reason. */
export const judgedFactsBytesMax = 48 * kib;

/** Model connections of an application. */
export const modelConnectionsMax = 100;

/** Concurrent definition trials of an application, per process. */
export const definitionTrialsMax = 4;

/** Characters of a chunk of a document. */
export const chunkLengthMax = 2_000;

/** Tests started by one call, and evaluations rerun by one call. */
export const runTestsMax = 10_000;
/** Expectations of a run's tests in total; each test has its own copy. */
export const runExpectedBytesMax = 16 * mib;
export const rerunEvaluationsMax = 1_000;

/** Variants of an experiment. */
export const experimentVariantsMax = 100;

/** Concurrent prompts of a variant's run. */
export const variantPromptsMax = 32;

/** Limits of a document test: documents, passages, tasks and questions, and passages or tasks per question. */
export const documentTestDocumentsMax = 500;
export const documentTestPassagesMax = 4_000;
export const documentTestTasksMax = 300;
export const documentTestQuestionsMax = 300;
export const documentTestCandidatesMax = 12;

/** Tags listed for an older task that exceeds `taskTagsMax`. */
export const listedTagsMax = 300;

/** Metadata keys per trace that filters can use. */
export const filteredPairsMax = 64;

/** Searchable words per trace, and traces returned by a search. */
export const searchedTraceWordsMax = 20_000;
export const searchedTracesMax = 10_000;

/** Sub-issues returned with an issue. */
export const subIssuesMax = 20;

/** Lifetime of a pending review queue item, in days. */
export const queueItemDays = 90;

/** Minimum number of traces that people passed, and of traces that they failed, to measure a judge. */
export const calibrationTracesMin = 20;

/** Evaluations read by a calibration: default period in days, and number of judge versions. */
export const calibrationDays = 90;
export const calibrationVersionsMax = 20;

/** Buckets of a report. Sending more to PostgreSQL takes longer than reading the rows. */
export const bucketsMax = 100_000;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Delay before each delivery attempt; the first attempt is immediate. */
export const deliveryDelaysMs: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Time for a receiver to respond (default of a setting). */
export const attemptTimeoutMs = 15 * second;

/** Prompts of tests: delay before each attempt, timeout of an attempt, and longest `Retry-After` that is honored. */
export const promptDelaysMs: readonly number[] = [0, 5 * second, 30 * second, 120 * second];
export const promptAttemptTimeoutMs = 120 * second;
export const promptRetryAfterMaxMs = 10 * minute;

/** Answer to a prompt, and concurrent prompts per endpoint (defaults of settings). */
export const promptAnswerBytesMax = mib;
export const promptEndpointMax = 8;

/** Time of failures only after which a webhook is disabled (default of a setting). */
export const webhookFailingMs = 120 * hour;

/** Time for which deliveries are also signed with the previous secret. */
export const secretOverlapMs = 24 * hour;

/** Maximum difference between a signature's timestamp and the clock. */
export const signatureToleranceMs = 5 * minute;

/** Maximum age of deliveries that can be recovered. */
export const recoveryAgeMs = 14 * day;

/** Retention of events for watchers. */
export const eventLogMs = 14 * day;

/** Maximum time between heartbeats of a watch. */
export const watchHeartbeatMs = 15 * second;

/** Formats a size, for errors and the API reference. */
export function sizeText(bytes: number): string {
  return bytes % mib === 0 ? `${bytes / mib} MiB` : `${bytes / kib} KiB`;
}

/** Formats a time in the largest unit that divides it; up to five days, hours at most. */
export function durationText(ms: number): string {
  const [unit, name] = pickUnit(ms);
  return `${ms / unit} ${name}${ms === unit ? "" : "s"}`;
}

function pickUnit(ms: number): [number, string] {
  if (ms % day === 0 && ms > 5 * day) return [day, "day"];
  if (ms % hour === 0) return [hour, "hour"];
  return ms % minute === 0 ? [minute, "minute"] : [second, "second"];
}

/** Replaces each `{name}` that ends in `Max`, `Min`, `Ms` or `Days` with its limit: a size for `BytesMax`, times for `Ms`. */
export function withLimits(text: string, limits: Readonly<Record<string, unknown>>): string {
  return text.replaceAll(/\{(\w+(?:Max|Min|Ms|Days))\}/g, (_, name: string) => {
    const limit = limits[name];
    if (Array.isArray(limit)) return limit.slice(1).map(durationText).join(", ");
    if (typeof limit !== "number") throw new Error(`${name} is not a limit in limits.ts`);
    if (name.endsWith("Ms")) return durationText(limit);
    return name.endsWith("BytesMax") ? sizeText(limit) : limit.toLocaleString("en");
  });
}
