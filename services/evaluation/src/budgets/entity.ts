import { bigint, integer, oneOf, type Row, table, text, timestamp, uuid, withDefault } from "@ems/kit/db/table";

export type SpendingRow = Row<typeof SpendingEntity>;

/** An application's certain and uncertain spend in a period, and the thresholds that were announced for its budgets. */
export const SpendingEntity = table(
  "evaluation.spending",
  {
    applicationId: uuid,
    period: oneOf("day", "month"),
    startsAt: timestamp,
    orgId: text,
    costMicro: withDefault(bigint, "0"),
    tokens: withDefault(bigint, "0"),
    /** Maximum usage of calls that were sent and whose real usage is unknown. */
    uncertainCostMicro: withDefault(bigint, "0"),
    uncertainTokens: withDefault(bigint, "0"),
    /** The part of the certain spend that is estimated from texts. */
    estimatedCostMicro: withDefault(bigint, "0"),
    estimatedTokens: withDefault(bigint, "0"),
    moneyNotified: withDefault(integer, 0),
    tokensNotified: withDefault(integer, 0),
  },
  { primaryKey: ["applicationId", "period", "startsAt"] },
);
