import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { truncateText } from "@ems/kit/json/issue-messages";
import { requestCost } from "@ems/kit/limits/request-cost";
import type { Handlers } from "@ems/kit/rpc/service";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { itemMessageMax } from "@ems/proto/limits";
import { listStored, storeAttachments } from "../attachments/index.ts";
import type { Deps } from "../deps.ts";
import { storeExternalEvaluations } from "../external-evaluations/index.ts";
import { redactUpdates } from "../ingest-settings/index.ts";
import {
  mapInSlices,
  type Rejection,
  type StepMonths,
  storeUpdates,
  waitForTurn,
  withContinuations,
} from "../traces/index.ts";
import { admitEvaluations, storedEvaluations } from "./admit-evaluations.ts";
import { checkRows } from "./check-rows.ts";
import { toUpdate } from "./event-update.ts";

type Handler = Handlers<typeof IngestService>["ingestEvents"];

/** Stores valid events and returns a result for each event. */
export function ingestEvents(
  {
    stores,
    clock,
    newId,
    prices,
    completion,
    redactors,
    arrivalRules,
  }: Pick<Deps, "stores" | "clock" | "newId" | "prices" | "completion" | "redactors" | "arrivalRules">,
  months: StepMonths,
  rowsMax: number,
): Handler {
  return async (request, call) => {
    const evaluations = request.events.reduce((sum, event) => sum + event.externalEvaluations.length, 0);
    checkRows(IngestService.method.ingestEvents, request, rowsMax, evaluations);
    const now = clock.now();
    const findPrice = await prices.of(call);
    const { applicationId, orgId } = call.tenant;
    const context = { now: timestampFromDate(now), newId, findPrice, applicationId, orgId };
    await waitForTurn(call.tenant.applicationId, requestCost(IngestService.method.ingestEvents, request));
    const received = await mapInSlices(call.tenant.applicationId, request.events, (event) => toUpdate(event, context));
    const { paths } = await arrivalRules.of(call);
    const redacted = await redactUpdates(await redactors.of(call), paths, call.tenant.applicationId, received);
    const { database, hasArchive } = stores;
    return withContinuations(stores, call, redacted, (updates) =>
      database.runExpensive(call, () =>
        months.within(now, (begin) =>
          database.change(call, async (tx) => {
            begin(tx);
            const arrival = { now, source: "ingest", completion, hasArchive } as const;
            const admitted = await admitEvaluations(tx, call.tenant.applicationId, updates);
            const results = await storeUpdates(tx, call.tenant, arrival, admitted);
            await storeAttachments(tx, call.tenant, listStored(admitted, results), now);
            await storeExternalEvaluations(tx, call.tenant, storedEvaluations(admitted, results), now);
            return {
              data: results.map((result) => ("error" in result ? failed(result) : { success: true, ...result })),
            };
          }),
        ),
      ),
    );
  };
}

function failed({ error }: Rejection) {
  return { success: false, error: truncateText(error, itemMessageMax) };
}
