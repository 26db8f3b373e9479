import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Handlers } from "@ems/kit/rpc/service";
import type { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import type { Deps } from "../deps.ts";
import { storeDrafts } from "../traces/index.ts";
import { draftOf } from "./events.ts";
import { checkRows, rowsOfEvents } from "./ingest-rows.ts";

type Handler = Handlers<typeof IngestService>["ingestEvents"];

/** Stores the events that are good, and says of each what became of it. */
export function ingestEvents(
  { database, clock, newId }: Pick<Deps, "database" | "clock" | "newId">,
  rowsMax: number,
): Handler {
  return async ({ events }, call) => {
    checkRows(rowsOfEvents(events), rowsMax);
    const now = clock.now();
    const drafts = events.map((event) => draftOf(event, { now: timestampFromDate(now), newId }));
    return database.heavy(call, () =>
      database.change(call, async (tx) => {
        const outcomes = await storeDrafts(tx, call.tenant, now, drafts);
        return { data: outcomes.map((outcome) => ({ success: "id" in outcome, ...outcome })) };
      }),
    );
  };
}
