import { getOption } from "@bufbuild/protobuf";
import { raw_body } from "@ems/proto/rest/v1/rest";
import { messageBytesMax, readRequestBytesMax } from "../limits/sizes.ts";
import type { Endpoint } from "./endpoints.ts";
import { isReadOnly } from "./idempotency-level.ts";

/** gRPC's prefix of a message. */
const prefixBytes = 5;

/** The largest request of a method, by its path; 0 for an unknown path. */
export function requestLimits(endpoints: readonly Endpoint[]): (path: string) => number {
  const limits = new Map<string, number>(
    endpoints.map(({ service, method }) => {
      const isSmall = isReadOnly(method) && !getOption(method, raw_body);
      const bytesMax = isSmall ? readRequestBytesMax : messageBytesMax;
      return [`/${service.typeName}/${method.name}`, bytesMax + prefixBytes] as const;
    }),
  );
  return (path) => limits.get(path) ?? 0;
}
