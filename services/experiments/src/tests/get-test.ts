import { columnsOf } from "@ems/kit/db/columns";
import { rowById } from "@ems/kit/db/row-by-id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TestService } from "@ems/proto/experiments/v1/test_service";
import type { Deps } from "../deps.ts";
import { EvaluationEntity, type EvaluationRow } from "../evaluations/index.ts";
import { TestEntity } from "./entity.ts";
import { test } from "./messages.ts";

type Handler = Handlers<typeof TestService>["getTest"];

const testById = rowById(TestEntity, "Test");
const evaluationsOfTest = `SELECT ${columnsOf(EvaluationEntity, "e")} FROM experiments.evaluation e
  WHERE e.application_id = $1 AND e.test_id = $2 ORDER BY e.id`;

/** One test of the caller's application, with its evaluations. */
export function getTest({ database }: Pick<Deps, "database">): Handler {
  return async ({ id }, call) => {
    const values = [call.tenant.applicationId, id];
    const [rows, evaluations] = await database.readAll(call, [
      testById.statement(call, id),
      { name: "get-test-evaluations", text: evaluationsOfTest, values },
    ]);
    return { test: test(testById.only(rows), evaluations as EvaluationRow[]) };
  };
}
