import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Handlers } from "@ems/kit/rpc/service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import type { Deps } from "../deps.ts";
import { storeUpdates } from "../traces/index.ts";
import { checkRows } from "./check-rows.ts";
import { updateOf } from "./event-update.ts";

type Handler = Handlers<typeof IngestService>["ingestEvents"];

/** Stores what is valid, and answers a result for each event. */
export function ingestEvents(
  { database, clock, newId }: Pick<Deps, "database" | "clock" | "newId">,
  rowsMax: number,
): Handler {
  return async (request, call) => {
    checkRows(IngestService.method.ingestEvents, request, rowsMax);
    const now = clock.now();
    const updates = request.events.map((event) => updateOf(event, { now: timestampFromDate(now), newId }));
    return database.runExpensive(call, () =>
      database.change(call, async (tx) => {
        const results = await storeUpdates(tx, call.tenant, now, updates);
        return { data: results.map((result) => ({ success: "id" in result, ...result })) };
      }),
    );
  };
}
