import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { TaskStatus } from "@ems/proto/catalog/v1/task_service";
import { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import { placesOfText, testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { client, tenant, database, tasks, definitions } = await catalogHarness();
const plans = client(TestPlanService);
const draft = {
  title: "Card 4711x",
  description: "4711x stolen",
  inputExamples: ["Block 4711x"],
  metadata: { card: "4711x" },
};
const other = { title: "stays", description: "d", inputExamples: ["p"] };
const byPerson = testCall({ ...tenant, keyId: newId() });
const places = () => placesOfText(database, "catalog", "4711x");

test("erased tasks of traces lose all texts, including drafts, links, search index, logged values and stored answers", async () => {
  const [traceId, otherId] = [newId(), newId()];
  const definition = await definitions.createDefinition({ name: "d", type: EvalDefinitionType.FACT }, byPerson);
  const config = { expected: fromJson(ValueSchema, "4711x is blocked") };
  const request = { task: draft, traceId, evalIds: [definition.data?.id ?? ""], config };
  const withKey = { ...byPerson, headers: { ...byPerson.headers, "idempotency-key": "one" } };
  const { task } = await plans.createTracedTask(request, withKey);
  const id = task?.id ?? "";
  const made = await plans.createTracedTask({ task: other, traceId: otherId }, byPerson);
  await tasks.updateTask({ id, title: "Card 4711x again" }, byPerson);
  await tasks.archiveTask({ id }, byPerson);
  const before = await places();
  expect(before).toEqual(["audit", "eval_definition_task", "idempotency", "outbox", "task", "task_search"]);

  const dry = await plans.eraseTracedTasks({ traceIds: [traceId], dryRun: true }, testCall(tenant));
  expect(dry.taskIds).toEqual([id]);
  expect((await plans.eraseTracedTasks({ traceIds: [traceId] }, testCall(testTenant()))).taskIds).toEqual([]);
  expect(await places()).toEqual(before);

  for (const _ of ["once", "again"]) {
    const erased = await plans.eraseTracedTasks({ traceIds: [traceId] }, testCall(tenant));
    expect(erased.taskIds).toEqual([id]);
    expect(await places()).toEqual([]);
  }
  const read = await tasks.getTask({ id }, testCall(tenant));
  expect(read.task).toMatchObject({ title: "Erased", status: TaskStatus.ARCHIVED, traceId });
  const untouched = await tasks.getTask({ id: made.task?.id ?? "" }, testCall(tenant));
  expect(untouched.task).toMatchObject({ ...other, status: TaskStatus.ACTIVE });
  // The audit log keeps the actions, without the erased texts.
  const logged = await database.sql<{ action: string; changes: object }>(
    "SELECT action, changes FROM catalog.audit WHERE entity_id = $1 ORDER BY created_at",
    [id],
  );
  expect(logged.map(({ action }) => action)).toEqual(["CREATED", "UPDATED", "UPDATED"]);
  expect(logged[1]?.changes).toEqual({ title: { erased: true } });
});
