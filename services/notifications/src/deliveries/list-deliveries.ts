import { defineList, listPage, nonEmptyOrNull, timeRange } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import { distinctIds } from "@ems/kit/id";
import { notBefore } from "@ems/kit/retention";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  DeliveryKindSchema,
  DeliveryOrderSchema,
  type DeliveryService,
  DeliveryStatusSchema,
} from "@ems/proto/notifications/v1/delivery_service";
import type { Deps } from "../deps.ts";
import { DeliveryEntity, type DeliveryRow } from "./entity.ts";
import { type DeliverySummary, delivery, summaryColumns } from "./messages.ts";

type Handler = Handlers<typeof DeliveryService>["listDeliveries"];

const list = defineList<DeliveryRow, DeliverySummary>(DeliveryEntity, {
  alias: "d",
  orderBy: DeliveryOrderSchema,
  columns: summaryColumns,
  where: {
    status: "d.status = ANY (?)",
    kind: "d.kind = ANY (?)",
    // Filters by the primary key, because a prompt's delivery has the ID of the prompt's test.
    testId: "d.kind = 'PROMPT' AND d.id = ANY (?)",
    type: "d.type = ANY (?)",
    from: "d.created_at >= ?",
    until: "d.created_at < ?",
  },
});

/** Returns a page of the caller's application's deliveries. */
export function listDeliveries({ database, retention }: Pick<Deps, "database" | "retention">): Handler {
  return async (request, call) => {
    const { from, until } = timeRange(request);
    const { status, kind, testId, type } = request;
    const filters = {
      status: enumNames(DeliveryStatusSchema, status),
      kind: enumNames(DeliveryKindSchema, kind),
      testId: nonEmptyOrNull(distinctIds(testId)),
      type: nonEmptyOrNull(type),
      from: notBefore(retention.since("deliveries"), from),
      until,
    };
    const { rows, pagination } = await listPage(database, call, list, request, filters);
    return { data: rows.map(delivery), pagination };
  };
}
