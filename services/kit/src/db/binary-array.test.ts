import { testDatabase } from "@ems/test-support";
import { afterAll, expect, inject, test } from "vitest";
import { binaryArray } from "./binary-array.ts";

const server = await testDatabase(inject("postgres"));
afterAll(() => server.drop());

const id = "0190b2a4-0000-7000-8000-00000000000f";
test.each<[string, readonly unknown[], readonly (string | null)[]]>([
  ["boolean", [true, null, false], ["true", null, "false"]],
  ["bigint", ["9007199254740993", null, "-1"], ["9007199254740993", null, "-1"]],
  ["integer", [7, -2_147_483_648], ["7", "-2147483648"]],
  ["double precision", [0.1, null, -1e300], ["0.1", null, "-1e+300"]],
  ["text", ["", null, 'Grüße, "you"', "NULL"], ["", null, 'Grüße, "you"', "NULL"]],
  ["uuid", [id, null], [id, null]],
  ["json", ['{"a": 1}', null], ['{"a": 1}', null]],
  ["jsonb", ['{"ä":[1]}', null, "2"], ['{"ä": [1]}', null, "2"]],
  ["bytea", [Buffer.from([0, 255]), null], ["\\x00ff", null]],
  ["timestamptz", [new Date("1999-12-31T23:59:59.999Z"), null], ["1999-12-31 23:59:59.999+00", null]],
])("PostgreSQL reads an array of type %s, NULLs included", async (type, values, expected) => {
  const text = `SELECT set_config('timezone', 'UTC', false), ARRAY(SELECT v::text FROM unnest($1::${type}[]) v) AS texts`;
  const [row] = await server.sql<{ texts: readonly (string | null)[] }>(text, [binaryArray(type, values)]);
  expect(row?.texts).toEqual(expected);
});

test("an array without values is empty; unknown types and invalid values are refused", async () => {
  const [row] = await server.sql("SELECT cardinality($1::uuid[]) AS count", [binaryArray("uuid", [])]);
  expect(row).toEqual({ count: 0 });
  expect(() => binaryArray("point", [])).toThrow("type point cannot be inserted");
  expect(() => binaryArray("uuid", ["no"])).toThrow("no is not a UUID");
});
