import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { CalibrationService } from "@ems/proto/experiments/v1/calibration_service";
import { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { HumanAnnotationService, HumanAnnotationSource } from "@ems/proto/experiments/v1/human_annotation_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test, vi } from "vitest";
import { executions, passedOutcome } from "../../../test/executions.ts";
import { experimentsHarness, user } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const newTenant = () => ({ ...testTenant(), userId: user.id });

const stored = `SELECT definition_version, judge_version, human_passed AS passed, human_failed AS failed,
  round(kappa::numeric, 3)::float8 AS kappa FROM experiments.judge_calibration
  WHERE definition_id = $1 AND calculated_at IS NOT NULL`;
const expectStored = (definitionId: string, expected: object) =>
  vi.waitFor(async () => expect(await harness.database.sql(stored, [definitionId])).toMatchObject([expected]), {
    timeout: 60_000,
  });
const annotate = (tenant: ReturnType<typeof newTenant>, definitionId: string, traceId: string, verdict: boolean) =>
  harness.client(HumanAnnotationService).createHumanAnnotation(
    {
      traceId,
      definitionId,
      verdict,
      source: HumanAnnotationSource.TRACE_PAGE,
      critique: "It is as it is here.",
    },
    testCall(tenant),
  );

test("annotations are soon included in the calibration, and the application's minimum kappa applies", async () => {
  const [tenant, definitionId, taskId] = [newTenant(), newId(), newId()];
  const cells = [
    ...Array<[boolean, boolean]>(20).fill([true, true]),
    ...Array<[boolean, boolean]>(6).fill([true, false]),
    ...Array<[boolean, boolean]>(15).fill([false, false]),
  ];
  const tests = cells.map(([passed]) => ({ taskId, evaluations: [{ definitionId, passed }] }));
  const { testIds } = await harness.client(TestService).recordResults({ tests }, testCall(tenant));
  const events = testIds.map((testId) => ({ type: "trace", testId }));
  const { data } = await harness.client(IngestService).ingestEvents({ events }, testCall(tenant));
  const getTrace = (at: number) => data[at]?.id ?? "";
  for (const [at, [, passes]] of cells.slice(0, 3).entries())
    await annotate(tenant, definitionId, getTrace(at), passes);
  await expectStored(definitionId, { passed: 3, failed: 0, kappa: null });
  for (const [at, [, passes]] of cells.entries())
    if (at > 2) await annotate(tenant, definitionId, getTrace(at), passes);
  // Judge and people agree on 35 of 41 traces; by chance they would on (26 × 20 + 15 × 21) / 41² of them.
  const kappa = Number(((35 / 41 - 835 / 1681) / (1 - 835 / 1681)).toFixed(3));
  await expectStored(definitionId, { passed: 20, failed: 21, kappa });

  const settings = { sampleRate: 0, kappaFloor: 0.9 };
  await harness.client(ExecutionService).setExecutionSettings(settings, testCall(tenant));
  const calibrations = harness.client(CalibrationService);
  const { data: measured } = await calibrations.getCalibration({ id: definitionId }, testCall(tenant));
  expect(measured?.judge).toMatchObject({ reliable: false, summary: expect.stringContaining("below 0.90") });

  const annotations = harness.client(HumanAnnotationService);
  const { data: mine } = await annotations.listHumanAnnotations({ traceId: [getTrace(0)] }, testCall(tenant));
  const change = {
    id: mine[0]?.id ?? "",
    verdict: false,
    critique: fromJson(ValueSchema, "It is not as it should be."),
  };
  await annotations.updateHumanAnnotation(change, testCall(tenant));
  await expectStored(definitionId, { passed: 19, failed: 22, kappa: null });
});

test("a result of an annotated trace is measured, and a result of another judge starts a new measurement", async () => {
  const tenant = newTenant();
  const of = executions(harness, tenant);
  const definitionId = newId();
  const plan = { definitions: [{ id: definitionId, type: EvalDefinitionType.FACT }] };
  /** Creates a test whose evaluation is offered to judges. */
  const offered = async () => {
    const id = (await of.trigger({ plan })).tests[0]?.id ?? "";
    await of.accept(id);
    const { data } = await of.sendTrace(id);
    const [offer] = of.listEvaluations(await of.claim(1));
    return { traceId: data[0]?.id ?? "", id: offer?.id ?? "" };
  };
  const { traceId, id } = await offered();
  await annotate(tenant, definitionId, traceId, true);
  // The trace has not been judged yet.
  await expectStored(definitionId, { passed: 0, failed: 0, judge_version: null });
  await of.record([{ id, ...passedOutcome, definitionVersion: 1, judgeVersion: "fact/1" }]);
  await expectStored(definitionId, { passed: 1, failed: 0, definition_version: 1, judge_version: "fact/1" });
  harness.clock.advance(1_000);
  const other = await offered();
  await of.record([{ id: other.id, ...passedOutcome, definitionVersion: 2, judgeVersion: "fact/1" }]);
  await expectStored(definitionId, { passed: 0, failed: 0, definition_version: 2, judge_version: "fact/1" });
});
