import { rowById } from "@ems/kit/db/row-by-id";
import { notFound } from "@ems/kit/errors";
import { definedFields } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../../deps.ts";
import { TestEntity } from "../tests/index.ts";
import { planOfTest } from "./plan-of-test.ts";

type Handler = Handlers<typeof ExecutionService>["getPromptInput"];

const testById = rowById(TestEntity, "Test");
const waiting = `SELECT state FROM experiments.test_execution
  WHERE application_id = $1 AND test_id = $2 AND state IN ('prompt', 'writing')`;

/** Returns the input for writing a simulated user's prompt: the current task, or an experiment's frozen task. */
export function getPromptInput(deps: Pick<Deps, "database" | "plans">): Handler {
  return async ({ testId }, call) => {
    const values = [call.tenant.applicationId, testId];
    const [test, [execution]] = await Promise.all([
      testById.read(deps.database, call, testId),
      deps.database.read(call, { name: "waits-for-prompt", text: waiting, values }),
    ]);
    const plan = await planOfTest(deps, call, test);
    if (plan === undefined) throw notFound("Task");
    const { title, description, inputExamples, simulatedPromptSchema } = plan;
    return {
      title,
      description,
      inputExamples,
      isWaiting: execution !== undefined,
      ...definedFields({ simulatedPromptSchema }),
    };
  };
}
