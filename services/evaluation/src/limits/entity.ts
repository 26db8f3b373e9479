import { bigint, boolean, nullable, type Row, table, text, timestamp, uuid, withDefault } from "@ems/kit/db/table";

export type ModelCallRow = Row<typeof ModelCallEntity>;

/** A call of a model: what is reserved for it, and after its end what it cost. */
export const ModelCallEntity = table(
  "evaluation.model_call",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    connectionId: uuid,
    startedAt: timestamp,
    /** A call that has not ended by then was lost with its process, and is charged what was reserved. */
    expiresAt: timestamp,
    endedAt: nullable(timestamp),
    tokens: bigint,
    /** Part of the tokens that is estimated from texts. */
    estimatedTokens: withDefault(bigint, "0"),
    /** Millionths of a US dollar. */
    costMicro: bigint,
    /** Whether it may begin: its application has no budgets, or they have room for it. Lost after that, it is charged. */
    isReserved: withDefault(boolean, false),
  },
  {
    indices: [
      { name: "model_call_window", columns: ["connectionId", "startedAt"] },
      { name: "model_call_open", columns: ["applicationId", "expiresAt"], where: "ended_at IS NULL" },
      { name: "model_call_ended", columns: ["endedAt"], where: "ended_at IS NOT NULL" },
    ],
  },
);
