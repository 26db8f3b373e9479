import { testNats } from "@ems/test-support";
import { expect, test } from "vitest";
import { newId } from "../../id.ts";
import { createLog } from "../../log.ts";
import { openNatsBus } from "./bus.ts";

const nats = await testNats();

test("wrong credentials are logged and retried", async () => {
  const url = new URL(nats.url);
  url.password = newId();
  const refused = await openNatsBus({
    url: url.href.replace(/\/$/, ""),
    name: "test",
    log: createLog("test", "silent"),
    replicas: 1,
  });
  expect(refused.isUp).toBe(false);
  await refused.close();
});
