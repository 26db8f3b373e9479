import { newId } from "@ems/kit/id";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import { ResultStatus } from "@ems/proto/experiments/v1/run";
import { testTenant } from "@ems/test-support";
import { describe, expect, test } from "vitest";
import { executions, passedOutcome } from "../../../test/executions.ts";
import { experimentsHarness } from "../../../test/harness.ts";
import { expectExactSums } from "../../../test/sums.ts";

const harness = await experimentsHarness();
const { database } = harness;
const evaluations = harness.client(EvaluationService);

/** Runs `work` for a new tenant, then checks that the tenant's rollups are exact. */
async function inTenant(work: (of: ReturnType<typeof executions>) => Promise<void>): Promise<void> {
  const of = executions(harness, testTenant());
  await work(of);
  await expectExactSums(database, of.tenant.applicationId);
}

/** Creates a test whose evaluations are offered to judges. */
async function judged(of: ReturnType<typeof executions>, definitions: number) {
  const triggered = await of.trigger({ definitions });
  const [first] = triggered.tests;
  const id = first?.id ?? "";
  await of.accept(id);
  await of.sendTrace(id);
  return { ...triggered, id, offered: of.listEvaluations(await of.claim(1)) };
}

describe("a rerun", () => {
  test("replaces ended evaluations with new ones, and the test and the run end again", () =>
    inTenant(async (of) => {
      const { id, runId, offered } = await judged(of, 2);
      const [firstId = "", secondId = ""] = offered.map((offer) => offer.id);
      await of.record([
        { id: firstId, ...passedOutcome },
        { id: secondId, status: EvaluationStatus.FAILED, message: "model_error: x" },
      ]);
      const rerun = { status: [EvaluationStatus.FAILED], runId };
      expect(await evaluations.rerunEvaluations(rerun, of.call())).toMatchObject({ count: 1n, remaining: 0n });
      expect(await evaluations.rerunEvaluations(rerun, of.call())).toMatchObject({ count: 0n, remaining: 0n });
      expect(await of.readTest(id)).toMatchObject({ status: ResultStatus.IN_PROGRESS, evals: [{}, {}] });
      expect(await of.readRun(runId)).toMatchObject({ status: ResultStatus.IN_PROGRESS, progress: { completed: 0n } });
      const [newOffer] = of.listEvaluations(await of.claim(1));
      expect((await evaluations.getEvaluation({ id: secondId }, of.call())).data).toMatchObject({
        replacedById: newOffer?.id,
        status: 4,
      });
      const listed = async (includeReplaced: boolean) =>
        (await evaluations.listEvaluations({ testId: [id], includeReplaced }, of.call())).data
          .map((row) => row.id)
          .toSorted();
      expect(await listed(false)).toEqual([firstId, newOffer?.id].toSorted());
      expect(await listed(true)).toEqual([firstId, secondId, newOffer?.id].toSorted());
      // Totals count rows on partial days and sums on whole days; both must exclude replaced evaluations.
      const createdAt = (await evaluations.getEvaluation({ id: firstId }, of.call())).data?.createdAt;
      for (const dates of [{ ...(createdAt && { startDate: createdAt }) }, {}]) {
        const { pagination } = await evaluations.listEvaluations(dates, of.call());
        expect(pagination?.total).toBe(2n);
      }
      // Records a late outcome of the replaced evaluation.
      await of.record([{ id: secondId, ...passedOutcome }]);
      await of.record([{ id: newOffer?.id ?? "", ...passedOutcome }]);
      expect(await of.readTest(id)).toMatchObject({ status: ResultStatus.COMPLETED, passed: true });
      expect(await of.events("test.completed", id)).toHaveLength(2);
      expect(await of.events("run.completed", runId)).toHaveLength(2);
    }));

  test("takes only the ended evaluations while others of the test run", () =>
    inTenant(async (of) => {
      const { offered, id } = await judged(of, 2);
      const [firstId = "", secondId = ""] = offered.map((offer) => offer.id);
      await of.record([{ id: firstId, ...passedOutcome }]);
      const both = await Promise.all([
        evaluations.rerunEvaluations({ ids: [firstId, secondId, newId()] }, of.call()),
        evaluations.rerunEvaluations({ ids: [firstId] }, of.call()),
      ]);
      expect(both.map(({ count }) => count).toSorted()).toEqual([0n, 1n]);
      const newOffers = of.listEvaluations(await of.claim(1));
      expect(newOffers.map((offer) => offer.id)).toContain(secondId);
      await of.record(newOffers.map((offer) => ({ id: offer.id, ...passedOutcome })));
      expect(await of.readTest(id)).toMatchObject({ status: ResultStatus.COMPLETED, evals: [{}, {}] });
    }));

  test("takes no evaluations of another application", () =>
    inTenant(async (of) => {
      const { offered } = await judged(of, 1);
      await of.record([{ id: offered[0]?.id ?? "", ...passedOutcome }]);
      const other = executions(harness, testTenant());
      expect(await evaluations.rerunEvaluations({ ids: [offered[0]?.id ?? ""] }, other.call())).toMatchObject({
        count: 0n,
      });
    }));
});
