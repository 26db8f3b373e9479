import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { AnnotationService } from "@ems/proto/experiments/v1/annotation_service";
import { outboxEvents, testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const { tenant, clock } = harness;
const annotations = harness.client(AnnotationService);
const text = (value: string) => ({ kind: { case: "stringValue" as const, value } });
const none = { kind: { case: "nullValue" as const, value: 0 } };

const create = async (fields: { title: string; description?: string; traceStepId?: string }, by = tenant) => {
  const { data } = await annotations.createAnnotation(fields, testCall(by));
  if (data === undefined) throw new Error("no annotation");
  return data;
};
const listEvents = async (id: string) => {
  const rows = await outboxEvents(harness.database, "experiments", { text: id });
  return rows.map(({ type, payload }) => ({ type, data: JSON.parse(payload).data }));
};

test("an annotation is returned as it was sent, and each change has an event", async () => {
  const traceStepId = newId();
  const { id, ...created } = await create({ title: "New prompt", description: "shorter", traceStepId });
  expect(created).toMatchObject({ title: "New prompt", description: "shorter", traceStepId, authorId: tenant.userId });
  clock.advance(1_000);
  const update = { id, title: "Newer prompt", description: none, traceStepId: none };
  const { data } = await annotations.updateAnnotation(update, testCall(tenant));
  expect(data).toMatchObject({ title: "Newer prompt", createdAt: created.createdAt });
  expect([data?.description, data?.traceStepId]).toEqual([undefined, undefined]);
  expect(await annotations.getAnnotation({ id }, testCall(tenant))).toEqual(expect.objectContaining({ data }));
  expect(data?.modifiedAt).not.toEqual(created.modifiedAt);

  await annotations.deleteAnnotation({ id }, testCall(tenant));
  const gone = { code: Code.NotFound, rawMessage: "Annotation not found" };
  await expect(annotations.getAnnotation({ id }, testCall(tenant))).rejects.toMatchObject(gone);
  await expect(annotations.deleteAnnotation({ id }, testCall(tenant))).rejects.toMatchObject(gone);
  const events = await listEvents(id);
  expect(events.map(({ type }) => type)).toEqual(["annotation.created", "annotation.updated", "annotation.deleted"]);
  expect(events[2]?.data).toMatchObject({ id, title: "Newer prompt", description: null });
});

test("an update changes only the requested fields, and an empty update is refused", async () => {
  const { id } = await create({ title: "a", description: "d" });
  const upper = newId().toUpperCase();
  const { data } = await annotations.updateAnnotation({ id, traceStepId: text(upper) }, testCall(tenant));
  expect(data).toMatchObject({ title: "a", description: "d", traceStepId: upper.toLowerCase() });
  await expect(annotations.updateAnnotation({ id }, testCall(tenant))).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
  await expect(annotations.updateAnnotation({ id, traceStepId: text("x") }, testCall(tenant))).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
});

test("the list has inclusive bounds of createdAt, which may be any time", async () => {
  const by = testTenant();
  const startOfYear = (year: number) => timestampFromDate(new Date(Date.UTC(year, 0, 1)));
  for (const year of [2020, 2026, 2030]) {
    await annotations.createAnnotation({ title: "year", createdAt: startOfYear(year) }, testCall(by));
  }
  const years = async (bounds: Parameters<typeof annotations.listAnnotations>[0]) => {
    const { data } = await annotations.listAnnotations(bounds, testCall(by));
    return data.map(({ createdAt }) => createdAt && timestampDate(createdAt).getUTCFullYear());
  };
  expect(await years({})).toEqual([2030, 2026, 2020]);
  expect(await years({ startDate: startOfYear(2026) })).toEqual([2030, 2026]);
  expect(await years({ startDate: startOfYear(2020), endDate: startOfYear(2026) })).toEqual([2026, 2020]);
});

test("another tenant's annotation is not found", async () => {
  const { id } = await create({ title: "theirs" }, testTenant());
  const ours = testCall(tenant);
  for (const call of [
    () => annotations.getAnnotation({ id }, ours),
    () => annotations.updateAnnotation({ id, title: "ours" }, ours),
    () => annotations.deleteAnnotation({ id }, ours),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: Code.NotFound, rawMessage: "Annotation not found" });
  }
});
