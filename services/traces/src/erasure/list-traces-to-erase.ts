import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { dateFromTimestamp } from "@ems/kit/json/timestamp";
import { definedFields } from "@ems/kit/patch";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TraceWorkService } from "@ems/proto/traces/v1/trace_work_service";
import type { Deps } from "../deps.ts";
import { readTracesAfter } from "../traces/index.ts";

type Handler = Handlers<typeof TraceWorkService>["listTracesToErase"];

/** Selects the traces that match the filters of a list, in the order of arrival. */
export function listTracesToErase({ stores }: Pick<Deps, "stores">): Handler {
  return async ({ filter, until, after, limit }, call) => {
    // The request's rules require both.
    if (filter === undefined || until === undefined) return { traces: [] };
    const position = after?.createdAt && { createdAt: dateFromTimestamp(after.createdAt), id: after.id };
    const page = { after: position, until: dateFromTimestamp(until), limit };
    const rows = await readTracesAfter(stores, call, filter, page, ["id", "testId", "createdAt"]);
    const traces = rows.map(({ id, testId, createdAt }) => ({
      id,
      createdAt: timestampFromDate(createdAt),
      ...definedFields({ testId: testId ?? undefined }),
    }));
    return { traces };
  };
}
