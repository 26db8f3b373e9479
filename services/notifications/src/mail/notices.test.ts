import { RelayDatabase } from "@ems/kit/db/relay-database";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { fixedClock, testDatabase, testEvent } from "@ems/test-support";
import { afterAll, expect, inject, test } from "vitest";
import { notificationsSchema } from "../schema.ts";
import { isMailed, mailHandler } from "./event-handler.ts";
import type { JobContent } from "./job-content.ts";
import type { Mail } from "./mail.ts";
import { startMailer } from "./mailer.ts";

const database = await testDatabase(inject("postgres"));
const log = createLog("notifications", "silent");
const relayUrl = database.getRelayUrl(notificationsSchema);
const relayDatabase = new RelayDatabase({ schema: notificationsSchema, url: relayUrl, poolMax: 4, log });
const clock = fixedClock();
const handle = mailHandler(clock);
afterAll(async () => {
  await relayDatabase.close();
  await database.drop();
});

const tenant = { applicationId: newId(), orgId: "org-1" };
const reached = (percent: number, budget = 100, period = "month", endsAt = "2026-02-01T00:00:00Z") => {
  const data = { period, unit: "tokens", percent, budget, spent: 81, endsAt };
  return testEvent({ ...tenant, type: "budget.reached", data });
};
const connection = { id: newId(), name: "Judge", provider: "openai", reason: "The provider answered 401" };
const paused = (time: string) =>
  testEvent({ ...tenant, type: "model_connection.paused", data: { ...connection, pausedAt: time } });

test("the operator gets one mail per budget share and period, and per paused connection and day", async () => {
  const repeated = reached(100, 50);
  const batches = [
    // The budget was changed between the first and the second event.
    [reached(80), reached(80, 90), reached(100)],
    [reached(80), repeated, paused("2026-01-15T00:00:00Z"), paused("2026-01-15T23:59:59Z")],
    [
      repeated,
      paused("2026-01-16T00:00:00Z"),
      reached(80, 100, "month", "2026-03-01T00:00:00Z"),
      reached(80, 1, "day"),
    ],
  ];
  expect(batches.flat().every(isMailed)).toBe(true);
  for (const batch of batches) await relayDatabase.transaction((tx) => handle(tx, batch));
  const jobs = () =>
    database.sql<{ status: string; user_id: string; content: JobContent }>(
      "SELECT status, user_id, content FROM notifications.mail_job WHERE application_id = $1 ORDER BY id",
      [tenant.applicationId],
    );
  const counts = Object.groupBy(await jobs(), ({ content }) => content.kind);
  expect([counts.BUDGET_REACHED?.length, counts.MODEL_CONNECTION_PAUSED?.length]).toEqual([4, 2]);

  const mails: Mail[] = [];
  const transport = {
    send: async (mail: Mail) => {
      mails.push(mail);
      return { isSent: true } as const;
    },
    close: () => undefined,
  };
  // A mail to the operator needs no look-up of users.
  const users = { batchGetUsers: () => Promise.reject(new Error("asked")) };
  const mailer = startMailer({ relayDatabase, transport, users, operatorTo: "o@example.com", clock, newId, log });
  await expect.poll(jobs, { timeout: 15_000 }).toMatchObject(Array(6).fill({ status: "SENT", user_id: "" }));
  await mailer.stop();
  expect(new Set(mails.map(({ to }) => to))).toEqual(new Set(["o@example.com"]));
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
    "Budget of the day: 80 % used",
    "Budget of the month: 100 % used",
    "Budget of the month: 80 % used",
    "Budget of the month: 80 % used",
    "Model connection paused: Judge",
    "Model connection paused: Judge",
  ]);
});
