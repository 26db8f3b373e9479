import { get, put, type Schemas } from "../api/request.ts";
import { type RunSearch, runUrl } from "./run-search.ts";

export type Run = Schemas["Run"];

export const listRuns = (search: RunSearch) => get("/v0/runs", { params: { query: runUrl.query(search) } });
export const getRun = (id: string) => get("/v0/runs/{id}", { params: { path: { id } } });

export const updateRun = ({ id, ...body }: { id: string } & Schemas["UpdateRunRequest"]) =>
  put("/v0/runs/{id}", { params: { path: { id } }, body });

export const isRunning = ({ status }: Pick<Run, "status">) => status === "PENDING" || status === "IN_PROGRESS";
