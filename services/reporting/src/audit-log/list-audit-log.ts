import type { Database } from "@ems/kit/db/database";
import { defineList, listPage, nonEmptyOrNull, timeRange } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  AuditActionSchema,
  AuditLogOrderSchema,
  type AuditLogService,
} from "@ems/proto/reporting/v1/audit_log_service";
import { AuditLogEntity } from "./entity.ts";
import { auditLogEntry } from "./messages.ts";

type Handler = Handlers<typeof AuditLogService>["listAuditLog"];

/** Services that publish their audit log as `reporting.<service>_audit_v1`. */
const publishers = ["identity", "catalog", "traces", "experiments", "evaluation", "notifications"];
const all = publishers.map((service) => `SELECT * FROM reporting.${service}_audit_v1`).join(" UNION ALL ");

const list = defineList(AuditLogEntity, {
  alias: "a",
  orderBy: AuditLogOrderSchema,
  from: `(${all}) a`,
  where: {
    resource: "a.resource = ANY (?)",
    entityId: "a.entity_id = ANY (?)",
    action: "a.action = ANY (?)",
    keyId: "a.key_id = ?",
    userId: "a.user_id = ?",
    requestId: "a.request_id = ?",
    from: "a.created_at >= ?",
    until: "a.created_at < ?",
  },
});

/** Returns a page of the application's audit log, merged from all services. */
export function listAuditLog(database: Database): Handler {
  return async (request, call) => {
    const { entityId, keyId, userId, requestId } = request;
    const filters = {
      resource: nonEmptyOrNull(request.resource),
      // Services store their own ids in lower case, and ids of users unchanged.
      entityId: entityId === undefined ? null : [entityId, entityId.toLowerCase()],
      action: enumNames(AuditActionSchema, request.action),
      keyId: keyId?.toLowerCase(),
      userId,
      requestId,
      ...timeRange(request),
    };
    const { rows, pagination } = await listPage(database, call, list, request, filters);
    return { data: rows.map(auditLogEntry), pagination };
  };
}
