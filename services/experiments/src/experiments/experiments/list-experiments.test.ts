import { newId } from "@ems/kit/id";
import { ExperimentOrder, ExperimentService, ExperimentStatus } from "@ems/proto/experiments/v1/experiment_service";
import { OrderDirection } from "@ems/proto/type/v1/order";
import { testCall, testTenant } from "@ems/test-support";
import { beforeAll, expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const { tenant, clock } = harness;
const experiments = harness.client(ExperimentService);
const titles = (list: { data: { title: string }[] }) => list.data.map(({ title }) => title);

beforeAll(async () => {
  for (const [title, description, assignee] of [
    ["b 50%", "", "ada"],
    ["a", "50_x", "ben"],
    ["C", "", undefined],
  ] as const) {
    const request = { title, description, ...(assignee !== undefined && { assignee }) };
    const { data } = await experiments.createExperiment(request, testCall(tenant));
    clock.advance(1_000);
    if (title !== "C") continue;
    await experiments.updateExperiment({ id: data?.id ?? "", status: ExperimentStatus.RUNNING }, testCall(tenant));
  }
});

test("lists the newest first, 25 a page", async () => {
  const list = await experiments.listExperiments({}, testCall(tenant));
  expect(titles(list)).toEqual(["C", "a", "b 50%"]);
  expect(list.pagination).toMatchObject({ skip: 0n, limit: 25, total: 3n, totalPages: 1n, totalCount: 3n });
});

test("status, assignee and search filter the list together", async () => {
  const { DRAFT, RUNNING } = ExperimentStatus;
  for (const [filter, found] of [
    [{ status: [RUNNING] }, ["C"]],
    [{ status: [DRAFT, RUNNING] }, ["C", "a", "b 50%"]],
    [{ assignee: "ben" }, ["a"]],
    [{ assignee: "nobody" }, []],
    [{ search: "50" }, ["a", "b 50%"]],
    [{ search: "%" }, ["b 50%"]],
    [{ search: "_X" }, ["a"]],
    [{ search: "c" }, ["C"]],
    [{ search: "50", assignee: "ada", status: [DRAFT] }, ["b 50%"]],
  ] as const) {
    const request = { ...filter, status: "status" in filter ? [...filter.status] : [] };
    expect(titles(await experiments.listExperiments(request, testCall(tenant)))).toEqual(found);
  }
});

test("every sort order ends with the id, so that pages neither overlap nor skip rows", async () => {
  for (const orderBy of [
    ExperimentOrder.CREATED_AT,
    ExperimentOrder.MODIFIED_AT,
    ExperimentOrder.TITLE,
    ExperimentOrder.STATUS,
    ExperimentOrder.ID,
  ]) {
    for (const orderDir of [OrderDirection.ASC, OrderDirection.DESC]) {
      const whole = await experiments.listExperiments({ orderBy, orderDir }, testCall(tenant));
      const pages = await Promise.all(
        [0n, 1n, 2n].map((skip) =>
          experiments.listExperiments({ orderBy, orderDir, skip, limit: 1 }, testCall(tenant)),
        ),
      );
      expect(pages.flatMap(titles)).toEqual(titles(whole));
    }
  }
});

test("another tenant's experiments are neither listed, found nor changed", async () => {
  const by = testCall(testTenant());
  expect((await experiments.listExperiments({}, by)).data).toEqual([]);
  const { data } = await experiments.listExperiments({}, testCall(tenant));
  for (const id of [data[0]?.id ?? "", newId()]) {
    for (const refused of [
      () => experiments.getExperiment({ id }, by),
      () => experiments.updateExperiment({ id, title: "x" }, by),
    ]) {
      await expect(refused()).rejects.toMatchObject({ rawMessage: "Experiment not found" });
    }
  }
  expect((await experiments.listExperiments({}, testCall(tenant))).data).toEqual(data);
});
