import { create } from "@bufbuild/protobuf";
import { assertPageFits } from "@ems/kit/answer-size";
import { clipped, findById, readBeside } from "@ems/kit/archive";
import { columnsOf } from "@ems/kit/db/columns";
import type { Statement } from "@ems/kit/db/database";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import { ListResultsResponseSchema, type TestService } from "@ems/proto/experiments/v1/test_service";
import type { Deps } from "../deps.ts";
import { byTest, evaluationsStatement, findEvaluations } from "../evaluations/index.ts";
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

const droppedAfter = `AND (r.created_at > {since:DateTime64(3, 'UTC')} OR toString(r.id) > {id:String})
  ORDER BY r.created_at, toString(r.id) LIMIT {limit:UInt32}`;

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

      const statement = evaluationsStatement(call, tests);
      const [rows = []] = await readBeside(stores, call, [statement], (find) => findEvaluations(find, tests));
      const evaluations = byTest(tests, rows);
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
  const find = after === undefined ? async () => undefined : findById("test", after);
  const [[start] = []] = await readBeside(stores, call, [statement], find);
  if (start === undefined) throw notFound(after === undefined ? "Run" : "Test");
  // The columns are what the texts say.
  return start as Position;
}

async function readTests(
  stores: Deps["stores"],
  call: Call,
  runId: string,
  { createdAt, id }: Position,
  limit: number,
) {
  const values = [call.tenant.applicationId, runId, createdAt, id, limit];
  const since = createdAt === "-infinity" ? undefined : createdAt;
  const [rows] = await readBeside(stores, call, [{ text: testsAfter, values }], (find) =>
    find("test", "run_id", [runId], {
      within: (extent) => clipped(extent, since),
      rest: droppedAfter,
      parameters: { since: since ?? new Date(0), id, limit },
    }),
  );
  return rows as TestRow[];
}
