import type { Deps } from "../deps.ts";
import { checkReferences } from "./check-references.ts";
import { registerQuickstart } from "./register-quickstart.ts";

export { assertReferences, rethrowMissingReference } from "./queries.ts";

/** Handlers that check ids for other resources and other services. */
export const references = (deps: Deps) => ({
  checkReferences: checkReferences(deps),
  registerQuickstart: registerQuickstart(deps),
});
