import type { Deps } from "../../deps.ts";
import { createContradictions } from "./create-contradictions.ts";
import { getContradiction } from "./get-contradiction.ts";
import { listContradictions } from "./list-contradictions.ts";
import { updateContradiction } from "./update-contradiction.ts";

export { ContradictionEntity } from "./entity.ts";

/** QuickstartService's RPCs for contradictions. */
export const contradictions = (deps: Deps) => ({
  createContradictions: createContradictions(deps),
  listContradictions: listContradictions(deps),
  getContradiction: getContradiction(deps),
  updateContradiction: updateContradiction(deps),
});
