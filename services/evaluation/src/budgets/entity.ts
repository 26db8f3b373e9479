import { bigint, integer, oneOf, type Row, table, text, timestamp, uuid, withDefault } from "@ems/kit/db/table";

export type SpendingRow = Row<typeof SpendingEntity>;

/** What an application spent in a period, and the thresholds of its budgets that were announced. */
export const SpendingEntity = table(
  "evaluation.spending",
  {
    applicationId: uuid,
    period: oneOf("day", "month"),
    startsAt: timestamp,
    orgId: text,
    costMicro: withDefault(bigint, "0"),
    tokens: withDefault(bigint, "0"),
    moneyNotified: withDefault(integer, 0),
    tokensNotified: withDefault(integer, 0),
  },
  { primaryKey: ["applicationId", "period", "startsAt"] },
);
