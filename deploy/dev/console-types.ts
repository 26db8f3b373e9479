// The console's types of the API, from its OpenAPI document: what uses a field that is gone does not compile.

import manifest from "@ems/proto/package.json" with { type: "json" };
import openapi, { astToString } from "openapi-typescript";
import { openApi } from "./schema/artefacts.ts";

const head =
  "// Generated from the OpenAPI document by `npm run generate`; do not edit. Descriptions are at /docs.\n\n";
const leftOut = new Set(["description", "summary", "example", "examples", "headers", "x-rules", "x-judged"]);

export async function consoleTypes(): Promise<string> {
  const document = JSON.parse(openApi(manifest.version));
  delete document.webhooks;
  const nodes = await openapi(concise(document), { silent: true, alphabetize: true, defaultNonNullable: false });
  return head + astToString(nodes);
}

/** The document without texts and headers, and without the responses of failed requests, which are the same for all. */
function concise<Value>(value: Value, parent = ""): Value {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => concise(each)) as Value;
  const isNamed = parent === "properties";
  const entries = Object.entries(value).filter(
    ([key]) => (isNamed || !leftOut.has(key)) && !(parent === "responses" && !key.startsWith("2")),
  );
  return Object.fromEntries(entries.map(([key, each]) => [key, concise(each, isNamed ? "" : key)])) as Value;
}
