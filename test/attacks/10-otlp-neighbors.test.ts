import { describe, expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";

const product = await startAttacked();
const { api } = await product.tenant();

let spans = 0;
const span = (attributes: unknown, more: Record<string, unknown> = {}) => ({
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  spanId: (++spans).toString(16).padStart(16, "0"),
  name: `span ${spans}`,
  startTimeUnixNano: "1772443800000000000",
  endTimeUnixNano: "1772443800840500000",
  attributes,
  ...more,
});
const text = (key: string, value: string) => [{ key, value: { stringValue: value } }];

async function stepNames(): Promise<string[]> {
  const { body: page } = await api.get("/v0/traces?referenceId=4bf92f3577b34da6a3ce929d0e0e4736");
  if (page.data.length === 0) return [];
  const { body } = await api.get(`/v0/traces/${page.data[0].id}`);
  return body.data.steps.map(({ name }: { name: string }) => name);
}

/** Sends the span between two valid ones, which are stored whatever happens to it. */
async function expectNeighboursKept(bad: string): Promise<void> {
  const [before, after] = [span([]), span([])];
  const raw = `{"resourceSpans": [{"scopeSpans": [{"spans": [${JSON.stringify(before)}, ${bad}, ${JSON.stringify(after)}]}]}]}`;
  const answer = await api.send("POST", "/v0/otel/traces", { raw });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const names = await stepNames();
  expect(names).toContain(before.name);
  expect(names).toContain(after.name);
  const isStored = names.includes(JSON.parse(bad).name.slice(0, 255));
  expect(Number(answer.body.partialSuccess?.rejectedSpans ?? 0)).toBe(isStored ? 0 : 1);
}

describe("an invalid span does not affect the other spans:", () => {
  const contents = [
    "[1e999]",
    '{"a": {"b": [-1e400]}}',
    `${"[".repeat(40)}${"]".repeat(40)}`,
    '["\\ud800"]',
    '{"\\u0000": 1}',
    '{"__proto__": {"a": 1}}',
    '[{"constructor": {"prototype": 1e999}}]',
  ];
  test.each(
    ["gen_ai.input.messages", "gen_ai.completion", "gen_ai.tool.call.arguments", "other"].flatMap((key) =>
      contents.map((content) => [key, content] as const),
    ),
  )("%s that holds %s", async (key, content) => {
    await expectNeighboursKept(JSON.stringify(span(text(key, content))));
  });

  test.each<[string, Record<string, unknown>]>([
    ["times beyond 64 bits", { startTimeUnixNano: "99999999999999999999", endTimeUnixNano: "0" }],
    [
      "the last time of 64 bits",
      { startTimeUnixNano: "18446744073709551615", endTimeUnixNano: "18446744073709551615" },
    ],
    ["a negative time", { startTimeUnixNano: "-1" }],
    ["a time that is a fraction", { startTimeUnixNano: 1.5 }],
    ["a status of objects", { status: { code: {}, message: [] }, kind: {}, events: [{ attributes: 1 }, null, 3] }],
    ["a name of a megabyte's tenth", { name: "n".repeat(100_000) }],
  ])("%s", async (_, more) => {
    await expectNeighboursKept(JSON.stringify({ ...span([]), ...more, name: more.name ?? `span ${spans}` }));
  });
});

test.each<[string, string]>([
  ["a NUL", '{"stringValue": "a\\u0000b"}'],
  ["half of a character", '{"stringValue": "a\\ud800b"}'],
  ["a number that no double holds", '{"doubleValue": 1e999}'],
])("%s in an attribute costs neither its span nor others", async (_, value) => {
  const bad = JSON.stringify(span([{ key: "a", value: "VALUE" }])).replace('"VALUE"', value);
  await expectNeighboursKept(bad);
  expect(await stepNames()).toContain(JSON.parse(bad).name);
});
