import { create } from "@bufbuild/protobuf";
import { assertPageFits } from "@ems/kit/answer-size";
import { listOf, listPage, nonEmptyOrNull } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import { distinctIds } from "@ems/kit/id";
import { notBefore } from "@ems/kit/retention";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  ListTestsResponseSchema,
  PassRateStatusSchema,
  TestOrderSchema,
  type TestService,
} from "@ems/proto/experiments/v1/test_service";
import type { Deps } from "../deps.ts";
import { filterOf } from "../runs/index.ts";
import { TestEntity } from "./entity.ts";
import { fullTests } from "./queries.ts";
import { type TestFilter, totalOfTests } from "./total.ts";

type Handler = Handlers<typeof TestService>["listTests"];

/** In place of a tag: tasks without tags. */
const none = "__none__";

const passRates = `t.evaluation_count > 0 AND CASE WHEN 100 * t.evaluation_passed > 75 * t.evaluation_count THEN 'success'
  WHEN 100 * t.evaluation_passed > 50 * t.evaluation_count THEN 'warning' ELSE 'error' END = ANY (?)`;

const options = {
  alias: "t",
  orderBy: TestOrderSchema,
  where: {
    taskId: "t.task_id = ANY (?)",
    runId: "t.run_id = ANY (?)",
    topicId: "t.topic_id = ANY (?)",
    runType: "t.run_type = ANY (?)",
    status: "t.status = ANY (?)",
    definitionId: "t.definition_ids && ?",
    variantId: `t.run_id IN (SELECT run.id FROM experiments.run run
      WHERE run.application_id = $1 AND run.experiment_variant_id = ANY (?))`,
    passRates,
    tagged: `(t.task_id IN (SELECT tagged.task_id FROM experiments.task_tag_v1 tagged WHERE tagged.application_id = $1
        AND tagged.tag_id = ANY (array_remove(?::text[], '${none}')::uuid[]))
      OR ('${none}' = ANY (?::text[]) AND NOT EXISTS (SELECT FROM experiments.task_tag_v1 tagged
        WHERE tagged.application_id = $1 AND tagged.task_id = t.task_id)))`,
    from: "t.created_at >= ?",
    until: "t.created_at < ?",
  },
  orders: { modifiedAt: "coalesce(t.modified_at, t.created_at)" },
  archive: {
    kind: "results",
    where: {
      definitionId: "hasAny(t.definition_ids, {?:Array(UUID)})",
      variantId: "t.run_id IN {?:Array(UUID)}",
      passRates: passRates.replace("= ANY (?)", "IN {?:Array(String)}"),
      tagged: "t.task_id IN {?:Array(UUID)}",
      untagged: "t.task_id NOT IN {?:Array(UUID)}",
    },
  },
} as const;
const counted = listOf(TestEntity, {
  ...options,
  counts: {
    times: { createdAt: "created_at" },
    groups: ["runType", "status"],
    range: "createdAt",
  },
});
/** While row counts still have what is past retention. */
const uncounted = listOf(TestEntity, { ...options, name: "test-rows" });

/** A page of the caller's application's tests. */
export function listTests(deps: Pick<Deps, "database" | "stores" | "references" | "retention">): Handler {
  return async (request, call) => {
    const common = filterOf(request);
    const filter = {
      ...common,
      // Sums have what is past retention, too.
      from: notBefore(deps.retention.since("results"), common.from),
      runId: nonEmptyOrNull(distinctIds(request.runId)),
      topicId: nonEmptyOrNull(distinctIds(request.topicId)),
      variantId: nonEmptyOrNull(distinctIds(request.experimentVariantId)),
      passRates: enumNames(PassRateStatusSchema, request.passRateStatuses),
      tagged: nonEmptyOrNull(request.tagId),
    };
    const list = deps.retention.isCleared("results") ? counted : uncounted;
    const total = totalOfTests(filter);
    const { stores } = deps;
    const archived = { filters: () => archivedFilters(deps.database, call, filter) };
    const { rows, pagination } = await listPage(deps.database, call, list, request, filter, {
      total,
      stores,
      archived,
    });
    const answer = create(ListTestsResponseSchema, { data: await fullTests(deps, call, rows), pagination });
    assertPageFits(ListTestsResponseSchema, answer);
    return answer;
  };
}

const runsOfVariants = `SELECT run.id FROM experiments.run run
  WHERE run.application_id = $1 AND run.experiment_variant_id = ANY ($2)`;
const taggedTasks = "SELECT tagged.task_id AS id FROM experiments.task_tag_v1 tagged WHERE tagged.application_id = $1";

/** What other tables say of the filters: runs of variants; tasks with tags or, where those without are wanted, the others. */
async function archivedFilters(
  database: Deps["database"],
  call: Call,
  { variantId, tagged }: Pick<TestFilter, "variantId" | "tagged">,
) {
  const tags = tagged?.filter((id) => id !== none);
  const isUntagged = tagged?.includes(none) === true;
  const ids = async (text: string, ...values: unknown[]) => {
    const rows = await database.read<{ id: string }>(call, { text, values: [call.tenant.applicationId, ...values] });
    return rows.map(({ id }) => id);
  };
  const ofTags = `${taggedTasks} AND tagged.tag_id = ANY ($2::uuid[])`;
  return {
    variantId: variantId === null ? null : await ids(runsOfVariants, variantId),
    tagged: tagged === null || isUntagged ? null : await ids(ofTags, tags),
    untagged: isUntagged ? await ids(`${taggedTasks} EXCEPT ${ofTags}`, tags) : null,
  };
}
