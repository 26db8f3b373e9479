import type { Handlers } from "@ems/kit/rpc/service";
import type { ModelConnectionService } from "@ems/proto/evaluation/v1/model_connection_service";
import type { Deps } from "../deps.ts";
import { connectionVersions } from "./entity.ts";
import { modelConnection } from "./messages.ts";
import { connectionById } from "./queries.ts";

type Handler = Handlers<typeof ModelConnectionService>["getModelConnection"];

export function getModelConnection({ database }: Deps): Handler {
  return async ({ id }, call) => {
    const row = await connectionById.read(database, call, id);
    connectionVersions.answer(call, row);
    return { data: modelConnection(row) };
  };
}
