import { create } from "@bufbuild/protobuf";
import { type ArchivedRanges, buildArchivedSelectList, clipToRange } from "@ems/archive";
import { assertPageFits } from "@ems/kit/answer-size";
import { buildSelectList } from "@ems/kit/db/columns";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import { ListResultsResponseSchema, type TestService } from "@ems/proto/experiments/v1/test_service";
import type { EvaluationRow } from "@ems/results";
import type { Deps } from "../../deps.ts";
import { byTest, lookUpEvaluations } from "../evaluations/index.ts";
import { TestEntity, type TestRow } from "./entity.ts";
import { recordedTest } from "./messages.ts";

type Handler = Handlers<typeof TestService>["listResults"];

const limitDefault = 100;

const testOfRun = `SELECT ${buildSelectList(TestEntity, "t", ["createdAt", "id"])} FROM experiments.test t
  WHERE t.application_id = $1 AND t.run_id = $2 AND t.id = $3`;
const run = `SELECT '-infinity' AS "createdAt", '00000000-0000-0000-0000-000000000000' AS id FROM experiments.run r
  WHERE r.application_id = $1 AND r.id = $2`;
// Keyset pagination: the cost of a page does not depend on the number of tests before it.
const testsAfter = `SELECT ${buildSelectList(TestEntity, "t")} FROM experiments.test t
  WHERE t.application_id = $1 AND t.run_id = $2 AND (t.created_at, t.id) > ($3, $4::uuid)
  ORDER BY t.created_at, t.id LIMIT $5`;

const archivedColumns = buildArchivedSelectList(TestEntity, "t");
const archivedTestOfRun = `SELECT ${archivedColumns} FROM test t WHERE t.run_id = {run:UUID} AND t.id = {id:UUID}`;
const archivedAfter = `SELECT ${archivedColumns} FROM test t WHERE t.run_id = {run:UUID}
    AND (t.created_at > {since:DateTime64(3, 'UTC')} OR toString(t.id) > {id:String})
  ORDER BY t.created_at, toString(t.id) LIMIT {limit:UInt32}`;

interface Position {
  /** Time of the last test of the previous page; `-infinity` for the first page. */
  readonly createdAt: Date | "-infinity";
  readonly id: string;
}

/** Lists the results of a run, three statements per page. Concurrent changes neither repeat nor skip a test. */
export function listResults({ stores }: Pick<Deps, "stores">): Handler {
  return ({ id, after, limit = limitDefault, store }, call) =>
    stores.database.runExpensive(call, async () => {
      const page = { runId: id, limit, start: await findStart(stores, call, id, after) };
      const tests = await (store === "archive" ? archivedTests : ownTests)(stores, call, page);
      if (tests.length === 0) return { data: [] };
      const [rows] = await stores.lookUp<[EvaluationRow]>(call, [lookUpEvaluations(call, tests)]);
      const evaluations = byTest(tests, rows);
      const data = tests.map((row) => recordedTest(row, evaluations.get(row.id) ?? []));
      const answer = create(ListResultsResponseSchema, { data });
      assertPageFits(ListResultsResponseSchema, answer);
      return answer;
    });
}

/** Finds the position after the last test of the previous page, which may have been archived since. */
async function findStart(
  stores: Deps["stores"],
  call: Call,
  runId: string,
  after: string | undefined,
): Promise<Position> {
  const values = [call.tenant.applicationId, runId];
  if (after === undefined) {
    const [start] = await stores.database.read(call, { name: "start-of-run", text: run, values });
    if (start === undefined) throw notFound("Run");
    // Safe cast: the row types match the statements' select lists.
    return start as Position;
  }
  const start = await stores.find<TestRow>(call, {
    own: { name: "test-of-run", text: testOfRun, values: [...values, after] },
    archived: {
      kind: "results",
      table: "test",
      entity: TestEntity,
      text: archivedTestOfRun,
      parameters: { run: runId, id: after },
    },
  });
  if (start === undefined) throw notFound("Test");
  return start;
}

interface ResultsPage {
  readonly runId: string;
  readonly start: Position;
  readonly limit: number;
}

function ownTests({ database }: Deps["stores"], call: Call, { runId, start, limit }: ResultsPage): Promise<TestRow[]> {
  const values = [call.tenant.applicationId, runId, start.createdAt, start.id, limit];
  return database.read<TestRow>(call, { text: testsAfter, values });
}

async function archivedTests(stores: Deps["stores"], call: Call, page: ResultsPage): Promise<TestRow[]> {
  const { createdAt, id } = page.start;
  const since = createdAt === "-infinity" ? undefined : createdAt;
  const parameters = { run: page.runId, since: since ?? new Date(0), id, limit: page.limit };
  const { archivedRanges } = await stores.read(call, ["results"], []);
  const within = (range: ArchivedRanges) => clipToRange(range, since);
  return stores.rows(
    call,
    { kind: "results", table: "test", entity: TestEntity, text: archivedAfter, parameters, within },
    archivedRanges,
  );
}
