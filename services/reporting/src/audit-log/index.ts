import type { Database } from "@ems/kit/db/database";
import { type Mount, mount } from "@ems/kit/rpc/service";
import { AuditLogService } from "@ems/proto/reporting/v1/audit_log_service";
import { listAuditLog } from "./list-audit-log.ts";

export const auditLog = (database: Database): Mount => mount(AuditLogService, { listAuditLog: listAuditLog(database) });
