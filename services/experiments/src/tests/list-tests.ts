import { listOf, listPage, nonEmptyOrNull } from "@ems/kit/db/list";
import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TestService } from "@ems/proto/experiments/v1/test_service";
import type { Deps } from "../deps.ts";
import { filterOf } from "../runs/index.ts";
import { TestEntity } from "./entity.ts";
import { testSummary } from "./messages.ts";
import { totalOfTests } from "./total.ts";

type Handler = Handlers<typeof TestService>["listTests"];

const list = listOf(TestEntity, {
  alias: "t",
  where: {
    taskId: "t.task_id = ANY (?)",
    runId: "t.run_id = ANY (?)",
    topicId: "t.topic_id = ANY (?)",
    runType: "t.run_type = ANY (?)",
    status: "t.status = ANY (?)",
    definitionId: "t.definition_ids && ?",
    from: "t.created_at >= ?",
    until: "t.created_at < ?",
  },
  orders: { modifiedAt: 't."created_at"' },
  counts: {
    times: { createdAt: "created_at", modifiedAt: "created_at" },
    groups: ["runType", "status"],
    range: "createdAt",
  },
});

/** A page of the caller's application's tests. */
export function listTests({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const filter = {
      ...filterOf(request),
      runId: nonEmptyOrNull(distinctIds(request.runId)),
      topicId: nonEmptyOrNull(distinctIds(request.topicId)),
    };
    const { rows, pagination } = await listPage(database, call, list, request, filter, { total: totalOfTests(filter) });
    return { data: rows.map(testSummary), pagination };
  };
}
