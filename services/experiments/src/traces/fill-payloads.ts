// Input and output that come apart from their steps. What a step has from itself stays.

import type { Transaction } from "@ems/kit/db/transaction";
import type { Tenant } from "@ems/kit/tenant";
import { stepBytesMax, traceBytesMax } from "@ems/proto/limits";
import { queueSearch } from "../search/index.ts";
import type { TraceRow, TraceStepRow } from "./entity.ts";
import { monthOfTrace } from "./queries.ts";
import { lockTraces } from "./stored.ts";

export interface StepPayloads {
  readonly traceId: string;
  readonly stepId: string;
  readonly input: string | undefined;
  readonly output: string | undefined;
  readonly finishReason: string | undefined;
}

type FilledStep = Pick<TraceStepRow, "traceId" | "id" | "month" | "position" | "size" | "input" | "output" | "fields"> &
  Pick<TraceRow, "bytes">;

/** Fills those of the steps that are stored, unless they or their traces would become too large. */
export async function fillPayloads(
  tx: Transaction,
  tenant: Tenant,
  now: Date,
  payloads: readonly StepPayloads[],
): Promise<void> {
  if (payloads.length === 0) return;
  const { applicationId } = tenant;
  const traceIds = [...new Set(payloads.map(({ traceId }) => traceId))];
  const [, steps] = await Promise.all([
    lockTraces(tx, applicationId, traceIds),
    storedPayloads(tx, applicationId, payloads),
  ]);
  const byStep = new Map(payloads.map((each) => [`${each.traceId}/${each.stepId}`, each]));
  const added = new Map<string, number>();
  const filled = steps.flatMap((step) => {
    const found = byStep.get(`${step.traceId}/${step.id}`);
    const result = found === undefined ? undefined : fill(step, found);
    if (result === undefined) return [];
    const bytes = (added.get(step.traceId) ?? 0) + result.size - step.size;
    if (result.size > stepBytesMax || step.bytes + bytes > traceBytesMax) return [];
    added.set(step.traceId, bytes);
    return [result];
  });
  if (filled.length === 0) return;
  const column = <Name extends keyof FilledStep>(name: Name) => filled.map((step) => step[name]);
  tx.defer(
    `UPDATE experiments.trace_step s SET input = f.input, output = f.output, fields = f.fields, size = f.size
     FROM unnest($2::timestamptz[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::json[], $8::integer[])
       AS f (month, trace_id, id, input, output, fields, size)
     WHERE s.application_id = $1 AND s.month = f.month AND s.trace_id = f.trace_id AND s.id = f.id`,
    [
      applicationId,
      column("month"),
      column("traceId"),
      column("id"),
      column("input"),
      column("output"),
      filled.map(({ fields }) => JSON.stringify(fields)),
      column("size"),
    ],
  );
  tx.defer(
    `UPDATE experiments.trace t SET bytes = t.bytes + f.bytes, modified_at = $4
     FROM unnest($2::uuid[], $3::integer[]) AS f (id, bytes) WHERE t.application_id = $1 AND t.id = f.id`,
    [applicationId, [...added.keys()], [...added.values()], now],
  );
  const byTrace = Map.groupBy(filled, ({ traceId }) => traceId);
  const arrivals = [...byTrace].map(([traceId, steps]) => ({
    traceId,
    position: Math.min(...steps.map(({ position }) => position)),
    bytes: steps.reduce((sum, { size }) => sum + size, 0),
  }));
  queueSearch(tx, tenant, arrivals);
}

function storedPayloads(tx: Transaction, applicationId: string, steps: readonly StepPayloads[]): Promise<FilledStep[]> {
  return tx.query<FilledStep>(
    `SELECT s.trace_id AS "traceId", s.id, s.month, s."position", s.size, s.input, s.output, s.fields, t.bytes
     FROM unnest($2::uuid[], $3::uuid[]) AS requested (trace_id, id)
     CROSS JOIN LATERAL (SELECT t.id, t.bytes, ${monthOfTrace} AS month FROM experiments.trace t
       WHERE t.application_id = $1 AND t.id = requested.trace_id LIMIT 1) t
     CROSS JOIN LATERAL (SELECT s.* FROM experiments.trace_step s
       WHERE s.application_id = $1 AND s.month = t.month AND s.trace_id = t.id AND s.id = requested.id LIMIT 1) s`,
    [applicationId, steps.map(({ traceId }) => traceId), steps.map(({ stepId }) => stepId)],
  );
}

/** Undefined when nothing changes. What earlier records filled is marked, so that later ones complete it. */
function fill(step: FilledStep, { input, output, finishReason }: StepPayloads): FilledStep | undefined {
  const before = Array.isArray(step.fields.filled) ? step.fields.filled : [];
  const isOpen = (name: "input" | "output") => step[name] === null || before.includes(name);
  const newInput = input !== undefined && isOpen("input") ? input : step.input;
  const newOutput = output !== undefined && isOpen("output") ? output : step.output;
  const isReasonNew = finishReason !== undefined && step.fields.finishReason === undefined;
  if (newInput === step.input && newOutput === step.output && !isReasonNew) return undefined;
  const names = [newInput !== step.input ? "input" : "", newOutput !== step.output ? "output" : ""];
  const filled = [...new Set([...before, ...names.filter(Boolean)])];
  const fields = { ...step.fields, filled, ...(isReasonNew && { finishReason }) };
  const bytes = (text: string | null) => Buffer.byteLength(text ?? "");
  const size = step.size + bytes(newInput) - bytes(step.input) + bytes(newOutput) - bytes(step.output);
  return { ...step, input: newInput, output: newOutput, fields, size };
}
