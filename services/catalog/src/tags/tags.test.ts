import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { TagOrder, TagStatus } from "@ems/proto/catalog/v1/tag_service";
import { OrderDirection } from "@ems/proto/type/v1/order";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { tags, tenant, clock } = await catalogHarness();

async function newTag(name: string, more: { color?: string; description?: string } = {}, by = tenant) {
  const { data } = await tags.createTag({ name, ...more }, testCall(by));
  if (data === undefined) throw new Error("no tag");
  return data;
}

const nameTaken = { code: Code.AlreadyExists, rawMessage: "An active tag with this name already exists" };

test("by default a tag is ACTIVE, blue and without description", async () => {
  expect(await newTag("plain")).toMatchObject({
    name: "plain",
    color: "#3B82F6",
    status: TagStatus.ACTIVE,
    applicationId: tenant.applicationId,
    orgId: tenant.orgId,
  });
  const request = { color: "#aBcDe0", description: "named" };
  expect(await newTag("named", request)).toMatchObject(request);
});

test("the name of an active tag is unique in its application; another application may use it too", async () => {
  const { id } = await newTag("one");
  await expect(newTag("one")).rejects.toMatchObject(nameTaken);
  await expect(newTag("one", {}, testTenant())).resolves.toBeDefined();
  await tags.archiveTag({ id }, testCall(tenant));
  const renewed = await newTag("one");
  // An archived tag may keep its name even if an active tag has the same name by now.
  await expect(tags.updateTag({ id, name: "one" }, testCall(tenant))).resolves.toBeDefined();
  await expect(tags.updateTag({ id: renewed.id, name: "one" }, testCall(tenant))).resolves.toBeDefined();
  const other = await newTag("other");
  await expect(tags.updateTag({ id: other.id, name: "one" }, testCall(tenant))).rejects.toMatchObject(nameTaken);
});

test("of two concurrent requests for tags with the same name, one succeeds", async () => {
  const both = await Promise.allSettled([newTag("race"), newTag("race")]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: nameTaken });
});

test("an update changes only the requested fields", async () => {
  const tag = await newTag("changing", { description: "before" });
  clock.advance(1_000);
  expect((await tags.updateTag({ id: tag.id }, testCall(tenant))).data).toEqual(tag);
  for (const change of [{ name: "changed" }, { color: "#000000" }, { description: fromJson(ValueSchema, "") }]) {
    const before = (await tags.listTags({ search: "chang" }, testCall(tenant))).data[0];
    const after = (await tags.updateTag({ id: tag.id, ...change }, testCall(tenant))).data;
    const description = "description" in change ? "" : before?.description;
    expect(after).toEqual({ ...before, ...change, description, modifiedAt: after?.modifiedAt });
  }
});

test("a null description clears it; a tag without one is created, changed and read without one", async () => {
  const { id } = await newTag("described", { description: "words" });
  const cleared = await tags.updateTag({ id, description: fromJson(ValueSchema, null) }, testCall(tenant));
  expect(cleared.data?.description).toBeUndefined();
  expect((await tags.getTag({ id }, testCall(tenant))).data).toEqual(cleared.data);
  expect((await newTag("undescribed")).description).toBeUndefined();
  for (const wrong of [1, ["a"], "x".repeat(10_001)]) {
    const request = tags.updateTag({ id, description: fromJson(ValueSchema, wrong) }, testCall(tenant));
    await expect(request).rejects.toMatchObject({ code: Code.InvalidArgument });
  }
});

test("archived tags are listed only when status requests them; archiving is idempotent", async () => {
  const { id } = await newTag("leaving");
  await tags.archiveTag({ id }, testCall(tenant));
  await tags.archiveTag({ id }, testCall(tenant));
  const found = async (status: TagStatus[]) =>
    (await tags.listTags({ search: "leaving", status }, testCall(tenant))).data.length;
  const { ACTIVE, ARCHIVED } = TagStatus;
  expect([await found([]), await found([ACTIVE]), await found([ARCHIVED]), await found([ACTIVE, ARCHIVED])]).toEqual([
    0, 0, 1, 1,
  ]);
});

test("another tenant's tag is not found, and not listed", async () => {
  const other = testTenant();
  const { id: foreign } = await newTag("theirs", {}, other);
  for (const id of [foreign, newId()]) {
    for (const request of [
      () => tags.getTag({ id }, testCall(tenant)),
      () => tags.updateTag({ id, name: "mine" }, testCall(tenant)),
      () => tags.archiveTag({ id }, testCall(tenant)),
    ]) {
      await expect(request()).rejects.toMatchObject({ code: Code.NotFound, rawMessage: "Tag not found" });
    }
  }
  expect((await tags.listTags({ search: "theirs" }, testCall(tenant))).data).toEqual([]);
  expect((await tags.listTags({}, testCall(other))).data).toMatchObject([{ name: "theirs", status: TagStatus.ACTIVE }]);
});

test("every sort order ends with the id, so that pages neither overlap nor skip rows", async () => {
  const many = testTenant();
  for (const name of ["a", "b", "c"]) await newTag(name, {}, many);
  const names = (list: { data: { name: string }[] }) => list.data.map(({ name }) => name);
  for (const orderBy of [TagOrder.CREATED_AT, TagOrder.MODIFIED_AT, TagOrder.NAME, TagOrder.STATUS, TagOrder.ID]) {
    for (const orderDir of [OrderDirection.ASC, OrderDirection.DESC]) {
      const all = await tags.listTags({ orderBy, orderDir }, testCall(many));
      expect(all.pagination?.total).toBe(3n);
      const pages = await Promise.all(
        [0n, 1n, 2n].map((skip) => tags.listTags({ orderBy, orderDir, skip, limit: 1 }, testCall(many))),
      );
      expect(pages.flatMap(names)).toEqual(names(all));
    }
  }
});
