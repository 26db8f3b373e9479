import { expect, test } from "vitest";
import { loopbackWebhooks } from "./loopback-webhooks.ts";

test.each([{}, { HOST: "127.0.0.1" }, { HOST: "localhost" }, { HOST: "::1" }, { HOST: "", NODE_ENV: "development" }])(
  "environment %o allows local receivers without TLS",
  (env) => {
    expect(loopbackWebhooks(env)).toEqual({ WEBHOOK_ALLOW_LOOPBACK: "yes" });
  },
);

test.each([
  { NODE_ENV: "production" },
  { HOST: "127.0.0.1", NODE_ENV: "production" },
  { HOST: "0.0.0.0" },
  { HOST: "::" },
  { HOST: "127.0.0.1.example.com" },
  { WEBHOOK_ALLOW_LOOPBACK: "no" },
])("environment %o rejects local receivers without TLS", (env) => {
  expect(loopbackWebhooks(env)).toEqual({});
});

test("the mesh does not allow loopback webhooks", () => {
  expect(loopbackWebhooks({}, true)).toEqual({});
});
