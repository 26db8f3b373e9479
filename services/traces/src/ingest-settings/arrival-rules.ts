// Caches the paths and the noise rules of applications for seconds, so that requests need no statement to read them.

import { type Clock, monotonicMs } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import type { IngestSettingRow, StoredPaths } from "./entity.ts";
import { type DecideNoise, noiseDecider } from "./noise.ts";

const text = "SELECT paths, noise FROM traces.ingest_setting WHERE application_id = $1";
const timeoutMs = 5_000;
/** Maximum time until other processes apply a change of the rules. */
const freshMs = 5_000;
const applicationsMax = 10_000;

/** Rules of an application for its traces, besides redactions. */
export interface ArrivalRule {
  readonly paths: StoredPaths;
  readonly decideNoise: DecideNoise;
}

interface Cached {
  readonly atMs: number;
  readonly rules: Promise<ArrivalRule>;
}

export class ArrivalRules {
  readonly #database: Pick<Database, "readScoped">;
  readonly #clock: Clock;
  readonly #cached = new Map<string, Cached>();

  constructor(database: Pick<Database, "readScoped">, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Returns the rules of the call's application. Throws if they cannot be read. */
  of({ tenant }: Pick<Call, "tenant">): Promise<ArrivalRule> {
    const { applicationId } = tenant;
    const atMs = monotonicMs(this.#clock);
    const cached = this.#cached.get(applicationId);
    if (cached !== undefined && atMs - cached.atMs < freshMs) return cached.rules;
    const rules = this.#read(tenant);
    if (this.#cached.size >= applicationsMax) this.#cached.clear();
    this.#cached.set(applicationId, { atMs, rules });
    // A failure is not kept: the next request reads again.
    rules.catch(() => this.forget(applicationId));
    return rules;
  }

  /** Removes the application's rules, so that this process applies a change at once. */
  forget(applicationId: string): void {
    this.#cached.delete(applicationId);
  }

  async #read(tenant: Call["tenant"]): Promise<ArrivalRule> {
    const statement = { name: "arrival-rules", text, values: [tenant.applicationId] };
    // Does not use the call's deadline, because other requests may be waiting for the same rules.
    const endMs = monotonicMs() + timeoutMs;
    const [row] = await this.#database.readScoped<Pick<IngestSettingRow, "paths" | "noise">>(tenant, endMs, statement);
    return { paths: row?.paths ?? {}, decideNoise: noiseDecider(row?.noise ?? []) };
  }
}
