// Selects the traces to delete, and what was made from them.

import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { failure } from "@ems/kit/errors";
import { definedFields } from "@ems/kit/patch";
import { type Call, forward } from "@ems/kit/rpc/call";
import { type ListTracesRequest, ListTracesRequestSchema } from "@ems/proto/experiments/v1/trace_service";
import { deletedTracesMax } from "@ems/proto/limits";
import type { SelectedTrace } from "@ems/proto/traces/v1/trace_work_service";
import type { Deps } from "../../deps.ts";

const pageMax = 10_000;
/** Maximum number of traces per call that asks catalog for the tasks made from them. */
const tracesMax = 5_000;

const issues = `SELECT i.id FROM experiments.issue i WHERE i.application_id = $1
  AND (i.trace_id = ANY ($2::uuid[]) OR i.test_id = ANY ($3::uuid[])) ORDER BY i.id`;

export interface SelectedTraces {
  readonly stored: readonly SelectedTrace[];
  readonly archived: readonly SelectedTrace[];
}

/** Selects the matching traces of both stores that arrived until `until`. */
export async function selectTraces(
  deps: Pick<Deps, "traceWork" | "stores">,
  call: Call,
  filter: ListTracesRequest = create(ListTracesRequestSchema),
  until: Date,
): Promise<SelectedTraces> {
  const stored = filter.store === "archive" ? [] : await selectInStore(deps, call, filter, until, deletedTracesMax);
  const { hasFeedback, feedbackThumb, minFeedbackScore, maxFeedbackScore, externalEvaluation } = filter;
  const isOfOpinions = [hasFeedback, feedbackThumb, minFeedbackScore, maxFeedbackScore, externalEvaluation].some(
    (value) => value !== undefined,
  );
  if (!deps.stores.hasArchive || (isOfOpinions && filter.store === undefined)) return { stored, archived: [] };
  const archivedFilter = { ...filter, store: "archive" };
  const archived = await selectInStore(deps, call, archivedFilter, until, deletedTracesMax - stored.length);
  return { stored, archived };
}

async function selectInStore(
  { traceWork }: Pick<Deps, "traceWork">,
  call: Call,
  filter: ListTracesRequest,
  until: Date,
  max: number,
): Promise<SelectedTrace[]> {
  const found: SelectedTrace[] = [];
  let after: SelectedTrace | undefined;
  do {
    const page = { filter, until: timestampFromDate(until), limit: pageMax, ...definedFields({ after }) };
    const { traces } = await traceWork.listTracesToErase(page, forward(call));
    found.push(...traces);
    after = traces.length === pageMax ? traces.at(-1) : undefined;
    if (found.length > max) {
      const many = deletedTracesMax.toLocaleString("en-US");
      throw failure(
        "STATE_CONFLICT",
        `More than ${many} traces match: divide them, for example by startDate and endDate`,
      );
    }
  } while (after !== undefined);
  return found;
}

/** Returns the tasks and issues that were made from the traces. */
export async function selectDerived(
  { database, plans }: Pick<Deps, "database" | "plans">,
  call: Call,
  { stored, archived }: SelectedTraces,
): Promise<{ readonly taskIds: readonly string[]; readonly issueIds: readonly string[] }> {
  const traces = [...stored, ...archived];
  if (traces.length === 0) return { taskIds: [], issueIds: [] };
  const traceIds = traces.map(({ id }) => id);
  const testIds = traces.flatMap(({ testId }) => testId ?? []);
  const rows = await database.read<{ id: string }>(call, {
    text: issues,
    values: [call.tenant.applicationId, traceIds, testIds],
  });
  const tasks = new Set<string>();
  for (let from = 0; from < traceIds.length; from += tracesMax) {
    const chunk = traceIds.slice(from, from + tracesMax);
    const { taskIds } = await plans.eraseTracedTasks({ traceIds: chunk, dryRun: true }, forward(call));
    for (const id of taskIds) tasks.add(id);
  }
  return { taskIds: [...tasks], issueIds: rows.map(({ id }) => id) };
}
