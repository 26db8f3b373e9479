import type { Handlers } from "@ems/kit/rpc/service";
import type { VariantService } from "@ems/proto/experiments/v1/variant_service";
import type { Deps } from "../../deps.ts";
import { variantVersions } from "../experiments/index.ts";
import { fullVariants } from "./messages.ts";
import { readVariant } from "./queries.ts";

type Handler = Handlers<typeof VariantService>["getVariant"];

/** Returns a variant of an experiment. */
export function getVariant(deps: Pick<Deps, "database" | "references">): Handler {
  return async (key, call) => {
    const { variant } = await readVariant(deps.database, call, key);
    variantVersions.answer(call, variant);
    const [data] = await fullVariants(deps, call, [variant]);
    return { ...(data && { data }) };
  };
}
