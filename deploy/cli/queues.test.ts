import { notificationsSchema } from "@ems/notifications/schema";
import { testDatabase } from "@ems/test-support";
import { afterAll, expect, inject, test } from "vitest";
import { relayChecks } from "./doctor/database.ts";
import { runEms } from "./test/ems.ts";

const database = await testDatabase(inject("postgres"));
afterAll(() => database.drop());

/** Runs `ems` with the relay role of notifications and returns its output. */
async function ems(...args: string[]): Promise<string> {
  const { stdout } = await runEms(args, { env: { RELAY_DATABASE_URL: database.getRelayUrl(notificationsSchema) } });
  return stdout;
}
const doctor = async () => {
  const url = database.getRelayUrl(notificationsSchema);
  return relayChecks([{ schema: "notifications", url }], new AbortController().signal)[0]?.run();
};

test("every queue of a service is listed, and a late queue has its lag", async () => {
  const names = ["outbox", "deliveries", "prompts", "prompt_outcomes", "mails", "exports"].map(
    (name) => `notifications.${name}`,
  );
  const idle = await ems("queues");
  expect([...idle.matchAll(/^\S+/gm)].map(([name]) => name)).toEqual(["Queue", ...names]);
  expect(await doctor()).toMatchObject({ status: "ok" });

  await database.sql(
    `INSERT INTO notifications.mail_job (application_id, id, user_id, org_id, content, attempts, next_attempt_at, created_at)
     VALUES (gen_random_uuid(), gen_random_uuid(), 'ada', 'org', '{}', 3, now() - interval '400 s', now())`,
  );
  const { queues } = JSON.parse(await ems("queues", "--json"));
  expect(queues.map(({ name }: { name: string }) => name)).toEqual(names);
  expect(queues.find(({ name }: { name: string }) => name === "notifications.mails")).toMatchObject({
    due: 1,
    leased: 0,
    attempts: 3,
    lagSeconds: expect.closeTo(400, -2),
  });
  const detail = expect.stringMatching(/^notifications: 1 due in 6 queues; notifications\.mails is 4\d\d s late$/);
  expect(await doctor()).toMatchObject({ status: "warning", detail });
  await database.sql("UPDATE notifications.mail_job SET next_attempt_at = now() - interval '4000 s'");
  expect(await doctor()).toMatchObject({ status: "failure" });
});
