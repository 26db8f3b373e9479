import { type DescMethod, getOption, hasOption, type Message } from "@bufbuild/protobuf";
import { cost } from "@ems/proto/rest/v1/rest";

/** A request's cost in tokens under the rate limit of its RPC: the rows that it stores (`cost` in proto), or one. */
export function requestCost(method: DescMethod, request: Message): number {
  if (!hasOption(method, cost)) return 1;
  const { items, nested, response } = getOption(method, cost);
  // Nothing to consume yet, but a debt is to be paid first.
  if (response !== "") return 0;
  return count(valuesAt(request, items.split(".")), nested.replace(/\[\]$/, ""));
}

/** The cost that only the response tells, or 0. */
export function responseCost(method: DescMethod, response: Message): number {
  const field = hasOption(method, cost) ? getOption(method, cost).response : "";
  const [rows] = field === "" ? [0] : valuesAt(response, [field]);
  return Number(rows);
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

/** A step `name[]` goes on with each item of a list. What is no list has none. */
function valuesAt(value: unknown, [step, ...rest]: readonly string[]): readonly unknown[] {
  if (step === undefined) return [value];
  const isList = step.endsWith("[]");
  const name = isList ? step.slice(0, -2) : step;
  const found = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  const values = isList ? (Array.isArray(found) ? found : []) : [found];
  return rest.length === 0 ? values : values.flatMap((one) => valuesAt(one, rest));
}
