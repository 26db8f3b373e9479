import type { RelayDatabase } from "../db/relay-database.ts";
import { inBatches } from "../prune.ts";
import { applicationsWith } from "./applications.ts";
import type { Retained } from "./kinds.ts";

const batchMax = 1_000;

/** Retention of a service's audit log, whose entries only the owner's function deletes. */
export function retainedAudit(schema: string, days: number, relayDatabase: RelayDatabase): Retained {
  return {
    kind: "audit",
    days,
    async clear(before, onDeleted) {
      const audit = { table: `${schema}.audit`, age: "created_at" };
      for (const applicationId of await applicationsWith(relayDatabase, audit, before)) {
        await inBatches(batchMax, async () => {
          const [row] = await relayDatabase.query<{ deleted: string }>({
            text: `SELECT ${schema}.forget_audit($1, $2, ${batchMax}) AS deleted`,
            values: [applicationId, before],
          });
          const deleted = Number(row?.deleted ?? 0);
          await onDeleted(deleted);
          return deleted;
        });
      }
    },
  };
}
