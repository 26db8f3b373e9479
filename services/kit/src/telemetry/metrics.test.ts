import { expect, test } from "vitest";
import { counter, gauge, histogram, metricsText } from "./metrics.ts";

test("counters, histograms and gauges are exported in Prometheus's text format", async () => {
  const count = counter({ name: "test_total", help: "Counted.", labels: ["outcome"] });
  const observe = histogram({ name: "test_seconds", help: "Measured.", labels: [] });
  const onValue = gauge({ name: "test_value", help: "Read.", labels: ["part"] });
  count({ outcome: "sent" });
  count({ outcome: "sent" });
  observe({}, 80);
  onValue(() => [{ labels: { part: "a" }, value: 3 }]);
  const stop = onValue(async () => [{ labels: { part: "b" }, value: 4 }]);
  const text = await metricsText();
  expect(text).toContain('test_total{outcome="sent"} 2\n');
  expect(text).toContain('test_seconds_bucket{le="0.075"} 0\ntest_seconds_bucket{le="0.1"} 1\n');
  expect(text).toContain("test_seconds_sum 0.08\n");
  expect(text).toContain('test_value{part="a"} 3\ntest_value{part="b"} 4\n');
  stop();
  expect(await metricsText()).not.toContain('test_value{part="b"}');
});

test("a gauge whose read fails or hangs is omitted from the scrape", async () => {
  const onValue = gauge({ name: "test_reading", help: "Read.", labels: ["part"] });
  onValue(() => Promise.reject(new Error("database down")));
  const stop = onValue(() => new Promise(() => undefined));
  onValue(() => [{ labels: { part: "well" }, value: 1 }]);
  expect((await metricsText()).match(/^test_reading.*$/gm)).toEqual(['test_reading{part="well"} 1']);
  stop();
});

test("metrics include event loop and memory", async () => {
  const text = await metricsText();
  for (const name of ["nodejs_eventloop_lag_p99_seconds", "process_resident_memory_bytes"])
    expect(text).toContain(name);
});
