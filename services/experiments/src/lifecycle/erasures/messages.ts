import type { MessageInitShape } from "@bufbuild/protobuf";
import { buildMessage } from "@ems/kit/message";
import { ErasureCountsSchema, ErasureSchema } from "@ems/proto/experiments/v1/erasure_service";
import { TraceDeletionSchema } from "@ems/proto/experiments/v1/trace_deletion_service";
import type { Counts, ErasureRow } from "./entity.ts";

export const erasure = ({ endUserKey, erased, ...row }: ErasureRow): MessageInitShape<typeof ErasureSchema> =>
  buildMessage(ErasureSchema, { ...row, userHash: endUserKey ?? "", erased: counts(erased) });

export const traceDeletion = ({ erased, traces, ...row }: ErasureRow): MessageInitShape<typeof TraceDeletionSchema> =>
  buildMessage(TraceDeletionSchema, { ...row, traces: BigInt(traces ?? 0), deleted: counts(erased) });

export function counts(of: Counts): MessageInitShape<typeof ErasureCountsSchema> {
  return Object.fromEntries(
    ErasureCountsSchema.fields.map(({ localName }) => [localName, BigInt(of[localName] ?? 0)]),
  ) as MessageInitShape<typeof ErasureCountsSchema>;
}

/** Returns the sums of both counts, kind by kind. */
export function added(before: Counts, more: Counts): Counts {
  const kinds = [...new Set([...Object.keys(before), ...Object.keys(more)])];
  return Object.fromEntries(kinds.map((kind) => [kind, (before[kind] ?? 0) + (more[kind] ?? 0)]));
}
