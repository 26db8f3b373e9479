import { rowById } from "@ems/kit/db/row-by-id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TestService } from "@ems/proto/experiments/v1/test_service";
import type { Deps } from "../deps.ts";
import { TestEntity } from "./entity.ts";
import { fullTests } from "./queries.ts";

type Handler = Handlers<typeof TestService>["getTest"];

const testById = rowById(TestEntity, "Test");

/** One test of the caller's application, with its evaluations. */
export function getTest(deps: Pick<Deps, "stores" | "references">): Handler {
  return async ({ id }, call) => {
    const row = await testById.readBeside(deps.stores, call, id);
    const [test] = await fullTests(deps, call, [row]);
    return { ...(test && { test }) };
  };
}
