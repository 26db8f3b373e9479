// Tells experiments what became of prompts until it has acknowledged it, across restarts of either side.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import type { Clock } from "@ems/kit/clock";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Logger } from "@ems/kit/log";
import { onBehalfOf } from "@ems/kit/rpc/call";
import type { ExecutionService, RecordPromptOutcomeRequestSchema } from "@ems/proto/experiments/v1/execution_service";
import { type ClaimedOutcome, claimOutcomes, forget, retryAt } from "./outcomes.ts";

export interface ReporterDeps {
  readonly relayDatabase: RelayDatabase;
  readonly execution: Pick<Client<typeof ExecutionService>, "recordPromptOutcome">;
  readonly clock: Clock;
  readonly log: Logger;
}

/** For outcomes that other processes left, and those whose backoff has ended. */
const pollMs = 1_000;
const timeoutMs = 10_000;
/** Backoff of one outcome: doubles from the first to the second. */
const retryMsMin = 1_000;
const retryMsMax = 60_000;

export function startReporter(deps: ReporterDeps): BackgroundLoop {
  const work = async (signal: AbortSignal) => {
    const claimed = await claimOutcomes(deps.relayDatabase, deps.clock.now());
    await Promise.all(claimed.map((outcome) => report(deps, outcome, signal)));
    // Those that failed have a backoff of their own.
    return claimed.length === 0 ? "idle" : "more";
  };
  return startLoop({ name: "reporting outcomes of prompts", everyMs: pollMs, log: deps.log, work });
}

async function report(deps: ReporterDeps, outcome: ClaimedOutcome, signal: AbortSignal): Promise<void> {
  const { relayDatabase, clock, log } = deps;
  try {
    await record(deps, outcome, signal);
  } catch (error) {
    const { applicationId, testId, attempts } = outcome;
    log.warn({ err: error, applicationId, testId }, "the outcome of a prompt is not recorded yet");
    const waitMs = Math.min(retryMsMax, retryMsMin * 2 ** Math.min(attempts - 1, 30));
    await retryAt(relayDatabase, outcome, new Date(clock.now().getTime() + waitMs));
    return;
  }
  await forget(relayDatabase, outcome);
}

/** An answer that experiments cannot read is none: the prompt was accepted all the same. */
async function record({ execution }: ReporterDeps, outcome: ClaimedOutcome, signal: AbortSignal): Promise<void> {
  const { applicationId, orgId } = outcome;
  const options = { contextValues: onBehalfOf({ applicationId, orgId, userId: "" }), timeoutMs, signal };
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
  if (acceptedAt === null) return { testId, outcome: { case: "failed", value: { reason: failure ?? "" } } };
  const value = {
    acceptedAt: timestampFromDate(acceptedAt),
    durationMs: durationMs ?? 0,
    ...(answer !== null && { answer }),
  };
  return { testId, outcome: { case: "accepted", value } };
}
