import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { QuickstartOrder, QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const { tenant, clock, registered, catalog, database } = harness;
const quickstarts = harness.client(QuickstartService);

test("a new quickstart is registered in catalog exactly once", async () => {
  const { data } = await quickstarts.createQuickstart({ title: "Bank" }, testCall(tenant));
  expect(data).toMatchObject({ title: "Bank", description: "", applicationId: tenant.applicationId });
  expect(registered).toEqual([data?.id]);
  expect((await quickstarts.getQuickstart({ id: data?.id ?? "" }, testCall(tenant))).data).toEqual(data);
});

test("a quickstart that catalog cannot register is not created", async () => {
  catalog.isDown = true;
  await expect(quickstarts.createQuickstart({ title: "untold" }, testCall(tenant))).rejects.toMatchObject({
    code: Code.Unavailable,
  });
  catalog.isDown = false;
  expect(await database.sql("SELECT FROM experiments.quickstart WHERE title = 'untold'")).toEqual([]);
});

test("every sort order ends with the id, so that pages neither overlap nor skip rows", async () => {
  const by = testCall(testTenant());
  for (const title of ["b", "a", "C"]) {
    await quickstarts.createQuickstart({ title }, by);
    clock.advance(1_000);
  }
  const titles = (list: { data: { title: string }[] }) => list.data.map(({ title }) => title);
  expect(titles(await quickstarts.listQuickstarts({}, by))).toEqual(["C", "a", "b"]);
  for (const orderBy of [
    QuickstartOrder.CREATED_AT,
    QuickstartOrder.MODIFIED_AT,
    QuickstartOrder.TITLE,
    QuickstartOrder.ID,
  ]) {
    const whole = await quickstarts.listQuickstarts({ orderBy }, by);
    const pages = await Promise.all(
      [0n, 1n, 2n].map((skip) => quickstarts.listQuickstarts({ orderBy, skip, limit: 1 }, by)),
    );
    expect(pages.flatMap(titles)).toEqual(titles(whole));
  }
});

test("another tenant's quickstart is not found, by any RPC", async () => {
  const { data } = await quickstarts.createQuickstart({ title: "ours" }, testCall(tenant));
  const by = testCall(testTenant());
  expect((await quickstarts.listQuickstarts({}, by)).data).toEqual([]);
  const ids = { documentTestId: newId(), documentAId: newId(), documentBId: newId() };
  const contradictions = [{ ...ids, reason: "r", passageA: "a", passageB: "b" }];
  for (const id of [data?.id ?? "", newId()]) {
    for (const refused of [
      () => quickstarts.getQuickstart({ id }, by),
      () => quickstarts.listAssignments({ id }, by),
      () => quickstarts.listContradictions({ id }, by),
      () => quickstarts.createAssignments({ id, assignments: [{ stage: 1, assignedTo: "ada", topicId: newId() }] }, by),
      () => quickstarts.createContradictions({ id, contradictions }, by),
      () => quickstarts.updateContradiction({ id, contradictionId: newId(), resolved: true }, by),
    ]) {
      await expect(refused()).rejects.toMatchObject({ rawMessage: "Quickstart not found" });
    }
  }
});
