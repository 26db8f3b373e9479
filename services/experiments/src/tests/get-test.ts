import { columnsOf } from "@ems/kit/db/columns";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TestService } from "@ems/proto/experiments/v1/test_service";
import type { Deps } from "../deps.ts";
import { EvaluationEntity, type EvaluationRow } from "../evaluations/index.ts";
import { TestEntity, type TestRow } from "./entity.ts";
import { test } from "./messages.ts";

type Handler = Handlers<typeof TestService>["getTest"];

const oneTest = `SELECT ${columnsOf(TestEntity, "t")} FROM experiments.test t
  WHERE t.application_id = $1 AND t.id = $2`;
const evaluationsOfTest = `SELECT ${columnsOf(EvaluationEntity, "e")} FROM experiments.evaluation e
  WHERE e.application_id = $1 AND e.test_id = $2 ORDER BY e.id`;

/** One test of the caller's application, with its evaluations. */
export function getTest({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [rows, evaluations] = await database.readAll(call, [
      { name: "get-test", text: oneTest, values },
      { name: "get-test-evaluations", text: evaluationsOfTest, values },
    ]);
    const row = rows?.[0];
    if (row === undefined) throw notFound("Test");
    return { test: test(row as TestRow, evaluations as EvaluationRow[]) };
  };
}
