import { TopicOrder, TopicStatus } from "@ems/proto/catalog/v1/topic_service";
import { OrderDirection } from "@ems/proto/type/v1/order";
import { testCall, testTenant } from "@ems/test-support";
import { beforeAll, expect, test } from "vitest";
import { catalogHarness, existingUser } from "../../test/harness.ts";

const { topics, tenant, database, clock, batchRequests } = await catalogHarness();
const titles = (list: { data: { title: string }[] }) => list.data.map(({ title }) => title);

beforeAll(async () => {
  for (const title of ["b 50%", "a 50_x", "C", "archived"]) {
    const { data } = await topics.createTopic(
      { title, status: title === "C" ? TopicStatus.DRAFT : TopicStatus.ACTIVE },
      testCall(tenant),
    );
    if (title === "archived") await topics.archiveTopic({ id: data?.id ?? "" }, testCall(tenant));
    clock.advance(1_000);
  }
});

test("lists the newest first, 25 a page, without archived topics", async () => {
  const list = await topics.listTopics({}, testCall(tenant));
  expect(titles(list)).toEqual(["C", "a 50_x", "b 50%"]);
  expect(list.pagination).toMatchObject({ skip: 0n, limit: 25, total: 3n, totalPages: 1n, totalCount: 3n });
});

test("archived topics are listed when status requests them", async () => {
  const { ACTIVE, ARCHIVED } = TopicStatus;
  expect(titles(await topics.listTopics({ status: [ARCHIVED] }, testCall(tenant)))).toEqual(["archived"]);
  expect(titles(await topics.listTopics({ status: [ARCHIVED, ACTIVE] }, testCall(tenant)))).toHaveLength(3);
});

test("title finds text anywhere, ignoring case, without wildcards", async () => {
  for (const [title, found] of [
    ["B 50", ["b 50%"]],
    ["c", ["C"]],
    ["%", ["b 50%"]],
    ["_", ["a 50_x"]],
    ["\\", []],
  ] as const) {
    expect(titles(await topics.listTopics({ title }, testCall(tenant)))).toEqual(found);
  }
});

test("topics are filtered by scope and verification, with their total", async () => {
  const own = testTenant();
  const flags = ["isInScope", "isKnowledgeBaseVerified", "isPoliciesVerified", "isTasksVerified"] as const;
  for (const title of ["plain", ...flags]) {
    const { data } = await topics.createTopic({ title }, testCall(own));
    const change = { [title]: title !== "isInScope" };
    if (title !== "plain") await topics.updateTopic({ id: data?.id ?? "", ...change }, testCall(own));
  }
  for (const flag of flags) {
    const changed = await topics.listTopics({ [flag]: flag !== "isInScope" }, testCall(own));
    expect([titles(changed), changed.pagination?.total]).toEqual([[flag], 1n]);
    const foreign = await topics.listTopics({ [flag]: flag === "isInScope", title: "p", limit: 1 }, testCall(own));
    expect(foreign.pagination?.total).toBe(flag === "isPoliciesVerified" || flag === "isInScope" ? 2n : 3n);
  }
});

test("every sort order ends with the id, so that pages neither overlap nor skip rows", async () => {
  const { CREATED_AT, MODIFIED_AT, TITLE, STATUS, ID } = TopicOrder;
  for (const orderBy of [CREATED_AT, MODIFIED_AT, TITLE, STATUS, ID]) {
    for (const orderDir of [OrderDirection.ASC, OrderDirection.DESC]) {
      const all = await topics.listTopics({ orderBy, orderDir }, testCall(tenant));
      const pages = await Promise.all(
        [0n, 1n, 2n].map((skip) => topics.listTopics({ orderBy, orderDir, skip, limit: 1 }, testCall(tenant))),
      );
      expect(pages.flatMap(titles)).toEqual(titles(all));
    }
  }
});

test("a page past the end is empty and has the total", async () => {
  const list = await topics.listTopics({ skip: 9007199254740991n, limit: 2 }, testCall(tenant));
  expect(list.data).toEqual([]);
  expect(list.pagination).toMatchObject({ total: 3n, totalPages: 2n });
});

test("another tenant's list is empty", async () => {
  const list = await topics.listTopics({}, testCall(testTenant()));
  expect(list).toMatchObject({ data: [], pagination: { total: 0n, totalPages: 0n } });
});

test("assigned users are read in one call; an unknown one is null", async () => {
  await database.sql("UPDATE catalog.topic SET assigned_to = CASE title WHEN 'C' THEN 'ada' ELSE 'nobody' END");
  batchRequests.length = 0;
  const { data } = await topics.listTopics({}, testCall(tenant));
  expect(batchRequests).toHaveLength(1);
  expect(data.map(({ assignedTo, assignedUser }) => [assignedTo, assignedUser?.name])).toEqual([
    ["ada", existingUser.name],
    ["nobody", undefined],
    ["nobody", undefined],
  ]);
});
