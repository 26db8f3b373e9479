import { z } from "zod";
import { count } from "../config.ts";

const name = (what: string) => z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/, `must be the name of a ${what}`);

/** Settings of the archive's server. */
export const archiveConfig = {
  CLICKHOUSE_URL: z
    .url({ protocol: /^https?$/, error: "must be an http:// or https:// URL" })
    .regex(/^[^?#@]+$/, "must have no user, password or query: CLICKHOUSE_USER and CLICKHOUSE_PASSWORD have them")
    .optional()
    .describe("ClickHouse, which keeps a copy of old rows, over HTTP. Unset: PostgreSQL has all rows."),
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
export const carrierConfig = {
  ...archiveConfig,
  ARCHIVE_AFTER_DAYS: count()
    .min(1)
    .max(36_500)
    .default(7)
    .describe("How many days nobody may have touched what is copied to ClickHouse, in whole days of UTC."),
  ARCHIVE_BATCH_ROWS: count()
    .min(1)
    .default(50_000)
    .describe("Traces or tests that are copied to ClickHouse at a time."),
  ARCHIVE_DROP_AFTER_DAYS: count()
    .max(36_500)
    .optional()
    .describe("How many days old what is in ClickHouse has to be to be deleted from PostgreSQL. Unset: nothing is."),
};

export type CarrierConfig = z.infer<z.ZodObject<typeof carrierConfig>>;
