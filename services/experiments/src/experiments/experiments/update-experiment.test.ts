import { create } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { ExperimentService, ExperimentStatus } from "@ems/proto/experiments/v1/experiment_service";
import { testCall } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const { tenant, clock, peopleAssigned } = harness;
const experiments = harness.client(ExperimentService);
const text = (value: string) => create(ValueSchema, { kind: { case: "stringValue", value } });
const nothing = create(ValueSchema, { kind: { case: "nullValue", value: 0 } });

async function newExperiment(): Promise<string> {
  const initial = { title: "old", description: "old", assignee: "ada" };
  return (await experiments.createExperiment(initial, testCall(tenant))).data?.id ?? "";
}

test("an update changes only the requested fields", async () => {
  const id = await newExperiment();
  clock.advance(1_000);
  const { data } = await experiments.updateExperiment({ id, title: "new" }, testCall(tenant));
  expect(data).toMatchObject({ title: "new", description: "old", assignee: "ada", status: ExperimentStatus.DRAFT });
  expect(data?.modifiedAt?.seconds).toBe(BigInt(clock.now().getTime() / 1000));
  expect((await experiments.getExperiment({ id }, testCall(tenant))).data).toEqual(data);
  const emptied = await experiments.updateExperiment({ id, description: "" }, testCall(tenant));
  expect(emptied.data).toMatchObject({ title: "new", description: "" });
});

test("a null assignee unassigns; an omitted one keeps the assignee", async () => {
  const id = await newExperiment();
  for (const [assignee, expected] of [
    [text("ben"), "ben"],
    [undefined, "ben"],
    [nothing, undefined],
    [undefined, undefined],
  ] as const) {
    const request = { id, title: "t", ...(assignee !== undefined && { assignee }) };
    expect((await experiments.updateExperiment(request, testCall(tenant))).data?.assignee).toBe(expected);
  }
});

test("people.assigned is published for each new assignee, also at creation", async () => {
  const id = await newExperiment();
  const update = (change: { title?: string; assignee?: typeof nothing }) =>
    experiments.updateExperiment({ id, ...change }, testCall(tenant));
  await update({ title: "new" });
  await update({ assignee: text("ada") });
  await update({ assignee: nothing });
  await update({ assignee: text("ben") });
  expect(await peopleAssigned(id)).toMatchObject([
    { people: [{ userId: "ada" }], experiment: { id, title: "old" }, quickstart: null },
    { people: [{ userId: "ben" }], experiment: { id, title: "new" } },
  ]);
  const { data } = await experiments.createExperiment({ title: "nobody's" }, testCall(tenant));
  expect(await peopleAssigned(data?.id ?? "")).toEqual([]);
});

test("the status goes forward only; a rejected change changes nothing", async () => {
  const id = await newExperiment();
  const { DRAFT, BASELINE_COMPLETED, RUNNING, ARCHIVED } = ExperimentStatus;
  for (const status of [BASELINE_COMPLETED, RUNNING, RUNNING]) {
    expect((await experiments.updateExperiment({ id, status }, testCall(tenant))).data?.status).toBe(status);
  }
  await expect(
    experiments.updateExperiment({ id, status: DRAFT, title: "refused" }, testCall(tenant)),
  ).rejects.toMatchObject({
    code: Code.FailedPrecondition,
    rawMessage: "The experiment is RUNNING and cannot become DRAFT",
  });
  expect((await experiments.getExperiment({ id }, testCall(tenant))).data).toMatchObject({
    title: "old",
    status: RUNNING,
  });
  await experiments.updateExperiment({ id, status: ARCHIVED }, testCall(tenant));
  await expect(experiments.updateExperiment({ id, status: RUNNING }, testCall(tenant))).rejects.toMatchObject({
    rawMessage: "The experiment is ARCHIVED and cannot become RUNNING",
  });
});

test("concurrent changes of status are serialized", async () => {
  const id = await newExperiment();
  const { COMPLETED, ARCHIVED } = ExperimentStatus;
  const moves = await Promise.allSettled(
    [COMPLETED, ARCHIVED].map((status) => experiments.updateExperiment({ id, status }, testCall(tenant))),
  );
  expect(moves[1]?.status).toBe("fulfilled");
  expect((await experiments.getExperiment({ id }, testCall(tenant))).data?.status).toBe(ARCHIVED);
});

test("an update needs a change", async () => {
  const id = await newExperiment();
  for (const request of [
    { id },
    { id, title: "" },
    { id, assignee: text("x".repeat(256)) },
    { id, description: "x".repeat(10_001) },
  ]) {
    await expect(experiments.updateExperiment(request, testCall(tenant))).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
  }
});
