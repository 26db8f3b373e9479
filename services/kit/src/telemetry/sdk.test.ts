import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { startSpan, startTracing } from "./trace.ts";

test("a missing or unresponsive receiver does not block for long", async () => {
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const stop = await startTracing("test", {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_TRACES_SAMPLER_ARG: 1,
  });
  startSpan("work", { role: "server" }).end();
  const startedMs = performance.now();
  await stop();
  // By default the SDK would wait for ten seconds.
  expect(performance.now() - startedMs).toBeLessThan(9_000);
  silent.close();
});
