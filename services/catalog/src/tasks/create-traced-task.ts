import { create } from "@bufbuild/protobuf";
import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import { CreateTaskRequestSchema } from "@ems/proto/catalog/v1/task_service";
import type { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import { definitionsById, expectation, linkedApplication, linkNewTasks } from "../definitions/index.ts";
import type { Deps } from "../deps.ts";
import { taskMetrics } from "../metrics/index.ts";
import { assertReferences, rethrowMissingReference } from "../references/index.ts";
import { tagNewTasks } from "../tags/index.ts";
import { newTask } from "./create-task.ts";
import { TaskEntity } from "./entity.ts";
import { assertExamples } from "./examples.ts";
import { assertTaskFits, task } from "./messages.ts";

const earlierMax = 100;
const earlierTasks = `SELECT id FROM catalog.task WHERE application_id = $1 AND trace_id = $2 AND status <> 'DEDUCED'
  ORDER BY created_at DESC, id DESC LIMIT ${earlierMax}`;

export function createTracedTask(deps: Deps): Handlers<typeof TestPlanService>["createTracedTask"] {
  const { database, applications } = deps;
  return async (request, call) => {
    const { applicationId } = call.tenant;
    const expected = expectation(request.config);
    // The rules of the request have validated the task.
    const draft = request.task ?? create(CreateTaskRequestSchema);
    assertExamples(draft.examples);
    const tagIds = distinctIds(request.tagIds);
    // Runs before the transaction, so that no transaction is open during the call to identity.
    const find = async () => {
      const definitions = await definitionsById(database, call, request.evalIds);
      const application = await linkedApplication(applications, call, definitions);
      return { definitions, application };
    };
    const answer = database.changeAfter(call, find, async (tx, { definitions, application }) => {
      const row = { ...newTask(deps, call, draft), traceId: request.traceId.toLowerCase() };
      const created = { ...row, lastTest: null, schedule: null };
      assertTaskFits(created);
      await assertReferences(tx, applicationId, { tag: tagIds });
      const earlier = await tx.query<{ id: string }>(earlierTasks, [applicationId, row.traceId]);
      await tx.insert(TaskEntity, row);
      await tagNewTasks(deps, tx, call, { taskIds: [row.id], tagIds });
      await linkNewTasks(deps, tx, call, { definitions, taskIds: [row.id], ...expected });
      const links = definitions.map((definition) => ({ definition, ...expected }));
      return {
        task: task(created, { links, application }, taskMetrics()),
        earlierTaskIds: earlier.map(({ id }) => id),
      };
    });
    return answer.catch(rethrowMissingReference);
  };
}
