import { QueryFailedError } from "typeorm";
import { expect, test } from "vitest";
import { unavailable } from "./errors.ts";
import { errorFacts } from "./log.ts";

test("an error is logged with type, message, code and cause only", () => {
  const driverError = Object.assign(new Error("connection refused"), {
    code: "ECONNREFUSED",
    client: { password: "hunter2" },
  });
  const failed = new QueryFailedError("SELECT $1", ["ada@example.com"], driverError);
  const facts = errorFacts(unavailable(undefined, failed));
  expect(facts).toMatchObject({ type: "ConnectError", cause: { type: "QueryFailedError", code: "ECONNREFUSED" } });
  expect(JSON.stringify(facts)).not.toMatch(/hunter2|ada@example|SELECT/);
});

test("non-errors and endless cause chains are logged briefly", () => {
  const endless = new Error("again");
  endless.cause = endless;
  expect(JSON.stringify(errorFacts(endless)).match(/"type"/g)).toHaveLength(4);
  expect([errorFacts({ secret: 1 }), errorFacts("lost")]).toEqual(["object", "lost"]);
});
