// Caches the redaction rules of applications for seconds, so that requests need no statement to read them.

import { type Clock, monotonicMs } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import { type Redactor, RedactorCache, type StoredRules } from "@ems/kit/redaction";
import type { Call } from "@ems/kit/rpc/call";
import type { IngestSettingRow, StoredRedaction } from "./entity.ts";

const text = "SELECT redactions FROM traces.ingest_setting WHERE application_id = $1";
const timeoutMs = 5_000;

export class Redactors {
  readonly #database: Database;
  readonly #cache: RedactorCache;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#cache = new RedactorCache(clock);
  }

  /**
   * Returns the redactor for the call's application; undefined if it has no rules. Throws if the rules cannot be read.
   */
  of(call: Call): Redactor | undefined | Promise<Redactor | undefined> {
    const { applicationId } = call.tenant;
    return this.#cache.of(applicationId, async () => {
      const statement = { name: "ingest-redactions", text, values: [applicationId] };
      // Does not use this call's deadline, because other requests may be waiting for the same rules.
      const endMs = monotonicMs() + timeoutMs;
      const [row] = await this.#database.readScoped<Pick<IngestSettingRow, "redactions">>(
        call.tenant,
        endMs,
        statement,
      );
      return row && rulesInForce(row.redactions);
    });
  }

  forget(applicationId: string): void {
    this.#cache.forget(applicationId);
  }
}

export function rulesInForce(redactions: readonly StoredRedaction[]): StoredRules {
  const rules = redactions.filter(({ enabled }) => enabled);
  return { version: JSON.stringify(rules), rules };
}
