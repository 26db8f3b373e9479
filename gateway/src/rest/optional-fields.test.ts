// Optional fields that are absent or null, in requests of every operation.

import { type DescField, type DescMessage, getOption, type JsonObject } from "@bufbuild/protobuf";
import { isRequired } from "@ems/kit/json/constraints";
import { readValidated } from "@ems/kit/json/read-validated";
import { internal } from "@ems/proto/rest/v1/rest";
import { services } from "@ems/proto/services";
import { expect, test } from "vitest";
import { requiredFields } from "../openapi/schema.ts";
import { readRequest } from "./read-request.ts";
import { listRoutes } from "./routes.ts";

const routes = listRoutes(services);
const bodies = new Set(
  routes.filter(({ bodyMode }) => bodyMode === "all").flatMap(({ method }) => within(method.input)),
);

function within(desc: DescMessage, seen = new Set<DescMessage>()): DescMessage[] {
  if (seen.has(desc) || desc.typeName.startsWith("google.protobuf.")) return [];
  seen.add(desc);
  return [desc, ...desc.fields.flatMap(({ message }) => (message === undefined ? [] : within(message, seen)))];
}

const issuePaths = (issues: readonly { path: string[] }[]) => issues.map(({ path }) => path.join("."));
const formatName = ({ parent, name }: DescField) => `${parent.typeName}.${name}`;

test("null is accepted for every optional field of a body", () => {
  const optional = [...bodies].flatMap((desc) => {
    const required = requiredFields(desc);
    return desc.fields.filter((field) => !required.has(field) && !getOption(field, internal));
  });
  expect(optional.length).toBeGreaterThan(50);
  const isRefused = (field: DescField, body: JsonObject) =>
    issuePaths(readValidated(field.parent, body).issues).some((path) => path.split(".")[0] === field.jsonName);
  // Excludes fields that are rejected even if absent, because the message requires one of several.
  const refused = optional.filter((field) => isRefused(field, { [field.jsonName]: null }) && !isRefused(field, {}));
  expect(refused.map(formatName)).toEqual([]);
});

test("a query parameter without a value counts as absent, in every list", () => {
  const lists = routes.filter(({ queryFields }) => queryFields.some(({ name }) => name === "limit"));
  const parameters = lists.flatMap((route) => route.queryFields.map((field) => ({ route, field })));
  expect(parameters.length).toBeGreaterThan(100);
  for (const { route, field } of parameters) {
    const read = (rawQuery: string) => readRequest(route, { params: {}, rawQuery, body: {} });
    expect(read(`${field.jsonName}=`)).toEqual(read(""));
    expect(read(`${field.jsonName}=&${field.jsonName}`)).toEqual(read(""));
  }
});

test("a query list is comma-separated or repeated", () => {
  const lists = routes.flatMap((route) =>
    route.queryFields.filter(({ fieldKind }) => fieldKind === "list").map((field) => ({ route, field })),
  );
  const id = "01890a5d-ac96-774b-bcce-b302099a8057";
  for (const { route, field } of lists) {
    const value = field.fieldKind === "list" && field.enum === undefined ? id : "";
    const read = (rawQuery: string) => readRequest(route, { params: {}, rawQuery, body: {} });
    const name = field.jsonName;
    expect(read(`${name}=${value},${value}`)).toEqual(read(`${name}=${value}&${name}=${value}`));
    expect(read(`${name}=${value},`)).toEqual(read(`${name}=${value}`));
  }
});

test("a date range accepts instants in all forms, and plain dates", () => {
  const bounds = routes.flatMap((route) =>
    route.queryFields
      .filter(({ name }) => name === "start_date" || name === "end_date")
      .map((field) => ({ route, field })),
  );
  expect(bounds.length).toBeGreaterThan(5);
  for (const { route, field } of bounds) {
    expect([formatName(field), isRequired(field), field.message?.name]).toEqual([
      formatName(field),
      false,
      "Timestamp",
    ]);
    const texts = ["2024-03-10T12:00:00Z", "2024-03-10T12:00:00.123456%2B00:00", "2024-03-10T12:00", "2024-03-10"];
    for (const text of texts) {
      const { issues } = readRequest(route, { params: {}, rawQuery: `${field.jsonName}=${text}`, body: {} });
      expect(issuePaths(issues)).not.toContain(field.jsonName);
    }
  }
});
