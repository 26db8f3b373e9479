// Conversations in recorded exports of frameworks (../../test/frameworks/README.md).

import { expect, test } from "vitest";
import { listRecordings, losses, readRecording, toCells } from "../../test/frameworks/read-recording.ts";
import { tracesHarness } from "../../test/harness.ts";

const harness = await tracesHarness();

test.each(listRecordings())("%s: question, answer, tools, tokens, cost, session and error", async (name) => {
  const cells = toCells(await readRecording(harness, name));
  const lost = losses[name.replace(/-[\d.]+$/, "")] ?? {};
  const wrong = Object.entries(cells).flatMap(([cell, problem]) =>
    problem === undefined || cell in lost ? [] : [[cell, problem]],
  );
  expect(wrong).toEqual([]);
  // A loss that no longer happens must not stay in the table.
  for (const cell of Object.keys(lost))
    expect([cell, cells[cell as keyof typeof cells]]).not.toEqual([cell, undefined]);
});
