import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { definitions } = await catalogHarness();
const { NATURALNESS, RECALL, FACT, CUSTOM, OUTPUT_MATCH } = EvalDefinitionType;
const list = { type: "list", matchMode: "contains" };

test.each([
  [NATURALNESS, {}, { low: 1, high: 5, threshold: 3.5 }],
  [RECALL, {}, { low: 0, high: 1, threshold: 0.5 }],
  [FACT, {}, { low: 0, high: 1, threshold: 0.8 }],
  [CUSTOM, { globalConfig: { criterion: "Polite" } }, undefined],
  [OUTPUT_MATCH, { globalConfig: { type: "string" } }, undefined],
  [OUTPUT_MATCH, { globalConfig: list }, { low: 0, high: 1, threshold: 0.8 }],
  [OUTPUT_MATCH, { globalConfig: { ...list, passThreshold: 0.6 } }, { low: 0, high: 1, threshold: 0.6 }],
])("a definition of type %s with %j has its judge's scale", async (type, settings, scale) => {
  const call = testCall(testTenant());
  const { data } = await definitions.createDefinition({ type, name: "a", ...settings }, call);
  const { data: read } = await definitions.getDefinition({ id: data?.id ?? "" }, call);
  for (const each of [data, read]) {
    if (scale === undefined) expect(each?.scale).toBeUndefined();
    else expect(each?.scale).toMatchObject(scale);
  }
});
