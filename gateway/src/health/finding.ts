// Result of a health check of one part of the product.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { type HealthFindingSchema, HealthStatus } from "@ems/proto/gateway/v1/health_service";

export type Finding = MessageInitShape<typeof HealthFindingSchema> & { readonly status: HealthStatus };

export const ok = (name: string, detail: string): Finding => ({ name, status: HealthStatus.OK, detail });

export const warning = (name: string, detail: string, advice: string): Finding => ({
  name,
  status: HealthStatus.WARNING,
  detail,
  advice,
});

export const failure = (name: string, detail: string, advice: string): Finding => ({
  name,
  status: HealthStatus.FAILURE,
  detail,
  advice,
});
