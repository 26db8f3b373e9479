// Mails of assignments outlive the process that sends them: killed in the midst of it, every one goes out afterwards.

import { bootstrap } from "@ems/identity/bootstrap";
import { systemClock } from "@ems/kit/clock";
import { ownerRole } from "@ems/kit/db/schema";
import { newId, secureRandom } from "@ems/kit/id";
import { testRelay } from "@ems/notifications/mail/testing/relay";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";

const count = 30;
/** So many are confirmed; those after them come whole to the relay, which says nothing until the sender is gone. */
const confirmed = 10;
/** As many as the mailer sends at a time. */
const inHand = 2;

const { promise: senderGone, resolve: senderIsGone } = Promise.withResolvers<void>();
const relay = await testRelay({
  onMail: async () => {
    if (relay.mails.length > confirmed) await senderGone;
  },
});
let mesh: FaultMesh;
beforeAll(async () => {
  mesh = await startFaultMesh({
    SMTP_URL: relay.url,
    SMTP_CA_FILE: relay.ca.file,
    MAIL_FROM: "ems@example.com",
    FEEDBACK_TO: "team@example.com",
  });
}, 60_000);
afterAll(async () => {
  await mesh.close();
  await relay.close();
}, 60_000);

test("notifications killed while it sends: every person's mail goes out", async () => {
  const email = "ada@example.com";
  const { installation, baseUrl } = mesh;
  const { apiKey = "", applicationId } = await bootstrap({
    ownerUrl: installation.urlAs(ownerRole),
    peppers: [installation.secrets.apiKeyPepper],
    clock: systemClock,
    newId,
    random: secureRandom,
    user: { name: "Ada", email },
    always: true,
  });
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
  const send = async (method: string, path: string, json?: object) => {
    const answer = await fetch(`${baseUrl}${path}`, { method, headers, ...(json && { body: JSON.stringify(json) }) });
    expect(answer.ok).toBe(true);
    return answer.json();
  };
  const { data: users } = (await send("GET", "/v0/users")) as { data: { id: string }[] };
  const titles = Array.from({ length: count }, (_, at) => `Experiment ${at} of ${newId()}`);
  await Promise.all(titles.map((title) => send("POST", "/v0/experiments", { title, assignee: users[0]?.id })));

  await expect.poll(() => relay.mails.length, { timeout: 30_000 }).toBe(confirmed + inHand);
  await mesh.kill("notifications");
  senderIsGone();
  await mesh.restart("notifications");
  // What was in hand is sent again when its lease of 60 s is over.
  const jobs = () =>
    mesh.sql<{ status: string; count: string }>(
      "SELECT status, count(*) FROM notifications.mail_job WHERE application_id = $1 GROUP BY status",
      [applicationId],
    );
  await expect.poll(jobs, { timeout: 130_000, interval: 200 }).toEqual([{ status: "SENT", count: `${count}` }]);
  const arrived = relay.mails.map(({ mail: { messageId, text } }) => ({
    messageId,
    title: titles.find((title) => text?.includes(title)),
  }));
  expect(new Set(arrived.map(({ title }) => title))).toEqual(new Set(titles));
  // Nothing but what was in hand came twice, and by its id it can be known as the same mail.
  expect(arrived).toHaveLength(count + inHand);
  expect(new Set(arrived.map(({ messageId }) => messageId)).size).toBe(count);
  expect(relay.mails.every(({ to }) => to.includes(email))).toBe(true);
});
