import type { EvaluationRow } from "@ems/results";
import type { TestRow } from "../tests/index.ts";
import type { PlannedDefinition } from "./entity.ts";

export function pendingEvaluation(test: TestRow, definition: PlannedDefinition, id: string): EvaluationRow {
  const { applicationId, orgId, createdAt, runId, taskId, topicId } = test;
  return {
    applicationId,
    orgId,
    createdAt,
    runId,
    taskId,
    topicId,
    id,
    testId: test.id,
    definitionId: definition.id,
    definitionType: definition.type,
    expected: definition.expected,
    status: "PENDING",
    scoreMicro: null,
    scoreExact: null,
    passed: null,
    message: null,
    results: null,
    waitingFor: null,
    modifiedAt: null,
    definitionVersion: null,
    judgeVersion: null,
    modelConnectionId: null,
    model: null,
    inputTokens: null,
    outputTokens: null,
    costMicro: null,
    durationMs: null,
    attempts: null,
    replacedBy: null,
    uncertainCostMicro: null,
    estimatedTokens: null,
  };
}
