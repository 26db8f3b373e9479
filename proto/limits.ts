// Limits that the contract states in comments, each once: the API reference has the number in place of `{resourceBytesMax}`.

const kib = 1024;
const mib = 1024 * kib;

/** A request's body, both as sent and decompressed; the larger one for ingestion and uploads (`large_body` in proto). */
export const bodyBytesMax = mib;
export const largeBodyBytesMax = 16 * mib;

/** A resource as JSON, as its `created` event carries it. */
export const resourceBytesMax = 128 * kib;

/** A response with long texts: a page of resources, all versions of a document, a trace with its steps. */
export const answerBytesMax = 3 * mib;

/** An answer over gRPC: what clients take by default. */
export const grpcAnswerBytesMax = 4 * mib;

/** A trace without its steps: a page of a hundred is one response. */
export const traceMetadataBytesMax = 16 * kib;

/** What an evaluation records of how its score came about. */
export const evaluationResultsBytesMax = 32 * kib;

/** The evaluations that are given with a trace, likewise. */
export const traceEvalsBytesMax = 32 * kib;

/** A trace with its steps, as it is stored. */
export const traceBytesMax = 64 * mib;

/** Steps of a trace. */
export const traceStepsMax = 20_000;

/** A step of a trace. */
export const stepBytesMax = 8 * mib;

/** The steps that a trace is answered with; of a page of traces, each trace has its share of the second. */
export const traceStepsBytesMax = 2 * mib;
export const listStepsBytesMax = 8 * mib;

/** Traces, steps and spans of one request; the default of a setting. The largest trace is one request. */
export const ingestRowsMax = 21_000;

/** API keys of an application; the default of a setting. */
export const apiKeysMax = 100;

/** What an attempt stores of a receiver's response. */
export const storedBytesMax = 16 * kib;

/** Links: evaluation definitions of a topic, topics of a definition, tags of a task. */
export const topicDefinitionsMax = 100;
export const definitionTopicsMax = 1_000;
export const taskTagsMax = 100;

/** Characters of a message in the result of one item of a bulk request. */
export const itemMessageMax = 200;

/** Tasks that one call imports, columns of their table, and all cells and values of its JSON. */
export const taskImportRowsMax = 1_000;
export const taskImportColumnsMax = 1_000;
export const taskImportValuesMax = 100_000;
/** Errors that an import lists, and their size as JSON. */
export const taskImportErrorsMax = 100;
export const taskImportErrorsBytesMax = 60 * kib;

/** What judges read of a style guide: fifty definitions, each with its own, are one answer. */
export const judgedStyleBytesMax = 48 * kib;

/** What judges read of facts, likewise. */
export const judgedFactsBytesMax = 48 * kib;

/** Model connections of an application. */
export const modelConnectionsMax = 100;

/** Trials of definitions that an application has under way at one time, in each process. */
export const definitionTrialsMax = 4;

/** Characters of a chunk of a document. */
export const chunkLengthMax = 2_000;

/** Tests that one call may start, and evaluations that one runs again. */
export const runTestsMax = 10_000;
/** What the tests of a run are expected to answer: each has its own copy. */
export const runExpectedBytesMax = 16 * mib;
export const rerunEvaluationsMax = 1_000;

/** Variants of an experiment. */
export const experimentVariantsMax = 100;

/** Prompts of a variant's run that are under way at one time. */
export const variantPromptsMax = 32;

/** What a document test reads and asks; and how many passages or tasks a question shows. */
export const documentTestDocumentsMax = 500;
export const documentTestPassagesMax = 4_000;
export const documentTestTasksMax = 300;
export const documentTestQuestionsMax = 300;
export const documentTestCandidatesMax = 12;

/** Tags that a list has of a task from before there was `taskTagsMax`. */
export const listedTagsMax = 300;

/** Keys of a trace's metadata by which it is filtered. */
export const filteredPairsMax = 64;

/** Words of a trace by which it is found, and traces that a search finds. */
export const searchedTraceWordsMax = 20_000;
export const searchedTracesMax = 10_000;

/** Parts that an issue is answered with. */
export const subIssuesMax = 20;

/** How long an item of a review queue waits, in days. */
export const queueItemDays = 90;

/** Traces that people passed, and as many that they failed, from which on a judge is measured. */
export const calibrationTracesMin = 20;

/** How far back a calibration reads evaluations by default, in days, and of how many versions of a judge. */
export const calibrationDays = 90;
export const calibrationVersionsMax = 20;

/** Buckets of a report: with more, sending them to PostgreSQL takes longer than reading rows. */
export const bucketsMax = 100_000;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The delay before each attempt of a delivery; the first one is made at once. */
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

/** Time for a receiver's response; the default of a setting. */
export const attemptTimeoutMs = 15 * second;

/** Prompts of tests: the delay before each attempt, the time for one, and the longest `Retry-After` that is waited for. */
export const promptDelaysMs: readonly number[] = [0, 5 * second, 30 * second, 120 * second];
export const promptAttemptTimeoutMs = 120 * second;
export const promptRetryAfterMaxMs = 10 * minute;

/** What is read of the answer to a prompt; defaults of settings follow. */
export const promptAnswerBytesMax = mib;
export const promptEndpointMax = 8;

/** A webhook that only failed for so long is disabled; the default of a setting. */
export const webhookFailingMs = 120 * hour;

/** How long deliveries are signed by the previous secret too. */
export const secretOverlapMs = 24 * hour;

/** Between the timestamp of a signature and the clock. */
export const signatureToleranceMs = 5 * minute;

/** How far back deliveries are recovered. */
export const recoveryAgeMs = 14 * day;

/** How long events are kept for watchers. */
export const eventLogMs = 14 * day;

/** Between the heartbeats of a watch, at most. */
export const watchHeartbeatMs = 15 * second;

/** A size in words, for errors and the API reference. */
export function sizeText(bytes: number): string {
  return bytes % mib === 0 ? `${bytes / mib} MiB` : `${bytes / kib} KiB`;
}

/** A time in words: the largest unit that divides it, hours up to five days. */
export function durationText(ms: number): string {
  const [unit, name] = unitOf(ms);
  return `${ms / unit} ${name}${ms === unit ? "" : "s"}`;
}

function unitOf(ms: number): [number, string] {
  if (ms % day === 0 && ms > 5 * day) return [day, "day"];
  if (ms % hour === 0) return [hour, "hour"];
  return ms % minute === 0 ? [minute, "minute"] : [second, "second"];
}

/** `text` with the limit in place of each `{name}` that ends in `Max` or `Ms`: a size for `BytesMax`, times for `Ms`. */
export function withLimits(text: string, limits: Readonly<Record<string, unknown>>): string {
  return text.replaceAll(/\{(\w+(?:Max|Ms))\}/g, (_, name: string) => {
    const limit = limits[name];
    if (Array.isArray(limit)) return limit.slice(1).map(durationText).join(", ");
    if (typeof limit !== "number") throw new Error(`no limit is named ${name}`);
    if (name.endsWith("Ms")) return durationText(limit);
    return name.endsWith("BytesMax") ? sizeText(limit) : limit.toLocaleString("en");
  });
}
