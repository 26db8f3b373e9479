import { bigint, boolean, nullable, type Row, table, text, timestamp, uuid, withDefault } from "@ems/kit/db/table";

export type ModelCallRow = Row<typeof ModelCallEntity>;

/** A model call: its reservation, and after its end its cost. */
export const ModelCallEntity = table(
  "evaluation.model_call",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    connectionId: uuid,
    startedAt: timestamp,
    /** A call that has not ended by then was lost with its process, and is charged its reservation. */
    expiresAt: timestamp,
    endedAt: nullable(timestamp),
    tokens: bigint,
    /** Part of the tokens that is estimated from texts. */
    estimatedTokens: withDefault(bigint, "0"),
    /** Millionths of a US dollar. */
    costMicro: bigint,
    /**
     * True if the call may begin: its application has no budgets, or they have room. If lost afterwards, it is
     * charged.
     */
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
