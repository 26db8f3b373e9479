import { columnsOf } from "@ems/kit/db/columns";
import { pageOf, pagination } from "@ems/kit/db/page";
import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TestService } from "@ems/proto/experiments/v1/test_service";
import type { Deps } from "../deps.ts";
import { filterOf, parameters, some } from "../runs/index.ts";
import { TestEntity, type TestRow } from "./entity.ts";
import { testSummary } from "./messages.ts";
import { matchingTests, type TestFilter, totalOfTests } from "./total.ts";

type Handler = Handlers<typeof TestService>["listTests"];

const orders = { createdAt: "t.created_at", modifiedAt: "t.created_at", id: "t.id" };

/** A page of the caller's application's tests. */
export function listTests({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const page = pageOf(request, orders);
    const filter: TestFilter = {
      ...filterOf(request),
      applicationId: call.tenant.applicationId,
      runIds: some(distinctIds(request.runId)),
      topicIds: some(distinctIds(request.topicId)),
    };
    const values = parameters();
    const matching = matchingTests(filter, values);
    const [limit, skip] = [values.of(page.limit), values.of(page.skip)];
    const [rows, totals] = await database.readAll(call, [
      {
        text: `SELECT ${columnsOf(TestEntity, "t")} ${matching} ORDER BY ${page.orderBy} LIMIT ${limit} OFFSET ${skip}`,
        values: values.values(),
      },
      totalOfTests(filter),
    ]);
    return { data: (rows as TestRow[]).map(testSummary), pagination: pagination(page, totals?.[0]?.total ?? 0) };
  };
}
