import { count } from "@ems/kit/config";
import { z } from "zod";

const name = (what: string) => z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/, `must be the name of a ${what}`);

/** Settings of the ClickHouse server. */
export const archiveConfig = {
  CLICKHOUSE_URL: z
    .url({ protocol: /^https?$/, error: "must be an http:// or https:// URL" })
    .regex(/^[^?#@]+$/, "must have no user, password or query: CLICKHOUSE_USER and CLICKHOUSE_PASSWORD have them")
    .optional()
    .describe("HTTP URL of the ClickHouse server that old rows move to. Unset: all rows stay in PostgreSQL."),
  CLICKHOUSE_USER: z.string().default("default").describe("ClickHouse user."),
  CLICKHOUSE_PASSWORD: z.string().optional().describe("Password of the ClickHouse user."),
  CLICKHOUSE_DATABASE: name("database").default("ems").describe("ClickHouse database of the archive."),
  CLICKHOUSE_CLUSTER: name("cluster")
    .optional()
    .describe("ClickHouse cluster over which the archive is distributed, by application. Unset: one node."),
  CLICKHOUSE_CA_FILE: z
    .string()
    .optional()
    .describe("Additional CA certificates (PEM) trusted for ClickHouse; requires https."),
};

export type ArchiveConfig = z.infer<z.ZodObject<typeof archiveConfig>>;

/** Settings of a service whose rows are archived. */
export const workerConfig = {
  ...archiveConfig,
  ARCHIVE_AFTER_DAYS: count()
    .min(1)
    .max(36_500)
    .default(90)
    .describe("Days after their last change (whole UTC days) until rows move to ClickHouse and become read-only."),
  ARCHIVE_BATCH_ROWS: count().min(1).default(50_000).describe("Maximum traces or tests per archive batch."),
  ARCHIVE_DROP_AFTER_DAYS: z
    .undefined(
      "is no longer supported: set ARCHIVE_AFTER_DAYS, after which rows move to ClickHouse and become read-only",
    )
    .optional(),
};

export type WorkerConfig = z.infer<z.ZodObject<typeof workerConfig>>;
