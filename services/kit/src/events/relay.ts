// The relay moves a service's events from its outbox to the bus. Rows are claimed under a lease, published with no
// transaction open, then marked. Claims select due rows instead of rows after a cursor, which would skip late commits.
// Times are PostgreSQL's, so that relays on several machines share one clock.

import { type BackgroundLoop, type RunResult, runEvery, startLoop } from "../background.ts";
import { monotonicMs } from "../clock.ts";
import type { Leased } from "../db/queue/index.ts";
import type { RelayDatabase, RelayStatement } from "../db/relay-database.ts";
import type { Logger } from "../log.ts";
import { prune } from "../prune.ts";
import { traceSend } from "../telemetry/events.ts";
import { counter } from "../telemetry/metrics.ts";
import type { BusEvent, EventBus } from "./bus.ts";
import { type ClaimedRow, outboxQueue } from "./outbox-queue.ts";

export interface RelayOptions {
  /** Schema of the outbox. */
  readonly schema: string;
  readonly relayDatabase: RelayDatabase;
  readonly bus: EventBus;
  readonly log: Logger;
}

const countPublished = counter({
  name: "ems_events_published_total",
  help: "Events that were published to the bus (outcome published), or could not be published (failed).",
  labels: ["outbox", "outcome"],
});
const inFlightMax = 64;
/** Polling interval, for expired leases of other processes and for events whose backoff has ended. */
const pollMs = 200;
/** Maximum backoff while the bus or the database fails. */
const backoffMaxMs = 5_000;
/** Maximum duration of the drain at shutdown; the next process publishes the remaining events. */
const drainMs = 3_000;
const pruneMs = 10 * 60_000;

export class Relay {
  readonly #options: RelayOptions;
  readonly #publishing: BackgroundLoop;
  readonly #pruning: BackgroundLoop;

  constructor(options: RelayOptions) {
    this.#options = options;
    const { relayDatabase, schema, log } = options;
    const name = `publishing the outbox of ${schema}`;
    const work = (signal: AbortSignal) => this.#publishDue(() => signal.aborted);
    this.#publishing = startLoop({ name, everyMs: pollMs, backoffMaxMs, log, work });
    this.#pruning = runEvery(`pruning the outbox of ${schema}`, pruneMs, () => pruneOutbox(relayDatabase, schema), log);
  }

  /** Reports that the outbox has new events. */
  wake(): void {
    this.#publishing.wake();
  }

  /** Graceful shutdown: publishes the outbox for at most `drainMs`. */
  async stop(): Promise<void> {
    await Promise.all([this.#publishing.stop(), this.#pruning.stop()]);
    const untilMs = monotonicMs() + drainMs;
    await this.#publishDue(() => monotonicMs() >= untilMs);
  }

  /** Publishes due events, claim by claim, until `isOver`. */
  async #publishDue(isOver: () => boolean): Promise<RunResult> {
    const { relayDatabase, schema, bus, log } = this.#options;
    if (!bus.isUp) return "idle";
    try {
      let events = await claimDue(relayDatabase, schema);
      while (events.length > 0) {
        const outcomes = await this.#publish(events);
        const failed = outcomes.filter(({ error }) => error !== null);
        if (failed.length > 0)
          log.warn({ failed: failed.length, error: failed[0]?.error }, "events were not published");
        // Single events that fail have their own backoffs; if a whole claim fails, the bus is down.
        const hasBusFailed = failed.length === claimMax;
        if (hasBusFailed || isOver()) {
          await relayDatabase.change(outcomesStatement(schema, outcomes));
          return hasBusFailed ? "failed" : "idle";
        }
        events = await claimDue(relayDatabase, schema, outcomes);
      }
      return "idle";
    } catch (error) {
      // Nothing is lost: the rows are claimed again after their lease.
      log.warn({ err: error }, "the outbox cannot be read or written");
      return "failed";
    }
  }

  async #publish(events: readonly ClaimedEvent[]): Promise<PublishOutcome[]> {
    const { bus, schema } = this.#options;
    const queue = [...events];
    const outcomes: PublishOutcome[] = [];
    const publishNext = async () => {
      for (let event = queue.shift(); event !== undefined; event = queue.shift()) {
        const { applicationId, id, leasedUntil } = event;
        const error = await traceSend(event, (traced) => bus.publish(traced)).then(() => null, errorText);
        countPublished({ outbox: schema, outcome: error === null ? "published" : "failed" });
        outcomes.push({ applicationId, id, leasedUntil, error });
      }
    };
    await Promise.all(Array.from({ length: inFlightMax }, publishNext));
    return outcomes;
  }
}

function errorText(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500) || "unknown";
}

/** An event with the end of its lease, which is the lease's token. */
export type ClaimedEvent = BusEvent & Pick<Leased, "leasedUntil">;

/** Outcome of publishing an event; published if there is no error. */
interface PublishOutcome {
  readonly applicationId: string;
  readonly id: string;
  readonly leasedUntil: Date;
  readonly error: string | null;
}

/** Maximum events per claim. */
const claimMax = 100;
const leaseMs = 30_000;
/** Backoff of one event: 0.2 s after its first failure, doubled with each failure, at most 30 s. */
const backoff = "least(30, 0.2 * 2 ^ least(publish_attempts, 10)) * interval '1 s'";

/**
 * Claims due events; they are due again after the lease. Records the outcomes of the previous claim in the same
 * transaction.
 */
export async function claimDue(
  relayDatabase: Pick<RelayDatabase, "batch">,
  schema: string,
  outcomes: readonly PublishOutcome[] = [],
): Promise<ClaimedEvent[]> {
  const earlier = outcomes.length === 0 ? [] : [outcomesStatement(schema, outcomes)];
  const claim = outboxQueue(schema).claimStatement({ rowsMax: claimMax, leaseMs });
  const results = await relayDatabase.batch([...earlier, claim]);
  // The statement's text determines the columns.
  const rows = (results.at(-1)?.rows ?? []) as ClaimedRow[];
  return rows.map(({ message, payload, ...row }) => {
    const body = message ?? Buffer.from(payload ?? "");
    return { ...row, body, isJson: message === null };
  });
}

/**
 * Records outcomes, except for rows that another relay has published or leased in the meantime. Finds rows by key
 * alone: with a condition on published_at, PostgreSQL would read all pending rows if it expects few.
 */
function outcomesStatement(schema: string, outcomes: readonly PublishOutcome[]): RelayStatement {
  return {
    name: `mark-${schema}`,
    text: `UPDATE ${schema}.outbox AS o SET publish_attempts = publish_attempts + 1, last_error = m.error,
        published_at = coalesce(o.published_at, CASE WHEN m.error IS NULL THEN now() END),
        locked_until = CASE WHEN m.error IS NULL OR o.published_at IS NOT NULL THEN NULL
          WHEN o.locked_until = m.locked_until THEN now() + ${backoff} ELSE o.locked_until END
      FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[]) AS m (application_id, id, error, locked_until)
      WHERE o.application_id = m.application_id AND o.id = m.id`,
    values: [
      outcomes.map(({ applicationId }) => applicationId),
      outcomes.map(({ id }) => id),
      outcomes.map(({ error }) => error),
      outcomes.map(({ leasedUntil }) => leasedUntil),
    ],
  };
}

/** Deletes events that were published long enough ago. */
export async function pruneOutbox(relayDatabase: RelayDatabase, schema: string): Promise<void> {
  const before = "now() - interval '14 days'";
  const key = ["application_id", "id"];
  await prune(relayDatabase, { table: `${schema}.outbox`, key, age: "published_at", before, skipLocked: true });
}
