import { get, post, type Schemas } from "../api/request.ts";
import { type TraceSearch, traceUrl } from "./trace-search.ts";

export type Trace = Schemas["Trace"];
export type Step = Schemas["TraceStep"];

/** Maximum steps per page in the API. */
export const stepsPage = 100;

export const listTraces = (search: TraceSearch) => get("/v0/traces", { params: { query: traceUrl.query(search) } });
export const getTrace = (id: string) => get("/v0/traces/{id}", { params: { path: { id } } });
export const listSteps = (id: string, skip: number) =>
  get("/v0/traces/{id}/steps", { params: { path: { id }, query: { skip, limit: stepsPage } } });

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
