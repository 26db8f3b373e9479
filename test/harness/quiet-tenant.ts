// A tenant that asks little, while somebody else attacks: its requests are answered, and soon.

import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { TestTenant } from "./tenant.ts";

/** Pauses between two requests of a quiet tenant. */
const pauseMs = 100;

/** Reads and writes as one quiet tenant for so long; each answer must be a success, none may take `slowestMs`. */
export async function quietly({ api }: TestTenant, forMs: number, slowestMs = 8_000): Promise<void> {
  const untilMs = performance.now() + forMs;
  do {
    const startMs = performance.now();
    const answers = [await api.get("/v0/topics"), await api.post("/v0/topics", { title: "Opening hours" })];
    expect(answers.map(({ status, body }) => ({ status, message: body.message }))).toEqual([
      { status: 200 },
      { status: 201 },
    ]);
    expect(performance.now() - startMs).toBeLessThan(slowestMs);
    await delay(pauseMs);
  } while (performance.now() < untilMs);
}
