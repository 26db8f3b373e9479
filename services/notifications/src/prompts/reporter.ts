// Reports outcomes of prompts to experiments until it acknowledges them, even if either side restarts.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import { type BackgroundLoop, runEvery } from "@ems/kit/background";
import type { Clock } from "@ems/kit/clock";
import { startPool } from "@ems/kit/db/queue";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Logger } from "@ems/kit/log";
import { createTenantContext } from "@ems/kit/rpc/call";
import { histogram } from "@ems/kit/telemetry/metrics";
import type { ExecutionService, RecordPromptOutcomeRequestSchema } from "@ems/proto/experiments/v1/execution_service";
import { isWithoutWebhook } from "../deliveries/index.ts";
import { type ClaimedOutcome, forget, type Outcomes, outcomeQueue, pruneOutcomes, retryAt } from "./outcomes.ts";

/** Time between recording an outcome and its acknowledgement. */
const observeReport = histogram({
  name: "ems_prompt_outcome_report_duration_seconds",
  help: "Time that outcomes of prompts waited from their record to their acknowledgement by experiments.",
  labels: [],
});

export interface ReporterDeps {
  readonly relayDatabase: RelayDatabase;
  readonly execution: Pick<Client<typeof ExecutionService>, "recordPromptOutcome">;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Polling interval for outcomes that other processes left, and for those whose backoff has ended. */
const pollMs = 1_000;
const pruneEveryMs = 3_600_000;
/** Retention of outcomes. Experiments ends tests that have no outcome long before that. */
const keepMs = 30 * 86_400_000;
/** Lease, longer than a call takes: when it ends, the process that claimed the outcome has died. */
const leaseMs = 20_000;
const timeoutMs = 10_000;
/** Maximum number of concurrent reports, each of which may have an answer of `promptAnswerBytesMax`. */
const runningMax = 16;
/** Maximum number of concurrent reports per application: the experiments service limits its connections per application. */
const perApplicationMax = 8;
/** Backoff of an outcome: doubles from the first value up to the second. */
const retryMsMin = 1_000;
const retryMsMax = 60_000;

/** Starts the loop that reports each outcome as soon as there is capacity, without waiting for others of its claim. */
export function startReporter(deps: ReporterDeps): BackgroundLoop {
  const outcomes = outcomeQueue.on(deps.relayDatabase);
  const pool = startPool({
    name: "reporting outcomes of prompts",
    everyMs: pollMs,
    runningMax,
    perApplicationMax,
    log: deps.log,
    claim: (query) => outcomes.claim({ ...query, now: deps.clock.now(), leaseMs }),
    work: (outcome, signal) => report(deps, outcomes, outcome, signal),
  });
  const pruning = runEvery("deleting old outcomes of prompts", pruneEveryMs, () => removeOld(deps), deps.log);
  return {
    ...pool,
    async stop() {
      await Promise.all([pool.stop(), pruning.stop()]);
    },
  };
}

/** Deletes outcomes that experiments has rejected or left unanswered for that long, and logs their number. */
export async function removeOld({ relayDatabase, clock, log }: Omit<ReporterDeps, "execution">): Promise<void> {
  const count = await pruneOutcomes(relayDatabase, new Date(clock.now().getTime() - keepMs));
  if (count > 0) log.error({ count }, "outcomes of prompts were deleted: experiments did not accept them for 30 days");
}

async function report(
  deps: ReporterDeps,
  outcomes: Outcomes,
  outcome: ClaimedOutcome,
  signal: AbortSignal,
): Promise<void> {
  const { relayDatabase, clock, log } = deps;
  try {
    await record(deps, outcome, signal);
  } catch (error) {
    const { applicationId, testId, attempts } = outcome;
    log.warn(
      { err: error, applicationId, testId },
      "the outcome of a prompt could not be reported and will be retried",
    );
    const waitMs = Math.min(retryMsMax, retryMsMin * 2 ** Math.min(attempts - 1, 30));
    await retryAt(outcomes, outcome, new Date(clock.now().getTime() + waitMs));
    return;
  }
  observeReport({}, Math.max(0, clock.now().getTime() - outcome.createdAt.getTime()));
  await forget(relayDatabase, outcome);
}

/** Reports an outcome. If experiments cannot read the answer, the prompt counts as accepted without an answer. */
async function record({ execution }: ReporterDeps, outcome: ClaimedOutcome, signal: AbortSignal): Promise<void> {
  const { applicationId, orgId } = outcome;
  const options = {
    contextValues: createTenantContext({ applicationId, orgId, userId: "", isBackground: true }),
    timeoutMs,
    signal,
  };
  try {
    await execution.recordPromptOutcome(request(outcome), options);
  } catch (error) {
    const isUnreadable = ConnectError.from(error).code === Code.InvalidArgument && outcome.answer !== null;
    if (!isUnreadable) throw error;
    await execution.recordPromptOutcome(request({ ...outcome, answer: null }), options);
  }
}

function request(row: ClaimedOutcome): MessageInitShape<typeof RecordPromptOutcomeRequestSchema> {
  const { testId, acceptedAt, durationMs, answer, failure } = row;
  if (acceptedAt === null) {
    const reason = failure ?? "";
    return { testId, outcome: { case: "failed", value: { reason, hasNoWebhook: isWithoutWebhook(reason) } } };
  }
  const value = {
    acceptedAt: timestampFromDate(acceptedAt),
    durationMs: durationMs ?? 0,
    ...(answer !== null && { answer }),
  };
  return { testId, outcome: { case: "accepted", value } };
}
