import { messageOf } from "@ems/kit/message";
import { TestSchema, TestSummarySchema } from "@ems/proto/experiments/v1/test_service";
import { derivedFields, type EvaluationRow, evaluation } from "../evaluations/index.ts";
import type { TestRow } from "./entity.ts";

export const testSummary = (row: TestRow) => messageOf(TestSummarySchema, { ...row, ...derivedFields(row) });

export const test = (row: TestRow, evaluations: readonly EvaluationRow[]) =>
  messageOf(TestSchema, { ...row, ...derivedFields(row), evaluations: evaluations.map(evaluation) });
