// A mailer's results are not lost while the database is unavailable.

import { createClient, createRouterTransport } from "@connectrpc/connect";
import { RelayDatabase } from "@ems/kit/db/relay-database";
import { newId } from "@ems/kit/id";
import { UserService } from "@ems/proto/identity/v1/user_service";
import { capturedLog, fixedClock, testDatabase } from "@ems/test-support";
import { startFaultProxy } from "@ems/test-support/fault-proxy";
import { expect, inject, test, vi } from "vitest";
import { notificationsSchema } from "../schema.ts";
import type { MailTransport } from "./mail.ts";
import { startMailer } from "./mailer.ts";

test("a mail sent during a database outage is stored as sent, and is sent once", async () => {
  const database = await testDatabase(inject("postgres"));
  const relayUrl = new URL(database.getRelayUrl(notificationsSchema));
  const port = Number(relayUrl.port);
  const proxy = await startFaultProxy(() => port);
  const url = Object.assign(relayUrl, { hostname: "127.0.0.1", port: String(proxy.port) }).href;
  const { log } = capturedLog();
  const relayDatabase = new RelayDatabase({ schema: notificationsSchema, url, poolMax: 2, log });
  await database.sql(
    `INSERT INTO notifications.mail_job (application_id, id, user_id, org_id, content, next_attempt_at, created_at)
     VALUES ($1, $2, '', 'o', $3, '2000-01-01', '2000-01-01')`,
    [
      newId(),
      newId(),
      JSON.stringify({
        kind: "INVITED",
        address: "ada@example.com",
        application: { id: newId(), title: "A" },
        invitedBy: "",
        expiresAt: "2030-01-01T00:00:00.000Z",
        url: null,
      }),
    ],
  );
  const send = vi.fn(async () => {
    proxy.set("refuse");
    return { isSent: true } as const;
  });
  const transport: MailTransport = { send, close: () => undefined };
  const users = createClient(
    UserService,
    createRouterTransport(({ service }) => service(UserService, {})),
  );
  const deps = { relayDatabase, transport, users, operatorTo: undefined, clock: fixedClock(), newId, log };
  const mailer = startMailer(deps);
  await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(1), 30_000);
  const refused = proxy.connections();
  await vi.waitFor(() => expect(proxy.connections()).toBeGreaterThan(refused + 1), 30_000);
  proxy.set("pass");
  const job = () => database.sql("SELECT status, attempts, leased_until FROM notifications.mail_job");
  const stored = [{ status: "SENT", attempts: 1, leased_until: null }];
  await vi.waitFor(async () => expect(await job()).toEqual(stored), 30_000);
  expect(send).toHaveBeenCalledTimes(1);
  await mailer.stop();
  await relayDatabase.close();
  await proxy.close();
  await database.drop();
});
