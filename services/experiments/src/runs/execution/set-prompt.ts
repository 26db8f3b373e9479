import type { JsonValue } from "@bufbuild/protobuf";
import { rowById } from "@ems/kit/db/row-by-id";
import type { Transaction } from "@ems/kit/db/transaction";
import { fromValue } from "@ems/kit/json/free-value";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ExecutionService, SetPromptRequest } from "@ems/proto/experiments/v1/execution_service";
import type { Deps } from "../../deps.ts";
import { type TestedVariant, testedVariant } from "../../experiments/experiments/index.ts";
import { TestEntity, type TestRow } from "../tests/index.ts";
import { promptRequested } from "./events.ts";
import { failTests } from "./fail-tests.ts";
import { lockTests } from "./lock-tests.ts";
import { planOfTest } from "./plan-of-test.ts";
import { requestPrompts } from "./request-prompts.ts";
import { writeChanges } from "./write-changes.ts";

type Handler = Handlers<typeof ExecutionService>["setPrompt"];

const testById = rowById(TestEntity, "Test");

const deliver = `UPDATE experiments.test_execution SET state = 'delivery', due_at = now() + interval '1 day',
    attempt = attempt + 1
  WHERE application_id = $1 AND test_id = $2`;

/**
 * Requests the delivery of a written prompt, or fails the test with a reason. Changes only a test that waits for its
 * prompt.
 */
export function setPrompt(deps: Pick<Deps, "database" | "clock" | "publishAll" | "plans">): Handler {
  return async (request, call) => {
    const stored = await testById.read(deps.database, call, request.testId);
    const check = async () => (await planOfTest(deps, call, stored))?.metadata;
    return deps.database.changeAfter(call, check, async (tx, metadata) => {
      const now = deps.clock.now();
      const testId = request.testId.toLowerCase();
      const locked = await lockTests(tx, call.tenant.applicationId, [testId]);
      const [test, state] = [locked.tests.get(testId), locked.executions.get(testId)?.state];
      if (test === undefined || (state !== "prompt" && state !== "writing")) return {};
      if (request.result.case === "failure") {
        const reasons = new Map([[testId, coded(request.result.value)]]);
        await failTests(deps, tx, call.tenant, now, locked, reasons);
        await requestPrompts(deps, tx, call.tenant, now, locked.runs.values());
        return {};
      }
      const after = { ...test, ...readPrompt(request) };
      await writeChanges(deps, tx, call.tenant, now, locked, [{ test: after, evaluations: [], changed: [] }]);
      if (after.prompt === null) return {};
      const run = locked.runs.get(test.runId) ?? { id: test.runId, experimentVariantId: null };
      const experiment = await testedVariant(tx, call.tenant.applicationId, run);
      await requestDelivery(deps, tx, call, after, metadata, experiment);
      return {};
    });
  };
}

function readPrompt({ result }: SetPromptRequest): Pick<TestRow, "prompt" | "waitingFor"> {
  if (result.case === "waitingFor") return { prompt: null, waitingFor: result.value };
  const prompt = result.case === "prompt" ? (fromValue(result.value) as JsonValue) : null;
  return { prompt, waitingFor: "delivery" };
}

async function requestDelivery(
  { publishAll }: Pick<Deps, "publishAll">,
  tx: Transaction,
  { tenant }: Call,
  { id, prompt }: TestRow,
  metadata: Parameters<typeof promptRequested>[2],
  experiment: TestedVariant | undefined,
): Promise<void> {
  tx.defer({ name: "deliver-prompt", text: deliver, values: [tenant.applicationId, id] });
  await publishAll(tx, tenant, [promptRequested(id, prompt, metadata, experiment)]);
}

/** Returns the reason with a code in front, unless it has one. */
function coded(reason: string): string {
  return /^[a-z]+(?:_[a-z]+)*(?::|$)/.test(reason) ? reason : `no_prompt: ${reason}`;
}
