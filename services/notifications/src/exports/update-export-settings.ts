import { lockVersion } from "@ems/kit/db/version";
import { enumName } from "@ems/kit/enum";
import { invalidField, unavailable } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  ExportDatasetSchema,
  ExportFormat,
  ExportFormatSchema,
  ExportInterval,
  ExportIntervalSchema,
  type ExportSettingsService,
  type UpdateExportSettingsRequest,
} from "@ems/proto/notifications/v1/export_settings_service";
import type { Deps } from "../deps.ts";
import { bucketUrl } from "./bucket/index.ts";
import { ExportSettingEntity, type ExportSettingRow, exportSettingVersions } from "./entity.ts";
import { setJobs } from "./jobs.ts";
import { exportSettings } from "./messages.ts";
import { sealSecret } from "./secrets.ts";

type Handler = Handlers<typeof ExportSettingsService>["updateExportSettings"];

/** Replaces the export settings, and schedules the exports of their datasets. */
export function updateExportSettings(deps: Deps): Handler {
  const { database, clock, secrets } = deps;
  return (request, call) => {
    const columns = toColumns(request);
    const check = () => requireAllowedHost(deps, columns);
    return database.changeAfter(call, check, async (tx) => {
      const { applicationId, orgId } = call.tenant;
      lockVersion(tx, "export_setting", applicationId);
      const before = await tx.findOne(ExportSettingEntity, { applicationId }, { lock: "UPDATE" });
      exportSettingVersions.check(call, { applicationId, row: before });
      const { secretAccessKey } = request;
      const now = clock.now();
      const row: ExportSettingRow = {
        applicationId,
        orgId,
        ...columns,
        secret:
          secretAccessKey === undefined
            ? keepSecret(before, columns)
            : sealSecret(secrets, applicationId, secretAccessKey),
        createdAt: before?.createdAt ?? now,
        modifiedAt: now,
      };
      await tx.insert(ExportSettingEntity, row, { key: ["applicationId"], update: changeable });
      const jobs = await setJobs(tx, row, { before, now, delayMs: deps.exportDelayMs });
      exportSettingVersions.answer(call, { applicationId, row });
      return { data: exportSettings(row, jobs) };
    });
  };
}

type Columns = Omit<ExportSettingRow, "applicationId" | "orgId" | "secret" | "createdAt" | "modifiedAt">;

const changeable = [
  ...["endpoint", "region", "bucket", "prefix", "pathStyle", "accessKeyId", "secret", "datasets", "format"],
  ...["period", "enabled", "modifiedAt"],
] as (keyof ExportSettingRow)[];

function toColumns(request: UpdateExportSettingsRequest): Columns {
  const { format = ExportFormat.JSONL_GZIP, interval = ExportInterval.HOURLY } = request;
  return {
    endpoint: request.endpoint.replace(/\/$/, ""),
    region: request.region ?? "us-east-1",
    bucket: request.bucket,
    prefix: request.prefix ?? null,
    pathStyle: request.pathStyle ?? true,
    accessKeyId: request.accessKeyId,
    datasets: request.datasets.map((dataset) => enumName(ExportDatasetSchema, dataset)),
    format: enumName(ExportFormatSchema, format),
    period: enumName(ExportIntervalSchema, interval),
    enabled: request.enabled ?? true,
  };
}

/** Returns the stored secret, unless it would be used in another place than it was set for. */
function keepSecret(before: ExportSettingRow | null, { endpoint, accessKeyId }: Columns): string {
  const path = ["secret_access_key"];
  if (before === null) throw invalidField(path, "is required when the settings are created");
  if (before.endpoint !== endpoint || before.accessKeyId !== accessKeyId)
    throw invalidField(path, "must be given again when endpoint or accessKeyId changes");
  return before.secret;
}

async function requireAllowedHost({ storage }: Pick<Deps, "storage">, columns: Columns): Promise<void> {
  const result = await storage.hosts.checkUrl(bucketUrl(columns));
  if (result.ok) return;
  if (result.reason === "resolver") throw unavailable("Names cannot be resolved at the moment");
  throw invalidField(["endpoint"], "must be https and resolve to a public host");
}
