import { timestampDate } from "@bufbuild/protobuf/wkt";
import { pageOf, pagination } from "@ems/kit/db/page";
import { enumName } from "@ems/kit/enum";
import { dateOf } from "@ems/kit/json/timestamp";
import type { Handlers } from "@ems/kit/rpc/service";
import { type DeliveryService, DeliveryStatusSchema } from "@ems/proto/notifications/v1/delivery_service";
import type { Deps } from "../deps.ts";
import { delivery, deliveryColumns, type ReadDelivery } from "./messages.ts";

type Handler = Handlers<typeof DeliveryService>["listDeliveries"];

const orders = { createdAt: "d.created_at", id: "d.id" };

const matching = `FROM notifications.delivery d
  WHERE d.application_id = $1 AND ($2::text[] IS NULL OR d.status = ANY ($2)) AND ($3::text[] IS NULL OR d.type = ANY ($3))
    AND ($4::timestamptz IS NULL OR d.created_at >= $4) AND ($5::timestamptz IS NULL OR d.created_at <= $5)`;

/** A page of the caller's application's deliveries. */
export function listDeliveries({ database }: Pick<Deps, "database">): Handler {
  return async (request, call) => {
    const { status, type, startDate, endDate } = request;
    const page = pageOf(request, orders);
    const filters = [
      call.tenant.applicationId,
      status.length === 0 ? null : status.map((one) => enumName(DeliveryStatusSchema, one)),
      type.length === 0 ? null : type,
      startDate === undefined ? null : timestampDate(startDate),
      endDate === undefined ? null : dateOf(endDate),
    ];
    const [rows, counts] = await database.readAll(call, [
      {
        name: `list-deliveries-${page.orderName}`,
        text: `SELECT ${deliveryColumns} ${matching} ORDER BY ${page.orderBy} LIMIT $6 OFFSET $7`,
        values: [...filters, page.limit, page.skip],
      },
      { name: "count-deliveries", text: `SELECT count(*)::int AS total ${matching}`, values: filters },
    ]);
    return {
      data: (rows as ReadDelivery[]).map(delivery),
      pagination: pagination(page, counts?.[0]?.total ?? 0),
    };
  };
}
