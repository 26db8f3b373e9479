import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { readArchivedAfter } from "@ems/archive";
import { Export } from "@ems/kit/db/export";
import { readAfter } from "@ems/kit/db/list-after";
import { fromValue } from "@ems/kit/json/free-value";
import { writeJson } from "@ems/kit/json/write";
import type { Handlers } from "@ems/kit/rpc/service";
import { EvaluationSchema } from "@ems/proto/experiments/v1/evaluation";
import {
  type ExportedTestSchema,
  type Test,
  TestSchema,
  type TestService,
} from "@ems/proto/experiments/v1/test_service";
import type { Deps } from "../../deps.ts";
import type { TestRow } from "./entity.ts";
import { fullTests } from "./queries.ts";
import { archived, toFilters, uncounted } from "./test-list.ts";

type Handler = Handlers<typeof TestService>["downloadTests"];

/** Maximum numbers of tests and of their evaluations on a page, whose texts are limited. */
const testsMax = 100;
const evaluationsMax = 50;

/** Returns a page of the application's tests as lines of JSON, in the order of execution. */
export function downloadTests(deps: Pick<Deps, "stores" | "references" | "retention" | "clock">): Handler {
  return async (request, call) => {
    const exported = new Export(request, call.tenant.applicationId, deps.clock.now());
    const page = { after: exported.start, until: exported.until, limit: testsMax };
    const filters = toFilters(request, deps);
    const rows =
      request.store === "archive"
        ? await readArchivedAfter(deps.stores, call, uncounted, archived, page, filters)
        : await readAfter(deps.stores.database, call, uncounted, page, filters);
    const fitting = selectFitting(rows);
    const tests = await fullTests(deps, call, fitting);
    const cursors = fitting.map((row) => exported.encode(row));
    const hasNext = rows.length === testsMax || rows.length > fitting.length;
    const last = hasNext ? cursors.at(-1) : undefined;
    const next = last === undefined ? {} : { next: last };
    if (request.format === "parquet")
      return { rows: tests.map((message) => testRow(create(TestSchema, message))), ...next };
    const lines = tests.map(
      (test, index) =>
        `${JSON.stringify({ ...writeJson(TestSchema, create(TestSchema, test)), cursor: cursors[index] })}\n`,
    );
    return { payload: Buffer.from(lines.join("")), ...next };
  };
}

/** Builds the row of a test in a Parquet file. */
function testRow(row: Test): MessageInitShape<typeof ExportedTestSchema> {
  const { usage, evals, prompt, task: _task, result: _result, summary: _summary, $typeName: _, ...fields } = row;
  return {
    ...fields,
    ...(usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens }),
    ...(usage?.cost !== undefined && { cost: usage.cost }),
    ...(prompt && { prompt: JSON.stringify(fromValue(prompt)) }),
    evals: JSON.stringify(evals.map((each) => writeJson(EvaluationSchema, each))),
  };
}

/** Selects the first tests whose evaluations fit on a page; always the first test. */
function selectFitting(rows: readonly TestRow[]): TestRow[] {
  let evaluations = 0;
  return rows.filter(({ definitionIds }, index) => {
    evaluations += definitionIds.length;
    return index === 0 || evaluations <= evaluationsMax;
  });
}
