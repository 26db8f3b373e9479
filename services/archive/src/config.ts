import { count } from "@ems/kit/config";
import { z } from "zod";

const name = (what: string) => z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/, `must be the name of a ${what}`);

/** Settings of the archive's server. */
export const archiveConfig = {
  CLICKHOUSE_URL: z
    .url({ protocol: /^https?$/, error: "must be an http:// or https:// URL" })
    .regex(/^[^?#@]+$/, "must have no user, password or query: CLICKHOUSE_USER and CLICKHOUSE_PASSWORD have them")
    .optional()
    .describe("ClickHouse, which old rows move to, over HTTP. Unset: PostgreSQL has all rows."),
  CLICKHOUSE_USER: z.string().default("default").describe("The user of ClickHouse."),
  CLICKHOUSE_PASSWORD: z.string().optional().describe("The user's password."),
  CLICKHOUSE_DATABASE: name("database").default("ems").describe("The database of the archive."),
  CLICKHOUSE_CLUSTER: name("cluster")
    .optional()
    .describe("The cluster over which the archive is distributed, by application. Unset: one node."),
  CLICKHOUSE_CA_FILE: z
    .string()
    .optional()
    .describe("Certificates (PEM) trusted for ClickHouse beside the system's; requires https."),
};

export type ArchiveConfig = z.infer<z.ZodObject<typeof archiveConfig>>;

/** Settings of a service whose rows are archived. */
export const workerConfig = {
  ...archiveConfig,
  ARCHIVE_AFTER_DAYS: count()
    .min(1)
    .max(36_500)
    .default(90)
    .describe(
      "Rows move to ClickHouse this many days after their last change, in whole days of UTC. They are read-only then.",
    ),
  ARCHIVE_BATCH_ROWS: count().min(1).default(50_000).describe("Traces or tests that move to ClickHouse at a time."),
  ARCHIVE_DROP_AFTER_DAYS: z
    .undefined("is no longer known: set ARCHIVE_AFTER_DAYS, after which rows move to ClickHouse and are read-only")
    .optional(),
};

export type WorkerConfig = z.infer<z.ZodObject<typeof workerConfig>>;
