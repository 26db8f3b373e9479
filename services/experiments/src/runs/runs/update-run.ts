import { violatesUnique } from "@ems/kit/db/errors";
import { failure, notFound } from "@ems/kit/errors";
import { definedFields, textOrNull } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import type { RunService } from "@ems/proto/experiments/v1/run_service";
import type { Deps } from "../../deps.ts";
import { RunEntity, runNameKey, runVersions } from "./entity.ts";
import { run, runOutcome } from "./messages.ts";
import { lockRun } from "./queries.ts";
import { runOutcomes } from "./stats.ts";

type Handler = Handlers<typeof RunService>["updateRun"];

/** Changes the labels of a run. Its results and `modifiedAt` stay. */
export function updateRun(deps: Pick<Deps, "database" | "references">): Handler {
  return ({ id, name, version, commit, notes }, call) =>
    deps.database.changeAfter(
      call,
      () => runOutcomes(deps, call, [id.toLowerCase()]),
      async (tx, outcomes) => {
        const row = await lockRun(tx, call.tenant.applicationId, id);
        if (row === undefined) throw notFound("Run");
        runVersions.check(call, row);
        const change = definedFields({
          name,
          title: name,
          version: textOrNull(version),
          commit: textOrNull(commit),
          notes: textOrNull(notes),
        });
        const key = { applicationId: call.tenant.applicationId, id };
        await tx.update(RunEntity, key, change).catch((error: unknown) => {
          throw violatesUnique(error, runNameKey) ? failure("RESOURCE_EXISTS", "Another run has this name") : error;
        });
        const after = { ...row, ...change };
        runVersions.answer(call, after);
        return { run: run(after, outcomes.get(row.id) ?? runOutcome(undefined, [], new Map())) };
      },
    );
}
