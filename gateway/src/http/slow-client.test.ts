import { expect, test } from "vitest";
import { SlowClientDetector } from "./slow-client.ts";

const kib = 1024;

/** Samples a client once per second; `readKib` lists the KiB, out of 1 MiB, read by then. */
function sampleAll(readKib: readonly number[]): (string | undefined)[] {
  const detector = new SlowClientDetector({ stallMs: 3_000, bytesPerSecondMin: 16 * kib });
  return readKib.map((readKib, second) =>
    detector.sample(second * 1_000, { sent: readKib * kib, pending: 1024 * kib - readKib * kib }),
  );
}

test.each([
  ["reads nothing", [0, 0, 0, 0, 0], "stalled"],
  ["reads less and less, then nothing", [0, 300, 350, 351, 351, 351, 351, 351], "stalled"],
  ["reads very slowly", [0, 1, 2, 3, 4, 5, 6], "slow"],
  ["starts late, then is fast enough", [0, 0, 0, 60, 90, 120, 150], undefined],
  ["is just fast enough", [0, 16, 32, 48, 64, 80, 96, 112], undefined],
  ["has read everything", [0, 1024, 1024, 1024, 1024, 1024, 1024], undefined],
] as const)("a client that %s", (_, readKib, expected) => {
  expect(sampleAll(readKib).at(-1)).toBe(expected);
});
