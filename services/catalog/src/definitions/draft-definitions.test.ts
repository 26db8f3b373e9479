// Judge's view of unsaved definitions, and search for saved ones.

import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import { testCall, testTenant } from "@ems/test-support";
import { beforeEach, expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const harness = await catalogHarness();
const { definitions, styleGuides } = harness;
const plans = harness.client(TestPlanService);
const { CUSTOM, NATURALNESS, OUTPUT_MATCH, STYLE } = EvalDefinitionType;

let tenant = testTenant();
beforeEach(() => {
  tenant = testTenant();
});
const asTenant = () => testCall(tenant);
const sections = [{ heading: "Tone", content: "Friendly" }];
const newStyleGuide = async () =>
  (
    await styleGuides.createStyleGuide(
      { content: sections.map((section) => ({ ...section, approved: true })) },
      asTenant(),
    )
  ).data?.id ?? "";

test("a draft returns the judge's view and stores nothing", async () => {
  const styleGuideId = await newStyleGuide();
  const { definition } = await plans.getDraftJudgeDefinition({ type: STYLE, styleGuideId }, asTenant());
  expect(definition).toMatchObject({ type: STYLE, styleGuide: sections });
  const globalConfig = { criterion: "Polite" };
  const custom = await plans.getDraftJudgeDefinition({ type: CUSTOM, globalConfig }, asTenant());
  expect(custom.definition).toMatchObject({ type: CUSTOM, globalConfig, styleGuide: [] });
  expect((await definitions.listDefinitions({}, asTenant())).data).toEqual([]);
});

test("another tenant's style guide is not found", async () => {
  const styleGuideId = await newStyleGuide();
  await expect(
    plans.getDraftJudgeDefinition({ type: STYLE, styleGuideId }, testCall(testTenant())),
  ).rejects.toMatchObject({ code: Code.NotFound, rawMessage: "Style guide not found" });
});

const group = fromJson(ValueSchema, 0);

test.each([
  [{ type: CUSTOM }],
  [{ type: STYLE }],
  [{ type: OUTPUT_MATCH }],
  [{ type: OUTPUT_MATCH, globalConfig: { type: "list" } }],
  [{ type: OUTPUT_MATCH, globalConfig: { type: "string", extract: { pattern: "(?=a)", flags: "", group } } }],
  [{ type: OUTPUT_MATCH, globalConfig: { type: "string", extract: { pattern: "\\w", flags: "u", group } } }],
  [{ type: CUSTOM, globalConfig: { criterion: "Polite", settings: { exact: true } } }],
])("a draft that could not be saved is refused: %#", async (request) => {
  await expect(plans.getDraftJudgeDefinition(request, asTenant())).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
});

test("definitions are found by a part of their name in any case, and by their style guide", async () => {
  const styleGuideId = await newStyleGuide();
  const names = ["Über 100 %", "polite_answers", "Polite"];
  for (const name of names) await definitions.createDefinition({ type: NATURALNESS, name }, asTenant());
  await definitions.createDefinition({ type: STYLE, name: "House style", styleGuideId }, asTenant());
  const found = async (filter: object, call = asTenant()) =>
    (await definitions.listDefinitions(filter, call)).data.map(({ name }) => name).sort();
  expect(await found({ search: "POLITE" })).toEqual(["Polite", "polite_answers"]);
  expect(await found({ search: "über" })).toEqual(["Über 100 %"]);
  // `%` is not a wildcard.
  expect(await found({ search: "%" })).toEqual(["Über 100 %"]);
  expect(await found({ search: "e_a" })).toEqual(["polite_answers"]);
  expect(await found({ search: "" })).toHaveLength(4);
  expect(await found({ styleGuideId: [styleGuideId] })).toEqual(["House style"]);
  expect(await found({ styleGuideId: [styleGuideId] }, testCall(testTenant()))).toEqual([]);
});
