import { create } from "@bufbuild/protobuf";
import { assertPageFits } from "@ems/kit/answer-size";
import { archivedColumnsOf, clipped } from "@ems/kit/archive";
import { columnsOf } from "@ems/kit/db/columns";
import type { Statement } from "@ems/kit/db/database";
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

const archivedColumns = archivedColumnsOf(TestEntity, "t");
const archivedTest = `SELECT ${archivedColumns} FROM test t WHERE t.run_id = {run:UUID} AND t.id = {after:UUID} LIMIT 1`;
const archivedTestsAfter = `SELECT ${archivedColumns} FROM test t WHERE t.run_id = {run:UUID}
    AND (t.created_at > {since:DateTime64(3, 'UTC')} OR toString(t.id) > {id:String})
  ORDER BY t.created_at, toString(t.id) LIMIT {limit:UInt32}`;

interface Position {
  /** A time, or PostgreSQL's first one. */
  readonly createdAt: Date | "-infinity";
  readonly id: string;
}

/** Three statements a page, whatever its size. A test is in one page, however others change meanwhile. */
export function listResults({ stores }: Pick<Deps, "stores">): Handler {
  return ({ id, after, limit = limitDefault }, call) =>
    stores.database.runExpensive(call, async () => {
      const start = await startOf(stores, call, id, after);
      const tests = await readTests(stores, call, id, start, limit);
      if (tests.length === 0) return { data: [] };

      const { found, dropped } = await stores.read(call, ["results"], [evaluationsStatement(call, tests)]);
      const evaluations = await byTest({ stores }, call, tests, found[0], dropped);
      const data = tests.map((row) => recordedTest(row, evaluations.get(row.id) ?? []));
      const answer = create(ListResultsResponseSchema, { data });
      assertPageFits(ListResultsResponseSchema, answer);
      return answer;
    });
}

async function startOf(
  stores: Deps["stores"],
  call: Call,
  runId: string,
  after: string | undefined,
): Promise<Position> {
  const values = [call.tenant.applicationId, runId];
  const statement: Statement =
    after === undefined
      ? { name: "start-of-run", text: run, values }
      : { name: "test-of-run", text: testOfRun, values: [...values, after] };
  const { found, dropped } = await stores.read(call, ["results"], [statement]);
  const [own] = (found[0] ?? []) as Position[];
  if (own !== undefined) return own;
  if (after === undefined) throw notFound("Run");
  const parameters = { run: runId, after };
  const [test] = await stores.readDroppedRows(call, TestEntity, dropped.results, archivedTest, parameters);
  if (test === undefined) throw notFound("Test");
  return test;
}

async function readTests(
  stores: Deps["stores"],
  call: Call,
  runId: string,
  { createdAt, id }: Position,
  limit: number,
) {
  const values = [call.tenant.applicationId, runId, createdAt, id, limit];
  const { found, dropped } = await stores.read(call, ["results"], [{ text: testsAfter, values }]);
  const since = createdAt === "-infinity" ? undefined : createdAt;
  const parameters = { run: runId, since: since ?? new Date(0), id, limit };
  const extent = clipped(dropped.results, since);
  const archived = await stores.readDroppedRows(call, TestEntity, extent, archivedTestsAfter, parameters);
  return [...((found[0] ?? []) as TestRow[]), ...archived]
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}
