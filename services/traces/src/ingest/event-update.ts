// Pure: checks an event in isolation. Checks that need stored rows are in storeUpdates.

import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { derivedId, type NewId } from "@ems/kit/id";
import { echoed } from "@ems/kit/json/issue-messages";
import { dateFromTimestamp } from "@ems/kit/json/timestamp";
import { itemMessage } from "@ems/kit/json/truncate";
import { definedFields } from "@ems/kit/patch";
import { makeStorable } from "@ems/kit/readers";
import type { GetPrice } from "@ems/prices";
import type { IngestEvent, IngestStep } from "@ems/proto/experiments/v1/ingest_service";
import { endUserKey, toTraceId } from "@ems/traces-client";
import type { ExternalEvaluation } from "../external-evaluations/index.ts";
import {
  areEvalsTooLarge,
  evalsTooLarge,
  isMetadataTooLarge,
  metadataTooLarge,
  originFields,
  type Rejection,
  rankEvent,
  rankOrigin,
  sessionId,
  stepTypes,
  type TraceData,
  type TraceUpdate,
} from "../traces/index.ts";
import { completeEvals } from "./evals.ts";
import { structured } from "./payloads.ts";
import { foreignField, type PricedStep, toStep } from "./to-step.ts";

export interface IngestContext {
  /** Default timestamp for events without one. */
  readonly now: Timestamp;
  readonly newId: NewId;
  readonly findPrice: GetPrice;
  readonly applicationId: string;
  /** Default organization for evaluations that do not name one. */
  readonly orgId: string;
}

export function toUpdate(event: IngestEvent, context: IngestContext): TraceUpdate | Rejection {
  if (event.rejected !== undefined) return { error: event.rejected };
  if (event.type === "trace") return traceUpdate(event, context);
  // This check is needed because the codec does not check callers within the mesh.
  return stepTypes.some((type) => type === event.type) ? stepUpdate(event, context) : { error: "type: Required" };
}

// biome-ignore format: several in a line
const ofSteps = [
  "id", "parentId", "event", "name", "durationMs", "tokens", "usage", "input", "output", "endTime",
  "costAmount", "error", "group", "params", "status", "statusCode", "modelId", "finishReason",
  "toolCallId", "toolInput", "toolOutput", "query", "result", "content", "key",
  "guardrailAction", "guardrailTriggered", "guardrailType", "evaluationExplanation",
  "evaluationLabel", "evaluationScore", "evaluatorName",
] as const;
const totalNames = [
  "hasError",
  "stepCount",
  "totalCost",
  "totalDurationMs",
  "totalPromptTokens",
  "totalCompletionTokens",
] as const;

const ofTraces = [...totalNames, ...originFields, "referenceId", "testId", "user", "session"] as const;

function traceUpdate(event: IngestEvent, context: IngestContext): TraceUpdate | Rejection {
  const surplus = ofSteps.filter((field) => event[field] !== undefined);
  if (surplus.length > 0) return { error: `A trace event cannot have ${listFirst(surplus)}: move them to its steps` };
  const { referenceId, testId } = event;
  const evals = completeEvals(event.evals, { orgId: context.orgId, now: dateFromTimestamp(context.now) });
  if ("error" in evals) return evals;
  const metadata = structured(event.metadata);
  if (metadata !== undefined && isMetadataTooLarge(metadata)) return metadataTooLarge;
  if (areEvalsTooLarge(evals)) return evalsTooLarge;
  const givenId = event.traceId ?? event.steps.find((step) => step.traceId !== undefined)?.traceId;
  const traceId = givenId === undefined ? context.newId() : toTraceId(givenId);
  const steps = nestedSteps(event, traceId, givenId !== undefined, context);
  if ("error" in steps) return steps;
  const timestamp = event.timestamp && dateFromTimestamp(event.timestamp);
  const origin = rankOrigin(event, rankEvent(timestamp && BigInt(timestamp.getTime()) * 1_000n));
  const trace = {
    ...definedFields({ timestamp, referenceId, testId, metadata }),
    origin,
    evals,
    totals: readTotals(event),
    ...readPeople(event, context.applicationId),
  };
  const evaluations = readEvaluations(event, traceId, timestamp ?? dateFromTimestamp(context.now));
  return { traceId, trace, ...priced(steps), ...(evaluations.length > 0 && { evaluations }) };
}

/** Returns the end user and the session that an event states itself, whatever its metadata contain. */
function readPeople({ user, session }: IngestEvent, applicationId: string): Pick<TraceData, "endUser" | "session"> {
  return {
    ...(user !== undefined && { endUser: { id: makeStorable(user), key: endUserKey(applicationId, user) } }),
    ...(session !== undefined && {
      session: { externalId: makeStorable(session), id: sessionId(applicationId, session) },
    }),
  };
}

/** Source of evaluations that name none. */
const defaultSource = "ingest";

function readEvaluations(event: IngestEvent, traceId: string, createdAt: Date): ExternalEvaluation[] {
  return event.externalEvaluations.map(({ name, score = null, label = null, explanation = null, source }) => {
    const evaluation = { name, score, label, explanation, source: source === "" ? defaultSource : source };
    const id = derivedId("external-evaluation", traceId, JSON.stringify(evaluation));
    return { ...evaluation, id, traceId, responseId: undefined, createdAt };
  });
}

function priced(steps: readonly PricedStep[]): Pick<TraceUpdate, "steps" | "calls" | "attachments"> {
  const calls = steps.flatMap(({ step, call }) => (call === undefined ? [] : [[step.id, call] as const]));
  const attachments = steps.flatMap((step) => step.attachments);
  return {
    steps: steps.map(({ step }) => step),
    ...(calls.length > 0 && { calls: new Map(calls) }),
    ...(attachments.length > 0 && { attachments }),
  };
}

function readTotals(event: IngestEvent) {
  const { stepCount, totalDurationMs: ms, totalPromptTokens: prompt, totalCompletionTokens: completion } = event;
  return definedFields({
    hasError: event.hasError,
    totalCost: event.totalCost,
    stepCount: stepCount === undefined ? undefined : Number(stepCount),
    totalDurationMs: ms,
    totalPromptTokens: prompt === undefined ? undefined : Number(prompt),
    totalCompletionTokens: completion === undefined ? undefined : Number(completion),
  });
}

/** Builds the update that adds a single step to its trace, and creates the trace if it is missing. */
function stepUpdate(event: IngestEvent, { now, newId, findPrice }: IngestContext): TraceUpdate | Rejection {
  const surplus: string[] = ofTraces.filter((field) => event[field] !== undefined);
  if (event.steps.length > 0) surplus.push("steps");
  if (event.evals.length > 0) surplus.push("evals");
  if (event.externalEvaluations.length > 0) surplus.push("externalEvaluations");
  if (surplus.length > 0)
    return { error: `A single step cannot have ${listFirst(surplus)}: move them to a trace event` };
  const foreign = foreignField(event);
  if (foreign !== undefined) return { error: itemMessage(foreign.field, foreign.reason) };
  const traceId = event.traceId === undefined ? newId() : toTraceId(event.traceId);
  const id = stepId(event.id) ?? newId();
  const key = { traceId, id, parentId: stepId(event.parentId), timestamp: event.timestamp ?? now };
  return { traceId, ...priced([toStep(event, key, findPrice)]) };
}

/** Returns the steps of a trace event as a flat list, each parent before its nested children. */
function nestedSteps(
  event: IngestEvent,
  traceId: string,
  isRepeatable: boolean,
  { now, newId, findPrice }: IngestContext,
): PricedStep[] | Rejection {
  const start = event.timestamp ?? now;
  const ids = new Set<string>();
  const steps: PricedStep[] = [];
  const add = (nested: readonly IngestStep[], path: string, outer?: string): Rejection | undefined => {
    for (const [index, step] of nested.entries()) {
      const at = `${path}steps.${index}`;
      const foreign = foreignField(step);
      if (foreign !== undefined) return { error: itemMessage(`${at}.${foreign.field}`, foreign.reason) };
      if (step.traceId !== undefined && toTraceId(step.traceId) !== traceId)
        return { error: itemMessage(`${at}.traceId`, "the step belongs to another trace") };
      const parentId = stepId(step.parentId) ?? outer;
      const id = stepId(step.id) ?? (isRepeatable ? positionalId(step, index, traceId, outer) : newId());
      if (ids.has(id)) return { error: itemMessage(`${at}.id`, `Two steps of the trace have the id ${echoed(id)}`) };
      ids.add(id);
      steps.push(toStep(step, { traceId, id, parentId, timestamp: step.timestamp ?? start }, findPrice));
      const rejection = add(step.steps, `${at}.`, id);
      if (rejection !== undefined) return rejection;
    }
    return undefined;
  };
  return add(event.steps, "") ?? steps;
}

/** Maximum number of names listed in an error message. */
const namesMax = 8;

function listFirst(names: readonly string[]): string {
  const more = names.length > namesMax ? ` and ${names.length - namesMax} more` : "";
  return names.slice(0, namesMax).join(", ") + more;
}

/** Converts UUIDs to lower case, because they are compared in lower case. */
function stepId(id: string | undefined): string | undefined {
  return id !== undefined && /^[\da-fA-F]{8}-/.test(id) ? id.toLowerCase() : id;
}

/**
 * Derives a step's id, the same for retries of the event. Includes the step's own fields, so that steps of the trace's
 * other events get different ids.
 */
function positionalId(step: IngestStep, index: number, traceId: string, parentId = ""): string {
  const { type, event = "", name = "", timestamp } = step;
  const at = timestamp === undefined ? "" : timestampMs(timestamp);
  return derivedId("step", traceId, parentId, index, type, event, name, at);
}
