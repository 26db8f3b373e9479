// Checks of the archive: connection to ClickHouse, its tables, and the lag of archiving.

import { archiveClient, workerConfig } from "@ems/archive";
import { readConfig } from "@ems/kit/config";
import { withArchive } from "../archive.ts";
import type { Cli } from "../cli.ts";
import { type Check, type Finding, failure, ok, warning } from "./check.ts";

const dayMs = 86_400_000;

/** Returns the archive's checks; none if no archive is configured. */
export function archiveChecks(cli: Cli): Check[] {
  return cli.env.CLICKHOUSE_URL ? [{ name: "archive", run: () => archive(cli) }] : [];
}

async function archive(cli: Cli): Promise<Finding> {
  const config = readConfig(workerConfig, { ...cli.env });
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
    const { months, lagMs } = await withArchive(cli, async (operator) => ({
      months: await operator.status(),
      lagMs: await operator.lagMs(),
    }));
    const count = (expected: string) =>
      months.reduce((sum, { state, batches }) => sum + (state === expected ? batches : 0), 0);
    const detail = `ClickHouse ${version}, ${count("dropped")} batches, ${count("withdrawn")} withdrawn`;
    // Only whole days are archived, so a lag of one day is normal. The alert EmsArchiveLate allows it too.
    if (lagMs <= dayMs) return ok(detail);
    return warning(
      `${detail}; rows have been due for ${Math.floor(lagMs / dayMs)} days`,
      "ems archive run archives what is due, or says why not.",
    );
  } finally {
    await client.close();
  }
}
