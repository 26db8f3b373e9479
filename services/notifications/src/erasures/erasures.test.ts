import { create, toBinary } from "@bufbuild/protobuf";
import { newId } from "@ems/kit/id";
import { EventSchema } from "@ems/proto/events/v1/event";
import type { FinishErasedItemsRequest } from "@ems/proto/experiments/v1/erasure_work_service";
import { DeliveryService, DeliveryStatus } from "@ems/proto/notifications/v1/delivery_service";
import { placesOfText, testCall, testTenant } from "@ems/test-support";
import { expect, test, vi } from "vitest";
import { addDelivery, notificationsHarness } from "../../test/harness.ts";

type Items = { id: string; applicationId: string; orgId: string; testIds: string[]; subjectIds: string[] };
const erased: Items[] = [];
const finished: FinishErasedItemsRequest[] = [];
const { tenant, database, client } = await notificationsHarness(
  {},
  {
    erasureWork: {
      claimErasedItems: () => ({ items: erased.splice(0) }),
      finishErasedItems: (request) => {
        finished.push(request);
        return {};
      },
    },
  },
);

const issueEvent = (id: string, title: string) =>
  Buffer.from(
    toBinary(EventSchema, create(EventSchema, { id: newId(), data: { case: "issueCreated", value: { id, title } } })),
  );

async function fill({ applicationId, orgId }: typeof tenant, testId: string, issueId: string, says: string) {
  const of = { applicationId, orgId, userId: "" };
  const data = { id: issueId, title: says };
  const event = await addDelivery(database, of, { type: "issue.created", payload: JSON.stringify({ data }) });
  const prompt = await addDelivery(database, of, {
    id: testId,
    type: "prompt",
    status: "PENDING",
    payload: JSON.stringify({ prompt: says }),
  });
  await database.sql("UPDATE notifications.delivery SET kind = 'PROMPT' WHERE id = $1", [testId]);
  await database.sql(
    `INSERT INTO notifications.attempt (application_id, delivery_id, number, started_at, duration_ms, outcome, response_body)
     VALUES ($1, $2, 1, now(), 1, 'OK', $3)`,
    [applicationId, testId, says],
  );
  await database.sql(
    `INSERT INTO notifications.prompt_outcome (application_id, test_id, org_id, accepted_at, answer, next_attempt_at, created_at)
     VALUES ($1, $2, $3, now(), $4, 'infinity', now())`,
    [applicationId, testId, orgId, says],
  );
  await database.sql(
    `INSERT INTO notifications.dead_event (application_id, id, subject, headers, payload, reason, buried_at)
     VALUES ($1, $2, 'issue.created', '{}', $3, 'r', now())`,
    [applicationId, newId(), issueEvent(issueId, says)],
  );
  await database.sql(
    `INSERT INTO notifications.event_log (application_id, position, slot, type, recorded_at, message)
     SELECT $1, coalesce(max(position), 0) + 1, notifications.event_slot(now()), 'issue.created', now(), $2
     FROM notifications.event_log WHERE application_id = $1`,
    [applicationId, issueEvent(issueId, says)],
  );
  return { event, prompt };
}

test("prompts, answers and events of erased subjects lose their texts and are counted; others keep them", async () => {
  const [testId, issueId] = [newId(), newId()];
  const { event, prompt } = await fill(tenant, testId, issueId, "Card 4711x");
  await fill(tenant, newId(), newId(), "stays");
  const other = testTenant();
  await fill(other, newId(), newId(), "theirs");
  const before = ["attempt", "dead_event", "delivery", "event_log", "prompt_outcome"];
  expect(await placesOfText(database, "notifications", "4711x")).toEqual(before);
  const { applicationId, orgId } = tenant;
  // In another application, the same IDs erase nothing.
  for (const owner of [other, { applicationId, orgId }])
    erased.push({
      id: newId(),
      applicationId: owner.applicationId,
      orgId: owner.orgId,
      testIds: [testId],
      subjectIds: [issueId],
    });
  const counts = [
    { deliveries: 0n, events: 0n },
    { deliveries: 2n, events: 1n },
  ];
  await vi.waitFor(() => expect(finished).toMatchObject(counts), { timeout: 20_000, interval: 50 });
  expect(await placesOfText(database, "notifications", "4711x")).toEqual([]);
  for (const text of ["stays", "theirs"]) expect(await placesOfText(database, "notifications", text)).toEqual(before);
  const deliveries = client(DeliveryService);
  const read = async (id: string) => (await deliveries.getDelivery({ id }, testCall(tenant))).data;
  expect(await read(event.id)).toMatchObject({ status: DeliveryStatus.DELIVERED });
  expect(await read(prompt.id)).toMatchObject({ status: DeliveryStatus.CANCELLED });
  // Watchers still receive an event at each position, with only the ID.
  const events = await database.sql("SELECT position FROM notifications.event_log WHERE application_id = $1", [
    applicationId,
  ]);
  expect(events).toHaveLength(2);
  expect(await placesOfText(database, "notifications", issueId)).toContain("event_log");
});
