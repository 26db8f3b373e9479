import { del, get, post, type Schemas } from "../api/request.ts";
import { type TraceSearch, traceUrl } from "./trace-search.ts";

export type Trace = Schemas["Trace"];
export type Step = Schemas["TraceStep"];

/** Maximum steps per page in the API. */
export const stepsPage = 100;

export const listTraces = (search: TraceSearch) => get("/v0/traces", { params: { query: traceUrl.query(search) } });
export const getTrace = (id: string) => get("/v0/traces/{id}", { params: { path: { id } } });
export const listSteps = (id: string, skip: number) =>
  get("/v0/traces/{id}/steps", { params: { path: { id }, query: { skip, limit: stepsPage } } });

export const deleteTrace = (id: string) => del("/v0/traces/{id}", { params: { path: { id } } });

/** Paths of queries to refresh after traces were deleted. */
export const refreshedByDeletions = ["/v0/traces", "/v0/tests"] as const;

/** Filters of the list, without the page. */
const toFilter = (search: TraceSearch) => {
  const { skip: _, limit: __, orderBy: ___, orderDir: ____, ...filter } = traceUrl.query(search);
  return filter;
};

export type DeletionCount = Pick<Schemas["DeleteTracesResponse"], "count" | "archivedCount" | "countedAt">;

/** Request that counts the traces of the filtered list without deleting them. */
export const countTraces = (search: TraceSearch) =>
  post("/v0/traces/delete", { body: { filter: toFilter(search), dryRun: true } });
export const deleteTraces = (search: TraceSearch, { count, archivedCount, countedAt }: DeletionCount) =>
  post("/v0/traces/delete", { body: { filter: toFilter(search), count, archivedCount, countedAt } });
export const getTraceDeletion = (id: string) => get("/v0/traces/deletions/{id}", { params: { path: { id } } });
export const getAttachment = (id: string, hash: string) =>
  get("/v0/traces/{id}/attachments/{hash}", { params: { path: { id, hash } } });

export const ingest = (body: Schemas["IngestEventsRequest"]) => post("/v0/ingest", { body });

/** Sample request to show if there are no traces yet. */
export const sampleIngest = ingest({
  events: [
    {
      id: "01890a5d-ac96-774b-bcce-b302099a8057",
      traceId: "01890a5d-ac96-774b-bcce-b302099a8058",
      timestamp: "2026-01-01T08:00:00.000Z",
      type: "request",
      content: "Which papers do I need?",
    },
  ],
});
