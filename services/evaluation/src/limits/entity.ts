import { bigint, boolean, nullable, type Row, table, text, timestamp, uuid, withDefault } from "@ems/kit/db/table";

export type ModelCallRow = Row<typeof ModelCallEntity>;

/** A model call: before its end with its reservation, after its end with its real usage. */
export const ModelCallEntity = table(
  "evaluation.model_call",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    connectionId: uuid,
    startedAt: timestamp,
    /** Time by which the call must have ended. Otherwise its process died, and it is charged its reservation. */
    expiresAt: timestamp,
    endedAt: nullable(timestamp),
    tokens: bigint,
    /** The part of the tokens that is estimated from texts. */
    estimatedTokens: withDefault(bigint, "0"),
    /** Cost in millionths of a US dollar. */
    costMicro: bigint,
    /**
     * True if the call may begin, because its application has no budgets or they have room. If the process then dies,
     * the call is charged.
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
