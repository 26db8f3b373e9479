import { create } from "@bufbuild/protobuf";
import { assertPageFits } from "@ems/kit/answer-size";
import { columnsOf } from "@ems/kit/db/columns";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import { ListResultsResponseSchema, type TestService } from "@ems/proto/experiments/v1/test_service";
import type { Deps } from "../deps.ts";
import { byTest, evaluationsStatement } from "../evaluations/index.ts";
import { TestEntity, type TestRow } from "./entity.ts";
import { recordedTest } from "./messages.ts";

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
interface Position {
  /** A time, or PostgreSQL's first one. */
  readonly createdAt: Date | "-infinity";
  readonly id: string;
}

/** Three statements a page, whatever its size. A test is in one page, however others change meanwhile. */
export function listResults({ database }: Pick<Deps, "database">): Handler {
  return ({ id, after, limit = limitDefault }, call) =>
    database.runExpensive(call, async () => {
      const { applicationId } = call.tenant;
      const start = await startOf(database, call, id, after);
      const values = [applicationId, id, start.createdAt, start.id, limit];
      const tests = await database.read<TestRow>(call, { text: testsAfter, values });
      if (tests.length === 0) return { data: [] };

      const evaluations = byTest(tests, await database.read(call, evaluationsStatement(call, tests)));
      const data = tests.map((row) => recordedTest(row, evaluations.get(row.id) ?? []));
      const answer = create(ListResultsResponseSchema, { data });
      assertPageFits(ListResultsResponseSchema, answer);
      return answer;
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
