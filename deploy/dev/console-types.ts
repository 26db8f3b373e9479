// Generates the console's API types from the OpenAPI document, so that uses of removed fields do not compile, and the
// scopes and roles that operations require.

import manifest from "@ems/proto/package.json" with { type: "json" };
import openapi, { astToString } from "openapi-typescript";
import { openApi } from "./schema/artefacts.ts";

const head =
  "// Generated from the OpenAPI document by `npm run generate`; do not edit. Descriptions are at /docs.\n\n";
const leftOut = new Set([
  "description",
  "summary",
  "example",
  "examples",
  "headers",
  "x-rules",
  "x-judged",
  "x-scope",
  "x-roles",
]);

interface Operation {
  readonly "x-scope": string;
  readonly "x-roles": readonly string[];
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** Returns code with the scope that each operation requires, and the roles that have each scope. */
export function consoleOperations(): string {
  const { paths }: { paths: Paths } = JSON.parse(openApi(manifest.version));
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
  const scopes = operations.map(([name, operation]) => [name, operation["x-scope"]] as const);
  const roles = operations.map(([, operation]) => [operation["x-scope"], operation["x-roles"]] as const);
  const constant = (name: string, entries: readonly (readonly [string, unknown])[]) => {
    const sorted = [...entries].sort(([left], [right]) => (left < right ? -1 : 1));
    return `export const ${name} = ${JSON.stringify(Object.fromEntries(sorted), null, 2)} as const;\n`;
  };
  return `${head}${constant("scopeOfOperation", scopes)}\n${constant("rolesWithScope", roles)}`;
}

export async function consoleTypes(): Promise<string> {
  const document = JSON.parse(openApi(manifest.version));
  delete document.webhooks;
  const nodes = await openapi(concise(document), { silent: true, alphabetize: true, defaultNonNullable: false });
  return head + astToString(nodes);
}

/** Removes texts, headers, and error responses, which are the same for all operations. */
function concise<Value>(value: Value, parent = ""): Value {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => concise(each)) as Value;
  const isNamed = parent === "properties";
  const entries = Object.entries(value).filter(
    ([key]) => (isNamed || !leftOut.has(key)) && !(parent === "responses" && !key.startsWith("2")),
  );
  return Object.fromEntries(entries.map(([key, each]) => [key, concise(each, isNamed ? "" : key)])) as Value;
}
