// Fills steps with input and output that arrive separately. Payloads of the step itself are never replaced.

import type { Transaction } from "@ems/kit/db/transaction";
import { makeStorable, type StorableText } from "@ems/kit/readers";
import type { Tenant } from "@ems/kit/tenant";
import { stepBytesMax, traceBytesMax } from "@ems/proto/limits";
import { queueSearch } from "../search/index.ts";
import type { StepFields, TraceRow, TraceStepRow } from "./entity.ts";
import { monthOfTrace } from "./queries.ts";
import { lockTraces } from "./stored.ts";

export interface StepPayloads {
  readonly traceId: string;
  readonly stepId: string;
  readonly input: StorableText | undefined;
  readonly output: StorableText | undefined;
  readonly finishReason: StorableText | undefined;
  /** Number of replaced characters in all messages of the step. */
  readonly replacedCharacters: number;
}

/** Increase of a trace's totals by the steps that were filled. */
interface Added {
  readonly bytes: number;
  readonly characters: number;
}

type FilledStep = Pick<TraceStepRow, "traceId" | "id" | "month" | "position" | "size" | "input" | "output" | "fields"> &
  Pick<TraceRow, "bytes">;

/** Fills those steps that are already stored, unless they or their traces would become too large. */
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
  const added = new Map<string, Added>();
  const filled = steps.flatMap((step) => {
    const found = byStep.get(`${step.traceId}/${step.id}`);
    const result = found === undefined ? undefined : fill(step, found);
    if (result === undefined) return [];
    const before = added.get(step.traceId) ?? { bytes: 0, characters: 0 };
    const bytes = before.bytes + result.size - step.size;
    if (result.size > stepBytesMax || step.bytes + bytes > traceBytesMax) return [];
    const replaced = count(result.fields.replacedCharacters) - count(step.fields.replacedCharacters);
    added.set(step.traceId, { bytes, characters: before.characters + replaced });
    return [result];
  });
  if (filled.length === 0) return;
  const column = <Name extends keyof FilledStep>(name: Name) => filled.map((step) => step[name]);
  tx.defer(
    `UPDATE traces.trace_step s SET input = f.input, output = f.output, fields = f.fields, size = f.size
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
    `UPDATE traces.trace t SET bytes = t.bytes + f.bytes, replaced_characters = t.replaced_characters + f.characters,
       modified_at = $5
     FROM unnest($2::uuid[], $3::integer[], $4::integer[]) AS f (id, bytes, characters)
     WHERE t.application_id = $1 AND t.id = f.id`,
    [
      applicationId,
      [...added.keys()],
      [...added.values()].map(({ bytes }) => bytes),
      [...added.values()].map(({ characters }) => characters),
      now,
    ],
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
     CROSS JOIN LATERAL (SELECT t.id, t.bytes, ${monthOfTrace} AS month FROM traces.trace t
       WHERE t.application_id = $1 AND t.id = requested.trace_id LIMIT 1) t
     CROSS JOIN LATERAL (SELECT s.* FROM traces.trace_step s
       WHERE s.application_id = $1 AND s.month = t.month AND s.trace_id = t.id AND s.id = requested.id LIMIT 1) s`,
    [applicationId, steps.map(({ traceId }) => traceId), steps.map(({ stepId }) => stepId)],
  );
}

/** Returns the filled step; undefined if nothing changes. Marks filled payloads, so that later records extend them. */
function fill(
  step: FilledStep,
  { input, output, finishReason, replacedCharacters }: StepPayloads,
): FilledStep | undefined {
  const before = Array.isArray(step.fields.filled) ? step.fields.filled : [];
  const isOpen = (name: "input" | "output") => step[name] === null || before.includes(makeStorable(name));
  const newInput = input !== undefined && isOpen("input") ? input : step.input;
  const newOutput = output !== undefined && isOpen("output") ? output : step.output;
  const isReasonNew = finishReason !== undefined && step.fields.finishReason === undefined;
  if (newInput === step.input && newOutput === step.output && !isReasonNew) return undefined;
  const names = [newInput !== step.input ? "input" : "", newOutput !== step.output ? "output" : ""];
  const filled = [...new Set([...before, ...names.filter(Boolean).map((name) => makeStorable(name))])];
  const characters = replacedCharacters - count(step.fields.filledCharacters);
  const fields: StepFields = {
    ...step.fields,
    filled,
    ...(isReasonNew && { finishReason }),
    ...(characters > 0 && {
      replacedCharacters: count(step.fields.replacedCharacters) + characters,
      filledCharacters: replacedCharacters,
    }),
  };
  const bytes = (text: string | null) => Buffer.byteLength(text ?? "");
  const size = step.size + bytes(newInput) - bytes(step.input) + bytes(newOutput) - bytes(step.output);
  return { ...step, input: newInput, output: newOutput, fields, size };
}

function count(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
