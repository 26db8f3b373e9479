import { get, type Schemas } from "../api/request.ts";
import { type AuditSearch, auditUrl } from "./audit-search.ts";

export type AuditEntry = Schemas["AuditLogEntry"];

export const listAuditLog = (search: AuditSearch) =>
  get("/v0/audit-log", { params: { query: auditUrl.query(search) } });

/** The API's largest page. */
const pageMax = 100;

/** A page of what the search finds, the oldest first: what comes while pages are read comes after them. */
export const exportedAuditLog = (search: AuditSearch, skip: number) =>
  listAuditLog({ ...search, skip, limit: pageMax, orderBy: "createdAt", orderDir: "asc" });
