import { type DescMethod, getOption, hasOption, type Message } from "@bufbuild/protobuf";
import { cost } from "@ems/proto/rest/v1/rest";

/**
 * Returns a request's cost in tokens under the rate limit of its RPC: the number of rows that it stores (`cost` in
 * proto), or one.
 */
export function requestCost(method: DescMethod, request: Message): number {
  if (!hasOption(method, cost)) return 1;
  const { items, nested, response } = getOption(method, cost);
  // The response has the cost: consume nothing yet, but an existing debt must be paid first.
  if (response !== "") return 0;
  return count(Reflect.get(request, items) as readonly unknown[], nested);
}

/** Returns the cost that only the response contains, or 0. */
export function responseCost(method: DescMethod, response: Message): number {
  const field = hasOption(method, cost) ? getOption(method, cost).response : "";
  return field === "" ? 0 : Number(Reflect.get(response, field));
}

/** Plain loops, since a request may have 100,000 rows. */
function count(items: readonly unknown[], nested: string): number {
  let rows = items.length;
  if (nested === "") return rows;
  for (const item of items) {
    const inner = (item as Readonly<Record<string, unknown>>)[nested];
    if (Array.isArray(inner) && inner.length > 0) rows += count(inner, nested);
  }
  return rows;
}
