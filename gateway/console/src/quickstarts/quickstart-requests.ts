// API requests for quickstarts and their assignments.

import { get, post, put, type Schemas, unconditional } from "../api/request.ts";
import { listUrl, parseMany, type SearchState } from "../url/list-url.ts";
import { text } from "../url/search.ts";

export type Quickstart = Schemas["Quickstart"];
export type Assignment = Schemas["Assignment"];

export const stages = ["KB_REVIEW", "TASKS_TOPICS_REVIEW"] as const;

export const quickstartUrl = listUrl(["createdAt", "modifiedAt", "title"], {});
export const assignmentUrl = listUrl(["createdAt", "modifiedAt", "stage"], {
  stage: parseMany(stages),
  assignedTo: text,
});

export const refreshedByQuickstarts = ["/v0/quickstarts"] as const;

export const listQuickstarts = (search: SearchState<typeof quickstartUrl>) =>
  get("/v0/quickstarts", { params: { query: quickstartUrl.query(search) } });
export const getQuickstart = (id: string) => get("/v0/quickstarts/{id}", { params: { path: { id } } });
export const createQuickstart = (body: Schemas["CreateQuickstartRequest"]) => post("/v0/quickstarts", { body });
export const listAssignments = (id: string, search: SearchState<typeof assignmentUrl>) =>
  get("/v0/quickstarts/{id}/assignments", { params: { path: { id }, query: assignmentUrl.query(search) } });
export const createAssignments = ({ id, ...body }: { id: string } & Schemas["CreateAssignmentsRequest"]) =>
  post("/v0/quickstarts/{id}/assignments/bulk", { params: { path: { id } }, body });
export const reassign = ({ id, ...body }: { id: string } & Schemas["ReassignAssignmentsRequest"]) =>
  unconditional(put("/v0/quickstarts/{id}/assignments/bulk", { params: { path: { id } }, body }));
