// Write-behind: collects the next states of deliveries and writes them in batches; retries while the database is down.
// If a lease was lost, the row keeps its newer state (canceled, resent), and only the attempt is logged.

import type { Clock } from "@ems/kit/clock";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Logger } from "@ems/kit/log";
import type { DeliveryRow } from "../entity.ts";
import type { Disable } from "./disable.ts";
import { type Health, type NextState, summarizeHealth } from "./next-state.ts";
import { promptFailure } from "./prompt-state.ts";
import { Throttle } from "./throttle.ts";

export interface RecorderDeps {
  readonly relayDatabase: RelayDatabase;
  readonly clock: Clock;
  readonly log: Logger;
  readonly disable: Disable;
  readonly kind: DeliveryRow["kind"];
  /** Duration of continuous failures after which a webhook is disabled. */
  readonly failingMs: number;
}

/** Minimum time between writes. Each batch is one transaction, so larger batches need fewer commits. */
const writeGapMs = 25;
const batchMax = 500;
/** Maximum batch size for prompts, each of which may have an answer of `promptAnswerBytesMax`. */
const promptBatchMax = 16;
/** Delay after a failed write. */
const retryMs = 200;
/** Maximum number of writes when the process stops; unwritten deliveries are attempted again after their lease. */
const stopWritesMax = 20;
/** Maximum number of writes of a locked row; by then its lease has ended. */
const writesMax = 1_000;

export class Recorder {
  readonly #deps: RecorderDeps;
  readonly #onWritten: () => void;
  readonly #writes: Throttle;
  #pending: NextState[] = [];
  #failedWrites = 0;

  /** Calls `onWritten` whenever there is room for new states. */
  constructor(deps: RecorderDeps, onWritten: () => void) {
    this.#deps = deps;
    this.#onWritten = onWritten;
    this.#writes = new Throttle(writeGapMs, deps.log, () => this.#write());
  }

  /** Number of states that are not written yet. */
  get size(): number {
    return this.#pending.length;
  }

  add(state: NextState): void {
    this.#pending.push(state);
    this.#writes.trigger();
  }

  async stop(): Promise<void> {
    await this.#writes.stop();
    for (let writes = 0; this.#pending.length > 0 && writes < stopWritesMax; writes++) await this.#write();
    await this.#writes.stop();
  }

  async #write(): Promise<void> {
    const { kind } = this.#deps;
    const batch = this.#pending.splice(0, kind === "PROMPT" ? promptBatchMax : batchMax);
    if (batch.length === 0) return;
    const unwritten = await this.#writeBatch(batch);
    this.#failedWrites = unwritten.length === 0 ? 0 : this.#failedWrites + 1;
    if (this.#failedWrites < writesMax) this.#pending.unshift(...unwritten);
    if (this.#pending.length > 0) this.#writes.trigger();
    this.#onWritten();
  }

  /** Writes a batch and returns the states that must be written once more. */
  async #writeBatch(batch: readonly NextState[]): Promise<readonly NextState[]> {
    const { relayDatabase, kind, clock, log } = this.#deps;
    try {
      const locked = await writeStates(relayDatabase, batch, kind === "PROMPT" ? clock.now() : undefined);
      const written = locked.length === 0 ? batch : batch.filter((state) => !locked.includes(state));
      await this.#updateHealth(summarizeHealth(written));
      return locked;
    } catch (error) {
      log.warn({ err: error, count: batch.length }, "attempts cannot be written yet");
      await new Promise((resolve) => setTimeout(resolve, retryMs));
      return batch;
    }
  }

  async #updateHealth(healths: readonly Health[]): Promise<void> {
    const { relayDatabase, clock, log, disable, failingMs } = this.#deps;
    try {
      const failingSince = await writeHealth(relayDatabase, healths);
      const nowMs = clock.now().getTime();
      for (const { claimed, isGone } of healths) {
        const since = failingSince.get(claimed.applicationId);
        if (isGone) await disable(claimed, "GONE");
        else if (since !== undefined && nowMs - since.getTime() >= failingMs) await disable(claimed, "FAILING");
      }
    } catch (error) {
      // Not retried, because the next failure will provide the same information.
      log.warn({ err: error }, "the health of webhooks cannot be written");
    }
  }
}

/**
 * Skips locked rows, which are written later; this prevents deadlocks. LATERAL forces a look-up of each row by its key,
 * whatever the planner estimates.
 */
const buildRecord = (name: string, { columns = "", returning = "", outcomes = "" } = {}) => ({
  name,
  text: `WITH next AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1) AS n(application_id uuid, id uuid, leased_until timestamptz, status text,
        next_attempt_at timestamptz, schedule_step int, outcome text, counts boolean, started_at timestamptz, duration_ms int,
        status_code int, response_body text, remote_address text${columns})
    ), unlocked AS MATERIALIZED (
      SELECT n.*, d.status = 'PENDING' AND d.leased_until IS NOT DISTINCT FROM n.leased_until AS is_leased
      FROM next n CROSS JOIN LATERAL (
        SELECT status, leased_until FROM notifications.delivery
        WHERE application_id = n.application_id AND id = n.id FOR NO KEY UPDATE SKIP LOCKED) d
    ), changed AS (
      UPDATE notifications.delivery d SET
        attempt_count = d.attempt_count + u.counts::int,
        last_outcome = CASE WHEN u.counts OR u.is_leased THEN coalesce(u.outcome, d.last_outcome) ELSE d.last_outcome END,
        last_status_code = CASE WHEN u.counts THEN u.status_code ELSE d.last_status_code END,
        status = CASE WHEN u.is_leased THEN u.status ELSE d.status END,
        schedule_step = CASE WHEN u.is_leased THEN u.schedule_step ELSE d.schedule_step END,
        leased_until = CASE WHEN u.is_leased THEN NULL ELSE d.leased_until END,
        next_attempt_at = CASE WHEN NOT u.is_leased THEN d.next_attempt_at WHEN u.status <> 'PENDING' THEN NULL
          ELSE coalesce(u.next_attempt_at, d.next_attempt_at) END
      FROM unlocked u WHERE d.application_id = u.application_id AND d.id = u.id
      RETURNING d.application_id, d.id, d.attempt_count, u.counts, u.started_at, u.duration_ms, u.outcome, u.status_code,
        u.response_body, u.remote_address${returning}
    ), logged AS (
      INSERT INTO notifications.attempt (application_id, delivery_id, number, started_at, duration_ms, outcome, status_code,
        response_body, remote_address)
      SELECT application_id, id, attempt_count, started_at, duration_ms, outcome, status_code, response_body, remote_address
      FROM changed WHERE counts
    )${outcomes}
    SELECT application_id AS "applicationId", id FROM changed`,
});

export const stateStatement = buildRecord("delivery-record");

/** Also stores the outcomes of ended prompts, which are then reported. */
const promptStateStatement = buildRecord("prompt-record", {
  columns: ", org_id text, accepted_at timestamptz, answer text, failure text, recorded_at timestamptz",
  returning: ", u.is_leased, u.status AS next_status, u.org_id, u.accepted_at, u.answer, u.failure, u.recorded_at",
  outcomes: `, outcomes AS (
      INSERT INTO notifications.prompt_outcome (application_id, test_id, org_id, accepted_at, duration_ms, answer, failure,
        next_attempt_at, created_at)
      SELECT application_id, id, org_id, accepted_at, CASE WHEN failure IS NULL THEN duration_ms END, answer, failure,
        recorded_at, recorded_at
      FROM changed WHERE is_leased AND next_status <> 'PENDING'
      ON CONFLICT DO NOTHING
    )`,
});

/** Updates only a webhook that is unchanged since the attempt, because changing a webhook resets its health. */
const healthStatement = {
  name: "delivery-health",
  text: `WITH health AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1) AS h(application_id uuid, webhook_id uuid, url text, modified_at timestamptz,
        has_succeeded boolean, failures int, first_failure_at timestamptz)
    ), locked AS MATERIALIZED (
      SELECT h.* FROM health h JOIN notifications.webhook w ON w.application_id = h.application_id AND w.id = h.webhook_id
        AND w.url = h.url AND w.modified_at = h.modified_at
      WHERE h.failures > 0 OR w.failure_streak > 0
      ORDER BY h.application_id FOR NO KEY UPDATE OF w
    )
    UPDATE notifications.webhook w SET
      failure_streak = CASE WHEN l.has_succeeded THEN l.failures ELSE w.failure_streak + l.failures END,
      failing_since = CASE WHEN l.failures = 0 THEN NULL WHEN l.has_succeeded THEN l.first_failure_at
        ELSE coalesce(w.failing_since, l.first_failure_at) END
    FROM locked l WHERE w.application_id = l.application_id
    RETURNING w.application_id AS "applicationId", w.failing_since AS "failingSince"`,
};

/**
 * Writes states, and outcomes of prompts, which are reported from then on. Returns the states whose rows were locked.
 */
async function writeStates(
  relayDatabase: RelayDatabase,
  states: readonly NextState[],
  reportedFrom?: Date,
): Promise<NextState[]> {
  const rows = states.map(({ claimed, attempt, outcome, ...state }) => ({
    ...(reportedFrom !== undefined && toOutcome({ claimed, attempt, outcome, ...state }, reportedFrom)),
    application_id: claimed.applicationId,
    id: claimed.id,
    leased_until: claimed.leasedUntil,
    status: state.status,
    next_attempt_at: state.nextAttemptAt,
    schedule_step: state.scheduleStep,
    outcome: attempt?.outcome ?? outcome,
    counts: attempt !== null,
    started_at: attempt?.startedAt,
    duration_ms: attempt?.durationMs,
    status_code: attempt?.statusCode,
    response_body: attempt?.responseBody,
    remote_address: attempt?.remoteAddress,
  }));
  const written = await relayDatabase.query<{ applicationId: string; id: string }>({
    ...(reportedFrom === undefined ? stateStatement : promptStateStatement),
    values: [JSON.stringify(rows)],
  });
  if (written.length === states.length) return [];
  const ids = new Set(written.map(({ applicationId, id }) => `${applicationId} ${id}`));
  return states.filter(({ claimed }) => !ids.has(`${claimed.applicationId} ${claimed.id}`));
}

function toOutcome(state: NextState, recordedAt: Date) {
  const { claimed, attempt } = state;
  const base = { org_id: claimed.orgId, recorded_at: recordedAt };
  const failure = promptFailure(state);
  if (failure !== undefined || attempt === null) return { ...base, failure };
  const accepted_at = new Date(attempt.startedAt.getTime() + attempt.durationMs);
  return { ...base, accepted_at, answer: attempt.answer };
}

/** Writes the health of webhooks; for each failing webhook, returns the time when its failures began. */
async function writeHealth(relayDatabase: RelayDatabase, healths: readonly Health[]): Promise<Map<string, Date>> {
  const rows = healths.map(({ claimed, ...health }) => ({
    application_id: claimed.applicationId,
    webhook_id: claimed.webhook?.id,
    url: claimed.webhook?.url,
    modified_at: claimed.webhook?.modifiedAt,
    has_succeeded: health.hasSucceeded,
    failures: health.failures,
    first_failure_at: health.firstFailureAt,
  }));
  if (rows.length === 0) return new Map();
  const webhooks = await relayDatabase.query<{ applicationId: string; failingSince: Date | null }>({
    ...healthStatement,
    values: [JSON.stringify(rows)],
  });
  return new Map(
    webhooks.flatMap(({ applicationId, failingSince }) =>
      failingSince === null ? [] : [[applicationId, failingSince]],
    ),
  );
}
