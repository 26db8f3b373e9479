import fc from "fast-check";
import { expect, test } from "vitest";
import type { JobContent } from "../job-content.ts";
import { feedbackMail } from "./feedback.ts";
import { renderJob } from "./index.ts";
import type { MailContent } from "./layout.ts";
import { oneLine } from "./one-line.ts";

const id = (digit: number) => `01a1f000-0000-7000-8000-${String(digit).padStart(12, "0")}`;
const quickstart = { id: id(1), title: "Accounts & cards" };
const contents: JobContent[] = [
  {
    kind: "REVIEWS_ASSIGNED",
    quickstart,
    kbReviewCount: 12,
    tasksTopicsReviewCount: 1,
    topicIds: [id(2), id(3)],
  },
  { kind: "CONTRADICTION_ASSIGNED", quickstart, contradictionId: id(4) },
  { kind: "EXPERIMENT_ASSIGNED", experiment: { id: id(5), title: "Shorter <prompts>" } },
  {
    kind: "INVITED",
    address: "grace@example.com",
    application: { id: id(8), title: "Support & <sales>" },
    invitedBy: "Ada Lovelace",
    expiresAt: "2026-01-22T12:00:00.000Z",
    url: "https://ems.example.com",
  },
  {
    kind: "WEBHOOK_DISABLED",
    webhookId: id(6),
    origin: "https://hooks.example.com",
    reason: "FAILING",
    disabledAt: "2026-01-15T12:00:00.000Z",
  },
  {
    kind: "BUDGET_REACHED",
    applicationId: id(8),
    period: "month",
    unit: "money",
    percent: 80,
    budget: "1500000000",
    spent: "1200000050",
    uncertain: "150000000",
    endsAt: "2026-02-01T00:00:00.000Z",
  },
  {
    kind: "MODEL_CONNECTION_PAUSED",
    applicationId: id(8),
    connection: { id: id(9), title: "Judge <1>" },
    provider: "openai",
    reason: "The provider answered 401: the key is not accepted",
    pausedAt: "2026-01-15T12:00:00.000Z",
  },
];
const feedback = feedbackMail({
  feedbackId: id(7),
  orgId: "org-1",
  applicationId: id(8),
  userId: "ada",
  userName: "Ada Lovelace",
  feedback: "The list could be sorted.\n\n<script>alert(1)</script> & more.",
});
const mails = [
  ...contents.map(
    (content) => [content.kind.toLowerCase().replaceAll("_", "-"), renderJob(content, "Ada Lovelace")] as const,
  ),
  ["feedback", feedback] as const,
];

test.each(mails)("%s matches its golden files", async (name, mail) => {
  await expect(`Subject: ${mail.subject}\n\n${mail.text}`).toMatchFileSnapshot(`golden/${name}.golden.txt`);
  await expect(mail.html).toMatchFileSnapshot(`golden/${name}.golden.html`);
});

test("a used-up token budget states that evaluations wait", () => {
  const reached = { period: "day", unit: "tokens", percent: 100, budget: "1000000", spent: "999999" } as const;
  const content = { ...reached, applicationId: id(8), endsAt: "2026-01-16T00:00:00.000Z" };
  const { subject, text } = renderJob({ kind: "BUDGET_REACHED", ...content }, "");
  expect(subject).toBe("Budget of the day: 100 % used");
  expect(text).toContain("999,999 tokens of 1,000,000 tokens.\n\nEvaluations by models wait until 2026-01-16");
});

test.each([
  ["0", "$0.00"],
  ["1", "$0.000001"],
  ["1500000", "$1.50"],
  ["1234567890000", "$1,234,567.89"],
])("%s millionths of a dollar are %s", (budget, text) => {
  const reached = { period: "day", unit: "money", percent: 80, budget, spent: "0" } as const;
  const content = { ...reached, applicationId: id(8), endsAt: "2026-01-16T00:00:00.000Z" };
  expect(renderJob({ kind: "BUDGET_REACHED", ...content }, "").text).toContain(`$0.00 of ${text}.`);
});

test("one review is singular", () => {
  const [reviews] = contents;
  if (reviews?.kind !== "REVIEWS_ASSIGNED") throw new Error("no reviews");
  const mail = renderJob({ ...reviews, kbReviewCount: 0, topicIds: [id(2)] }, "Ada");
  expect(mail.subject).toBe("Review assigned: Accounts & cards");
  expect(mail.text).toContain("Review of tasks and topics: 1 topic\n");
  expect(mail.text).not.toContain("Knowledge base");
  expect(mail.text).toContain("Topics:\n");
});

/** Arbitrary untrusted text, between markers with which the test finds it. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc.constantFrom(
        "<script>",
        '"><img src=x onerror=1>',
        "' onload='",
        "&amp;",
        "\r\nBcc: eve@evil.example",
        "\u2028",
        "</title>",
      ),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(""));

/** Renders all mails that contain untrusted text. */
function mailsWith(name: string, title: string, words: string): MailContent[] {
  const named = { id: id(1), title };
  const reviews = { quickstart: named, kbReviewCount: 1, tasksTopicsReviewCount: 2, topicIds: [] };
  const paused = { applicationId: id(2), provider: "openai", pausedAt: "2026-01-15T12:00:00.000Z" };
  const about = { feedbackId: id(1), orgId: title, applicationId: id(2), userId: name, userName: title };
  return [
    renderJob({ kind: "EXPERIMENT_ASSIGNED", experiment: named }, name),
    renderJob({ kind: "CONTRADICTION_ASSIGNED", quickstart: named, contradictionId: id(2) }, name),
    renderJob({ kind: "REVIEWS_ASSIGNED", ...reviews }, name),
    renderJob({ kind: "MODEL_CONNECTION_PAUSED", ...paused, connection: named, reason: words }, name),
    feedbackMail({ ...about, feedback: words }),
  ];
}

test("untrusted text adds no markup to the HTML, and every subject is one short line", () => {
  const plain = mailsWith("", "", "");
  fc.assert(
    fc.property(hostile, hostile, hostile, (name, title, words) => {
      for (const [at, { subject, html }] of mailsWith(name, title, words).entries()) {
        // All tags and quotes come from the template.
        expect(html.match(/<[^>]*>/g)).toEqual(plain[at]?.html.match(/<[^>]*>/g));
        expect(html.match(/["'<>]/g)).toEqual(plain[at]?.html.match(/["'<>]/g));
        expect(subject).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u);
      }
    }),
  );
});

test.each([
  ["a\r\nb", "a b"],
  ["  a \t\u0000 b  ", "a b"],
  ["a\u2028b\u0085c", "a b c"],
  ["a\u202eb\ufeff", "ab"],
  ["👩‍👩‍👧", "👩‍👩‍👧"],
  ["x".repeat(151), `${"x".repeat(149)}…`],
  ["💛".repeat(150), "💛".repeat(150)],
])("%j in one line is %j", (text, line) => {
  expect(oneLine(text)).toBe(line);
});
