import { type Mount, mount } from "@ems/kit/rpc/service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import type { Deps } from "../../deps.ts";
import { downloadTests } from "./download-tests.ts";
import { getTest } from "./get-test.ts";
import { listResults } from "./list-results.ts";
import { listTests } from "./list-tests.ts";
import { recordResults } from "./record-results.ts";

export { addMonths } from "./add-months.ts";
export { noUsage, TestEntity, type TestRow, type TraceUsage } from "./entity.ts";

export const tests = (deps: Deps): Mount =>
  mount(TestService, {
    downloadTests: downloadTests(deps),
    getTest: getTest(deps),
    listResults: listResults(deps),
    listTests: listTests(deps),
    recordResults: recordResults(deps),
  });
