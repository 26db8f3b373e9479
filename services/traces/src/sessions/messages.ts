import type { MessageInitShape } from "@bufbuild/protobuf";
import { buildMessage } from "@ems/kit/message";
import { SessionSchema } from "@ems/proto/experiments/v1/session_service";
import type { SessionRow } from "./entity.ts";
import type { SessionTotals } from "./totals.ts";

export type AnsweredSession = SessionRow & SessionTotals;

export function session(row: AnsweredSession): MessageInitShape<typeof SessionSchema> {
  return buildMessage(SessionSchema, {
    id: row.id,
    externalId: row.externalId,
    applicationId: row.applicationId,
    turns: BigInt(row.turns),
    users: row.users,
    errors: BigInt(row.errors),
    tokens: {
      input: BigInt(row.input),
      cachedInput: BigInt(row.cached),
      cacheWrite: BigInt(row.cacheWrites),
      output: BigInt(row.output),
      reasoning: BigInt(row.reasoning),
    },
    totalCost: row.cost,
    unpricedSteps: BigInt(row.unpriced),
    totalDurationMs: BigInt(row.duration),
    evaluations: { count: BigInt(row.evaluations), passed: BigInt(row.passed), failed: BigInt(row.failed) },
    startedAt: row.startedAt ?? row.createdAt,
    lastAt: row.latestAt ?? row.lastAt,
    createdAt: row.createdAt,
  });
}
