import { create, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { DefinitionOrder } from "@ems/proto/catalog/v1/definition_service";
import { EvalDefinitionStatus, EvalDefinitionType, GlobalConfigSchema } from "@ems/proto/catalog/v1/eval_definition";
import { OrderDirection } from "@ems/proto/type/v1/order";
import { testCall, testTenant } from "@ems/test-support";
import { beforeEach, describe, expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { definitions, styleGuides, topics, database, clock, applicationRequests } = await catalogHarness();
const { NATURALNESS, STYLE, RECALL, FACT, CUSTOM, OUTPUT_MATCH } = EvalDefinitionType;

let tenant = testTenant();
beforeEach(() => {
  tenant = testTenant();
});
const asTenant = () => testCall(tenant);
const notFound = (what: string) => ({ code: Code.NotFound, rawMessage: `${what} not found` });
const invalid = { code: Code.InvalidArgument };
const newStyleGuide = async (call = asTenant()) =>
  (await styleGuides.createStyleGuide({ content: [] }, call)).data?.id ?? "";
const newDefinition = async (name = "a", call = asTenant()) =>
  (await definitions.createDefinition({ type: FACT, name }, call)).data?.id ?? "";

describe("creating", () => {
  test("a definition has its type and settings, and no links by default", async () => {
    const { data } = await definitions.createDefinition(
      { type: NATURALNESS, name: "Sounds natural", globalConfig: { criterion: "No jargon" } },
      asTenant(),
    );
    expect(data).toMatchObject({
      type: NATURALNESS,
      name: "Sounds natural",
      globalConfig: { criterion: "No jargon" },
      topics: [],
    });
    expect(data?.styleGuideId).toBeUndefined();
    expect(data?.application).toBeUndefined();
    expect((await definitions.getDefinition({ id: data?.id ?? "" }, asTenant())).data).toEqual(data);
    expect(applicationRequests).toEqual([]);
  });

  test("CUSTOM requires a criterion; for other types it is optional", async () => {
    for (const type of [RECALL, FACT, NATURALNESS]) {
      for (const globalConfig of [undefined, {}, { criterion: "" }, { criterion: "c" }]) {
        const request = { type, name: "a", ...(globalConfig && { globalConfig }) };
        const { data } = await definitions.createDefinition(request, asTenant());
        expect(data?.globalConfig?.criterion).toBe(globalConfig?.criterion);
      }
    }
    const custom = { type: CUSTOM, name: "a" };
    for (const config of [
      {},
      { globalConfig: {} },
      { globalConfig: { criterion: "" } },
      { globalConfig: { criterion: " " } },
    ]) {
      await expect(definitions.createDefinition({ ...custom, ...config }, asTenant())).rejects.toMatchObject(invalid);
    }
    await definitions.createDefinition({ ...custom, globalConfig: { criterion: "c" } }, asTenant());
  });

  test("STYLE requires a style guide of the application; other types cannot have one", async () => {
    const styleGuideId = await newStyleGuide();
    const style = { type: STYLE, name: "a" };
    await expect(definitions.createDefinition(style, asTenant())).rejects.toMatchObject(invalid);
    const { data } = await definitions.createDefinition(
      { ...style, styleGuideId: styleGuideId.toUpperCase() },
      asTenant(),
    );
    expect(data?.styleGuideId).toBe(styleGuideId);
    for (const type of [RECALL, FACT, NATURALNESS, OUTPUT_MATCH, CUSTOM]) {
      const request = { type, name: "a", globalConfig: { criterion: "c" }, styleGuideId };
      await expect(definitions.createDefinition(request, asTenant())).rejects.toMatchObject(invalid);
    }
    const foreign = await newStyleGuide(testCall(testTenant()));
    for (const unknown of [foreign, newId()]) {
      await expect(definitions.createDefinition({ ...style, styleGuideId: unknown }, asTenant())).rejects.toMatchObject(
        notFound("Style guide"),
      );
    }
    expect((await definitions.listDefinitions({}, asTenant())).data).toHaveLength(1);
  });

  test("settings of every type are returned as sent, and replaced as a whole", async () => {
    const list = { type: "list", matchMode: "contains", passThreshold: 0.5, scoreMetric: "recall" };
    const extract = (group: JsonValue) => ({ pattern: "(a)(b)?", flags: "gi", group: fromJson(ValueSchema, group) });
    for (const [type, globalConfig] of [
      [FACT, { groundTruth: "Water boils at 100 °C" }],
      [OUTPUT_MATCH, { type: "string" }],
      [OUTPUT_MATCH, { type: "string", extract: extract(1) }],
      [OUTPUT_MATCH, { ...list, extract: extract([2, 0]) }],
      [OUTPUT_MATCH, { type: "list", matchMode: "exact_unordered" }],
      [CUSTOM, { criterion: "c" }],
    ] as const) {
      const { data } = await definitions.createDefinition({ type, name: "a", globalConfig }, asTenant());
      const stored = (await definitions.getDefinition({ id: data?.id ?? "" }, asTenant())).data;
      expect(stored).toEqual(data);
      expect(stored?.globalConfig).toEqual(create(GlobalConfigSchema, globalConfig));
    }
    const { data } = await definitions.createDefinition(
      { type: OUTPUT_MATCH, name: "a", globalConfig: { ...list, extract: extract(0) } },
      asTenant(),
    );
    const id = data?.id ?? "";
    const { data: changed } = await definitions.updateDefinition({ id, globalConfig: { type: "string" } }, asTenant());
    expect(changed?.globalConfig).toEqual(create(GlobalConfigSchema, { type: "string" }));
    await expect(definitions.updateDefinition({ id, globalConfig: {} }, asTenant())).rejects.toMatchObject(invalid);
    const fact = await definitions.createDefinition(
      { type: FACT, name: "a", globalConfig: { groundTruth: "b" } },
      asTenant(),
    );
    const emptying = { id: fact.data?.id ?? "", globalConfig: {} };
    expect((await definitions.updateDefinition(emptying, asTenant())).data?.globalConfig).toBeUndefined();
  });

  test("a comparison requires a type; an older one without type keeps its other fields editable", async () => {
    for (const config of [{}, { globalConfig: {} }, { globalConfig: { criterion: "c" } }]) {
      const request = { type: OUTPUT_MATCH, name: "a", ...config };
      await expect(definitions.createDefinition(request, asTenant())).rejects.toMatchObject(invalid);
    }
    const globalConfig = { type: "string" };
    const { data } = await definitions.createDefinition({ type: OUTPUT_MATCH, name: "a", globalConfig }, asTenant());
    const id = data?.id ?? "";
    await database.sql("UPDATE catalog.eval_definition SET comparison = NULL WHERE id = $1", [id]);
    expect((await definitions.updateDefinition({ id, name: "b" }, asTenant())).data?.name).toBe("b");
  });

  test("a definition of a quickstart is a draft", async () => {
    const quickstartId = newId();
    await database.sql("INSERT INTO catalog.quickstart (application_id, id) VALUES ($1, $2)", [
      tenant.applicationId,
      quickstartId,
    ]);
    await newDefinition("active");
    await definitions.createDefinition({ type: FACT, name: "draft", quickstartId }, asTenant());
    const names = async (filter: object) =>
      (await definitions.listDefinitions(filter, asTenant())).data.map(({ name }) => name);
    expect(await names({})).toEqual(["active"]);
    expect(await names({ definitionStatus: EvalDefinitionStatus.DRAFT })).toEqual(["draft"]);
    expect(await names({ definitionStatus: EvalDefinitionStatus.DRAFT, quickstartId: [quickstartId] })).toEqual([
      "draft",
    ]);
    expect(await names({ quickstartId: [quickstartId] })).toEqual([]);
    const unknown = { type: FACT, name: "a", quickstartId: newId() };
    await expect(definitions.createDefinition(unknown, asTenant())).rejects.toMatchObject(notFound("Quickstart"));
  });

  test("name has 1 to 255 characters", async () => {
    for (const name of ["x", "ü".repeat(255)]) await newDefinition(name);
    for (const name of ["", "x".repeat(256)]) await expect(newDefinition(name)).rejects.toMatchObject(invalid);
  });
});

describe("changing", () => {
  const value = (json: string | null) => fromJson(ValueSchema, json);

  test("an update changes only the requested fields", async () => {
    const { data } = await definitions.createDefinition(
      { type: CUSTOM, name: "a", globalConfig: { criterion: "c" } },
      asTenant(),
    );
    const id = data?.id ?? "";
    clock.advance(1_000);
    const renamed = (await definitions.updateDefinition({ id, name: "b" }, asTenant())).data;
    expect(renamed).toMatchObject({ name: "b", type: CUSTOM, globalConfig: { criterion: "c" } });
    expect(renamed?.modifiedAt?.seconds).toBe((data?.modifiedAt?.seconds ?? 0n) + 1n);
    expect(renamed?.createdAt).toEqual(data?.createdAt);
    await definitions.updateDefinition({ id, globalConfig: { criterion: "d" } }, asTenant());
    expect((await definitions.getDefinition({ id }, asTenant())).data).toMatchObject({
      name: "b",
      globalConfig: { criterion: "d" },
    });
  });

  test("an update that breaks the rules of the definition's type is refused and changes nothing", async () => {
    const [first, second] = [await newStyleGuide(), await newStyleGuide()];
    const make = async (request: Parameters<typeof definitions.createDefinition>[0]) =>
      (await definitions.createDefinition(request, asTenant())).data;
    const custom = await make({ type: CUSTOM, name: "a", globalConfig: { criterion: "c" } });
    const style = await make({ type: STYLE, name: "a", styleGuideId: first });
    const fact = await make({ type: FACT, name: "a", globalConfig: { criterion: "c" } });
    for (const broken of [
      { id: custom?.id ?? "", globalConfig: {} },
      { id: custom?.id ?? "", styleGuideId: value(first) },
      { id: style?.id ?? "", styleGuideId: value(null) },
      { id: style?.id ?? "", styleGuideId: value("no id") },
      { id: fact?.id ?? "", styleGuideId: value(first) },
    ]) {
      await expect(definitions.updateDefinition({ ...broken, name: "b" }, asTenant())).rejects.toMatchObject(invalid);
    }
    await expect(
      definitions.updateDefinition({ id: style?.id ?? "", styleGuideId: value(newId()) }, asTenant()),
    ).rejects.toMatchObject(notFound("Style guide"));
    for (const was of [custom, style, fact]) {
      expect((await definitions.getDefinition({ id: was?.id ?? "" }, asTenant())).data).toEqual(was);
    }
    const restyled = { id: style?.id ?? "", styleGuideId: value(second) };
    expect((await definitions.updateDefinition(restyled, asTenant())).data?.styleGuideId).toBe(second);
    const emptied = { id: fact?.id ?? "", globalConfig: {}, styleGuideId: value(null) };
    expect((await definitions.updateDefinition(emptied, asTenant())).data?.globalConfig?.criterion).toBeUndefined();
  });

  test("another tenant's definition is not found and does not change", async () => {
    const id = await newDefinition();
    for (const [requestedId, by] of [
      [id, testTenant()],
      [newId(), tenant],
    ] as const) {
      const fault = notFound("Evaluation definition");
      await expect(definitions.getDefinition({ id: requestedId }, testCall(by))).rejects.toMatchObject(fault);
      await expect(definitions.updateDefinition({ id: requestedId, name: "b" }, testCall(by))).rejects.toMatchObject(
        fault,
      );
    }
    expect((await definitions.getDefinition({ id }, asTenant())).data?.name).toBe("a");
  });
});

describe("lists", () => {
  const names = (list: { data: { name: string }[] }) => list.data.map(({ name }) => name);

  test("are filtered by type and by topic", async () => {
    const { data: topic } = await topics.createTopic({ title: "a" }, asTenant());
    const topicId = [topic?.id ?? ""];
    const fact = await newDefinition("fact");
    await definitions.createDefinition({ type: RECALL, name: "recall" }, asTenant());
    await definitions.linkTopics({ evalIds: [fact], topicIds: topicId }, asTenant());
    for (const [filters, found] of [
      [{}, ["fact", "recall"]],
      [{ type: [RECALL] }, ["recall"]],
      [{ type: [RECALL, FACT] }, ["fact", "recall"]],
      [{ topicId }, ["fact"]],
      [{ topicId: [...topicId, newId()] }, ["fact"]],
      [{ topicId, type: [RECALL] }, []],
      [{ topicId: [newId()] }, []],
    ] as const) {
      const request = { ...filters, type: [...("type" in filters ? filters.type : [])] };
      const list = await definitions.listDefinitions(
        {
          ...request,
          topicId: [...("topicId" in filters ? filters.topicId : [])],
          orderBy: DefinitionOrder.NAME,
          orderDir: OrderDirection.ASC,
        },
        asTenant(),
      );
      expect(names(list)).toEqual(found);
      expect(list.pagination?.total).toBe(BigInt(found.length));
    }
    expect(names(await definitions.listDefinitions({ topicId }, testCall(testTenant())))).toEqual([]);
  });

  test("every sort order ends with the id, so that pages neither overlap nor skip rows", async () => {
    for (const name of ["a", "b", "a"]) await newDefinition(name);
    for (const orderBy of [
      DefinitionOrder.CREATED_AT,
      DefinitionOrder.MODIFIED_AT,
      DefinitionOrder.NAME,
      DefinitionOrder.TYPE,
      DefinitionOrder.ID,
    ]) {
      for (const orderDir of [OrderDirection.ASC, OrderDirection.DESC]) {
        const ids = async (more: object) =>
          (await definitions.listDefinitions({ orderBy, orderDir, ...more }, asTenant())).data.map(({ id }) => id);
        const pages = await Promise.all([0n, 1n, 2n].map((skip) => ids({ skip, limit: 1 })));
        expect(pages.flat()).toEqual(await ids({}));
        expect(new Set(pages.flat()).size).toBe(3);
      }
    }
  });

  test("a page calls identity once, and only when a definition is linked", async () => {
    const [linked = ""] = [await newDefinition("linked"), await newDefinition("not")];
    applicationRequests.length = 0;
    await definitions.listDefinitions({}, asTenant());
    expect(applicationRequests).toEqual([]);
    await definitions.linkApplication({ evalIds: [linked] }, asTenant());
    const { data } = await definitions.listDefinitions({ orderBy: DefinitionOrder.NAME }, asTenant());
    expect(data.map(({ application }) => application?.id)).toEqual([undefined, tenant.applicationId]);
    expect(applicationRequests).toEqual([tenant.applicationId]);
  });
});

test("the database refuses rows that violate the rules", async () => {
  const insert = (type: string, styleGuideId: string | null) =>
    database.sql(
      `INSERT INTO catalog.eval_definition (application_id, id, org_id, type, name, style_guide_id, created_at, modified_at)
       VALUES ($1, $2, 'o', $3, 'a', $4, now(), now())`,
      [tenant.applicationId, newId(), type, styleGuideId],
    );
  await expect(insert("STYLE", null)).rejects.toThrow("eval_definition_style_check");
  await expect(insert("FACT", newId())).rejects.toThrow("eval_definition_style_check");
  await expect(insert("TASTE", null)).rejects.toThrow("eval_definition_type_check");
});
