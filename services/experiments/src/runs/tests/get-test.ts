import { buildArchivedSelectList } from "@ems/archive";
import { rowById } from "@ems/kit/db/row-by-id";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TestService } from "@ems/proto/experiments/v1/test_service";
import type { Deps } from "../../deps.ts";
import { TestEntity } from "./entity.ts";
import { fullTests } from "./queries.ts";

type Handler = Handlers<typeof TestService>["getTest"];

const testById = rowById(TestEntity, "Test");

const archived = {
  kind: "results",
  table: "test",
  entity: TestEntity,
  text: `SELECT ${buildArchivedSelectList(TestEntity, "t")} FROM test t WHERE t.id = {id:UUID}`,
} as const;

/** Returns a test of the caller's application with its evaluations. */
export function getTest(deps: Pick<Deps, "stores" | "references">): Handler {
  return async ({ id }, call) => {
    const row = await deps.stores.find(call, {
      own: testById.statement(call, id),
      archived: { ...archived, parameters: { id } },
    });
    if (row === undefined) throw notFound("Test");
    const [test] = await fullTests(deps, call, [row]);
    return { ...(test && { test }) };
  };
}
