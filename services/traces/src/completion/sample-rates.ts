// Shares of the applications' live traffic to judge, kept in memory so that ingestion makes no calls for them.

import { hash } from "node:crypto";
import { type BackgroundLoop, runEvery } from "@ems/kit/background";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Logger } from "@ems/kit/log";

const everyMs = 2_000;

const rates = `SELECT application_id AS "applicationId", sample_rate AS "sampleRate" FROM traces.sample_rate_v1
  WHERE sample_rate > 0`;

export class SampleRates {
  #rates: ReadonlyMap<string, number> = new Map();

  /** Returns true if the trace is sampled. The result is the same in every process and at any time. */
  isSampled(applicationId: string, traceId: string): boolean {
    const rate = this.#rates.get(applicationId);
    return rate !== undefined && isWithin(traceId, rate);
  }

  async refresh(relayDatabase: RelayDatabase): Promise<void> {
    const rows = await relayDatabase.query<{ applicationId: string; sampleRate: number }>({ text: rates });
    this.#rates = new Map(rows.map(({ applicationId, sampleRate }) => [applicationId, sampleRate]));
  }

  /** Reads the rates of all applications every two seconds. */
  startRefreshing(relayDatabase: RelayDatabase, log: Logger): Pick<BackgroundLoop, "stop"> {
    return runEvery("reading of sample rates", everyMs, () => this.refresh(relayDatabase), log);
  }
}

/** Selects an even share of all traces: those whose hashed id, as a fraction, is below the rate. */
export function isWithin(traceId: string, rate: number): boolean {
  return Number.parseInt(hash("sha256", traceId).slice(0, 12), 16) < rate * 2 ** 48;
}
