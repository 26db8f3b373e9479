// Stolen NATS credentials of a process: they allow what that process does, and nothing that another does.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { meshUsers, type NatsUser, userName } from "@ems/deploy/nats-users";
import { deployConfig } from "@ems/dev/config";
import { joinInstallation } from "@ems/dev/installation";
import { relayRole } from "@ems/kit/db/schema";
import { buildHeaders, buildSubject } from "@ems/kit/events/message";
import { consumerName, streamName } from "@ems/kit/events/nats/topology";
import { newId } from "@ems/kit/id";
import { testEvent } from "@ems/test-support";
import { connect, headers, type NatsConnection } from "nats";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { nowhere } from "../harness/names.ts";

const product = await startAttacked("mesh");
const { dataDir } = product.facts;
const installation = await joinInstallation(deployConfig({ DATA_DIR: dataDir }), () => undefined);
const connections: NatsConnection[] = [];
afterAll(async () => {
  for (const nc of connections) await nc.close();
});

/** Connects to NATS as `user`, with its stolen password. */
async function thiefAs(user: NatsUser): Promise<NatsConnection> {
  const folder = join(dataDir, "nats");
  const file = (await readdir(folder)).find((name) => name.endsWith(".ports")) ?? "";
  const [servers = ""]: string[] = JSON.parse(await readFile(join(folder, file), "utf8")).nats;
  const name = userName(user);
  const pass = installation.secrets.natsPasswords[user];
  const nc = await connect({
    servers,
    user: name,
    pass,
    inboxPrefix: `_INBOX.${name}`,
    reconnect: false,
    timeout: 5_000,
  });
  connections.push(nc);
  return nc;
}

/** Requests that subject; returns `refused` or the outcome. */
async function asks(nc: NatsConnection, subject: string, payload: string | Uint8Array = "", head = headers()) {
  return nc.request(subject, payload, { timeout: 3_000, headers: head }).then(
    (answer) => answer.string(),
    (error: Error) => (/permissions violation/i.test(error.message) ? "refused" : error.message),
  );
}

/** True if the server allows a subscription to that subject. */
async function hears(nc: NatsConnection, subject: string): Promise<boolean> {
  const refused = new Promise<boolean>((resolve) => {
    nc.subscribe(subject, { callback: (error) => error !== null && resolve(false) });
  });
  // The server reports a refusal before it answers later requests.
  const heard = nc.flush().then(() => nc.rtt().then(() => true));
  return Promise.race([refused, heard]);
}

const stolen = testEvent({ type: "api_key.deleted", data: { id: newId(), name: "stolen" } });
const head = (event = stolen) => {
  const all = headers();
  for (const [name, value] of buildHeaders(event)) all.set(name, value);
  return all;
};

test("the catalog's NATS user publishes nothing in identity's name, consumes no event and changes no stream", async () => {
  const nc = await thiefAs("catalog");
  const forged = buildSubject("identity", "api_key.deleted", stolen.applicationId);
  expect(await asks(nc, forged, stolen.body, head())).toBe("refused");
  const stream = `$JS.API.STREAM`;
  const consumer = `$JS.API.CONSUMER`;
  for (const subject of [
    ...["DELETE", "PURGE", "UPDATE", "CREATE", "INFO", "MSG.GET", "MSG.DELETE", "SNAPSHOT"].map(
      (verb) => `${stream}.${verb}.${streamName}`,
    ),
    ...["DELETE", "INFO", "MSG.NEXT"].map((verb) => `${consumer}.${verb}.${streamName}.${consumerName}`),
    ...[`${consumer}.CREATE.${streamName}`, `${consumer}.DURABLE.CREATE.${streamName}.thief`],
    ...[`$JS.API.DIRECT.GET.${streamName}`, `$JS.ACK.${streamName}.${consumerName}.1.1.1.1.1`, "$JS.API.INFO"],
  ]) {
    expect([subject, await asks(nc, subject, "{}")]).toEqual([subject, "refused"]);
  }
  for (const subject of ["ems.v1.evt.>", "ems.v1.evt.catalog.>", "$JS.ACK.>", ">"]) {
    expect([subject, await hears(nc, subject)]).toEqual([subject, false]);
  }
  // Only the process's own permissions are left.
  const own = testEvent({
    type: "topic.created",
    subject: buildSubject("catalog", "topic.created", stolen.applicationId),
  });
  expect(JSON.parse(await asks(nc, own.subject, own.body, head(own)))).toMatchObject({ stream: streamName });
});

test("variant: the gateway's user publishes nothing, and no user receives another's replies", async () => {
  const gateway = await thiefAs("gateway");
  const ownSubject = buildSubject("identity", "api_key.deleted", stolen.applicationId);
  for (const subject of [
    ownSubject,
    buildSubject("gateway", "a.b", "c"),
    "$JS.API.INFO",
    "_INBOX.ems-notifications.a",
    "any",
  ]) {
    gateway.publish(subject, stolen.body, { headers: head() });
    const refusal = gateway.status()[Symbol.asyncIterator]().next();
    await gateway.flush();
    expect([subject, (await refusal).value]).toMatchObject([
      subject,
      { permissionContext: { operation: "publish", subject } },
    ]);
  }
  for (const user of meshUsers) {
    const nc = await thiefAs(user);
    for (const subject of [
      ...meshUsers.filter((each) => each !== user).map((each) => `_INBOX.${userName(each)}.>`),
      ...["_INBOX.>", "_INBOX.*.*", "*.ems-notifications.>", ">"],
    ]) {
      expect([user, subject, await hears(nc, subject)]).toEqual([user, subject, false]);
    }
  }
});

test("variant: an event of identity's that catalog publishes as its own reaches no webhook and no gateway", async () => {
  const { api, applicationId, orgId } = await product.tenant();
  expect((await api.post("/v0/webhook", { url: nowhere })).status).toBe(200);
  const nc = await thiefAs("catalog");
  const type = "api_key.deleted";
  const forged = testEvent({ type, applicationId, orgId, subject: buildSubject("catalog", type, applicationId) });
  expect(JSON.parse(await asks(nc, forged.subject, forged.body, head(forged)))).toMatchObject({
    stream: streamName,
  });
  const url = installation.urlAs(relayRole({ name: "notifications" }));
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    const deadLetters = "SELECT reason FROM notifications.dead_event WHERE application_id = $1 AND id = $2";
    await expect
      .poll(async () => (await pool.query(deadLetters, [applicationId, forged.id])).rows)
      .toEqual([{ reason: "catalog does not publish api_key.deleted" }]);
    expect((await api.get("/v0/webhook/deliveries")).body.data).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ type })]),
    );
  } finally {
    await pool.end();
  }
});
