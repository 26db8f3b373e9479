import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import { testCall, testTenant } from "@ems/test-support";
import { beforeEach, expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const harness = await catalogHarness();
const { definitions, styleGuides } = harness;
const plans = harness.client(TestPlanService);
const { CUSTOM, STYLE } = EvalDefinitionType;

let tenant = testTenant();
beforeEach(() => {
  tenant = testTenant();
});
const asTenant = () => testCall(tenant);
const newDefinition = async (request: object) =>
  (await definitions.createDefinition({ type: STYLE, name: "n", ...request }, asTenant())).data?.id ?? "";
const judged = async (id: string) => (await plans.batchGetJudgeDefinitions({ ids: [id] }, asTenant())).definitions[0];
const version = async (id: string) => (await judged(id))?.version;

test("a version counts changes of settings, but not of names or to equal settings", async () => {
  const extract = { pattern: "a", flags: "", group: fromJson(ValueSchema, 0) };
  const list = { type: "list", matchMode: "contains", extract };
  for (const [type, before, after] of [
    [CUSTOM, { criterion: "a" }, { criterion: "b" }],
    [EvalDefinitionType.OUTPUT_MATCH, list, { ...list, extract: { ...extract, flags: "g" } }],
    [EvalDefinitionType.FACT, { groundTruth: "a" }, { groundTruth: "b" }],
  ] as const) {
    const id = await newDefinition({ type, globalConfig: before });
    const update = (request: object) => definitions.updateDefinition({ id, ...request }, asTenant());
    await update({ name: "other" });
    await update({ globalConfig: before });
    await update({});
    expect(await version(id)).toBe(1);
    await update({ globalConfig: after });
    await update({ globalConfig: after });
    expect(await judged(id)).toMatchObject({ version: 2, globalConfig: after, name: "other" });
    await update({ globalConfig: before });
    expect(await version(id)).toBe(3);
  }
});

test("new content of the style guide, or another style guide, makes a new version; equal content does not", async () => {
  const tone = { heading: "Tone", content: "Polite." };
  const newGuide = async () => (await styleGuides.createStyleGuide({ content: [tone] }, asTenant())).data?.id ?? "";
  const [guide, otherGuide] = [await newGuide(), await newGuide()];
  const [first, second, other] = [
    await newDefinition({ styleGuideId: guide }),
    await newDefinition({ styleGuideId: guide }),
    await newDefinition({ styleGuideId: otherGuide }),
  ];
  const versions = () => Promise.all([first, second, other].map(version));
  const length = { heading: "Length", content: "Short." };
  const rewrite = (content: object[]) => styleGuides.updateStyleGuide({ id: guide, content }, asTenant());
  await rewrite([{ ...tone, approved: false }]);
  expect(await versions()).toEqual([1, 1, 1]);
  await rewrite([tone, length]);
  await rewrite([tone, length]);
  expect(await versions()).toEqual([2, 2, 1]);
  expect((await judged(first))?.styleGuide).toMatchObject([tone, length]);

  const relink = { id: second, styleGuideId: fromJson(ValueSchema, otherGuide) };
  await definitions.updateDefinition(relink, asTenant());
  await definitions.updateDefinition(relink, asTenant());
  await rewrite([]);
  expect(await versions()).toEqual([3, 3, 1]);
});

test("fifty definitions with style guides of any size fit one response", async () => {
  const content = Array.from({ length: 9 }, () => ({ heading: "h", content: "ü".repeat(50_000) }));
  const guide = (await styleGuides.createStyleGuide({ content }, asTenant())).data?.id ?? "";
  const ids: string[] = [];
  for (let made = 0; made < 50; made++) ids.push(await newDefinition({ styleGuideId: guide }));
  const { definitions: found } = await plans.batchGetJudgeDefinitions({ ids }, asTenant());
  expect(found).toHaveLength(50);
});
