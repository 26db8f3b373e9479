import { expect, test } from "vitest";
import { isPortIn, usualPorts } from "./ports.ts";

test.each([443, 1024, 1025, 3000, 4443, 5000, 8080, 8443, 9000, 9443, 10_443, 30_443, 50_000, 65_535])(
  "%d is an allowed port",
  (port) => {
    expect(isPortIn(usualPorts, port)).toBe(true);
  },
);

test.each([
  ...[0, 1, 22, 25, 53, 80, 442, 444, 587, 636, 1023, 65_536],
  ...[1433, 1521, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 4222, 5432, 5671, 5672, 5984, 6379, 6443, 6667],
  ...[9042, 9092, 9200, 9300, 10_080, 10_250, 11_211, 27_017],
])("%d belongs to another protocol and is refused", (port) => {
  expect(isPortIn(usualPorts, port)).toBe(false);
});
