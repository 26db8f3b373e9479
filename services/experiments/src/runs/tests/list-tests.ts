import { create } from "@bufbuild/protobuf";
import { listPageOfStore } from "@ems/archive";
import { assertPageFits } from "@ems/kit/answer-size";
import type { Handlers } from "@ems/kit/rpc/service";
import { ListTestsResponseSchema, type TestService } from "@ems/proto/experiments/v1/test_service";
import type { Deps } from "../../deps.ts";
import { fullTests } from "./queries.ts";
import { archived, counted, toFilters, uncounted } from "./test-list.ts";
import { totalOfTests } from "./total.ts";

type Handler = Handlers<typeof TestService>["listTests"];

/** Lists the tests of the caller's application. */
export function listTests(deps: Pick<Deps, "stores" | "references" | "retention">): Handler {
  return async (request, call) => {
    const filter = toFilters(request, deps);
    const list = deps.retention.isCleared("results") ? counted : uncounted;
    const total = totalOfTests(filter);
    const { rows, pagination } = await listPageOfStore(deps.stores, call, list, archived, request, filter, { total });
    const answer = create(ListTestsResponseSchema, { data: await fullTests(deps, call, rows), pagination });
    assertPageFits(ListTestsResponseSchema, answer);
    return answer;
  };
}
