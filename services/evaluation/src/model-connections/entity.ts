import {
  boolean,
  double,
  integer,
  nullable,
  oneOf,
  type Row,
  table,
  text,
  timestamp,
  uuid,
  withDefault,
} from "@ems/kit/db/table";
import { rowVersions } from "@ems/kit/db/version";

export type ModelConnectionRow = Row<typeof ModelConnectionEntity>;

export const ModelConnectionEntity = table(
  "evaluation.model_connection",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    name: text,
    provider: oneOf("openai", "anthropic", "openai-compatible"),
    baseUrl: nullable(text),
    model: text,
    /** Encrypted key; an empty text means no key. */
    apiKey: text,
    apiKeyLastFour: nullable(text),
    inputPerMillion: nullable(double),
    outputPerMillion: nullable(double),
    requestsPerMinute: nullable(integer),
    tokensPerMinute: nullable(integer),
    concurrency: nullable(integer),
    isDefault: boolean,
    /** Number of failed calls since the last success. */
    failureStreak: withDefault(integer, 0),
    failingSince: nullable(timestamp),
    /** Start of the pause; null while the connection works. */
    pausedAt: nullable(timestamp),
    pauseReason: nullable(text),
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    indices: [
      { name: "model_connection_default", columns: ["applicationId"], unique: true, where: "is_default" },
      { name: "model_connection_created", columns: ["applicationId", "createdAt", "id"] },
    ],
    checks: [
      {
        name: "model_connection_prices_check",
        expression: "(input_per_million IS NULL) = (output_per_million IS NULL)",
      },
      { name: "model_connection_paused_check", expression: "(paused_at IS NULL) = (pause_reason IS NULL)" },
    ],
  },
);

/** Calls can pause a connection, but change neither its settings nor its version. */
export const connectionVersions = rowVersions(ModelConnectionEntity, {
  except: ["failureStreak", "failingSince", "pausedAt", "pauseReason"],
});

/** Column values of a connection that works, or is assumed to work. */
export const working = { failureStreak: 0, failingSince: null, pausedAt: null, pauseReason: null } as const;
