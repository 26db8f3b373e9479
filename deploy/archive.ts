// ClickHouse part of `migrate`: creates the archive's database, its tables and its row policies.

import { type ArchiveConfig, archiveClient, archiveDdl, archivePolicies } from "@ems/archive";
import { archivedKinds as archivedResults } from "@ems/experiments/archive";
import { archivedKinds as archivedTraces } from "@ems/traces/archive";

const tables = [...archivedResults, ...archivedTraces].flatMap((kind) => kind.tables);

/** Returns the idempotent statements that `migrateArchive` runs. */
export function archiveStatements(config: ArchiveConfig): string[] {
  return [...archiveDdl(tables, config), ...archivePolicies(config)];
}

/** Creates the ClickHouse tables and row policies that are missing, if an archive is configured. */
export async function migrateArchive(config: ArchiveConfig, print: (line: string) => void): Promise<void> {
  const client = archiveClient(config);
  if (client === undefined) return;
  try {
    for (const query of archiveDdl(tables, config)) await client.command({ query });
    for (const query of archivePolicies(config)) {
      await client.command({ query }).catch((error: unknown) => {
        if (!isForbidden(error)) throw error;
        print(
          `ClickHouse user ${config.CLICKHOUSE_USER} may not create row policies. Run this statement as an administrator:\n${query};`,
        );
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

/** Returns true if ClickHouse denied access, or cannot store policies because users are configured in files only. */
function isForbidden(error: unknown): boolean {
  return error instanceof Error && "code" in error && ["495", "497", "514"].includes(String(error.code));
}
