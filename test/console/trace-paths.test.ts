// Tests the page of paths and noise rules.

import { newId } from "@ems/kit/id";
import { afterAll, expect, test } from "vitest";
import { openConsole, whenLoaded } from "./open-console.ts";
import { pageOfEachTest } from "./page-of-each-test.ts";

const opened = await openConsole();
afterAll(() => opened.close());
const { facts, call } = opened;
const watched = pageOfEachTest(opened);

const redactions = [{ name: "card", builtIn: "CREDIT_CARD", replacement: "[card]" }];

test("paths are tried on a trace, saved next to the redactions, and applied to stored traces", async () => {
  const { page } = watched;
  await call("PUT", "/v0/ingest-settings", { redactions });
  const traceId = newId();
  const step = { type: "agent", name: "turn", input: { turn: { text: "Hello" } }, metadata: { "app.talk": "talk-7" } };
  await call("POST", "/v0/ingest", { events: [{ type: "trace", traceId, steps: [step] }] });
  await page.goto(`${facts.baseUrl}/settings/trace-paths`);
  await whenLoaded(page);
  await page.getByLabel("Question").fill("root.input.turn.text");
  await page.getByLabel("Answer").fill("root.output.turn");
  await page.getByLabel("Session").fill("$.talk");
  await page.getByLabel("Trace id").fill(traceId);
  await page.getByRole("button", { name: "Try", exact: true }).click();
  await page
    .getByText(/^Must begin with root/)
    .first()
    .waitFor();
  await page.getByLabel("Session").fill("step.metadata['app.talk']");
  await page.getByRole("button", { name: "Try", exact: true }).click();
  await page.getByRole("region", { name: "Found Question" }).getByText("Hello").waitFor();
  await page.getByRole("region", { name: "Found Session" }).getByText("talk-7").waitFor();
  await page.getByText("The step has no output").waitFor();

  await page.getByRole("button", { name: "Add a rule" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("At least one of name, attribute and service").first().waitFor();
  await page.getByRole("group", { name: "Noise rule 1" }).getByLabel("Span name").fill("GET /static/*");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(/^Saved: /).waitFor();
  const { data } = (await call("GET", "/v0/ingest-settings")) as { data: object };
  expect(data).toMatchObject({
    redactions,
    question: "root.input.turn.text",
    context: null,
    noise: [{ name: "GET /static/*", service: null, keep: false }],
  });

  await page.getByRole("button", { name: "Count" }).click();
  await page.getByText(/^Would change the session of 1 and the end user of 0 /).waitFor();
  await page.getByRole("button", { name: "Reread" }).click();
  await page.getByText(/^Changed the session of 1 /).waitFor();
  expect(await call("GET", `/v0/traces/${traceId}`)).toMatchObject({ data: { session: "talk-7" } });
});
