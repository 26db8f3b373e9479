import type {
  CreateModelConnectionRequest,
  UpdateModelConnectionRequest,
} from "@ems/proto/evaluation/v1/model_connection_service";
import type { ModelConnectionRow } from "./entity.ts";

type Columns = Omit<
  ModelConnectionRow,
  | "applicationId"
  | "id"
  | "orgId"
  | "apiKey"
  | "apiKeyLastFour"
  | "failureStreak"
  | "failingSince"
  | "pausedAt"
  | "pauseReason"
  | "createdAt"
  | "modifiedAt"
>;

/** Returns the columns that a request sets, except for the key. */
export function toColumns(request: CreateModelConnectionRequest | UpdateModelConnectionRequest): Columns {
  const { name, provider, baseUrl, model, prices, limits } = request;
  return {
    name,
    // Safe cast: the API's rules have validated the value.
    provider: provider as Columns["provider"],
    baseUrl: baseUrl ?? null,
    model,
    inputPerMillion: prices?.inputPerMillion ?? null,
    outputPerMillion: prices?.outputPerMillion ?? null,
    requestsPerMinute: limits?.requestsPerMinute ?? null,
    tokensPerMinute: limits?.tokensPerMinute ?? null,
    concurrency: limits?.concurrency ?? null,
    isDefault: request.default ?? false,
  };
}
