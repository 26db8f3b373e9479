import { create } from "@bufbuild/protobuf";
import { tooLarge } from "@ems/kit/errors";
import { jsonTextLimits } from "@ems/kit/readers";
import type { Handlers } from "@ems/kit/rpc/service";
import { counter } from "@ems/kit/telemetry/metrics";
import type { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import {
  ExportTraceServiceRequestSchema,
  ExportTraceServiceResponseSchema,
} from "@ems/proto/opentelemetry/proto/collector/trace/v1/trace_service";
import { listStored, storeAttachments } from "../attachments/index.ts";
import type { Deps } from "../deps.ts";
import {
  admitNames,
  assignToTraces,
  redactExternalEvaluations,
  storeExternalEvaluations,
} from "../external-evaluations/index.ts";
import { redactFeedback, storeFeedback } from "../feedback/index.ts";
import { redactUpdates } from "../ingest-settings/index.ts";
import {
  fillPayloads,
  mapInSlices,
  type Rejection,
  type SpanCall,
  type StepMonths,
  storeUpdates,
  type TraceUpdate,
  type UpdateResult,
  waitForTurn,
  withContinuations,
} from "../traces/index.ts";

import { lockLogMessages, payloadsFromLogs, type StepKey } from "./log-message.ts";
import { readSpanEvaluations } from "./read-evaluations.ts";
import { readSpanFeedback } from "./read-feedback.ts";
import { readSpans, type SpanStep } from "./read-spans.ts";
import { reasonsText, refusedNames } from "./reasons.ts";
import { traceUpdates } from "./trace-updates.ts";
import { decode, encode } from "./wire/decode.ts";
import { droppedWarnings, withoutNoise } from "./without-noise.ts";

type Handler = Handlers<typeof OtlpService>["exportTraces"];

/** Stores the valid spans, and returns the number of rejected spans with the reasons. */
export function exportTraces(
  {
    stores,
    clock,
    prices,
    completion,
    redactors,
    arrivalRules,
  }: Pick<Deps, "stores" | "clock" | "prices" | "completion" | "redactors" | "arrivalRules">,
  months: StepMonths,
  rowsMax: number,
): Handler {
  return async ({ payload, contentType }, call) => {
    const { message, warnings } = decode(ExportTraceServiceRequestSchema, payload, contentType);
    const scopes = message.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans);
    const rows = scopes.reduce((sum, { spans }) => sum + spans.length, 0);
    if (rows > rowsMax) throw tooManyRows(rowsMax);
    const { applicationId } = call.tenant;
    await waitForTurn(applicationId, rows);
    const { paths, decideNoise } = await arrivalRules.of(call);
    const { spans, dropped } = withoutNoise(
      await mapInSlices(applicationId, readSpans(message, decideNoise), (span) => span),
    );
    const findPrice = await prices.of(call);
    const received = await mapInSlices(applicationId, traceUpdates(spans, findPrice), (update) => update);
    const redactor = await redactors.of(call);
    const redacted = await redactUpdates(redactor, paths, applicationId, received);
    const silent = spans.flatMap((span) => ("fields" in span && isSilent(span) ? [stepKey(span)] : []));
    const now = clock.now();
    const events = readSpanFeedback(message, now);
    const feedback = await redactFeedback(redactor, applicationId, events.flatMap(withoutError));
    const results = readSpanEvaluations(message, now);
    if (rows + events.length + results.length > rowsMax) throw tooManyRows(rowsMax);
    const evaluations = await redactExternalEvaluations(redactor, applicationId, results.flatMap(withoutError));
    const faults = [...events, ...results].flatMap((event) => ("error" in event ? event.error : []));
    const warned = [
      ...warnings,
      ...plainTextWarnings(spans),
      ...refusedWarnings(spans),
      ...faults,
      ...droppedWarnings(dropped),
    ];
    const { database, hasArchive } = stores;
    return withContinuations(stores, call, redacted, (updates) =>
      database.runExpensive(call, () =>
        months.within(now, (begin) =>
          database.change(call, async (tx) => {
            begin(tx);
            if (silent.length > 0) await lockLogMessages(tx, applicationId, "spans");
            const arrival = { now, source: "otlp", completion, hasArchive } as const;
            await storeFeedback(tx, call.tenant, feedback);
            const admitted = await admitNames(tx, applicationId, evaluations);
            const results = await storeUpdates(tx, call.tenant, arrival, updates);
            await fillPayloads(tx, call.tenant, now, await payloadsFromLogs(tx, applicationId, silent));
            await storeAttachments(tx, call.tenant, listStored(updates, results), now);
            await storeExternalEvaluations(tx, call.tenant, admitted, now);
            assignToTraces(tx, applicationId, newCalls(updates));
            const refused = refusedNames(evaluations.length - admitted.length);
            const errors = results.flatMap((result) => ("error" in result ? [result.error] : []));
            const errorMessage = reasonsText([...warned, ...refused, ...errors]);
            const partialSuccess = { rejectedSpans: BigInt(errors.length + dropped), errorMessage };
            const answer = create(ExportTraceServiceResponseSchema, errorMessage === "" ? {} : { partialSuccess });
            return { payload: encode(ExportTraceServiceResponseSchema, answer, contentType), rows: BigInt(rows) };
          }),
        ),
      ),
    );
  };
}

const tooManyRows = (max: number) => tooLarge(`A request can create at most ${max} traces and steps`);
const withoutError = <Result extends object>(result: Result | Rejection) => ("error" in result ? [] : [result]);

/** Returns the model calls with a response id. */
function newCalls(updates: readonly (UpdateResult | (Pick<TraceUpdate, "calls"> & { readonly traceId: string }))[]) {
  return updates.flatMap((update) => {
    if (!("traceId" in update)) return [];
    const { traceId, calls = new Map<string, SpanCall>() } = update;
    return [...calls].flatMap(([id, { callId }]) => (callId === null || callId === id ? [] : [{ callId, traceId }]));
  });
}

const countPlainText = counter({
  name: "ems_otlp_plain_texts_total",
  help: "Span attributes with JSON of too many values to parse, which are stored as plain text.",
  labels: [],
});

function plainTextWarnings(spans: readonly (SpanStep | Rejection)[]): string[] {
  const names = new Set<string>();
  for (const span of spans) {
    if ("error" in span) continue;
    for (const name of span.plainTexts) {
      names.add(name.slice(0, nameLengthMax).toWellFormed());
      countPlainText({});
    }
  }
  const { values } = jsonTextLimits;
  return [...names].map((name) => `${name}: JSON of more than ${values} values is stored as plain text`);
}

/** Names the attributes whose values are refused. */
function refusedWarnings(spans: readonly (SpanStep | Rejection)[]): string[] {
  const refused = new Map<string, string>();
  for (const span of spans)
    if (!("error" in span)) for (const [name, reason] of span.refused) refused.set(name, reason);
  return [...refused].map(([name, reason]) => `${name.slice(0, nameLengthMax).toWellFormed()} ${reason}`);
}

/** Maximum length of an attribute's name in a warning to the sender. */
const nameLengthMax = 100;

/** Returns true if a call has no messages: they may arrive in log records. */
function isSilent({ fields: { type, input, output } }: SpanStep): boolean {
  return (type === "llm" || type === "agent") && (input === undefined || output === undefined);
}

function stepKey({ trace, id }: SpanStep): StepKey {
  return { traceId: trace.id, stepId: id };
}
