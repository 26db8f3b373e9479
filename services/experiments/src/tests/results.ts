// From a request of results to the rows that it becomes. Pure: ids and time are given.

import { enumName } from "@ems/kit/enum";
import type { NewId } from "@ems/kit/id";
import { dateOf } from "@ems/kit/json/timestamp";
import { EvalDefinitionTypeSchema } from "@ems/proto/catalog/v1/eval_definition";
import type { CheckReferencesResponse } from "@ems/proto/catalog/v1/reference_service";
import { ResultStatus, ResultStatusSchema } from "@ems/proto/experiments/v1/run";
import type { NewEvaluation, NewTest, RecordResultsRequest } from "@ems/proto/experiments/v1/test_service";

/** A test to insert; run, application and organisation are the same for all of a request. */
export interface TestDraft {
  readonly id: string;
  readonly createdAt: Date;
  readonly taskId: string;
  readonly topicId: string | null;
  readonly status: string;
  readonly scoreMicro: number | null;
  readonly passed: boolean | null;
  readonly durationMs: number | null;
  /** Each definition of its evaluations once. */
  readonly definitionIds: readonly string[];
}

export interface EvaluationDraft {
  readonly id: string;
  readonly test: TestDraft;
  readonly definitionId: string;
  readonly definitionType: string;
  readonly status: string;
  readonly scoreMicro: number | null;
  readonly passed: boolean | null;
}

/** How old a result may be: reports of longer ago are made from what was recorded then. */
const oldestYears = 2;

/** What is wrong with the times of the tests, by index. */
export function timeFaults(tests: readonly NewTest[], now: Date): { index: number; message: string }[] {
  const oldest = new Date(now);
  oldest.setUTCFullYear(oldest.getUTCFullYear() - oldestYears);
  return tests.flatMap(({ createdAt }, index) => {
    if (createdAt === undefined) return [];
    const time = dateOf(createdAt);
    if (time > now) return [{ index, message: "Must not be in the future" }];
    return time < oldest ? [{ index, message: "Must be at most two years ago" }] : [];
  });
}

/** The rows of a request whose ids are known to name something. */
export function draftResults(
  { tests }: RecordResultsRequest,
  known: Pick<CheckReferencesResponse, "tasks" | "definitions">,
  now: Date,
  newId: NewId,
): { tests: TestDraft[]; evaluations: EvaluationDraft[] } {
  const topics = new Map(known.tasks.map(({ id, topicId }) => [id, topicId ?? null]));
  const types = new Map(known.definitions.map(({ id, type }) => [id, enumName(EvalDefinitionTypeSchema, type)]));
  const drafted = tests.map((given) => {
    const taskId = given.taskId.toLowerCase();
    const test: TestDraft = {
      id: newId(),
      createdAt: given.createdAt === undefined ? now : dateOf(given.createdAt),
      taskId,
      topicId: topics.get(taskId) ?? null,
      durationMs: given.durationMs ?? null,
      definitionIds: [...new Set(given.evaluations.map(({ definitionId }) => definitionId.toLowerCase()))],
      ...outcome(given),
    };
    const evaluations = given.evaluations.map((evaluation): EvaluationDraft => {
      const definitionId = evaluation.definitionId.toLowerCase();
      const definitionType = types.get(definitionId);
      if (definitionType === undefined) throw new Error(`definition ${definitionId} was not asked for`);
      return { id: newId(), test, definitionId, definitionType, ...outcome(evaluation) };
    });
    return { test, evaluations };
  });
  return { tests: drafted.map(({ test }) => test), evaluations: drafted.flatMap(({ evaluations }) => evaluations) };
}

function outcome({ status = ResultStatus.COMPLETED, score, passed }: NewTest | NewEvaluation) {
  return {
    status: enumName(ResultStatusSchema, status),
    scoreMicro: score === undefined ? null : Math.round(score * 1e6),
    passed: passed ?? null,
  };
}

/** The status of a run with tests of these statuses. */
export function runStatus(statuses: readonly string[]): "IN_PROGRESS" | "FAILED" | "COMPLETED" {
  if (statuses.some((status) => status === "PENDING" || status === "IN_PROGRESS")) return "IN_PROGRESS";
  return statuses.length > 0 && statuses.every((status) => status === "FAILED") ? "FAILED" : "COMPLETED";
}
