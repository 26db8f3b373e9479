// Limits. Comments in the contract contain their names, such as `{resourceBytesMax}`, which the reference replaces.

const kib = 1024;
const mib = 1024 * kib;

/** Request body, as sent and also decompressed. The larger limit is for ingestion and uploads (proto `large_body`). */
export const bodyBytesMax = mib;
export const largeBodyBytesMax = 16 * mib;

/** A resource as JSON, as it appears in its `created` event. */
export const resourceBytesMax = 128 * kib;

/** A task in a response, with each prompt three times; it fits in a response over gRPC. */
export const taskBytesMax = 2_816 * kib;

/** The expectation of a task's example, and its metadata, each. */
export const exampleBytesMax = 64 * kib;

/** A response with long texts: a page of resources, all versions of a document, a trace with its steps. */
export const answerBytesMax = 3 * mib;

/** A response over gRPC. The default limit of gRPC clients. */
export const grpcAnswerBytesMax = 4 * mib;

/** Size of a trace without its steps, so that a page of 100 traces fits into one response. */
export const traceMetadataBytesMax = 16 * kib;

/** The details of an evaluation's score (`results`). */
export const evaluationResultsBytesMax = 32 * kib;

/** All evaluations sent with a trace, together. */
export const traceEvalsBytesMax = 32 * kib;

/** Size of a stored trace with its steps. */
export const traceBytesMax = 64 * mib;

/** Number of steps of a trace. */
export const traceStepsMax = 20_000;

/** Size of one step of a trace. */
export const stepBytesMax = 8 * mib;

/** Steps returned with a single trace, and with a page of traces, whose traces share the limit. */
export const traceStepsBytesMax = 2 * mib;
export const listStepsBytesMax = 8 * mib;

/** Number of traces, steps and spans in one request (default of a setting). The largest trace fits into one request. */
export const ingestRowsMax = 21_000;

/** Number of traces that one request deletes. */
export const deletedTracesMax = 100_000;

/** Steps in one line of an export; a trace with more has several lines. */
export const exportLineBytesMax = mib;

/** Number of concurrent exports of an application (default of a setting). */
export const exportsMax = 2;

/** Number of API keys of an application (default of a setting). */
export const apiKeysMax = 100;

/** Part of a receiver's response that is stored with a delivery attempt. */
export const storedBytesMax = 16 * kib;

/** Number of links: definitions per topic, topics per definition, tags per task. */
export const topicDefinitionsMax = 100;
export const definitionTopicsMax = 1_000;
export const taskTagsMax = 100;

/** Characters of the message in the result for one item of a bulk request. */
export const itemMessageMax = 200;

/** Limits of one task import: tasks, columns of the table, and all cells and JSON values. */
export const taskImportRowsMax = 1_000;
export const taskImportColumnsMax = 1_000;
export const taskImportValuesMax = 100_000;
/** Rows that the preview of an import shows. */
export const taskImportPreviewMax = 10;
/** Errors that an import lists: their number, and their size as JSON. */
export const taskImportErrorsMax = 100;
export const taskImportErrorsBytesMax = 60 * kib;

/** Part of a style guide that a judge reads, so that 50 definitions with style guides fit into one response. */
export const judgedStyleBytesMax = 48 * kib;

/** Facts that a judge reads, so that 50 definitions with facts fit into one response. */
export const judgedFactsBytesMax = 48 * kib;

/** Number of model connections of an application. */
export const modelConnectionsMax = 100;

/** Concurrent definition trials of an application, per process. */
export const definitionTrialsMax = 4;

/** Characters of one chunk of a document. */
export const chunkLengthMax = 2_000;

/** Number of tests that one call starts, and of evaluations that one call reruns. */
export const runTestsMax = 10_000;
/** Expected answers of all tests in a run, together. Each test has its own copy. */
export const runExpectedBytesMax = 16 * mib;
export const rerunEvaluationsMax = 1_000;

/** Number of variants of an experiment. */
export const experimentVariantsMax = 100;

/** Number of concurrent prompts in a variant's run. */
export const variantPromptsMax = 32;

/** Limits of a document test: documents, passages, tasks and questions, and passages or tasks per question. */
export const documentTestDocumentsMax = 500;
export const documentTestPassagesMax = 4_000;
export const documentTestTasksMax = 300;
export const documentTestQuestionsMax = 300;
export const documentTestCandidatesMax = 12;

/** Number of tags listed for a task with more than `taskTagsMax` tags, which were added before that limit existed. */
export const listedTagsMax = 300;

/** Number of metadata keys per trace by which traces can be filtered. */
export const filteredPairsMax = 64;

/** Number of searchable words per trace, and of traces that a search returns. */
export const searchedTraceWordsMax = 20_000;
export const searchedTracesMax = 10_000;

/** Number of sub-issues returned with an issue. */
export const subIssuesMax = 20;

/** Lifetime of a pending review queue item, in days. */
export const queueItemDays = 90;

/** Minimum number of traces that people passed, and of traces that they failed, to measure a judge. */
export const calibrationTracesMin = 20;

/**
 * External evaluations of traces: different names of an application; characters of a name, label, explanation and source;
 * and evaluations returned with a trace.
 */
export const externalEvaluationNamesMax = 100;
export const evaluationNameMax = 200;
export const evaluationLabelMax = 200;
export const evaluationExplanationMax = 10_000;
export const evaluationSourceMax = 255;
export const traceExternalEvaluationsMax = 100;

/** Size of binary content in a trace that is stored as an attachment, and attachments returned with a trace. */
export const attachmentBytesMax = 10 * mib;
export const traceAttachmentsMax = 100;

/** Characters of a trace's service, version and environment. */
export const originTextMax = 255;

/** Feedback of end users: characters of a comment, largest score, and feedback returned with a trace. */
export const feedbackCommentMax = 10_000;
export const feedbackScoreMax = 1_000_000_000;
export const traceFeedbackMax = 20;

/** Limits of the evaluations that a calibration reads: default period in days, and number of judge versions. */
export const calibrationDays = 90;
export const calibrationVersionsMax = 20;

/** Number of time buckets in a report. Sending more buckets to PostgreSQL takes longer than reading the rows. */
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

/** Compressed size at which an object of a scheduled export ends; its last page of rows may exceed it. */
export const exportPartBytesMax = 8 * mib;

/** Time within which a receiver must respond (default of a setting). */
export const attemptTimeoutMs = 15 * second;

/** Tests' prompts: delay before each attempt, timeout of an attempt, and the longest `Retry-After` that is honored. */
export const promptDelaysMs: readonly number[] = [0, 5 * second, 30 * second, 120 * second];
export const promptAttemptTimeoutMs = 120 * second;
export const promptRetryAfterMaxMs = 10 * minute;

/** Size of the answer to a prompt, and number of concurrent prompts per endpoint (defaults of settings). */
export const promptAnswerBytesMax = mib;
export const promptEndpointMax = 8;

/** A webhook is disabled if all deliveries have failed for this time (default of a setting). */
export const webhookFailingMs = 120 * hour;

/** Time after a rotation during which deliveries are also signed with the previous secret. */
export const secretOverlapMs = 24 * hour;

/** Maximum difference between a signature's timestamp and the clock of the verifier. */
export const signatureToleranceMs = 5 * minute;

/** Maximum age of failed deliveries that can be resent together (recovery). */
export const recoveryAgeMs = 14 * day;

/** Time for which events are kept, so that a watch can resume. */
export const eventLogMs = 14 * day;

/** Maximum time between heartbeats of a watch. */
export const watchHeartbeatMs = 15 * second;

/** Formats a size, for errors and the API reference. */
export function sizeText(bytes: number): string {
  return bytes % mib === 0 ? `${bytes / mib} MiB` : `${bytes / kib} KiB`;
}

/** Formats a time in the largest unit that divides it. Days are used only above five days. */
export function durationText(ms: number): string {
  const [unit, name] = pickUnit(ms);
  return `${ms / unit} ${name}${ms === unit ? "" : "s"}`;
}

function pickUnit(ms: number): [number, string] {
  if (ms % day === 0 && ms > 5 * day) return [day, "day"];
  if (ms % hour === 0) return [hour, "hour"];
  return ms % minute === 0 ? [minute, "minute"] : [second, "second"];
}

/** Replaces each `{name}` that ends in Max, Min, Ms or Days with its limit: a size for BytesMax, a time for Ms. */
export function withLimits(text: string, limits: Readonly<Record<string, unknown>>): string {
  return text.replaceAll(/\{(\w+(?:Max|Min|Ms|Days))\}/g, (_, name: string) => {
    const limit = limits[name];
    if (Array.isArray(limit)) return limit.slice(1).map(durationText).join(", ");
    if (typeof limit !== "number") throw new Error(`${name} is not a limit in limits.ts`);
    if (name.endsWith("Ms")) return durationText(limit);
    return name.endsWith("BytesMax") ? sizeText(limit) : limit.toLocaleString("en");
  });
}
