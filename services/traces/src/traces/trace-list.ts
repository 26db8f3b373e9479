// The list of traces: its filters in both stores, and rows by page or in the order of arrival.

import { readArchivedAfter, type Stores } from "@ems/archive";
import { buildSelectList } from "@ems/kit/db/columns";
import { defineList } from "@ems/kit/db/list";
import { type AfterRequest, readAfter } from "@ems/kit/db/list-after";
import type { Call } from "@ems/kit/rpc/call";
import { TraceOrderSchema } from "@ems/proto/experiments/v1/trace_service";
import { searchKeys, waitUntilIndexed, wordsToFind } from "../search/index.ts";
import { TraceEntity, type TraceRow } from "./entity.ts";
import { archived, type TraceFilter, toFilters, where } from "./filter.ts";

const options = {
  alias: "t",
  orderBy: TraceOrderSchema,
  where,
  search: "traces.find_traces",
};
export const counted = defineList<TraceRow>(TraceEntity, {
  ...options,
  counts: { times: { createdAt: "created_at", timestamp: "timestamp" }, range: "timestamp" },
});
/** Counts rows instead, as long as the stored row counts still include traces past their retention. */
export const uncounted = defineList<TraceRow>(TraceEntity, { ...options, name: "trace-rows" });

/** Returns the values of a request's filters, for both stores. */
export function toListFilters(request: TraceFilter, applicationId: string) {
  return {
    filters: toFilters(request, applicationId),
    search: request.search ? wordsToFind(applicationId, request.search) : undefined,
    archivedFilters: { words: request.search ? searchKeys(applicationId, request.search) : null },
  };
}

/** Reads traces that match the filters of a list, oldest first; from the archive with `store`. */
export async function readTracesAfter<Key extends keyof TraceRow = keyof TraceRow>(
  stores: Stores,
  call: Call,
  request: TraceFilter,
  page: Omit<AfterRequest, "search">,
  properties?: readonly Key[],
): Promise<Pick<TraceRow, Key>[]> {
  const { filters, search, archivedFilters } = toListFilters(request, call.tenant.applicationId);
  if (request.store === "archive") {
    const archivedRequest = { ...filters, ...archivedFilters };
    return readArchivedAfter(stores, call, uncounted, archived, page, archivedRequest, properties);
  }
  const isFirst = page.after === undefined;
  if (isFirst && search !== undefined && request.consistency === "indexed")
    await waitUntilIndexed(stores.database, call);
  const columns = properties && buildSelectList(TraceEntity, "t", properties);
  return readAfter(stores.database, call, uncounted, { ...page, search }, filters, columns);
}
