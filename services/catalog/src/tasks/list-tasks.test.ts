import { newId } from "@ems/kit/id";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { TaskOrder, TaskState } from "@ems/proto/catalog/v1/task_service";
import { OrderDirection } from "@ems/proto/type/v1/order";
import { testCall, testTenant } from "@ems/test-support";
import { beforeAll, expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { tasks, tags, topics, definitions, tenant, database, clock } = await catalogHarness();
const titles = (list: { data: { title: string }[] }) => list.data.map(({ title }) => title);
const ids: Record<string, string> = {};

beforeAll(async () => {
  for (const name of ["x", "y"]) {
    ids[name] = (await topics.createTopic({ title: name }, testCall(tenant))).data?.id ?? "";
    ids[`tag ${name}`] = (await tags.createTag({ name }, testCall(tenant))).data?.id ?? "";
  }
  for (const [title, description, topicId] of [
    ["a", "50%", ids.x],
    ["b", "fifty", ids.y],
    ["c", "FIFTY", undefined],
    ["archived", "-", ids.x],
  ] as const) {
    const { task } = await tasks.createTask({ title, description, ...(topicId && { topicId }) }, testCall(tenant));
    ids[title] = task?.id ?? "";
    clock.advance(1_000);
  }
  await tasks.archiveTask({ id: ids.archived ?? "" }, testCall(tenant));
  await database.sql("UPDATE catalog.task SET status = 'DEDUCED' WHERE id = $1", [ids.c]);
  const tag = (task: string, name: string) =>
    tags.tagTasks({ taskIds: [ids[task] ?? ""], tagIds: [ids[`tag ${name}`] ?? ""] }, testCall(tenant));
  await tag("a", "x");
  await tag("a", "y");
  await tag("b", "y");
  const linked = { x: ["a"], y: ["a", "b", "archived"] };
  for (const [name, titles] of Object.entries(linked)) {
    const { data } = await definitions.createDefinition({ type: EvalDefinitionType.RECALL, name }, testCall(tenant));
    const taskIds = titles.map((title) => ids[title] ?? "");
    await definitions.linkTasks({ evalIds: [data?.id ?? ""], taskIds }, testCall(tenant));
    ids[`definition ${name}`] = data?.id ?? "";
  }
});

test("lists the newest first, 25 a page, without archived tasks", async () => {
  const list = await tasks.listTasks({}, testCall(tenant));
  expect(titles(list)).toEqual(["c", "b", "a"]);
  expect(list.pagination).toMatchObject({ skip: 0n, limit: 25, total: 3n, totalPages: 1n, totalCount: 3n });
});

test("archived tasks are listed when status requests them", async () => {
  expect(titles(await tasks.listTasks({ status: [TaskState.ARCHIVED] }, testCall(tenant)))).toEqual(["archived"]);
  expect(titles(await tasks.listTasks({ status: [TaskState.ARCHIVED, TaskState.DEDUCED] }, testCall(tenant)))).toEqual([
    "archived",
    "c",
  ]);
});

test("search finds text in title and description, ignoring case", async () => {
  for (const [search, found] of [
    ["fifty", ["c", "b"]],
    ["A", ["a"]],
    ["%", ["a"]],
    ["none", []],
  ] as const) {
    expect(titles(await tasks.listTasks({ search }, testCall(tenant)))).toEqual(found);
  }
});

test("a search has pages in every sort order, and the same total on a page past the end", async () => {
  for (const orderBy of [
    TaskOrder.CREATED_AT,
    TaskOrder.MODIFIED_AT,
    TaskOrder.TITLE,
    TaskOrder.STATUS,
    TaskOrder.TYPE,
    TaskOrder.ID,
  ]) {
    const order = { search: "fifty", orderBy, orderDir: OrderDirection.ASC, limit: 1 };
    const first = await tasks.listTasks(order, testCall(tenant));
    const second = await tasks.listTasks({ ...order, skip: 1n }, testCall(tenant));
    const past = await tasks.listTasks({ ...order, skip: 2n }, testCall(tenant));
    expect([titles(first), titles(second), titles(past)]).toEqual([["b"], ["c"], []]);
    for (const { pagination } of [first, second, past]) expect(pagination?.total).toBe(2n);
  }
});

test("topicId, tagId and definitionId match any of several values, and filters are joined by AND", async () => {
  const { x = "", y = "", "tag x": tagX = "", "tag y": tagY = "" } = ids;
  const { "definition x": definitionX = "", "definition y": definitionY = "" } = ids;
  for (const [filter, found] of [
    [{ topicId: [x] }, ["a"]],
    [{ topicId: [x, y] }, ["b", "a"]],
    [{ tagId: [tagX] }, ["a"]],
    [{ tagId: [tagX, tagY] }, ["b", "a"]],
    [{ tagId: [tagX], topicId: [y] }, []],
    [{ definitionId: [definitionX] }, ["a"]],
    [{ definitionId: [definitionX, definitionY] }, ["b", "a"]],
    [{ evalDefinitionId: [definitionY] }, ["b", "a"]],
    [{ evalDefinitionId: [definitionY], definitionId: [definitionX] }, ["b", "a"]],
    [{ definitionId: [definitionY], status: [TaskState.ARCHIVED] }, ["archived"]],
    [{ definitionId: [definitionY], search: "fifty" }, ["b"]],
    [{ definitionId: [definitionY], tagId: [tagX] }, ["a"]],
    [{ definitionId: [newId()] }, []],
    [{ tagId: [newId()] }, []],
    [{ topicId: [newId()] }, []],
  ] as const) {
    const list = await tasks.listTasks({ ...filter } as never, testCall(tenant));
    expect([titles(list), list.pagination?.total]).toEqual([found, BigInt(found.length)]);
  }
});

test("every sort order ends with the id, so that pages neither overlap nor skip rows", async () => {
  for (const orderBy of [
    TaskOrder.CREATED_AT,
    TaskOrder.MODIFIED_AT,
    TaskOrder.TITLE,
    TaskOrder.STATUS,
    TaskOrder.TYPE,
    TaskOrder.ID,
  ]) {
    for (const orderDir of [OrderDirection.ASC, OrderDirection.DESC]) {
      const all = await tasks.listTasks({ orderBy, orderDir }, testCall(tenant));
      const pages = await Promise.all(
        [0n, 1n, 2n].map((skip) => tasks.listTasks({ orderBy, orderDir, skip, limit: 1 }, testCall(tenant))),
      );
      expect(pages.flatMap(titles)).toEqual(titles(all));
    }
  }
});

test("another tenant's list is empty", async () => {
  const list = await tasks.listTasks({}, testCall(testTenant()));
  expect(list).toMatchObject({ data: [], pagination: { total: 0n, totalPages: 0n } });
});
