import { expect, test } from "vitest";
import { normalized } from "./normalize.ts";

test.each(["", "Zürich", "Zu\u0308rich", "a\u0301\u0323b", "한국어", "👩‍👩‍👧‍👦", "\ud800"])(
  "%j is normalized as usual",
  (text) => {
    expect(normalized(text)).toBe(text.normalize());
    expect(normalized(text, "NFKD")).toBe(text.normalize("NFKD"));
  },
);

test("a long run of marks takes linear time", () => {
  const startMs = performance.now();
  const text = normalized(`a${"\u0301\u0323".repeat(500_000)}`);
  expect(performance.now() - startMs).toBeLessThan(3_000);
  expect(text.replaceAll("\u034f", "")).toHaveLength(1_000_000);
}, 60_000);
