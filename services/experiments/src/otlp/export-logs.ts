import { unimplemented } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { OtlpService } from "@ems/proto/experiments/v1/otlp_service";

export const exportLogs: Handlers<typeof OtlpService>["exportLogs"] = () => Promise.reject(unimplemented("ExportLogs"));
