import { columnsOf } from "@ems/kit/db/columns";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TestService } from "@ems/proto/experiments/v1/test_service";
import type { Deps } from "../deps.ts";
import { EvaluationEntity, type EvaluationRow } from "../evaluations/index.ts";
import { TestEntity, type TestRow } from "./entity.ts";
import { test } from "./messages.ts";

type Handler = Handlers<typeof TestService>["listResults"];

const limitDefault = 100;

const testOfRun = `SELECT ${columnsOf(TestEntity, "t", ["createdAt", "id"])} FROM experiments.test t
  WHERE t.application_id = $1 AND t.run_id = $2 AND t.id = $3`;
const run = `SELECT '-infinity' AS "createdAt", '00000000-0000-0000-0000-000000000000' AS id FROM experiments.run r
  WHERE r.application_id = $1 AND r.id = $2`;
// Keyset pagination: a page costs the same, however many tests are before it.
const testsAfter = `SELECT ${columnsOf(TestEntity, "t")} FROM experiments.test t
  WHERE t.application_id = $1 AND t.run_id = $2 AND (t.created_at, t.id) > ($3, $4::uuid)
  ORDER BY t.created_at, t.id LIMIT $5`;
// An evaluation has its test's time: partitions of other months are not read.
const evaluationsOfTests = `SELECT ${columnsOf(EvaluationEntity, "e")} FROM experiments.evaluation e
  WHERE e.application_id = $1 AND e.test_id = ANY ($2::uuid[]) AND e.created_at BETWEEN $3 AND $4 ORDER BY e.id`;

interface Position {
  /** A time, or PostgreSQL's first one. */
  readonly createdAt: Date | "-infinity";
  readonly id: string;
}

/** Three statements a page, whatever its size. Results are immutable, so that they need no snapshot. */
export function listResults({ database }: Pick<Deps, "database">): Handler {
  return ({ id, after, limit = limitDefault }, call) =>
    database.runExpensive(call, async () => {
      const { applicationId } = call.tenant;
      const start = await startOf(database, call, id, after);
      const values = [applicationId, id, start.createdAt, start.id, limit];
      const tests = await database.read<TestRow>(call, { text: testsAfter, values });
      const [first, last] = [tests[0], tests.at(-1)];
      if (first === undefined || last === undefined) return { data: [] };

      const ids = tests.map((row) => row.id);
      const evaluations = await database.read<EvaluationRow>(call, {
        text: evaluationsOfTests,
        values: [applicationId, ids, first.createdAt, last.createdAt],
      });
      const byTest = Map.groupBy(evaluations, ({ testId }) => testId);
      return { data: tests.map((row) => test(row, byTest.get(row.id) ?? [])) };
    });
}

async function startOf(database: Deps["database"], call: Call, runId: string, after: string | undefined) {
  const values = [call.tenant.applicationId, runId];
  const [start] = await database.read<Position>(
    call,
    after === undefined
      ? { name: "start-of-run", text: run, values }
      : { name: "test-of-run", text: testOfRun, values: [...values, after] },
  );
  if (start === undefined) throw notFound(after === undefined ? "Run" : "Test");
  return start;
}
