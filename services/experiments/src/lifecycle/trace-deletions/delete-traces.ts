import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { failure } from "@ems/kit/errors";
import { dateFromTimestamp } from "@ems/kit/json/timestamp";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceDeletionService } from "@ems/proto/experiments/v1/trace_deletion_service";
import type { Deps } from "../../deps.ts";
import { traceDeletion } from "../erasures/index.ts";
import { selectDerived, selectTraces } from "./select-traces.ts";
import { startDeletion } from "./start-deletion.ts";

type Handler = Handlers<typeof TraceDeletionService>["deleteTraces"];

/** Maximum number of ids in the response. */
const listedMax = 1_000;

/** Counts the traces that match the filter and, unless it is a dry run, starts their deletion. */
export function deleteTraces(deps: Deps, onCreated: () => void): Handler {
  const { database, clock, newId } = deps;
  return async ({ filter, dryRun = false, count = 0n, archivedCount = 0n, countedAt }, call) => {
    const until = countedAt === undefined ? clock.now() : dateFromTimestamp(countedAt);
    const answer = await database.runExpensive(call, () =>
      database.changeAfter(
        call,
        async () => {
          const found = await selectTraces(deps, call, filter, until);
          if (!dryRun) assertConfirmed(found, { count, archivedCount });
          return { found, derived: await selectDerived(deps, call, found) };
        },
        async (tx, { found: { stored, archived }, derived: { taskIds, issueIds } }) => {
          const counts = {
            count: BigInt(stored.length),
            archivedCount: BigInt(archived.length),
            taskCount: BigInt(taskIds.length),
            taskIds: taskIds.slice(0, listedMax),
            issueCount: BigInt(issueIds.length),
            issueIds: issueIds.slice(0, listedMax),
            countedAt: timestampFromDate(until),
          };
          if (dryRun) return counts;
          const traceIds = [...stored, ...archived].map(({ id }) => id);
          const deletion = { id: newId(), traceIds, now: clock.now(), leaseMs: 0 };
          return { ...counts, data: traceDeletion(startDeletion(tx, call.tenant, deletion)) };
        },
      ),
    );
    onCreated();
    return answer;
  };
}

interface Confirmed {
  readonly count: bigint;
  readonly archivedCount: bigint;
}

/** Fewer traces are no conflict: an interrupted deletion can be repeated. Traces may have moved to the archive. */
function assertConfirmed(
  { stored, archived }: { readonly stored: readonly unknown[]; readonly archived: readonly unknown[] },
  { count, archivedCount }: Confirmed,
): void {
  const found = stored.length + archived.length;
  if (BigInt(found) <= count + archivedCount) return;
  throw failure(
    "STATE_CONFLICT",
    `${found} traces match, but the request confirms ${count + archivedCount}: count them again with dryRun`,
  );
}
