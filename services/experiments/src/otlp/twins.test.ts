import type { JsonObject } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { otlpSpan, stepsOf } from "../../test/otlp.ts";

const call = (attributes: object, more: JsonObject = {}) =>
  otlpSpan({ "gen_ai.operation.name": "chat", ...attributes }, more);
const usage = (input: number, output: number) => ({
  "gen_ai.usage.input_tokens": input,
  "gen_ai.usage.output_tokens": output,
});
const counted = (...spans: JsonObject[]) =>
  stepsOf(...spans).map(({ fields: { usage: tokens, costAmount } }) => [tokens?.promptTokens, costAmount]);

test("spans with one response id count once, child or sibling; the cost of any stays", () => {
  const parent = call({ ...usage(10, 2), "gen_ai.response.id": "r1" });
  const child = call({ ...usage(10, 2), "gen_ai.response.id": "r1" }, { parentSpanId: parent.spanId ?? null });
  const sibling = call({ "gen_ai.response.id": "r1", "gen_ai.usage.cost": 0.5 });
  const other = call({ ...usage(7, 1), "gen_ai.response.id": "r2" });
  expect(counted(sibling, child, other, parent).filter(([tokens]) => tokens === 10)).toHaveLength(1);
  expect(
    counted(
      call({ ...usage(10, 2), "gen_ai.response.id": "r3" }),
      call({ "gen_ai.response.id": "r3", "gen_ai.usage.cost": 0.5 }),
    ),
  ).toEqual([
    [10, 0.5],
    [undefined, undefined],
  ]);
});

test("the same response id in another trace is another call", () => {
  const first = call({ ...usage(10, 2), "gen_ai.response.id": "r1" });
  const other = call({ ...usage(10, 2), "gen_ai.response.id": "r1" }, { traceId: "a".repeat(32) });
  expect(counted(first, other)).toEqual([
    [10, undefined],
    [10, undefined],
  ]);
});

test("an SDK's own span within an OpenInference span counts once, by the id in the response", () => {
  const outer = otlpSpan({
    "openinference.span.kind": "LLM",
    "llm.token_count.prompt": 10,
    "output.value": '{"id": "chatcmpl-7", "model": "m"}',
  });
  const sdk = call({ ...usage(10, 2), "gen_ai.response.id": "chatcmpl-7" });
  expect(counted(outer, sdk)).toEqual([
    [10, undefined],
    [undefined, undefined],
  ]);
});

test("a call that repeats the sum of the calls within it counts nothing", () => {
  const outer = call(usage(17, 3));
  const within = { parentSpanId: outer.spanId ?? null };
  expect(counted(outer, call(usage(10, 2), within), call(usage(7, 1), within))).toEqual([
    [undefined, undefined],
    [10, undefined],
    [7, undefined],
  ]);
  expect(counted(outer, call(usage(10, 2), within))).toEqual([
    [17, undefined],
    [10, undefined],
  ]);
});
