// The archive of traces (services/archive).

import type { ArchivedKind, ArchiveOptions } from "@ems/archive";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { dropEmptied } from "@ems/kit/retention";
import { monthlyTraces } from "../retention/index.ts";
import { archivedTraces } from "./archived-traces.ts";

export const archivedKinds: readonly ArchivedKind[] = [archivedTraces];

/** Options of the traces archive. If a database is given, monthly partitions that an eviction emptied are dropped. */
export function archiveOptions(relayDatabase?: RelayDatabase): ArchiveOptions {
  return {
    schema: "traces",
    kinds: archivedKinds,
    held: "SELECT DISTINCT e.application_id AS id FROM traces.running_erasure_v1 e",
    ...(relayDatabase !== undefined && { onEvicted: () => dropEmptied(relayDatabase, monthlyTraces) }),
  };
}
