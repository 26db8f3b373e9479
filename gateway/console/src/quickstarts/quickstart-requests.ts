// What the pages of quickstarts and their assignments read and change.

import { get, post, put, type Schemas, unconditional } from "../api/request.ts";
import { type ListSearch, listSearch, pageOf } from "../url/list-search.ts";
import { type RawSearch, someOf, text } from "../url/search.ts";

export type Quickstart = Schemas["Quickstart"];
export type Assignment = Schemas["Assignment"];

export const stages = ["KB_REVIEW", "TASKS_TOPICS_REVIEW"] as const;
export const quickstartOrders = ["createdAt", "modifiedAt", "title"] as const;
const assignmentOrders = ["createdAt", "modifiedAt", "stage"] as const;

export interface AssignmentSearch extends ListSearch<(typeof assignmentOrders)[number]> {
  readonly stage?: (typeof stages)[number][];
  readonly assignedTo?: string;
}

export const assignmentSearch = (raw: RawSearch): AssignmentSearch => ({
  ...listSearch(raw, assignmentOrders),
  stage: someOf(raw.stage, stages),
  assignedTo: text(raw.assignedTo),
});

export const refreshedByQuickstarts = ["/v0/quickstarts"] as const;

export const listQuickstarts = (search: ListSearch<(typeof quickstartOrders)[number]>) =>
  get("/v0/quickstarts", { params: { query: pageOf(search) } });
export const getQuickstart = (id: string) => get("/v0/quickstarts/{id}", { params: { path: { id } } });
export const createQuickstart = (body: Schemas["CreateQuickstartRequest"]) => post("/v0/quickstarts", { body });
export const listAssignments = (id: string, { columns: _, ...search }: AssignmentSearch) =>
  get("/v0/quickstarts/{id}/assignments", {
    params: { path: { id }, query: { ...pageOf(search), stage: search.stage, assignedTo: search.assignedTo } },
  });
export const createAssignments = ({ id, ...body }: { id: string } & Schemas["CreateAssignmentsRequest"]) =>
  post("/v0/quickstarts/{id}/assignments/bulk", { params: { path: { id } }, body });
export const reassign = ({ id, ...body }: { id: string } & Schemas["ReassignAssignmentsRequest"]) =>
  unconditional(put("/v0/quickstarts/{id}/assignments/bulk", { params: { path: { id } }, body }));
