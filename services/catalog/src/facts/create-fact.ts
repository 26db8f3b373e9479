import type { Handlers } from "@ems/kit/rpc/service";
import type { FactService } from "@ems/proto/catalog/v1/fact_service";
import type { Deps } from "../deps.ts";
import { rethrowMissingReference } from "../references/index.ts";
import { FactEntity, FactTopicEntity } from "./entity.ts";
import { fact, factVersions } from "./messages.ts";
import { newFact } from "./new-fact.ts";
import { factById } from "./queries.ts";

export function createFact({ database, ...deps }: Deps): Handlers<typeof FactService>["createFact"] {
  return (request, call) => {
    const { row, links } = newFact(deps, call, request);
    const change = database.change(call, async (tx) => {
      await tx.insert(FactEntity, row);
      await tx.insert(FactTopicEntity, links);
      const rows = await tx.commit(tx.query(factById.statement(call, row.id)));
      const stored = factById.only(rows);
      factVersions.answer(call, stored);
      return { data: fact(stored, true) };
    });
    return change.catch(rethrowMissingReference);
  };
}
