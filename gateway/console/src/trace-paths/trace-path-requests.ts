import { post, type Schemas } from "../api/request.ts";

export type TracePaths = Omit<Schemas["TestTracePathsRequest"], "id">;
export type PathResults = Schemas["TracePathResults"];
export type RereadCounts = Schemas["RereadCounts"];

/** Maximum number of noise rules per application. */
export const noiseMax = 20;

export const testTracePaths = ({ id, ...body }: { readonly id: string } & TracePaths) =>
  post("/v0/traces/{id}/test-paths", { params: { path: { id } }, body });
export const rereadTraces = (body: Schemas["RereadTracesRequest"]) => post("/v0/ingest-settings/reread", { body });
