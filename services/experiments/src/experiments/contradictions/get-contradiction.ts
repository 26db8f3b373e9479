import type { Handlers } from "@ems/kit/rpc/service";
import type { QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import { assignedUsers } from "@ems/users";
import type { Deps } from "../../deps.ts";
import { contradictionVersions } from "./entity.ts";
import { contradiction } from "./messages.ts";
import { readContradiction } from "./queries.ts";

type Handler = Handlers<typeof QuickstartService>["getContradiction"];

/** Returns a contradiction of a quickstart. */
export function getContradiction({ database, users }: Pick<Deps, "database" | "users">): Handler {
  return async ({ id: quickstartId, contradictionId: id }, call) => {
    const { contradiction: row } = await readContradiction(database, call, { quickstartId, id });
    contradictionVersions.answer(call, row);
    return { data: contradiction(row, await assignedUsers(users, call, [row])) };
  };
}
