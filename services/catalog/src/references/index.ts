import { type Mount, mount } from "@ems/kit/rpc/service";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import type { Deps } from "../deps.ts";
import { checkReferences } from "./check-references.ts";
import { registerQuickstart } from "./register-quickstart.ts";

export { assertReferences, rethrowMissingReference } from "./queries.ts";

/** Which ids exist, for other resources and other services. */
export const references = (deps: Deps): Mount =>
  mount(ReferenceService, {
    checkReferences: checkReferences(deps),
    registerQuickstart: registerQuickstart(deps),
  });
