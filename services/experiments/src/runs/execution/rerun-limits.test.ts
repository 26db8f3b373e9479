import { Code } from "@connectrpc/connect";
import { newId } from "@ems/kit/id";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import { rerunEvaluationsMax } from "@ems/proto/limits";
import { testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { executions, passedOutcome } from "../../../test/executions.ts";
import { experimentsHarness } from "../../../test/harness.ts";
import { expectExactSums } from "../../../test/sums.ts";

const harness = await experimentsHarness();
const evaluations = harness.client(EvaluationService);

/** Creates a test and offers its evaluations to judges. */
async function offered(definitions: number) {
  const of = executions(harness, testTenant());
  const { runId, tests } = await of.trigger({ definitions });
  const [id = ""] = tests.map((planned) => planned.id);
  await of.accept(id);
  await of.sendTrace(id);
  const ids = of.listEvaluations(await of.claim(1)).map((evaluation) => evaluation.id);
  expect(ids).toHaveLength(definitions);
  const end = async (all: readonly string[]) => {
    for (let at = 0; at < all.length; at += 100) {
      await of.record(all.slice(at, at + 100).map((evaluationId) => ({ id: evaluationId, ...passedOutcome })));
    }
  };
  return { of, runId, ids, end };
}

test("a filter that matches 1,001 evaluations reruns 1,000 and reports one remaining", async () => {
  const { of, runId, ids, end } = await offered(rerunEvaluationsMax + 1);
  await end(ids);
  const filter = { runId, status: [EvaluationStatus.COMPLETED] };
  expect(await evaluations.rerunEvaluations(filter, of.call())).toMatchObject({ count: 1_000n, remaining: 1n });
  expect(await evaluations.rerunEvaluations(filter, of.call())).toMatchObject({ count: 1n, remaining: 0n });
  expect(await evaluations.rerunEvaluations(filter, of.call())).toMatchObject({ count: 0n, remaining: 0n });
  await expectExactSums(harness.database, of.tenant.applicationId);
});

test("1,000 ids are accepted, 1,001 are refused, and the response counts the rerun ones", async () => {
  const { of, ids, end } = await offered(rerunEvaluationsMax);
  await end(ids.slice(0, -1));
  const rerun = (list: readonly string[]) => evaluations.rerunEvaluations({ ids: [...list] }, of.call());
  await expect(rerun([...ids, newId()])).rejects.toMatchObject({ code: Code.InvalidArgument });
  // The last evaluation has not ended, so it is not rerun.
  expect(await rerun(ids)).toMatchObject({ count: 999n, remaining: 0n });
  expect(await rerun(ids)).toMatchObject({ count: 0n, remaining: 0n });
  await expectExactSums(harness.database, of.tenant.applicationId);
});
