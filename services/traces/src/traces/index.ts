import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceService } from "@ems/proto/experiments/v1/trace_service";
import { getTraceAttachment } from "../attachments/index.ts";
import type { Deps } from "../deps.ts";
import { getTrace, type TraceDeps } from "./get-trace.ts";
import { getTraceByTest } from "./get-trace-by-test.ts";
import { listTraceSteps } from "./list-trace-steps.ts";
import { listTraces } from "./list-traces.ts";
import { recordTraceFeedback } from "./record-trace-feedback.ts";

export { isInArchive } from "./archived-traces.ts";
export { withContinuations } from "./continuation.ts";
export { type Consumption, type CountedSpan, countCalls, type OwnConsumption } from "./count-calls.ts";
export { decimalSum as sumCosts } from "./decimal.ts";
export { type DeletionReason, deleteTraces } from "./delete-traces.ts";
export { findEndUser, readEndUser } from "./end-user.ts";
export { stepTypes, TraceEntity, type TraceRow, TraceStepEntity, type TraceStepRow } from "./entity.ts";
export { fillPayloads, type StepPayloads } from "./fill-payloads.ts";
export { addMetadata } from "./filter.ts";
export { type ArchivedTrace, findTrace, requireTrace, type StoredTrace } from "./find-trace.ts";
export type { ReadConversation } from "./get-trace.ts";
export { answerTraces } from "./list-traces.ts";
export type { UpdateResult } from "./merge.ts";
export { idText } from "./metadata-id.ts";
export { nameTest } from "./name-test.ts";
export {
  mergeOrigins,
  type NamedOrigin,
  type Origin,
  originFields,
  type Ranked,
  rankEvent,
  rankOrigin,
  rankSpan,
} from "./origin.ts";
export {
  archivedStepsAfter,
  archivedTrace,
  archivedTraceSteps,
  type PlacedStep,
  placedColumns,
  selectStepIds,
  stepColumns,
  stepOrder,
  stepsOfTrace,
  traceColumns,
} from "./queries.ts";
export { type PagedTrace, readRangePage } from "./range-page.ts";
export { changeCounted, countedChanges, readPricedSpans } from "./related-spans.ts";
export { countReplaced } from "./replaced-characters.ts";
export { conversationName, findSession, readSession, sessionId, sessionName } from "./session.ts";
export { mapInSlices, waitForTurn } from "./slices.ts";
export { changeStepDays, foldStepDays, type StepChange } from "./step-days/index.ts";
export { addMonth, StepMonths } from "./step-months.ts";
export { getPayloads, type StoredStep, traceStep, usageMessage } from "./step-row.ts";
export { measureUpdates, storeUpdates } from "./store-updates.ts";
export { lockTraces, storedTraces } from "./stored.ts";
export { knownCost, pinnedSession, pinnedUser, statedTotals, type TotalsRow, totalConsumption } from "./totals.ts";
export { readTracesAfter } from "./trace-list.ts";
export { addSessions, deleteEmptySessions } from "./trace-sessions.ts";
export {
  areEvalsTooLarge,
  evalsTooLarge,
  isMetadataTooLarge,
  metadataTooLarge,
  type RedactedUpdate,
  type Rejection,
  type SpanCall,
  type TraceData,
  type TraceIds,
  type TraceUpdate,
} from "./trace-update.ts";
export { consistentTokens, countTokens, type SentTokens, type Tokens, tokenKinds } from "./usage.ts";

/** TraceService's RPCs except those of tasks, exports and paths. */
export const traces = (
  deps: Deps & TraceDeps,
): Omit<Handlers<typeof TraceService>, "createTaskFromTrace" | "downloadTraces" | "testTracePaths"> => ({
  getTrace: getTrace(deps),
  getTraceByTest: getTraceByTest(deps),
  listTraceSteps: listTraceSteps(deps),
  listTraces: listTraces(deps),
  recordTraceFeedback: recordTraceFeedback(deps),
  getTraceAttachment: getTraceAttachment(deps),
});
