import { defineList, listPage } from "@ems/kit/db/list";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  ModelConnectionOrderSchema,
  type ModelConnectionService,
} from "@ems/proto/evaluation/v1/model_connection_service";
import type { Deps } from "../deps.ts";
import { ModelConnectionEntity } from "./entity.ts";
import { modelConnection } from "./messages.ts";

type Handler = Handlers<typeof ModelConnectionService>["listModelConnections"];

const list = defineList(ModelConnectionEntity, {
  alias: "model_connection",
  orderBy: ModelConnectionOrderSchema,
  where: {},
});

export function listModelConnections({ database }: Deps): Handler {
  return async (request, call) => {
    const { rows, pagination } = await listPage(database, call, list, request, {});
    return { data: rows.map(modelConnection), pagination };
  };
}
