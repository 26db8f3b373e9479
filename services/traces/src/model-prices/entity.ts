import { json, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";
import { versions } from "@ems/kit/db/version";
import type { ModelPrice } from "@ems/prices";

export type ModelPriceListRow = Row<typeof ModelPriceListEntity>;

/** Prices of models that an application set. */
export const ModelPriceListEntity = table(
  "traces.model_price_list",
  {
    applicationId: uuid,
    orgId: text,
    prices: json<readonly ModelPrice[]>(),
    modifiedAt: timestamp,
  },
  { primaryKey: ["applicationId"] },
);

/** Computes the ETag of the prices; an application without a row has the first version. */
export const modelPriceVersions = versions<{
  readonly applicationId: string;
  readonly row: Pick<ModelPriceListRow, "prices" | "modifiedAt"> | null | undefined;
}>(({ applicationId, row }) => [applicationId, row?.prices, row?.modifiedAt]);
