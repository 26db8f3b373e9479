// Creates applications with rows in two months, which tests archive in part or completely, and restore.

import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import type { ArchiveOperator } from "@ems/archive";
import { newId } from "@ems/kit/id";
import { ExperimentService } from "@ems/proto/experiments/v1/experiment_service";
import { HumanAnnotationQueueService } from "@ems/proto/experiments/v1/human_annotation_queue_service";
import { HumanAnnotationService, HumanAnnotationSource } from "@ems/proto/experiments/v1/human_annotation_service";
import { InferenceStepService, InferenceStepType } from "@ems/proto/experiments/v1/inference_step_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { RunType } from "@ems/proto/experiments/v1/run";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { VariantService } from "@ems/proto/experiments/v1/variant_service";
import { type TestClickhouse, testCall, testTenant } from "@ems/test-support";
import { expect } from "vitest";
import { operateAs } from "./archive-parts.ts";
import { executions, passedOutcome } from "./executions.ts";
import { type experimentsHarness, user } from "./harness.ts";

export function archivedApplications(
  harness: Awaited<ReturnType<typeof experimentsHarness>>,
  clickhouse: TestClickhouse,
) {
  const { database } = harness;
  const variants = harness.client(VariantService);
  const annotations = harness.client(HumanAnnotationService);
  const queues = harness.client(HumanAnnotationQueueService);

  const text = (content: string) => fromJson(ValueSchema, content);
  const ids = (count: number) => Array.from({ length: count }, newId);
  /** Ids shared by all applications, so that choices that depend on ids are the same. */
  const [taskIds, definitionIds, traceIds, topicId] = [ids(12), ids(2), ids(48), newId()];

  /** Creates an application with rows in two months, `early` and `late`. */
  async function newApplication() {
    const tenant = { ...testTenant(), userId: user.id };
    const of = executions(harness, tenant);
    const call = () => testCall(tenant, 60_000);
    const { data: step } = await harness
      .client(InferenceStepService)
      .createInferenceStep({ title: "Reply", type: InferenceStepType.LLM, externalId: "reply" }, call());
    const { data: experiment } = await harness
      .client(ExperimentService)
      .createExperiment({ title: "Models", taskIds, inferenceStepIds: [step?.id ?? ""] }, call());
    const experimentId = experiment?.id ?? "";
    const variantIds: string[] = [];
    for (const title of ["Baseline", "Variant"]) {
      const parentId = variantIds[0];
      const fields = {
        id: experimentId,
        title,
        configPatch: { reply: { title } },
        ...(parentId !== undefined && { parentId }),
      };
      variantIds.push((await variants.createVariant(fields, call())).data?.id ?? "");
    }
    const { data: queue } = await queues.createHumanAnnotationQueue({ topicId, assigneeId: user.id }, call());
    const [runIds, testIds, annotationIds]: [string[], string[], string[]] = [[], [], []];
    const judged: { testId: string; runId: string; evaluationIds: string[] }[] = [];
    /** Records the results of each variant with one trace per test; a person annotates every third trace. */
    const record = async () => {
      for (const [side, experimentVariantId] of variantIds.entries()) {
        const results = taskIds.map((taskId, at) => ({
          taskId,
          score: at / 7,
          passed: (at + side + testIds.length / 24) % 3 > 0,
          evaluations: definitionIds.map((id, index) => ({
            definitionId: id,
            score: (at + index) / 13,
            passed: (at + side) % (2 + index) > 0,
          })),
        }));
        const [runId, run] = [runIds[side], { type: RunType.EXPERIMENT, experimentVariantId }];
        const into = runId === undefined ? { run } : { runId };
        const recorded = await harness.client(TestService).recordResults({ tests: results, ...into }, call());
        if (runId === undefined) runIds.push(recorded.run?.id ?? "");
        const from = testIds.length;
        testIds.push(...recorded.testIds);
        const events = recorded.testIds.map((testId, index) => ({
          type: "trace",
          traceId: traceIds[from + index] ?? "",
          testId,
          metadata: { user: user.id },
          steps: [
            { type: "request", content: text(`Question ${index}`) },
            {
              type: "llm",
              event: "end",
              modelId: "m",
              output: text("thinking"),
              costAmount: index / 7,
              durationMs: index,
            },
            { type: "retriever", output: text(`Found ${index}`) },
            { type: "response", content: text(`Answer ${index}`) },
          ],
        }));
        const { data } = await harness.client(IngestService).ingestEvents({ events: events as never }, call());
        expect(data.filter(({ success }) => !success)).toEqual([]);
        for (const [index, traceId] of traceIds.slice(from, testIds.length).entries()) {
          if (index % 3 > 0) continue;
          annotationIds.push((await annotate(tenant, definitionIds[0], traceId, index % 2 === 0))?.id ?? "");
        }
      }
    };
    /** Creates a test with a prompt and the evaluations of two judges. */
    const judge = async () => {
      const { tests, runId } = await of.trigger({ definitions: 2 });
      const [{ id: testId } = { id: "" }] = tests;
      await of.accept(testId);
      await of.sendTrace(testId);
      const offered = of.listEvaluations(await of.claim(1)).map(({ id }) => id);
      await of.record(offered.map((id) => ({ id, ...passedOutcome })));
      judged.push({ testId, runId, evaluationIds: offered });
    };
    const fill = async () => {
      await record();
      await judge();
    };
    await fill();
    return {
      tenant,
      of,
      call,
      experimentId,
      variantIds,
      runIds,
      testIds,
      annotationIds,
      queueId: queue?.id ?? "",
      judged,
      fill,
    };
  }

  const annotate = async (
    tenant: ReturnType<typeof testTenant>,
    definitionId: string | undefined,
    traceId: string,
    verdict: boolean,
  ) => {
    const source = HumanAnnotationSource.TRACE_PAGE;
    const named = definitionId === undefined ? {} : { definitionId };
    const request = { traceId, ...named, verdict, source, critique: "It is as it is here." };
    return (await annotations.createHumanAnnotation(request, testCall(tenant, 60_000))).data;
  };

  const operator = <T>(work: (operator: ArchiveOperator) => Promise<T>) =>
    operateAs(database, { ...clickhouse.env, ARCHIVE_AFTER_DAYS: "1" }, work);

  for (const taskId of taskIds.slice(4)) harness.topicByTask.set(taskId, topicId);
  return { taskIds, definitionIds, traceIds, topicId, newApplication, operator };
}
