import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { RunService } from "@ems/proto/experiments/v1/run_service";
import type { Deps } from "../deps.ts";
import type { RunRow } from "./entity.ts";
import { run } from "./messages.ts";
import { runColumns } from "./queries.ts";

type Handler = Handlers<typeof RunService>["getRun"];

const text = `SELECT ${runColumns} FROM experiments.run r WHERE r.application_id = $1 AND r.id = $2`;

/** One run of the caller's application. */
export function getRun({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [row] = await database.read<RunRow>(call, { name: "get-run", text, values });
    if (row === undefined) throw notFound("Run");
    return { run: run(row) };
  };
}
