// Key deletion and the caches of several gateways, with a real nats-server.

import { createRouterTransport } from "@connectrpc/connect";
import { formKey, keyBytes } from "@ems/kit/api-key";
import { unauthenticated } from "@ems/kit/errors";
import type { EventBus } from "@ems/kit/events/bus";
import { inProcessBus } from "@ems/kit/events/in-process-bus";
import { openNatsBus, openNatsListener } from "@ems/kit/events/nats/bus";
import { Health } from "@ems/kit/health";
import { newId } from "@ems/kit/id";
import { createLog } from "@ems/kit/log";
import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import { AppConfigService } from "@ems/proto/identity/v1/app_config_service";
import { fixedClock, testEvent, testEventHandler, testNats } from "@ems/test-support";
import { testKeys } from "@ems/test-support/rpc-keys";
import { afterAll, expect, test } from "vitest";
import { gatewayConfig } from "../config.ts";
import { createGateway } from "../server.ts";

const log = createLog("test", "silent");
const nats = await testNats();
const options = { url: nats.url, name: "test", log };
const applicationId = newId();

/** Creates a gateway with a stopped clock, so that its cache does not expire. */
async function newGateway(bus: Pick<EventBus, "listen">) {
  const state = { isDeleted: false, keyId: newId() };
  const transport = createRouterTransport((router) => {
    router.service(ApiKeyService, {
      authenticate: async () => {
        if (state.isDeleted) throw unauthenticated();
        return { keyId: state.keyId, applicationId, orgId: "org", userId: "ada" };
      },
    });
    router.service(AppConfigService, { getAppConfig: () => ({ data: { analytics: {} } }) });
  });
  const health = new Health(async () => undefined);
  const config = gatewayConfig({ ...testKeys });
  const { app } = await createGateway(config, { log, clock: fixedClock(), newId, health, peer: () => transport, bus });
  afterAll(() => app.close());
  const headers = { "x-api-key": formKey(Buffer.alloc(keyBytes, 1)), "x-application-id": applicationId };
  const status = async () => (await app.inject({ method: "GET", url: "/v0/app-config", headers })).statusCode;
  return { state, status };
}

const deleted = (keyId: string) =>
  testEvent({ applicationId, type: "api_key.deleted", data: { id: keyId, name: "x" } });

test("an api_key.deleted event removes that key only, from the cache of every gateway", async () => {
  const bus = await openNatsBus({ ...options, replicas: 1 });
  const listeners = [await openNatsListener(options), await openNatsListener(options)];
  const gateways = await Promise.all(listeners.map(newGateway));
  for (const { status } of gateways) expect(await status()).toBe(200);
  for (const { state } of gateways) state.isDeleted = true;
  await bus.publish(deleted(newId()));
  for (const { state } of gateways) await bus.publish(deleted(state.keyId));
  for (const { status } of gateways) await expect.poll(status).toBe(401);
  for (const resource of [...listeners, bus]) await resource.close();
});

test("a gateway creates no stream and starts without NATS", async () => {
  await nats.kill();
  const listener = await openNatsListener(options);
  const { state, status } = await newGateway(listener);
  expect(await status()).toBe(200);
  await nats.start({ isStoreKept: false });
  const bus = await openNatsBus({ ...options, replicas: 1 });
  state.isDeleted = true;
  await expect
    .poll(async () => {
      await bus.publish(deleted(state.keyId)).catch(() => undefined);
      return status();
    })
    .toBe(401);
  await listener.close();
  await bus.close();
});

test("in one process the gateway receives the event directly", async () => {
  const bus = inProcessBus();
  const consumption = bus.consume(testEventHandler());
  const { state, status } = await newGateway(bus);
  expect(await status()).toBe(200);
  state.isDeleted = true;
  await bus.publish(deleted(newId()));
  expect(await status()).toBe(200);
  await bus.publish(deleted(state.keyId));
  expect(await status()).toBe(401);
  await consumption.stop();
});
