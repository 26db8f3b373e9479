// Mails of assignments outlive the process that sends them: killed in the midst of it, every one goes out afterwards.

import { bootstrap } from "@ems/identity/bootstrap";
import { systemClock } from "@ems/kit/clock";
import { ownerRole } from "@ems/kit/db/schema";
import { newId, secureRandom } from "@ems/kit/id";
import { testRelay } from "@ems/notifications/mail/testing/relay";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";

const relay = await testRelay();
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

const count = 30;

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

  const arrived = () => titles.filter((title) => relay.mails.some(({ mail }) => mail.text?.includes(title)));
  await expect.poll(() => arrived().length, { timeout: 20_000, interval: 2 }).toBeGreaterThan(0);
  await mesh.kill("notifications");
  const before = arrived().length;
  await mesh.restart("notifications");
  // A mail that was in hand is taken up when its lease of 60 s is over.
  await expect.poll(() => arrived().length, { timeout: 100_000, interval: 200 }).toBe(count);
  expect(before).toBeLessThan(count);
  expect(relay.mails.every(({ to }) => to.includes(email))).toBe(true);
  const statuses = () =>
    mesh.sql("SELECT DISTINCT status FROM notifications.mail_job WHERE application_id = $1", [applicationId]);
  await expect.poll(statuses, { timeout: 20_000 }).toEqual([{ status: "SENT" }]);
});
