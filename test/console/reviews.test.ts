// Tests reviews of contradictions, assignments, traces, facts and issues.

import { newId } from "@ems/kit/id";
import { afterAll, expect, test } from "vitest";
import { openConsole, whenLoaded } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { facts, call } = opened;
const watched = pageOfEachTest(opened);

async function newQuickstart(title: string): Promise<string> {
  const { data } = (await call("POST", "/v0/quickstarts", { title })) as { data: { id: string } };
  return data.id;
}

async function newDocument(title: string): Promise<string> {
  const { document } = (await call("POST", "/v0/documents", { title, content: "text" })) as {
    document: { id: string };
  };
  return document.id;
}

test("contradictions are reviewed by keyboard alone", async () => {
  const { page } = watched;
  const id = await newQuickstart("Reviewed by keyboard");
  const [documentAId, documentBId] = [await newDocument("Fees of 2025"), await newDocument("Fees of 2026")];
  const contradictions = [1, 2, 3].map((at) => ({
    documentAId,
    documentBId,
    passageA: `It costs ${at} euros.`,
    passageB: "It costs nothing.",
    reason: `Reason ${at}`,
    documentTestId: newId(),
  }));
  await call("POST", `/v0/quickstarts/${id}/contradictions`, { contradictions });
  await page.goto(`${facts.baseUrl}/quickstarts/${id}`);
  await page.getByText("0 of 3 resolved").waitFor();
  await page.getByRole("link", { name: "Review contradictions" }).click();
  await page.getByRole("link", { name: "Fees of 2025" }).waitFor();
  await page.getByText("1 of 3", { exact: true }).waitFor();
  const reason = async () => (await page.getByText(/^Reason \d$/).textContent()) ?? "";
  const first = await reason();
  await page.keyboard.press("j");
  await page.getByText("2 of 3", { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe("?resolved=false&skip=1");
  expect(await reason()).not.toBe(first);
  await page.keyboard.press("k");
  await page.getByText("1 of 3", { exact: true }).waitFor();
  await page.keyboard.press("r");

  await page.getByText(/1 of 3 resolved/).waitFor();
  await page.getByText("1 of 2", { exact: true }).waitFor();
  expect(await reason()).not.toBe(first);
  await page.keyboard.press("r");
  await page.getByText("1 of 1", { exact: true }).waitFor();
  await page.keyboard.press("r");
  await page.getByText("All done").waitFor();
  await page.getByText(/3 of 3 resolved/).waitFor();
});

test("several topics are assigned at once and reassigned", async () => {
  const { page } = watched;
  const id = await newQuickstart("Assigned");
  await page.goto(`${facts.baseUrl}/quickstarts/${id}`);
  await page.getByText("No assignments yet").waitFor();
  await page.getByRole("button", { name: "Assign topics" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Topics" }).click();
  for (const at of [0, 1]) await page.getByRole("option").nth(at).click();
  await dialog.getByRole("combobox", { name: "Person" }).click();
  await page.getByRole("option").first().click();
  await dialog.getByRole("button", { name: "Assign", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => page.getByRole("row").count()).toBe(3);
  await page.getByRole("checkbox", { name: "Select all rows" }).check();
  await page.getByRole("button", { name: "Reassign" }).click();
  await dialog.getByRole("combobox", { name: "Person" }).click();
  await page.getByRole("option").last().click();
  await dialog.getByRole("button", { name: "Assign", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await whenLoaded(page);
});

async function newTrace(question: string, answer: string): Promise<string> {
  const traceId = newId();
  const steps = [
    { type: "request", content: question, traceId },
    { type: "response", content: answer, traceId },
  ];
  await call("POST", "/v0/ingest", { events: steps });
  return traceId;
}

test("traces of a queue are reviewed by keyboard alone, and a failed trace needs an explanation", async () => {
  const { page } = watched;
  // Use a unique topic, because the test may be retried.
  const title = `Judged by keyboard ${Date.now()}`;
  const { data: topic } = (await call("POST", "/v0/topics", { title })) as {
    data: { id: string };
  };
  const { data: queue } = (await call("POST", "/v0/human-annotation-queues", { topicId: topic.id })) as {
    data: { id: string };
  };
  const traceIds = [
    await newTrace("What does a card cost?", "Nothing."),
    await newTrace("What does a loan cost?", "I do not know."),
  ];
  for (const traceId of traceIds)
    await call("POST", `/v0/human-annotation-queues/${queue.id}/items`, { traceIds: [traceId] });
  await page.goto(`${facts.baseUrl}/reviews`);
  await page.getByRole("link", { name: title }).click();
  await page.getByText("0 of 2 reviewed by").waitFor();
  await page.getByText("What does a card cost?").waitFor();
  await page.keyboard.press("p");

  await page.getByText("What does a loan cost?").waitFor();
  await page.getByText("1 of 2 reviewed by").waitFor();
  await page.keyboard.press("f");
  await page.getByText("Please explain in at least 20 characters: 20 more").waitFor();
  await page.keyboard.type("Fees of loans are in the price list of 2026.");
  await page.keyboard.press("Control+Enter");

  await page.getByText("All done").waitFor();
  await page.getByText("2 of 2 reviewed by").waitFor();
  const { data } = (await call("GET", `/v0/human-annotations?traceId=${traceIds[1]}`)) as { data: object[] };
  expect(data).toMatchObject([{ verdict: false, critique: "Fees of loans are in the price list of 2026." }]);
  await page.goto(`${facts.baseUrl}/reviews/${queue.id}?completion=COMPLETED&skip=1`);
  await page.getByText("Fees of loans are in the price list of 2026.").waitFor();

  await page.getByRole("button", { name: "Reassign" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Reviewer" }).click();
  await page.getByRole("option").last().click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("0 traces will leave the queue. Completed reviews are kept.").waitFor();
  // The page's keyboard shortcuts are inactive while the dialog is open.
  await page.keyboard.press("k");
  expect(page.url()).toContain("skip=1");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.waitForURL(`${facts.baseUrl}/reviews`);
  const { data: left } = await call("GET", `/v0/human-annotation-queues?topicId=${topic.id}`);
  expect(left).toEqual([]);
});

test("a fact is created, edited and filtered", async () => {
  const { page } = watched;
  await page.goto(`${facts.baseUrl}/facts`);
  await page.getByRole("button", { name: "New fact" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByRole("textbox", { name: /^Statement/ }).fill("A card costs nothing.");
  await dialog.getByText("Whole application").click();
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Edit A card costs nothing." }).click();
  await dialog.getByLabel("Active: used by judges").uncheck();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.goto(`${facts.baseUrl}/facts?status=DRAFT`);
  await page.getByText("A card costs nothing.").waitFor();
});

test("a failed review opens an issue, which is edited and resolved, and a suggested task is accepted", async () => {
  const { page } = watched;
  const traceId = await newTrace("Which fee has a transfer?", "None at all.");
  const critique = "Transfers to Norway are not free at all.";
  await call("POST", "/v0/human-annotations", { traceId, verdict: false, source: "TRACE_PAGE", critique });
  const suggested = { title: "Fees of a transfer", description: "Asks what a transfer costs.", type: "SUGGESTED_TASK" };
  await call("POST", "/v0/issues", { ...suggested, source: "API" });
  await page.goto(`${facts.baseUrl}/issues?source=HUMAN_ANNOTATION&status=OPEN`);
  await page.getByRole("region", { name: "Issues" }).getByRole("link").first().click();
  await page.getByRole("link", { name: "Trace", exact: true }).waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Comment").fill("The price list is older than the fee.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("The price list is older than the fee.").waitFor();
  await page.getByRole("button", { name: "Resolve" }).click();
  await page.getByRole("button", { name: "Reopen" }).waitFor();

  await page.goto(`${facts.baseUrl}/issues?type=SUGGESTED_TASK`);
  await page.getByRole("link", { name: "Fees of a transfer" }).click();
  await page.getByRole("button", { name: "Accept task" }).click();
  await dialog.getByRole("button", { name: "Accept", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Fees of a transfer" }).waitFor();
  await page.waitForURL(/\/tasks\//);
  await page.goto(`${facts.baseUrl}/issues`);
  await page.getByRole("checkbox", { name: "Select all rows" }).check();
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  await page.getByText("Rejected").first().waitFor();
});
