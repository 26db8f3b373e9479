import { timestampDate } from "@bufbuild/protobuf/wkt";
import { listOf, listPage, nonEmptyOrNull } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import { dateOf } from "@ems/kit/json/timestamp";
import type { Handlers } from "@ems/kit/rpc/service";
import { type DeliveryService, DeliveryStatusSchema } from "@ems/proto/notifications/v1/delivery_service";
import type { Deps } from "../deps.ts";
import { DeliveryEntity, type DeliveryRow } from "./entity.ts";
import { type DeliverySummary, delivery, summaryColumns } from "./messages.ts";

type Handler = Handlers<typeof DeliveryService>["listDeliveries"];

const list = listOf<DeliveryRow, DeliverySummary>(DeliveryEntity, {
  alias: "d",
  columns: summaryColumns,
  where: `($2::text[] IS NULL OR d.status = ANY ($2)) AND ($3::text[] IS NULL OR d.type = ANY ($3))
    AND ($4::timestamptz IS NULL OR d.created_at >= $4) AND ($5::timestamptz IS NULL OR d.created_at <= $5)`,
});

/** A page of the caller's application's deliveries. */
export function listDeliveries({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const { status, type, startDate, endDate } = request;
    const filters = [
      enumNames(DeliveryStatusSchema, status),
      nonEmptyOrNull(type),
      startDate === undefined ? null : timestampDate(startDate),
      endDate === undefined ? null : dateOf(endDate),
    ];
    const { rows, pagination } = await listPage(database, call, list, request, filters);
    return { data: rows.map(delivery), pagination };
  };
}
