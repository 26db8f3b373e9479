import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { http } from "@ems/proto/google/api/annotations";
import { messageBytesMax, readRequestBytesMax } from "../limits/sizes.ts";
import type { Endpoint } from "./endpoints.ts";

/** gRPC's prefix of a message. */
const prefixBytes = 5;

/** The largest request of a method, by its path; 0 for an unknown path. */
export function requestLimits(endpoints: readonly Endpoint[]): (path: string) => number {
  const limits = new Map<string, number>(
    endpoints.map(({ service, method }) => {
      const bytesMax = isGet(method) ? readRequestBytesMax : messageBytesMax;
      return [`/${service.typeName}/${method.name}`, bytesMax + prefixBytes] as const;
    }),
  );
  return (path) => limits.get(path) ?? 0;
}

/** A GET at the gateway: the request is what a URL holds. A read by POST may be as large as any body. */
function isGet(method: DescMethod): boolean {
  return hasOption(method, http) && getOption(method, http).pattern.case === "get";
}
