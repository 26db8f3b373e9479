import { get, post, type Schemas } from "../api/request.ts";
import { type TestSearch, testUrl } from "./test-search.ts";

export type Test = Schemas["Test"];
export type Evaluation = Schemas["Evaluation"];
export type RerunRequest = Schemas["RerunEvaluationsRequest"];

export const refreshedByTests = ["/v0/tests", "/v0/runs", "/v0/evals"] as const;

export const listTests = (search: TestSearch) => get("/v0/tests", { params: { query: testUrl.query(search) } });
export const getTest = (id: string) => get("/v0/tests/{id}", { params: { path: { id } } });
export const listEvaluations = (traceId: string) =>
  get("/v0/evals", { params: { query: { traceId: [traceId], limit: 100 } } });
export const recordResults = (body: Schemas["RecordResultsRequest"]) => post("/v0/tests/results", { body });
export const rerun = (body: RerunRequest) => post("/v0/evals/rerun", { body });
