// The archive: whether ClickHouse answers and has the tables, and how far behind it is.

import { archiveClient, carrierConfig } from "@ems/kit/archive";
import { readConfig } from "@ems/kit/config";
import { withClient } from "@ems/kit/db/client";
import type { Cli } from "../cli.ts";
import { experimentsDatabases } from "../operator.ts";
import { type Check, type Finding, failure, ok, warning } from "./check.ts";

interface Batches {
  readonly carried: number;
  readonly dropped: number;
  readonly withdrawn: number;
  /** Days since the end of the newest batch. */
  readonly days: number | null;
}

const timeoutMs = 20_000;
const daysWarn = 3;

/** Where an archive is configured. */
export function archiveChecks(cli: Cli): Check[] {
  return cli.env.CLICKHOUSE_URL ? [{ name: "archive", run: () => archive(cli) }] : [];
}

async function archive(cli: Cli): Promise<Finding> {
  const config = readConfig(carrierConfig, { ...cli.env });
  const client = archiveClient(config);
  if (client === undefined) return ok("none");
  try {
    const result = await client.query({
      query:
        "SELECT version() AS version, (SELECT count() FROM system.tables WHERE database = {database:String}) AS tables",
      query_params: { database: config.CLICKHOUSE_DATABASE },
      format: "JSONEachRow",
    });
    const [{ version, tables } = { version: "", tables: "0" }] = await result.json<{
      version: string;
      tables: string;
    }>();
    if (Number(tables) === 0)
      return failure(`ClickHouse ${version} without tables`, "Run ems migrate with CLICKHOUSE_URL.");
    const { RELAY_DATABASE_URL } = await experimentsDatabases(cli);
    const { carried = 0, dropped = 0, withdrawn = 0, days = null } = await batches(RELAY_DATABASE_URL);
    const detail = `ClickHouse ${version}, ${carried} batches, ${dropped} of them there alone, ${withdrawn} withdrawn`;
    const after = config.ARCHIVE_AFTER_DAYS;
    if (days === null || days <= after + daysWarn) return ok(detail);
    return warning(
      `${detail}; the newest ended ${days} days ago`,
      "ems archive run carries what is due, and says why not.",
    );
  } finally {
    await client.close();
  }
}

function batches(url: string): Promise<Partial<Batches>> {
  const text = `SELECT count(*) FILTER (WHERE state IN ('published', 'dropped'))::int AS carried,
      count(*) FILTER (WHERE state = 'dropped')::int AS dropped, count(*) FILTER (WHERE state = 'withdrawn')::int AS withdrawn,
      extract(days FROM now() - max(ends) FILTER (WHERE state IN ('published', 'dropped')))::int AS days
    FROM experiments.archive_batch`;
  return withClient(url, async (client) => (await client.query<Batches>(text)).rows[0] ?? {}, timeoutMs);
}
