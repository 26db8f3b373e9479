// Builds the rows of recorded results. Pure: receives ids and the time as arguments.

import { enumName } from "@ems/kit/enum";
import type { FieldViolation } from "@ems/kit/errors";
import type { NewId } from "@ems/kit/id";
import { dateFromTimestamp } from "@ems/kit/json/timestamp";
import { makeStorable, makeWrittenJsonStorable } from "@ems/kit/readers";
import { EvalDefinitionTypeSchema } from "@ems/proto/catalog/v1/eval_definition";
import type { CheckReferencesResponse } from "@ems/proto/catalog/v1/reference_service";
import { EvaluationStatus, EvaluationStatusSchema } from "@ems/proto/experiments/v1/evaluation";
import { ResultStatus, ResultStatusSchema } from "@ems/proto/experiments/v1/run";
import type { NewEvaluation, NewTest } from "@ems/proto/experiments/v1/test_service";
import { evaluationResultsBytesMax, sizeText } from "@ems/proto/limits";
import { describeScale, isOnScale } from "@ems/proto/scales";
import { type EvaluationRow, type RecordedEvaluationRow, scoreColumns } from "@ems/results";
import { computeVerdict, derivedFromEvaluations, testErrorCause } from "../outcomes/index.ts";
import type { RecordedTestRow, TestRow } from "./entity.ts";

const ageMaxYears = 2;

/** Returns an error for each test whose time is out of range or before `since`, the start of the retention period. */
export function timeFaults(tests: readonly NewTest[], now: Date, since?: Date): FieldViolation[] {
  const oldest = new Date(now);
  oldest.setUTCFullYear(oldest.getUTCFullYear() - ageMaxYears);
  return tests.flatMap((test, index) => {
    const createdAt = getCreatedAt(test, now);
    const path = ["tests", index, "created_at"];
    if (createdAt > now) return [{ path, message: "Must not be in the future" }];
    if (since !== undefined && createdAt < since) {
      return [{ path, message: `Results are kept since ${since.toISOString().slice(0, 10)}` }];
    }
    return createdAt < oldest ? [{ path, message: "Must be at most two years ago" }] : [];
  });
}

/** Returns an error for each evaluation whose results are too large, by the indexes of its test and itself. */
export function sizeFaults(tests: readonly NewTest[]): FieldViolation[] {
  return tests.flatMap(({ evaluations }, test) =>
    evaluations.flatMap(({ results }, index) => {
      if (results === undefined || Buffer.byteLength(JSON.stringify(results)) <= evaluationResultsBytesMax) return [];
      const message = `At most ${sizeText(evaluationResultsBytesMax)} as JSON`;
      return [{ path: ["tests", test, "evaluations", index, "results"], message, code: "too_big" as const }];
    }),
  );
}

/** Returns an error for each evaluation whose score is outside the scale of its definition's type. */
export function scaleFaults(
  tests: readonly NewTest[],
  { definitions }: Pick<CheckReferencesResponse, "definitions">,
): FieldViolation[] {
  const types = readTypes(definitions);
  return tests.flatMap(({ evaluations }, test) =>
    evaluations.flatMap(({ definitionId, score }, index) => {
      const type = types.get(definitionId.toLowerCase());
      if (score === undefined || type === undefined || isOnScale(toMicro(score), type)) return [];
      return [{ path: ["tests", test, "evaluations", index, "score"], message: describeScale(type) }];
    }),
  );
}

const readTypes = (definitions: CheckReferencesResponse["definitions"]) =>
  new Map(
    definitions.map(({ id, type }) => [id, enumName<EvaluationRow["definitionType"]>(EvalDefinitionTypeSchema, type)]),
  );

interface ResultContext extends Pick<TestRow, "applicationId" | "orgId" | "runId" | "runType"> {
  readonly now: Date;
  readonly newId: NewId;
}

/** Builds the rows of tests; their references must have been checked. */
export function newResults(
  newTests: readonly NewTest[],
  references: Pick<CheckReferencesResponse, "tasks" | "definitions">,
  { now, newId, ...context }: ResultContext,
): { tests: RecordedTestRow[]; evaluations: RecordedEvaluationRow[] } {
  const { runType, ...evaluationContext } = context;
  const topics = new Map(references.tasks.map(({ id, topicId }) => [id, topicId ?? null]));
  const types = readTypes(references.definitions);
  const results = newTests.map((newTest) => {
    const taskId = newTest.taskId.toLowerCase();
    const test: RecordedTestRow = {
      ...context,
      id: newId(),
      createdAt: getCreatedAt(newTest, now),
      taskId,
      topicId: topics.get(taskId) ?? null,
      durationMs: newTest.durationMs ?? null,
      definitionIds: [],
      evaluationCount: 0,
      evaluationPassed: 0,
      errorCause: null,
      ...toOutcome(newTest),
      status: enumName<TestRow["status"]>(ResultStatusSchema, newTest.status ?? ResultStatus.COMPLETED),
    };
    const { id: testId, createdAt, topicId } = test;
    const evaluations = newTest.evaluations.map((newEvaluation): RecordedEvaluationRow => {
      const definitionId = newEvaluation.definitionId.toLowerCase();
      const definitionType = types.get(definitionId);
      if (definitionType === undefined) throw new Error(`catalog returned no definition ${definitionId}`);
      const copied = { ...evaluationContext, testId, createdAt, taskId, topicId };
      const { status = EvaluationStatus.COMPLETED, message, results } = newEvaluation;
      return {
        ...copied,
        id: newId(),
        definitionId,
        definitionType,
        ...toOutcome(newEvaluation),
        status: enumName<EvaluationRow["status"]>(EvaluationStatusSchema, status),
        message: message === undefined ? null : makeStorable(message),
        results: results === undefined ? null : makeWrittenJsonStorable(results, JSON.stringify(results)),
      };
    });
    return { test: { ...test, ...derivedFields(test, evaluations) }, evaluations };
  });
  return { tests: results.map(({ test }) => test), evaluations: results.flatMap(({ evaluations }) => evaluations) };
}

/** Returns the fields that follow from the evaluations. A verdict that is not recorded is theirs. */
function derivedFields(test: RecordedTestRow, evaluations: readonly RecordedEvaluationRow[]) {
  const errorCause = testErrorCause({ status: test.status, message: null }, evaluations);
  const isJudgedByEvaluations = test.status === "COMPLETED" && errorCause === null;
  return {
    ...derivedFromEvaluations(evaluations),
    errorCause,
    passed: test.passed ?? (isJudgedByEvaluations ? computeVerdict(evaluations).passed : null),
  };
}

export function getCreatedAt({ createdAt }: NewTest, now: Date): Date {
  return createdAt === undefined ? now : dateFromTimestamp(createdAt);
}

function toOutcome({ score, passed }: NewTest | NewEvaluation) {
  return {
    ...scoreColumns(score),
    passed: passed ?? null,
  };
}

const toMicro = (score: number) => String(Math.round(score * 1e6));

/** Derives the status of a run from the tests recorded in it. */
export function runStatus(tests: readonly NewTest[]): "IN_PROGRESS" | "FAILED" | "COMPLETED" {
  const statuses = tests.map(({ status = ResultStatus.COMPLETED }) => status);
  const isOpen = (status: ResultStatus) => status === ResultStatus.PENDING || status === ResultStatus.IN_PROGRESS;
  if (statuses.some(isOpen)) return "IN_PROGRESS";
  return statuses.every((status) => status === ResultStatus.FAILED) ? "FAILED" : "COMPLETED";
}
