// What the inbox of issues reads and changes.

import { get, patch, post, put, type Schemas, unconditional } from "../api/request.ts";
import { type ListSearch, listSearch, pageOf } from "../url/list-search.ts";
import { type RawSearch, someOf, text } from "../url/search.ts";

export type Issue = Schemas["IssueOutput"];

export const statuses = ["OPEN", "RESOLVED", "REJECTED"] as const;
export const priorities = ["HIGH", "MEDIUM", "LOW"] as const;
export const sources = ["TEST", "TASK", "TOPIC", "SYSTEM", "MONITORING", "API", "HUMAN_ANNOTATION"] as const;
export const types = ["BUG", "HUMAN_ANNOTATION", "SUGGESTED_TASK", "USER_SIGNAL"] as const;
const orders = ["createdAt", "modifiedAt", "title", "status", "priority"] as const;

export interface IssueSearch extends ListSearch<(typeof orders)[number]> {
  readonly status?: (typeof statuses)[number][];
  readonly priority?: (typeof priorities)[number][];
  readonly source?: (typeof sources)[number][];
  readonly type?: (typeof types)[number][];
  readonly assignedTo?: string;
}

export const issueSearch = (raw: RawSearch): IssueSearch => ({
  ...listSearch(raw, orders),
  status: someOf(raw.status, statuses),
  priority: someOf(raw.priority, priorities),
  source: someOf(raw.source, sources),
  type: someOf(raw.type, types),
  assignedTo: text(raw.assignedTo),
});

export const refreshedByIssues = ["/v0/issues"] as const;

export const listIssues = ({ columns: _, status, priority, source, type, assignedTo, ...list }: IssueSearch) =>
  get("/v0/issues", { params: { query: { ...pageOf(list), status, priority, source, type, assignedTo } } });
export const getIssue = (id: string) => get("/v0/issues/{id}", { params: { path: { id } } });
export const createIssue = (body: Schemas["CreateIssueRequest"]) => post("/v0/issues", { body });
export const updateIssue = ({ id, ...body }: { id: string } & Schemas["UpdateIssueRequest"]) =>
  put("/v0/issues/{id}", { params: { path: { id } }, body });
export const updateIssues = (body: Schemas["UpdateIssuesRequest"]) => unconditional(patch("/v0/issues", { body }));
export const acceptTask = ({ id, ...body }: { id: string } & Schemas["AcceptSuggestedTaskRequest"]) =>
  put("/v0/issues/{id}/suggested-task", { params: { path: { id } }, body });
