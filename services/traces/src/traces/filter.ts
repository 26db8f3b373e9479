// Filters for lists of traces. Under row-level security, an index serves only conditions with leakproof operators:
// equality of texts, ranges of numbers and times. So metadata is found by a hash of each pair.

import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { type ArchivedList, buildMembersExpression } from "@ems/archive";
import { timeRange } from "@ems/kit/db/list";
import type { PageRequest } from "@ems/kit/db/page";
import type { Transaction } from "@ems/kit/db/transaction";
import { enumName } from "@ems/kit/enum";
import { invalidFields } from "@ems/kit/errors";
import { dateFromTimestamp } from "@ems/kit/json/timestamp";
import { FeedbackThumbSchema } from "@ems/proto/experiments/v1/trace";
import type { ListTracesRequest } from "@ems/proto/experiments/v1/trace_service";
import { searchedTracesMax } from "@ems/proto/limits";
import { endUserKey } from "@ems/traces-client";
import { TraceEntity, type TraceRow } from "./entity.ts";
import { sessionId } from "./session.ts";

const hashPair = (key: string, value: string) => `hashtextextended(${key} || chr(1) || ${value}, 0)`;
const [key, value] = ["(?::text[])[1]", "(?::text[])[2]"];

/** Condition on a score in millionths, from the evaluations of the trace itself or of its test. */
const score = `(t.evals IS NOT NULL OR t.test_id IS NOT NULL) AND (
    EXISTS (SELECT FROM traces.evaluation_v1 e WHERE e.application_id = $1 AND e.test_id = t.test_id
      AND e.score_micro BETWEEN (?::float8[])[3] AND (?::float8[])[4])
    OR EXISTS (SELECT FROM json_array_elements(t.evals) one WHERE
      CASE json_typeof(one -> 'score') WHEN 'number' THEN (one ->> 'score')::float8 END
        BETWEEN (?::float8[])[1] AND (?::float8[])[2]))`;

/** SQL condition: the cost is known. Otherwise the total is zero. `pinned` is the bit of a total that was sent. */
const hasKnownCost = (pinned: string) => `(t.priced_steps > 0 OR t.total_cost > 0 OR ${pinned} > 0)`;

/** Conditions on `traces.trace t`, with the names that `toFilters` returns. */
export const where = {
  testId: "t.test_id = ?",
  referenceId: "t.reference_id = ?",
  user: "t.end_user_key = ?",
  session: "t.session_id = ?",
  service: "t.service = ?",
  version: "t.version = ?",
  environment: "t.environment = ?",
  from: 't."timestamp" >= ?',
  until: 't."timestamp" < ?',
  createdFrom: "t.created_at >= ?",
  hasError: "t.has_error = ?",
  minCost: `t.total_cost >= ? AND ${hasKnownCost("t.pinned & 4")}`,
  maxCost: `t.total_cost <= ? AND ${hasKnownCost("t.pinned & 4")}`,
  minDuration: "t.total_duration_ms >= ?",
  maxDuration: "t.total_duration_ms <= ?",
  score,
  hasFeedback: `EXISTS (SELECT FROM traces.feedback f WHERE f.application_id = $1 AND f.trace_id = t.id) = ?`,
  feedbackThumb: "t.id IN (SELECT f.trace_id FROM traces.feedback f WHERE f.application_id = $1 AND f.thumb = ?)",
  feedbackScore: `t.id IN (SELECT f.trace_id FROM traces.feedback f WHERE f.application_id = $1
      AND f.score BETWEEN (?::float8[])[1] AND (?::float8[])[2])`,
  externalEvaluation: `t.id IN (SELECT e.trace_id FROM traces.external_evaluation e
      WHERE e.application_id = $1 AND e.name = (?::text[])[1] AND ((?::text[])[2] IS NULL OR e.label = (?::text[])[2])
        AND ((?::text[])[3] IS NULL OR e.score BETWEEN (?::text[])[3]::float8 AND (?::text[])[4]::float8))`,
  metadata: `t.id IN (SELECT m.trace_id FROM traces.trace_metadata m
      WHERE m.application_id = $1 AND m.pair = ${hashPair(key, value)})
    AND t.metadata ->> ${key} = ${value}`,
};

const json =
  "CASE JSONType(t.metadata, {?:Array(String)}[1]) WHEN 'String' THEN JSONExtractString(t.metadata, {?:Array(String)}[1])";
const bounds = "{?:Array(Float64)}";
/** Margin for traces that arrived before the time that they state. */
const aheadMs = 7 * 86_400_000;

/** The filters of `where`, for archived traces. */
export const archived: ArchivedList<TraceRow> = {
  entity: TraceEntity,
  kind: "traces",
  created: (from) => [from && new Date(from.getTime() - aheadMs)],
  where: {
    minCost: `t.total_cost >= {?:Float64} AND ${hasKnownCost("bitAnd(t.pinned, 4)")}`,
    maxCost: `t.total_cost <= {?:Float64} AND ${hasKnownCost("bitAnd(t.pinned, 4)")}`,
    score: `(t.test_id IN (SELECT e.test_id FROM evaluation e WHERE e.score_micro BETWEEN ${bounds}[3] AND ${bounds}[4])
      OR arrayExists(one -> JSONType(one, 'score') IN ('Int64', 'UInt64', 'Double')
        AND JSONExtractFloat(one, 'score') BETWEEN ${bounds}[1] AND ${bounds}[2], JSONExtractArrayRaw(ifNull(t.evals, '[]'))))`,
    metadata: `${json} WHEN 'Null' THEN NULL
      ELSE JSONExtractRaw(t.metadata, {?:Array(String)}[1]) END = {?:Array(String)}[2]`,
    words: `length({?:Array(UInt64)}) > 0 AND (t.created_at, t.id) IN (SELECT w.created_at, w.id FROM trace w
      WHERE hasAll(${buildMembersExpression("w.words")}, ${buildMembersExpression("{?:Array(UInt64)}")}) ORDER BY w.created_at DESC LIMIT ${searchedTracesMax})`,
  },
};

/** Filters of a request, which the list and the export of traces have in common. */
export interface TraceFilter extends Omit<ListTracesRequest, `$${string}` | keyof PageRequest> {
  /** Only traces that were stored at or after this time. */
  readonly createdFrom?: Timestamp | undefined;
}

/** Returns the values of the request's filters. */
export function toFilters(request: TraceFilter, applicationId: string) {
  const { testId, referenceId, hasError, minCost, maxCost, minDuration, maxDuration, minScore, maxScore } = request;
  const isScored = minScore !== undefined || maxScore !== undefined;
  return {
    ...timeRange(request),
    createdFrom: request.createdFrom && dateFromTimestamp(request.createdFrom),
    testId,
    referenceId,
    hasError,
    minCost,
    maxCost,
    minDuration,
    maxDuration,
    user: request.user === undefined ? null : endUserKey(applicationId, request.user),
    session: request.session === undefined ? request.sessionId : sessionId(applicationId, request.session),
    score: isScored ? scoreBounds(minScore, maxScore) : null,
    service: request.service,
    version: request.version,
    environment: request.environment,
    metadata: pairOfRequest(request),
    ...toFeedbackFilters(request),
    externalEvaluation: toExternalFilter(request),
  };
}

function toFeedbackFilters({ hasFeedback, feedbackThumb, minFeedbackScore, maxFeedbackScore, store }: TraceFilter) {
  const isScored = minFeedbackScore !== undefined || maxFeedbackScore !== undefined;
  if (store === "archive" && (isScored || hasFeedback !== undefined || feedbackThumb !== undefined))
    throw invalidFields([{ path: ["store"], message: "Archived traces cannot be filtered by feedback" }]);
  return {
    hasFeedback,
    feedbackThumb: feedbackThumb === undefined ? null : enumName<string>(FeedbackThumbSchema, feedbackThumb),
    feedbackScore: isScored ? scoreBounds(minFeedbackScore, maxFeedbackScore).slice(0, 2) : null,
  };
}

/** Returns the name, label and bounds of the score, which the same evaluation must have. */
function toExternalFilter(request: TraceFilter): (string | null)[] | null {
  const { externalEvaluation: name, externalLabel: label, minExternalScore: min, maxExternalScore: max } = request;
  if (name === undefined && label === undefined && min === undefined && max === undefined) return null;
  if (name === undefined)
    throw invalidFields([
      { path: ["external_evaluation"], message: "Required with a label or score of the evaluation" },
    ]);
  if (request.store === "archive")
    throw invalidFields([{ path: ["store"], message: "Archived traces cannot be filtered by external evaluations" }]);
  const bounds = min === undefined && max === undefined ? [null, null] : scoreBounds(min, max).slice(0, 2).map(String);
  return [name, label ?? null, ...bounds];
}

/**
 * Bounds of a score, then in millionths; computed here, because PostgreSQL does not turn large numbers into infinity.
 */
function scoreBounds(min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): number[] {
  return [min, max, min * 1e6, max * 1e6];
}

function pairOfRequest({ metadataKey, metadataValue }: TraceFilter): string[] | null {
  if (metadataKey === undefined && metadataValue === undefined) return null;
  if (metadataKey !== undefined && metadataValue !== undefined) return [metadataKey, metadataValue];
  const missing = metadataKey === undefined ? "metadata_key" : "metadata_value";
  throw invalidFields([{ path: [missing], message: "metadataKey and metadataValue must be set together" }]);
}

/** Selects the hashes of the pairs in a trace's metadata, as `pair`. */
export const selectPairs = (trace: string) => `
    SELECT ${hashPair("key", "value")} AS pair FROM json_each_text(CASE json_typeof(${trace}.metadata) WHEN 'object' THEN ${trace}.metadata END)
    WHERE value IS NOT NULL`;

const insertPairs = `INSERT INTO traces.trace_metadata (application_id, pair, trace_id)
  SELECT t.application_id, p.pair, t.id
  FROM unnest($2::uuid[]) AS changed (id)
  CROSS JOIN LATERAL (SELECT * FROM traces.trace t WHERE t.application_id = $1 AND t.id = changed.id LIMIT 1) t
  CROSS JOIN LATERAL (${selectPairs("t")} LIMIT 64) p ON CONFLICT DO NOTHING`;

/** Stores the metadata pairs of new or changed traces, which it reads from the traces' rows. */
export function addMetadata(tx: Transaction, applicationId: string, traceIds: readonly string[]): void {
  if (traceIds.length === 0) return;
  tx.defer({ name: "add-metadata", text: insertPairs, values: [applicationId, traceIds] });
}
