// Mails survive a crash of the sending process: every mail of an assignment is sent afterwards, and
// feedback is kept for an operator.

import { relayRole } from "@ems/kit/db/schema";
import { newId } from "@ems/kit/id";
import { startSmtpServer } from "@ems/test-support/smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { emsAs } from "../harness/cli.ts";
import { type FaultMesh, startFaultMesh } from "../harness/fault-mesh.ts";
import { newWriterWithoutWebhook } from "../harness/writer.ts";

const count = 30;
/** Number of confirmed mails; further mails are received completely, but not confirmed until the sender is gone. */
const confirmed = 10;
/** Number of mails that the mailer sends concurrently. */
const inHand = 2;

const { promise: senderGone, resolve: senderIsGone } = Promise.withResolvers<void>();
const relay = await startSmtpServer({
  onMail: async () => {
    if (relay.mails.length > confirmed) await senderGone;
  },
});
let mesh: FaultMesh;
beforeAll(async () => {
  mesh = await startFaultMesh({
    SMTP_URL: relay.url,
    SMTP_CA_FILE: relay.caFile,
    MAIL_FROM: "ems@example.com",
    FEEDBACK_TO: "team@example.com",
  });
});
afterAll(async () => {
  await mesh.close();
  await relay.close();
});

const email = "ada@example.com";

/** Creates an application with Ada's key. */
const newApplication = () => newWriterWithoutWebhook(mesh, { name: "Ada", email });

test("notifications killed while it sends: every person's mail goes out", async () => {
  const { applicationId, send } = await newApplication();
  const { data: users } = (await (await send("GET", "/v0/users")).json()) as { data: { id: string }[] };
  const titles = Array.from({ length: count }, (_, at) => `Experiment ${at} of ${newId()}`);
  const create = (title: string) => send("POST", "/v0/experiments", { title, assignee: users[0]?.id });
  expect((await Promise.all(titles.map(create))).map(({ status }) => status)).toEqual(Array(count).fill(201));

  await expect.poll(() => relay.mails.length, { timeout: 90_000 }).toBe(confirmed + inHand);
  await mesh.kill("notifications");
  senderIsGone();
  await mesh.restart("notifications");
  // Mails in progress are sent again when their lease of 60 s is over.
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
  // Only mails in progress arrived twice, and their id identifies them as the same mail.
  expect(arrived).toHaveLength(count + inHand);
  expect(new Set(arrived.map(({ messageId }) => messageId)).size).toBe(count);
  expect(relay.mails.every(({ to }) => to.includes(email))).toBe(true);
});

test("notifications killed while it sends feedback: it is kept in doubt, and sent when an operator says so", async () => {
  const { applicationId, apiKey, send } = await newApplication();
  const sentBefore = relay.transmitted.length;
  relay.misbehave({ at: "data", silent: true });
  const answer = send("POST", "/v0/feedback", { feedback: "Could be better" });
  await expect.poll(() => relay.transmitted.length, { timeout: 90_000 }).toBe(sentBefore + 1);
  await mesh.kill("notifications");
  expect((await answer).status).toBe(503);
  relay.misbehave(undefined);
  await mesh.restart("notifications");

  const ems = emsAs({ baseUrl: mesh.baseUrl, apiKey, applicationId });
  const env = { RELAY_DATABASE_URL: mesh.installation.urlAs(relayRole({ name: "notifications" })) };
  const feedback = async () => JSON.parse((await ems(["feedback", "list", "--json"], { env })).stdout).feedback;
  await expect
    .poll(feedback, { timeout: 60_000, interval: 500 })
    .toEqual([expect.objectContaining({ applicationId, reason: "IN_DOUBT" })]);
  expect(relay.transmitted.length).toBe(sentBefore + 1);
  const [{ id }] = await feedback();
  const { code, stdout } = await ems(["feedback", "resend", "--all"], { env });
  expect([code, stdout]).toEqual([0, `sent    ${id}\n`]);
  const ids = relay.transmitted.slice(sentBefore).map((raw) => /^Message-ID: (.*)$/m.exec(raw)?.[1]);
  expect(ids).toEqual(Array(2).fill(`<${id}@example.com>`));
  expect(relay.mails.at(-1)?.mail.replyTo).toEqual([{ name: "", address: email }]);
  expect(await feedback()).toEqual([]);
});
