import { get, type Schemas } from "../api/request.ts";
import { type AuditSearch, auditUrl } from "./audit-search.ts";

export type AuditEntry = Schemas["AuditLogEntry"];

export const listAuditLog = (search: AuditSearch) =>
  get("/v0/audit-log", { params: { query: auditUrl.query(search) } });

/** Maximum rows per page in the API. */
const pageMax = 100;

/** Request for a page of the exported log after a cursor, so that new entries do not shift pages during the export. */
export const exportedAuditLog = ({ skip: _, ...search }: AuditSearch, after: string | undefined) => {
  const query = auditUrl.query({ ...search, limit: pageMax, orderBy: "createdAt", orderDir: "asc" });
  return get("/v0/audit-log", { params: { query: { ...query, ...(after !== undefined && { after }) } } });
};
