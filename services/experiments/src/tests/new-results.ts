// From a request of results to its rows. Pure: ids and time are arguments.

import { enumName } from "@ems/kit/enum";
import type { NewId } from "@ems/kit/id";
import { dateOf } from "@ems/kit/json/timestamp";
import { EvalDefinitionTypeSchema } from "@ems/proto/catalog/v1/eval_definition";
import type { CheckReferencesResponse } from "@ems/proto/catalog/v1/reference_service";
import { ResultStatus, ResultStatusSchema } from "@ems/proto/experiments/v1/run";
import type { NewEvaluation, NewTest } from "@ems/proto/experiments/v1/test_service";
import type { EvaluationRow } from "../evaluations/index.ts";
import type { TestRow } from "./entity.ts";

const ageMaxYears = 2;

/** The tests whose times are out of range, by index. */
export function timeFaults(tests: readonly NewTest[], now: Date): { index: number; message: string }[] {
  const oldest = new Date(now);
  oldest.setUTCFullYear(oldest.getUTCFullYear() - ageMaxYears);
  return tests.flatMap((test, index) => {
    const createdAt = createdAtOf(test, now);
    if (createdAt > now) return [{ index, message: "Must not be in the future" }];
    return createdAt < oldest ? [{ index, message: "Must be at most two years ago" }] : [];
  });
}

interface ResultContext extends Pick<TestRow, "applicationId" | "orgId" | "runId" | "runType"> {
  readonly now: Date;
  readonly newId: NewId;
}

/** The rows of tests, whose references exist. */
export function newResults(
  newTests: readonly NewTest[],
  references: Pick<CheckReferencesResponse, "tasks" | "definitions">,
  { now, newId, ...context }: ResultContext,
): { tests: TestRow[]; evaluations: EvaluationRow[] } {
  const { runType, ...evaluationContext } = context;
  const topics = new Map(references.tasks.map(({ id, topicId }) => [id, topicId ?? null]));
  const types = new Map(references.definitions.map(({ id, type }) => [id, type]));
  const results = newTests.map((newTest) => {
    const taskId = newTest.taskId.toLowerCase();
    const test: TestRow = {
      ...context,
      id: newId(),
      createdAt: createdAtOf(newTest, now),
      taskId,
      topicId: topics.get(taskId) ?? null,
      durationMs: newTest.durationMs ?? null,
      definitionIds: [...new Set(newTest.evaluations.map(({ definitionId }) => definitionId.toLowerCase()))],
      ...outcomeOf(newTest),
    };
    const { id: testId, createdAt, topicId } = test;
    const evaluations = newTest.evaluations.map((newEvaluation): EvaluationRow => {
      const definitionId = newEvaluation.definitionId.toLowerCase();
      const definitionType = enumName<EvaluationRow["definitionType"]>(
        EvalDefinitionTypeSchema,
        types.get(definitionId),
      );
      if (definitionType === undefined) throw new Error(`catalog answered without the definition ${definitionId}`);
      const copied = { ...evaluationContext, testId, createdAt, taskId, topicId };
      return { ...copied, id: newId(), definitionId, definitionType, ...outcomeOf(newEvaluation) };
    });
    return { test, evaluations };
  });
  return { tests: results.map(({ test }) => test), evaluations: results.flatMap(({ evaluations }) => evaluations) };
}

export function createdAtOf({ createdAt }: NewTest, now: Date): Date {
  return createdAt === undefined ? now : dateOf(createdAt);
}

function outcomeOf({ status = ResultStatus.COMPLETED, score, passed }: NewTest | NewEvaluation) {
  return {
    status: enumName<TestRow["status"]>(ResultStatusSchema, status),
    scoreMicro: score === undefined ? null : String(Math.round(score * 1e6)),
    passed: passed ?? null,
  };
}

/** The status of a run of these tests. */
export function runStatus(tests: readonly NewTest[]): "IN_PROGRESS" | "FAILED" | "COMPLETED" {
  const statuses = tests.map(({ status = ResultStatus.COMPLETED }) => status);
  const isOpen = (status: ResultStatus) => status === ResultStatus.PENDING || status === ResultStatus.IN_PROGRESS;
  if (statuses.some(isOpen)) return "IN_PROGRESS";
  return statuses.every((status) => status === ResultStatus.FAILED) ? "FAILED" : "COMPLETED";
}
