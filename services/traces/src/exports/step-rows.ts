// Pure: converts stored traces and steps to rows of a Parquet file.

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { fromValue } from "@ems/kit/json/free-value";
import { definedFields } from "@ems/kit/patch";
import type { TraceStep } from "@ems/proto/experiments/v1/trace";
import { type ExportedStep, ExportedStepSchema } from "@ems/proto/experiments/v1/trace_service";
import { getPayloads, type StoredStep, type TraceRow, traceStep } from "../traces/index.ts";

type Fields = Exclude<MessageInitShape<typeof ExportedStepSchema>, ExportedStep>;

/** Builds the rows of a trace: one for each step, or one for a trace without steps. */
export function stepRows(trace: TraceRow, steps: readonly StoredStep[]): ExportedStep[] {
  const traceFields = toTraceFields(trace);
  const build = (fields: Fields = {}) => create(ExportedStepSchema, { ...traceFields, ...fields });
  return steps.length === 0 ? [build()] : steps.map((step) => build(toStepFields(traceStep(step))));
}

function toTraceFields(row: TraceRow): Fields {
  const { referenceId, testId, endUser, session, service, version, environment, metadata } = row;
  return {
    traceId: row.id,
    traceTimestamp: timestampFromDate(row.timestamp),
    traceCreatedAt: timestampFromDate(row.createdAt),
    ...withoutNulls({ referenceId, testId, user: endUser, session, service, version, environment }),
    traceMetadata: JSON.stringify(metadata),
  };
}

function toStepFields(step: TraceStep): Fields {
  const { id, parentId, type, event, name, timestamp, endTime, durationUs, status, error, modelId, costAmount } = step;
  const { usage, params, metadata } = step;
  const names = getPayloads(type);
  return definedFields({
    id,
    parentId,
    type,
    event,
    name,
    timestamp,
    endTime,
    durationUs,
    status,
    error,
    costAmount,
    modelId: modelId === "" ? undefined : modelId,
    input: step[names.input],
    output: step[names.output],
    ...(usage && {
      promptTokens: usage.promptTokens,
      completionTokens: usage.completionTokens,
      cachedTokens: usage.cachedTokens,
      cacheWriteTokens: usage.cacheWriteTokens,
      reasoningTokens: usage.reasoningTokens,
    }),
    params: params && JSON.stringify(fromValue(params)),
    metadata: metadata && JSON.stringify(fromValue(metadata)),
  });
}

function withoutNulls(fields: Readonly<Record<string, string | null>>): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
