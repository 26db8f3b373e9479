import { create } from "@bufbuild/protobuf";
import { assertPageFits } from "@ems/kit/answer-size";
import { defineList, listPage } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  ListVariantsResponseSchema,
  VariantOrderSchema,
  type VariantService,
  VariantStatusSchema,
} from "@ems/proto/experiments/v1/variant_service";
import type { Deps } from "../../deps.ts";
import { experimentById, VariantEntity } from "../experiments/index.ts";
import { fullVariants } from "./messages.ts";

type Handler = Handlers<typeof VariantService>["listVariants"];

const list = defineList(VariantEntity, {
  alias: "v",
  orderBy: VariantOrderSchema,
  where: { experimentId: "v.experiment_id = ?", status: "v.status = ANY (?)" },
});

/** Lists an experiment's variants. */
export function listVariants(deps: Pick<Deps, "database" | "references">): Handler {
  return async (request, call) => {
    const filters = { experimentId: request.id, status: enumNames(VariantStatusSchema, request.status) };
    const parent = { name: "Experiment", statement: experimentById.statement(call, request.id) };
    const { rows, pagination } = await listPage(deps.database, call, list, request, filters, { parent });
    const data = await fullVariants(deps, call, rows);
    const page = create(ListVariantsResponseSchema, { data, pagination });
    assertPageFits(ListVariantsResponseSchema, page);
    return page;
  };
}
