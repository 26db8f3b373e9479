import { create } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { ContradictionOrder, QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import { outboxEvents, testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness, user } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const { tenant, database, clock, peopleAssigned } = harness;
const quickstarts = harness.client(QuickstartService);
const text = (value: string) => create(ValueSchema, { kind: { case: "stringValue", value } });
const noUser = create(ValueSchema, { kind: { case: "nullValue", value: 0 } });

async function newQuickstart(by = tenant): Promise<string> {
  return (await quickstarts.createQuickstart({ title: "Bank" }, testCall(by))).data?.id ?? "";
}
const found = (reason = "fees differ") => {
  const ids = { documentTestId: newId(), documentAId: newId(), documentBId: newId() };
  return { ...ids, reason, passageA: "no fee", passageB: "a fee of 5" };
};
async function newContradiction(id: string, by = tenant): Promise<string> {
  const { data } = await quickstarts.createContradictions({ id, contradictions: [found()] }, testCall(by));
  return data[0]?.id ?? "";
}
const published = (id: string) => outboxEvents(database, "experiments", { type: "contradiction.updated", text: id });

test("contradictions are created in the requested order, unresolved and unassigned", async () => {
  const id = await newQuickstart();
  const contradictions = [found("one"), found("two"), found("three")];
  const { data } = await quickstarts.createContradictions({ id, contradictions }, testCall(tenant));
  expect(data).toMatchObject(
    contradictions.map((contradiction) => ({ ...contradiction, resolved: false, orgId: tenant.orgId })),
  );
  expect(data[0]?.assignedTo).toBeUndefined();
  const list = await quickstarts.listContradictions({ id }, testCall(tenant));
  expect(list.data).toHaveLength(3);
  for (const contradiction of data) expect(list.data).toContainEqual(contradiction);
});

test("1000 are created at once; 0 and 1001 are refused", async () => {
  const id = await newQuickstart();
  const create1 = (count: number) =>
    quickstarts.createContradictions(
      { id, contradictions: Array.from({ length: count }, () => found()) },
      testCall(tenant),
    );
  expect((await create1(1000)).data).toHaveLength(1000);
  for (const count of [0, 1001]) await expect(create1(count)).rejects.toMatchObject({ code: Code.InvalidArgument });
  const list = await quickstarts.listContradictions({ id }, testCall(tenant));
  expect(list.pagination?.total).toBe(1000n);
});

test("resolved and assignedTo change together or separately, and the event contains the API's message", async () => {
  const id = await newQuickstart();
  const contradictionId = await newContradiction(id);
  const update = (change: { resolved?: boolean; assignedTo?: typeof noUser }) =>
    quickstarts.updateContradiction({ id, contradictionId, ...change }, testCall(tenant));
  clock.advance(1_000);
  const both = await update({ resolved: true, assignedTo: text("ada") });
  expect(both.data).toMatchObject({ resolved: true, assignedTo: "ada", assignedUser: user });
  expect(both.data?.modifiedAt?.seconds).toBe(BigInt(clock.now().getTime() / 1000));
  expect((await update({ resolved: false })).data).toMatchObject({ resolved: false, assignedUser: user });
  const unknown = await update({ assignedTo: text("nobody we know") });
  expect(unknown.data).toMatchObject({ resolved: false, assignedTo: "nobody we know" });
  expect(unknown.data?.assignedUser).toBeUndefined();
  const unassigned = await update({ assignedTo: noUser });
  expect(unassigned.data?.assignedTo).toBeUndefined();
  expect((await published(contradictionId)).map(({ payload }) => JSON.parse(payload).data)).toMatchObject([
    { resolved: true, assignedTo: "ada", assignedUser: { name: user.name } },
    { resolved: false, assignedTo: "ada", assignedUser: { name: user.name } },
    { resolved: false, assignedTo: "nobody we know", assignedUser: null },
    { resolved: false, assignedTo: null, assignedUser: null },
  ]);
});

test("people.assigned is published for a new assignee, and for no other change", async () => {
  const id = await newQuickstart();
  const contradictionId = await newContradiction(id);
  const update = (change: { resolved?: boolean; assignedTo?: typeof noUser }) =>
    quickstarts.updateContradiction({ id, contradictionId, ...change }, testCall(tenant));
  await update({ assignedTo: text("ada") });
  await update({ assignedTo: text("ada"), resolved: true });
  await update({ resolved: false });
  await update({ assignedTo: noUser });
  await update({ assignedTo: text("ben") });
  const events = await peopleAssigned(contradictionId);
  expect(events.map(({ people }) => people.map(({ userId }: { userId: string }) => userId))).toEqual([
    ["ada"],
    ["ben"],
  ]);
  expect(events[0]).toMatchObject({ quickstart: { id, title: "Bank" }, contradictionId });
});

test("an update is idempotent: without a change nothing is written or published", async () => {
  const id = await newQuickstart();
  const contradictionId = await newContradiction(id);
  const request = { id, contradictionId, resolved: true };
  const first = await quickstarts.updateContradiction(request, testCall(tenant));
  clock.advance(1_000);
  expect(await quickstarts.updateContradiction(request, testCall(tenant))).toEqual(first);
  expect(await published(contradictionId)).toHaveLength(1);
});

test("concurrent changes do not lose each other's update", async () => {
  const id = await newQuickstart();
  const contradictionId = await newContradiction(id);
  await Promise.all([
    quickstarts.updateContradiction({ id, contradictionId, resolved: true }, testCall(tenant)),
    quickstarts.updateContradiction({ id, contradictionId, assignedTo: text("ada") }, testCall(tenant)),
  ]);
  const { data } = await quickstarts.listContradictions({ id }, testCall(tenant));
  expect(data).toMatchObject([{ resolved: true, assignedTo: "ada" }]);
});

test("an unknown contradiction, or one of another quickstart or tenant, is not found and does not change", async () => {
  const [id, other] = [await newQuickstart(), await newQuickstart()];
  const theirs = testTenant();
  const foreign = await newContradiction(await newQuickstart(theirs), theirs);
  const elsewhere = await newContradiction(other);
  for (const contradictionId of [newId(), elsewhere, foreign]) {
    await expect(
      quickstarts.updateContradiction({ id, contradictionId, resolved: true }, testCall(tenant)),
    ).rejects.toMatchObject({ code: Code.NotFound, rawMessage: "Contradiction not found" });
  }
  expect(
    await database.sql("SELECT FROM experiments.contradiction WHERE resolved AND id = ANY ($1)", [
      [elsewhere, foreign],
    ]),
  ).toEqual([]);
});

test("an update needs a change, with a user id or null", async () => {
  const ids = { id: newId(), contradictionId: newId() };
  const number = create(ValueSchema, { kind: { case: "numberValue", value: 1 } });
  for (const change of [{}, { assignedTo: text("") }, { assignedTo: text("x".repeat(256)) }, { assignedTo: number }]) {
    await expect(quickstarts.updateContradiction({ ...ids, ...change }, testCall(tenant))).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
  }
});

test("resolved and assignedTo filter the list, and every sort order ends with the id", async () => {
  const id = await newQuickstart();
  const [a, b] = [await newContradiction(id), await newContradiction(id), await newContradiction(id)];
  await quickstarts.updateContradiction({ id, contradictionId: a, resolved: true }, testCall(tenant));
  await quickstarts.updateContradiction({ id, contradictionId: b, assignedTo: text("ada") }, testCall(tenant));
  for (const [filter, total] of [
    [{ resolved: true }, 1n],
    [{ resolved: false }, 2n],
    [{ assignedTo: "ada" }, 1n],
    [{ resolved: true, assignedTo: "ada" }, 0n],
  ] as const) {
    const { pagination } = await quickstarts.listContradictions({ id, ...filter }, testCall(tenant));
    expect(pagination?.total).toBe(total);
  }
  for (const orderBy of [
    ContradictionOrder.CREATED_AT,
    ContradictionOrder.MODIFIED_AT,
    ContradictionOrder.RESOLVED,
    ContradictionOrder.ID,
  ]) {
    const listIds = ({ data }: { data: { id: string }[] }) => data.map((contradiction) => contradiction.id);
    const whole = await quickstarts.listContradictions({ id, orderBy }, testCall(tenant));
    const pages = await Promise.all(
      [0n, 1n, 2n].map((skip) => quickstarts.listContradictions({ id, orderBy, skip, limit: 1 }, testCall(tenant))),
    );
    expect(pages.flatMap(listIds)).toEqual(listIds(whole));
  }
});
