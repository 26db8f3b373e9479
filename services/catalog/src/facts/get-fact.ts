import type { Handlers } from "@ems/kit/rpc/service";
import type { FactService } from "@ems/proto/catalog/v1/fact_service";
import type { Deps } from "../deps.ts";
import { fact, factVersions } from "./messages.ts";
import { factById } from "./queries.ts";

export function getFact({ database }: Deps): Handlers<typeof FactService>["getFact"] {
  return async ({ id }, call) => {
    const row = await factById.read(database, call, id);
    factVersions.answer(call, row);
    return { data: fact(row, true) };
  };
}
