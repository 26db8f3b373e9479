import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import { monotonicMs } from "@ems/kit/clock";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Logger } from "@ems/kit/log";
import type { Deps } from "../../deps.ts";
import { incompleteTests } from "../../traces/index.ts";
import { failTests } from "./fail-tests.ts";
import { lockTests } from "./lock-tests.ts";
import { requestPrompts } from "./request-prompts.ts";
import { deadlineQueue, type Overdue } from "./work.ts";

const everyMs = 1_000;
const rowsMax = 500;
/** Lease of a claim; after it, other processes take over the work of a process that died. */
const leaseMs = 30_000;
/** Timeout of a batch; less than the lease. */
const timeoutMs = 20_000;

const reasons = {
  delivery: "prompt_failed: No outcome of the prompt's delivery arrived",
  trace: "no_trace: No trace arrived",
} as const;

type DeadlineDeps = Pick<Deps, "database" | "clock" | "publishAll">;

/** Starts the loop that ends tests after missed deadlines of the application. Safe to run in several processes. */
export function startDeadlines(deps: DeadlineDeps, relay: RelayDatabase, log: Logger): Pick<BackgroundLoop, "stop"> {
  return startLoop({
    name: "deadlines of tests",
    everyMs,
    firstAfterMs: everyMs,
    backoffMaxMs: 10 * everyMs,
    log,
    work: async () => ((await endOverdue(deps, relay)) > 0 ? "more" : "idle"),
  });
}

/** Ends overdue tests and returns their number. */
export async function endOverdue(deps: DeadlineDeps, relay: RelayDatabase): Promise<number> {
  const overdue = await deadlineQueue.on(relay).claim({ rowsMax, leaseMs });
  for (const tests of Map.groupBy(overdue, ({ applicationId }) => applicationId).values()) await end(deps, tests);
  return overdue.length;
}

async function end(deps: DeadlineDeps, overdue: readonly Overdue[]): Promise<void> {
  const [first] = overdue;
  if (first === undefined) return;
  const { applicationId, orgId } = first;
  await deps.database.withScope({ applicationId, orgId }, monotonicMs() + timeoutMs, async (tx) => {
    const ids = overdue.map(({ testId }) => testId);
    const locked = await lockTests(tx, applicationId, ids);
    const incomplete = await incompleteTests(tx, applicationId, ids);
    const failed = overdue.flatMap(({ testId, state }) => {
      if (locked.executions.get(testId)?.state !== state || incomplete.has(testId)) return [];
      return state === "delivery" || state === "trace" ? [[testId, reasons[state]] as const] : [];
    });
    const now = deps.clock.now();
    await failTests(deps, tx, { applicationId, orgId }, now, locked, new Map(failed));
    await requestPrompts(deps, tx, { applicationId, orgId }, now, locked.runs.values());
  });
}
