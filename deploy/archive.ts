// ClickHouse's part of `migrate`: the database of the archive, its tables and its row policies.

import { type ArchiveConfig, archiveClient, archiveDdl, archivePolicies } from "@ems/archive";
import { archivedKinds as archivedResults } from "@ems/experiments/archive";
import { archivedKinds as archivedTraces } from "@ems/traces/archive";

const tables = [...archivedResults, ...archivedTraces].flatMap((kind) => kind.tables);

/** What `migrateArchive` runs; each statement may be repeated. */
export function archiveStatements(config: ArchiveConfig): string[] {
  return [...archiveDdl(tables, config), ...archivePolicies(config)];
}

/** Creates missing ClickHouse tables. */
export async function migrateArchive(config: ArchiveConfig, print: (line: string) => void): Promise<void> {
  const client = archiveClient(config);
  if (client === undefined) return;
  try {
    for (const query of archiveDdl(tables, config)) await client.command({ query });
    for (const query of archivePolicies(config)) {
      await client.command({ query }).catch((error: unknown) => {
        if (!isForbidden(error)) throw error;
        print(`ClickHouse lets ${config.CLICKHOUSE_USER} make no row policies; an administrator may run:\n${query};`);
      });
    }
    print("The archive's tables are up to date.");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`ClickHouse at ${config.CLICKHOUSE_URL} (CLICKHOUSE_URL) cannot be used: ${reason}`, {
      cause: error,
    });
  } finally {
    await client.close();
  }
}

/** ACCESS_DENIED, or users that are configured in files alone. */
function isForbidden(error: unknown): boolean {
  return error instanceof Error && "code" in error && ["495", "497", "514"].includes(String(error.code));
}
