import { expect, test } from "vitest";
import { splitStackTraces } from "./stack-traces.ts";

const stack = 'Traceback (most recent call last):\n  File "app.py", line 3\nValueError: no';

test("the stack of an exception event is text, and not in the metadata a second time", () => {
  const event = { name: "exception", attributes: { "exception.message": "no", "exception.stacktrace": stack } };
  const own = { "otel.events": [{ name: "retry" }, event], a: 1 };
  expect(splitStackTraces(own)).toEqual({
    stacks: [stack],
    metadata: {
      "otel.events": [{ name: "retry" }, { name: "exception", attributes: { "exception.message": "no" } }],
      a: 1,
    },
  });
  expect(event.attributes).toHaveProperty(["exception.stacktrace"]);
});

test.each([[null], [[]], [{ a: 1 }], [{ "otel.events": [{ attributes: { "exception.stacktrace": 5 } }] }]])(
  "metadata without stacks are unchanged: %j",
  (metadata) => expect(splitStackTraces(metadata)).toEqual({ stacks: [], metadata }),
);
