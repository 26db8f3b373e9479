import { expect, test } from "vitest";
import { Taking } from "./slow-client.ts";

const kib = 1024;

/** What looks a second apart say of a client with a megabyte to take, that has taken so many KiB at each. */
function looksAt(takenKib: readonly number[]): (string | undefined)[] {
  const taking = new Taking({ stallMs: 3_000, bytesPerSecondMin: 16 * kib });
  return takenKib.map((taken, second) =>
    taking.look(second * 1_000, { taken: taken * kib, waiting: 1024 * kib - taken * kib }),
  );
}

test.each([
  ["takes nothing", [0, 0, 0, 0, 0], "stalled"],
  ["takes less and less, then nothing", [0, 300, 350, 351, 351, 351, 351, 351], "stalled"],
  ["drips", [0, 1, 2, 3, 4, 5, 6], "slow"],
  ["starts late, then is fast enough", [0, 0, 0, 60, 90, 120, 150], undefined],
  ["is just fast enough", [0, 16, 32, 48, 64, 80, 96, 112], undefined],
  ["has taken all of it, and is silent", [0, 1024, 1024, 1024, 1024, 1024, 1024], undefined],
] as const)("a client that %s", (_, taken, wanted) => {
  expect(looksAt(taken).at(-1)).toBe(wanted);
});
