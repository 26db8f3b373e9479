import type { Endpoint } from "./dispatch.ts";
import { isRead } from "./safe.ts";
import { maxMessageBytes } from "./wire.ts";

/** What a GET asks for has stood in a URL. */
const maxReadBytes = 64 * 1024;
/** What gRPC puts before a message. */
const frameBytes = 5;

/** The largest message of a method, by its path; whatever is no method has none. */
export function largestMessages(endpoints: readonly Endpoint[]): (path: string) => number {
  const sizes = new Map<string, number>(
    endpoints.map(({ service, method }) => {
      const largest = isRead(method) ? maxReadBytes : maxMessageBytes;
      return [`/${service.typeName}/${method.name}`, largest + frameBytes] as const;
    }),
  );
  return (path) => sizes.get(path) ?? 0;
}
