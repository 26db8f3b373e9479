import type { Handlers } from "@ems/kit/rpc/service";
import type { FactService } from "@ems/proto/catalog/v1/fact_service";
import type { Deps } from "../deps.ts";
import { rethrowMissingReference } from "../references/index.ts";
import { FactEntity, FactTopicEntity } from "./entity.ts";
import { newFact } from "./new-fact.ts";

/** Creates all of the facts, or none of them if any reference does not exist. */
export function createFacts({ database, ...deps }: Deps): Handlers<typeof FactService>["createFacts"] {
  return (request, call) => {
    const facts = request.facts.map((each) => newFact(deps, call, each));
    const change = database.change(call, async (tx) => {
      await tx.insert(
        FactEntity,
        facts.map(({ row }) => row),
      );
      await tx.insert(
        FactTopicEntity,
        facts.flatMap(({ links }) => links),
      );
      return { count: BigInt(facts.length) };
    });
    return change.catch(rethrowMissingReference);
  };
}
