import { get, type Schemas } from "../api/request.ts";
import { type AuditSearch, auditUrl } from "./audit-search.ts";

export type AuditEntry = Schemas["AuditLogEntry"];

export const listAuditLog = (search: AuditSearch) =>
  get("/v0/audit-log", { params: { query: auditUrl.query(search) } });

/** The API's largest page. */
const pageMax = 100;

/** Page of the search results, oldest first, so that new entries do not shift pages during an export. */
export const exportedAuditLog = (search: AuditSearch, skip: number) =>
  listAuditLog({ ...search, skip, limit: pageMax, orderBy: "createdAt", orderDir: "asc" });
