import type { Handlers } from "@ems/kit/rpc/service";
import type { VariantService } from "@ems/proto/experiments/v1/variant_service";
import type { Deps } from "../../deps.ts";
import { createVariant } from "./create-variant.ts";
import { getVariant } from "./get-variant.ts";
import { listVariants } from "./list-variants.ts";
import { promoteVariant } from "./promote-variant.ts";
import { rejectVariant } from "./reject-variant.ts";
import { resumeVariant } from "./resume-variant.ts";
import { runVariant } from "./run-variant.ts";
import { stopVariant } from "./stop-variant.ts";
import { updateVariant } from "./update-variant.ts";

/** VariantService, except for the RPC that compares variants. */
export const variants = (deps: Deps): Omit<Handlers<typeof VariantService>, "compareVariants"> => ({
  createVariant: createVariant(deps),
  listVariants: listVariants(deps),
  getVariant: getVariant(deps),
  updateVariant: updateVariant(deps),
  runVariant: runVariant(deps),
  stopVariant: stopVariant(deps),
  resumeVariant: resumeVariant(deps),
  rejectVariant: rejectVariant(deps),
  promoteVariant: promoteVariant(deps),
});
