import { testEvent, testEventHandler } from "@ems/test-support";
import { expect, test } from "vitest";
import { handleBatch } from "./bus.ts";

test("handling stops and reports it when the handler is no longer ready", async () => {
  const handler = testEventHandler();
  const events = [testEvent(), testEvent(), testEvent()];
  const refusal = new Error("refused");
  const failing = {
    ...handler,
    handle: async (batch: Parameters<typeof handler.handle>[0]) => {
      if (batch.length > 1) throw refusal;
      if (batch[0] === events[1]) {
        handler.isDown = true;
        throw refusal;
      }
    },
  };
  const result = await handleBatch(failing, events);
  expect(result.isDown).toBe(true);
  expect([...result.failures.keys()]).toEqual([1, 2]);
});
