import { create } from "@bufbuild/protobuf";
import { assertPageFits } from "@ems/kit/answer-size";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import { CompareRunsResponseSchema, type RunService } from "@ems/proto/experiments/v1/run_service";
import type { Deps } from "../../deps.ts";
import { assertKept, type ComparedRun, comparedRuns } from "./compared-runs.ts";
import { comparison, detectDefault } from "./comparison.ts";
import { readResults } from "./queries.ts";

type Handler = Handlers<typeof RunService>["compareRuns"];

/** Compares two runs of the caller's application: one round trip to the database and one call to catalog. */
export function compareRuns({
  stores,
  references,
  retention,
}: Pick<Deps, "stores" | "references" | "retention">): Handler {
  return ({ a, b, detect = detectDefault }, call) =>
    stores.database.runExpensive(call, async () => {
      // In lower case, because PostgreSQL returns UUIDs in lower case.
      const sides = [a.toLowerCase(), b.toLowerCase()] as const;
      const ids = [...new Set(sides)];
      const [[runs = []], results] = await readResults(stores, call, ids, [comparedRuns(call, ids)]);
      if (runs.length < ids.length) throw notFound("Run");
      assertKept(retention.since("results"), runs as ComparedRun[], { a: sides[0], b: sides[1] });
      const data = await comparison({ references }, call, results, sides, detect);
      const answer = create(CompareRunsResponseSchema, { data });
      assertPageFits(CompareRunsResponseSchema, answer);
      return answer;
    });
}
