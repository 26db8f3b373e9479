// Creates random results and traces of two tenants, over forty days.

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { ExperimentService } from "@ems/proto/experiments/v1/experiment_service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { ResultStatus, RunType } from "@ems/proto/experiments/v1/run";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { VariantService } from "@ems/proto/experiments/v1/variant_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect } from "vitest";
import type { experimentsHarness } from "./harness.ts";

/** Generates data from a seed; `fill` stores it. */
export function archivedData(harness: Awaited<ReturnType<typeof experimentsHarness>>, seed: number) {
  const { database } = harness;
  const tenants = [testTenant(), testTenant()] as const;
  const tests = harness.client(TestService);
  /** Random number generator mulberry32. */
  let state = seed;
  function random(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const pickSome = <T>(items: readonly T[]) => items.filter(() => random() < 0.5);
  const maybe = <T>(value: () => T, share = 0.3): T | undefined => (random() < share ? value() : undefined);

  const dayMs = 86_400_000;
  const days = 40;
  const start = harness.clock.now().getTime();
  const ids = (count: number) => Array.from({ length: count }, newId);
  const [taskIds, topicIds, definitionIds, tagIds] = [ids(5), ids(3), ids(4), ids(3)];
  const references = ["a", "b", "c"];
  const users = ["ada", "bob"];
  const words = ["card", "refund", "naïve", "42", "späť", "token"];
  const runIds: string[] = [];
  const testIds: string[] = [];
  const traceIds: string[] = [];
  const evaluationIds: string[] = [];
  const variantIds: string[] = [];
  const timeAt = (day: number) => timestampFromDate(new Date(start + Math.floor(day * dayMs)));

  async function fill() {
    for (const [index, taskId] of taskIds.entries()) {
      const topicId = topicIds[index];
      if (topicId !== undefined) harness.topicByTask.set(taskId, topicId);
    }
    const [tenant, other] = tenants;
    const experiment = await harness
      .client(ExperimentService)
      .createExperiment({ title: "Models", taskIds }, testCall(tenant));
    const baseline = { id: experiment.data?.id ?? "", title: "Baseline", configPatch: {} };
    const variant = await harness.client(VariantService).createVariant(baseline, testCall(tenant));
    variantIds.push(variant.data?.id ?? "", newId());
    for (let day = 0; day < days; day++) {
      for (const caller of day % 10 === 0 ? [tenant, other] : [tenant]) await addDay(caller, day, caller === tenant);
      harness.clock.advance(dayMs);
    }
    const { applicationId, orgId } = tenant;
    // Adds execution texts and reruns, which recorded results do not have.
    await database.sql(
      `UPDATE experiments.test SET message = 'no_trace', prompt = '{"a":[1,2.50]}', modified_at = created_at + interval '3 days',
       evaluation_count = 3, evaluation_passed = mod(duration_ms, 4), trace_steps = 2,
       trace_id = (SELECT min(t.id::text)::uuid FROM traces.trace t WHERE t.test_id = test.id)
     WHERE application_id = $1 AND mod(duration_ms, 3) = 0`,
      [applicationId],
    );
    await database.sql(
      `WITH rerun AS (
       UPDATE experiments.evaluation SET replaced_by = gen_random_uuid(), model = 'm', input_tokens = 9007199254740993,
         cost_micro = 12, modified_at = created_at + interval '2 days'
       WHERE application_id = $1 AND score_micro < 200000 RETURNING *)
     INSERT INTO experiments.evaluation (application_id, id, created_at, test_id, run_id, task_id, definition_id, org_id,
       definition_type, status)
     SELECT application_id, replaced_by, created_at, test_id, run_id, task_id, definition_id, org_id, definition_type, status
     FROM rerun`,
      [applicationId],
    );
    for (const tagId of tagIds) {
      await database.sql(
        `INSERT INTO catalog.tag (application_id, id, org_id, name, color, status, created_at, modified_at)
       VALUES ($1, $2, $3, $4, '#000000', 'ACTIVE', now(), now())`,
        [applicationId, tagId, orgId, tagId],
      );
    }
    for (const taskId of taskIds.slice(1)) {
      await database.sql(
        `INSERT INTO catalog.task (application_id, id, org_id, title, description, type, status, created_at, modified_at)
       VALUES ($1, $2, $3, 't', 'd', 'NORMAL', 'ACTIVE', now(), now())`,
        [applicationId, taskId, orgId],
      );
      for (const tagId of pickSome(tagIds)) {
        await database.sql("INSERT INTO catalog.task_tag (application_id, task_id, tag_id) VALUES ($1, $2, $3)", [
          ...[applicationId, taskId, tagId],
        ]);
      }
    }
    evaluationIds.push(
      ...(await database.sql<{ id: string }>("SELECT id FROM experiments.evaluation ORDER BY id")).map(({ id }) => id),
    );
  }
  async function addDay(tenant: (typeof tenants)[number], day: number, isOurs: boolean) {
    const call = () => testCall(tenant);
    const results = Array.from({ length: 1 + below(4) }, () => ({
      taskId: pick(taskIds),
      status: pick([ResultStatus.COMPLETED, ResultStatus.COMPLETED, ResultStatus.FAILED, ResultStatus.IN_PROGRESS]),
      durationMs: below(100),
      createdAt: timeAt(day - random()),
      ...(random() < 0.5 && { score: random(), passed: random() < 0.5 }),
      evaluations: pickSome(definitionIds).map((definitionId) => ({
        definitionId,
        ...(random() < 0.7
          ? { score: Math.round(random() * 1e6) / 1e6, passed: random() < 0.5 }
          : { status: EvaluationStatus.SKIPPED, message: "no_expected" }),
        ...(random() < 0.4 && { results: { name: pick(words), value: random(), nested: { list: [1, null, "x"] } } }),
      })),
    }));
    const into = runIds.length > 3 && isOurs ? maybe(() => pick(runIds), 0.5) : undefined;
    const recorded = await tests.recordResults(
      into === undefined ? { tests: results, run: newRun(day, isOurs) } : { tests: results, runId: into },
      call(),
    );
    if (isOurs) {
      if (into === undefined && recorded.run !== undefined) runIds.push(recorded.run.id);
      testIds.push(...recorded.testIds);
    }
    const events = Array.from({ length: 1 + below(4) }, () => {
      const traceId = newId();
      if (isOurs) traceIds.push(traceId);
      const at = day - random() * 3;
      return {
        type: "trace",
        traceId,
        timestamp: timeAt(at),
        ...(random() < 0.5 && isOurs && testIds.length > 0 && { testId: pick(testIds.slice(-6)) }),
        ...(random() < 0.5 && { referenceId: pick(references) }),
        metadata: {
          n: below(3),
          text: pick(words),
          flag: random() < 0.5,
          none: null,
          user: maybe(() => pick(users), 0.6) ?? null,
        },
        ...(random() < 0.3 && { evals: [ownEval(Math.round(random() * 100) / 100)] }),
        steps: Array.from({ length: below(4) }, (_, step) => ({
          type: pick(["tool", "llm", "log"]),
          ...(random() < 0.3 && { status: "error" }),
          timestamp: timeAt(at + step / 1_000),
          input: { text: `${pick(words)} ${pick(words)}` },
          costAmount: below(100) / 7,
          durationMs: below(5_000),
        })),
      };
    });
    const { data } = await harness.client(IngestService).ingestEvents({ events: events as never }, call());
    expect(data.filter(({ success }) => !success)).toEqual([]);
  }

  function newRun(day: number, isOurs: boolean) {
    const [experimentVariantId = ""] = variantIds;
    if (isOurs && day === 3) return { type: RunType.EXPERIMENT, experimentVariantId };
    return { type: pick([RunType.MANUAL, RunType.SCHEDULED]) };
  }

  const ownEval = (score: number) => ({
    id: newId(),
    score,
    status: "COMPLETED",
    definition: { id: newId(), name: "d", type: "CUSTOM" },
  });

  return {
    tenants,
    fill,
    below,
    pick,
    pickSome,
    maybe,
    random,
    dayMs,
    days,
    start,
    timeAt,
    taskIds,
    topicIds,
    definitionIds,
    tagIds,
    references,
    users,
    words,
    runIds,
    testIds,
    traceIds,
    evaluationIds,
    variantIds,
  };
}
