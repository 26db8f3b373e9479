import { type Mount, mount } from "@ems/kit/rpc/service";
import { FactService } from "@ems/proto/catalog/v1/fact_service";
import type { Deps } from "../deps.ts";
import { createFact } from "./create-fact.ts";
import { createFacts } from "./create-facts.ts";
import { getFact } from "./get-fact.ts";
import { listFacts } from "./list-facts.ts";
import { updateFact } from "./update-fact.ts";

export { factTexts, type JudgedFactRow, judgedFacts } from "./judged-facts.ts";

export const facts = (deps: Deps): Mount =>
  mount(FactService, {
    createFact: createFact(deps),
    createFacts: createFacts(deps),
    listFacts: listFacts(deps),
    getFact: getFact(deps),
    updateFact: updateFact(deps),
  });
