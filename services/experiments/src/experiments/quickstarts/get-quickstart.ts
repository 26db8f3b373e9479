import type { Handlers } from "@ems/kit/rpc/service";
import type { QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import type { Deps } from "../../deps.ts";
import { quickstart } from "./messages.ts";
import { quickstartById } from "./queries.ts";

type Handler = Handlers<typeof QuickstartService>["getQuickstart"];

/** Returns a quickstart of the caller's application. */
export function getQuickstart({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => ({ data: quickstart(await quickstartById.read(database, call, id)) });
}
