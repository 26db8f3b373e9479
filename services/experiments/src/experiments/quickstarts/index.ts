import type { Deps } from "../../deps.ts";
import { createQuickstart } from "./create-quickstart.ts";
import { getQuickstart } from "./get-quickstart.ts";
import { listQuickstarts } from "./list-quickstarts.ts";

export { QuickstartEntity, type QuickstartRow } from "./entity.ts";
export { quickstartById } from "./queries.ts";

/** QuickstartService, except for the RPCs for assignments and contradictions. */
export const quickstarts = (deps: Deps) => ({
  createQuickstart: createQuickstart(deps),
  listQuickstarts: listQuickstarts(deps),
  getQuickstart: getQuickstart(deps),
});
