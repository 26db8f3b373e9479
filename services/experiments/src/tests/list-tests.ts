import { listOf, listPage } from "@ems/kit/db/list";
import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TestService } from "@ems/proto/experiments/v1/test_service";
import type { Deps } from "../deps.ts";
import { filterOf, parameters, some } from "../runs/index.ts";
import { TestEntity } from "./entity.ts";
import { testSummary } from "./messages.ts";
import { type TestFilter, totalOfTests, whereTests } from "./total.ts";

type Handler = Handlers<typeof TestService>["listTests"];

const tests = listOf(TestEntity, {
  alias: "t",
  orders: { modifiedAt: 't."created_at"' },
  isPrepared: false,
});

/** A page of the caller's application's tests. */
export function listTests({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const filter: TestFilter = {
      ...filterOf(request),
      applicationId: call.tenant.applicationId,
      runIds: some(distinctIds(request.runId)),
      topicIds: some(distinctIds(request.topicId)),
    };
    const values = parameters();
    const where = whereTests(filter, values);
    const [, ...filters] = values.values();
    const count = totalOfTests(filter);
    const { rows, pagination } = await listPage(database, call, { ...tests, where }, request, filters, { count });
    return { data: rows.map(testSummary), pagination };
  };
}
