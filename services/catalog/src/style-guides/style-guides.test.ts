import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { StyleGuideOrder } from "@ems/proto/catalog/v1/style_guide_service";
import { OrderDirection } from "@ems/proto/type/v1/order";
import { outboxEvents, testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const harness = await catalogHarness();
const { styleGuides, tenant, database, clock, missingApplications } = harness;
const section = { heading: "Tone", content: "Polite, short.", approved: true };

const created = (id: string) => outboxEvents(database, "catalog", { type: "style_guide.created", text: id });

test("a style guide stores its sections in order; approved is false by default", async () => {
  const content = [section, { heading: "", content: "" }];
  const { data } = await styleGuides.createStyleGuide({ content }, testCall(tenant));
  expect(data).toMatchObject({
    applicationId: tenant.applicationId,
    orgId: tenant.orgId,
    content: [section, { heading: "", content: "", approved: false }],
  });
  expect(data?.createdAt?.seconds).toBe(BigInt(clock.now().getTime() / 1000));
  expect(await styleGuides.getStyleGuide({ id: data?.id ?? "" }, testCall(tenant))).toEqual({
    $typeName: "ems.catalog.v1.GetStyleGuideResponse",
    data,
  });
});

test("a style guide of an unknown application is refused and not stored", async () => {
  const unknownTenant = testTenant();
  missingApplications.add(unknownTenant.applicationId);
  await expect(styleGuides.createStyleGuide({ content: [] }, testCall(unknownTenant))).rejects.toMatchObject({
    code: Code.NotFound,
    rawMessage: "Application not found",
  });
  expect(
    await database.sql("SELECT FROM catalog.style_guide WHERE application_id = $1", [unknownTenant.applicationId]),
  ).toEqual([]);
});

test("a style guide of a quickstart is listed by it; an unknown quickstart is not found", async () => {
  const own = testTenant();
  const quickstartId = newId();
  const request = { content: [section], quickstartId };
  const unknown = { code: Code.NotFound, rawMessage: "Quickstart not found" };
  await expect(styleGuides.createStyleGuide(request, testCall(own))).rejects.toMatchObject(unknown);
  await harness.client(ReferenceService).registerQuickstart({ id: quickstartId }, testCall(own));
  const { data } = await styleGuides.createStyleGuide(request, testCall(own));
  await styleGuides.createStyleGuide({ content: [] }, testCall(own));
  expect((await styleGuides.listStyleGuides({ quickstartId }, testCall(own))).data).toEqual([data]);
  expect((await styleGuides.listStyleGuides({ quickstartId: newId() }, testCall(own))).data).toEqual([]);
  expect((await styleGuides.listStyleGuides({}, testCall(own))).data).toHaveLength(2);
});

test("content has 0 to 1000 sections", async () => {
  const sections = (length: number) => Array.from({ length }, () => ({ heading: "a", content: "b" }));
  for (const length of [0, 1, 1000]) {
    const { data } = await styleGuides.createStyleGuide({ content: sections(length) }, testCall(tenant));
    expect(data?.content).toHaveLength(length);
  }
  await expect(styleGuides.createStyleGuide({ content: sections(1001) }, testCall(tenant))).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
});

test("the style guide and its event are one transaction", async () => {
  const { data } = await styleGuides.createStyleGuide({ content: [section] }, testCall(tenant));
  const [event, ...more] = await created(data?.id ?? "");
  expect(more).toEqual([]);
  expect(JSON.parse(event?.payload ?? "")).toMatchObject({
    type: "style_guide.created",
    applicationId: tenant.applicationId,
    data: { id: data?.id, content: [section] },
  });
});

test("a style guide that exceeds the event limit is created, and the event omits its content", async () => {
  const content = [{ ...section, content: "ü".repeat(100_000) }];
  const { data } = await styleGuides.createStyleGuide({ content }, testCall(tenant));
  expect(data?.content).toMatchObject(content);
  const [event] = await created(data?.id ?? "");
  expect(JSON.parse(event?.payload ?? "").data).toMatchObject({ id: data?.id, content: [] });
});

test("updating replaces the content and sets modifiedAt", async () => {
  const { data } = await styleGuides.createStyleGuide({ content: [section, section] }, testCall(tenant));
  clock.advance(1_000);
  const changed = { ...section, approved: false };
  const answer = await styleGuides.updateStyleGuide({ id: data?.id ?? "", content: [changed] }, testCall(tenant));
  expect(answer.data).toMatchObject({ id: data?.id, createdAt: data?.createdAt, content: [changed] });
  expect(answer.data?.modifiedAt?.seconds).toBe((data?.createdAt?.seconds ?? 0n) + 1n);
  expect((await styleGuides.getStyleGuide({ id: data?.id ?? "" }, testCall(tenant))).data).toEqual(answer.data);
});

test("another tenant's style guide is not found and does not change", async () => {
  const { data } = await styleGuides.createStyleGuide({ content: [section] }, testCall(tenant));
  const id = data?.id ?? "";
  for (const [requestedId, by] of [
    [id, testTenant()],
    [newId(), tenant],
  ] as const) {
    const fault = { code: Code.NotFound, rawMessage: "Style guide not found" };
    await expect(styleGuides.getStyleGuide({ id: requestedId }, testCall(by))).rejects.toMatchObject(fault);
    await expect(styleGuides.updateStyleGuide({ id: requestedId, content: [] }, testCall(by))).rejects.toMatchObject(
      fault,
    );
  }
  expect((await styleGuides.getStyleGuide({ id }, testCall(tenant))).data).toEqual(data);
});

test("lists are paged, the newest first, without another tenant's", async () => {
  const own = testTenant();
  const ids: string[] = [];
  for (const heading of ["a", "b", "c"]) {
    const { data } = await styleGuides.createStyleGuide({ content: [{ heading, content: "" }] }, testCall(own));
    ids.push(data?.id ?? "");
    if (heading === "b") clock.advance(1_000);
  }
  const page = await styleGuides.listStyleGuides({ skip: 1n, limit: 1 }, testCall(own));
  expect(page.data.map(({ id }) => id)).toEqual([ids[1]]);
  expect(page.pagination).toMatchObject({ skip: 1n, limit: 1, total: 3n, totalPages: 3n, totalCount: 3n });
  for (const orderBy of [StyleGuideOrder.CREATED_AT, StyleGuideOrder.MODIFIED_AT, StyleGuideOrder.ID]) {
    const list = await styleGuides.listStyleGuides({ orderBy, orderDir: OrderDirection.ASC }, testCall(own));
    expect(list.data.map(({ id }) => id)).toEqual(ids);
  }
  expect((await styleGuides.listStyleGuides({}, testCall(testTenant()))).data).toEqual([]);
});

test("a page that exceeds the response limit is reported as an issue of limit", async () => {
  const own = testTenant();
  const content = [{ heading: "a", content: "x".repeat(1_000_000) }];
  for (let count = 0; count < 4; count++) await styleGuides.createStyleGuide({ content }, testCall(own));
  await expect(styleGuides.listStyleGuides({}, testCall(own))).rejects.toMatchObject({ code: Code.ResourceExhausted });
  expect((await styleGuides.listStyleGuides({ limit: 3 }, testCall(own))).data).toHaveLength(3);
  expect((await styleGuides.listStyleGuides({ skip: 3n }, testCall(own))).data).toHaveLength(1);
  expect((await styleGuides.listStyleGuides({ skip: 4n }, testCall(own))).data).toEqual([]);
});
