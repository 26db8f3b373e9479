import { listOf, listPage } from "@ems/kit/db/list";
import { Parameters } from "@ems/kit/db/parameters";
import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TestService } from "@ems/proto/experiments/v1/test_service";
import type { Deps } from "../deps.ts";
import { filterOf, nonEmpty } from "../runs/index.ts";
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
      runIds: nonEmpty(distinctIds(request.runId)),
      topicIds: nonEmpty(distinctIds(request.topicId)),
    };
    const parameters = new Parameters();
    const where = whereTests(filter, parameters);
    const [, ...filters] = parameters.values;
    const count = totalOfTests(filter);
    const { rows, pagination } = await listPage(database, call, { ...tests, where }, request, filters, { count });
    return { data: rows.map(testSummary), pagination };
  };
}
