// API requests of the issue pages.

import { get, patch, post, put, type Schemas, unconditional } from "../api/request.ts";
import { listUrl, parseMany, type SearchState } from "../url/list-url.ts";
import { text } from "../url/search.ts";

export type Issue = Schemas["IssueOutput"];

export const statuses = ["OPEN", "RESOLVED", "REJECTED"] as const;
export const priorities = ["HIGH", "MEDIUM", "LOW"] as const;
export const sources = ["TEST", "TASK", "TOPIC", "SYSTEM", "MONITORING", "API", "HUMAN_ANNOTATION"] as const;
export const types = ["BUG", "HUMAN_ANNOTATION", "SUGGESTED_TASK", "USER_SIGNAL"] as const;

export const issueUrl = listUrl(["createdAt", "modifiedAt", "title", "status", "priority"], {
  status: parseMany(statuses),
  priority: parseMany(priorities),
  source: parseMany(sources),
  type: parseMany(types),
  assignedTo: text,
});

export const refreshedByIssues = ["/v0/issues"] as const;

export const listIssues = (search: SearchState<typeof issueUrl>) =>
  get("/v0/issues", { params: { query: issueUrl.query(search) } });
export const getIssue = (id: string) => get("/v0/issues/{id}", { params: { path: { id } } });
export const createIssue = (body: Schemas["CreateIssueRequest"]) => post("/v0/issues", { body });
export const updateIssue = ({ id, ...body }: { id: string } & Schemas["UpdateIssueRequest"]) =>
  put("/v0/issues/{id}", { params: { path: { id } }, body });
export const updateIssues = (body: Schemas["UpdateIssuesRequest"]) => unconditional(patch("/v0/issues", { body }));
export const acceptTask = ({ id, ...body }: { id: string } & Schemas["AcceptSuggestedTaskRequest"]) =>
  put("/v0/issues/{id}/suggested-task", { params: { path: { id } }, body });
