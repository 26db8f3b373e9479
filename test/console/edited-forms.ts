// Lists forms of the console, each with a conflicting change by another person.

import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { OpenedConsole } from "./open-console.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

interface EditedForm {
  readonly path: string;
  /** Opens the form and types a new value. */
  readonly type: (page: Page) => Promise<unknown>;
  /** Request with which another person changes the resource. */
  readonly changed: readonly [path: string, body: unknown];
  readonly field: string;
  readonly versions: readonly [mine: string, theirs: string];
  readonly save?: string;
}

const inForm = (page: Page) => page.getByRole("dialog").last();
const edited = (label: string, text: string) => async (page: Page) => {
  await button(page, "Edit").first().click();
  await inForm(page).getByRole("textbox", { name: label }).fill(text);
};

export function editedForms(call: OpenedConsole["call"]): Readonly<Record<string, () => Promise<EditedForm>>> {
  const made = async (path: string, body: unknown) => ((await call("POST", path, body)).data as { id: string }).id;
  return {
    task: async () => {
      const { task } = (await call("POST", "/v0/tasks", { title: "Price", description: "d" })) as {
        task: { id: string };
      };
      return {
        path: `/tasks/${task.id}`,
        type: edited("Title", "Mine"),
        changed: [`/v0/tasks/${task.id}`, { title: "Theirs" }],
        field: "Title",
        versions: ["Mine", "Theirs"],
      };
    },
    "new schedule": async () => {
      const { task } = (await call("POST", "/v0/tasks", { title: "Cron", description: "d" })) as {
        task: { id: string };
      };
      return {
        path: `/tasks/${task.id}`,
        type: async (page) => {
          await button(page, "Set").click();
          await inForm(page).getByLabel("Cron").fill("0 6 * * *");
        },
        changed: [`/v0/tasks/${task.id}/schedule`, { cron: "0 5 * * *", timezone: "UTC", criticality: "HIGH" }],
        field: "Cron",
        versions: ["0 6 * * *", "0 5 * * *"],
      };
    },
    "stored schedule": async () => {
      const { task } = (await call("POST", "/v0/tasks", { title: "Cron", description: "d" })) as {
        task: { id: string };
      };
      const schedule = { timezone: "UTC", criticality: "HIGH" };
      await call("PUT", `/v0/tasks/${task.id}/schedule`, { cron: "0 4 * * *", ...schedule });
      return {
        path: `/tasks/${task.id}`,
        type: async (page) => {
          await button(page, "Change").click();
          await inForm(page).getByLabel("Cron").fill("0 6 * * *");
        },
        changed: [`/v0/tasks/${task.id}/schedule`, { cron: "0 5 * * *", ...schedule }],
        field: "Cron",
        versions: ["0 6 * * *", "0 5 * * *"],
      };
    },
    fact: async () => {
      const id = await made("/v0/facts", { statement: "A transfer is free.", scope: "APPLICATION" });
      return {
        path: "/facts",
        type: async (page) => {
          await button(page, "Edit A transfer is free.").click();
          await inForm(page).getByLabel("Statement").fill("A transfer costs a euro.");
        },
        changed: [`/v0/facts/${id}`, { statement: "A transfer costs two euros." }],
        field: "Statement",
        versions: ["A transfer costs a euro.", "A transfer costs two euros."],
      };
    },
    experiment: async () => {
      const id = await made("/v0/experiments", { title: "Shorter" });
      return {
        path: `/experiments/${id}`,
        type: edited("Title", "Mine"),
        changed: [`/v0/experiments/${id}`, { title: "Theirs" }],
        field: "Title",
        versions: ["Mine", "Theirs"],
      };
    },
    variant: async () => {
      const experiment = await made("/v0/experiments", { title: "Shorter" });
      const path = `/v0/experiments/${experiment}/variants`;
      const id = await made(path, { title: "Baseline", configPatch: {} });
      return {
        path: `/experiments/${experiment}`,
        type: async (page) => {
          await button(page, "Edit Baseline").click();
          await inForm(page).getByLabel("Description").fill("Mine");
        },
        changed: [`${path}/${id}`, { description: "Theirs" }],
        field: "Description",
        versions: ["Mine", "Theirs"],
      };
    },
    "style guide": async () => {
      const section = { heading: "Tone", content: "Be brief.", approved: false };
      const id = await made("/v0/style-guides", { content: [section] });
      return {
        path: `/style-guides/${id}/edit`,
        type: (page) => page.getByLabel("Rules of section 1").fill("Be kind."),
        changed: [`/v0/style-guides/${id}`, { content: [{ ...section, content: "Be honest." }] }],
        field: "Section: Tone",
        versions: ["Be kind.\nNot approved", "Be honest.\nNot approved"],
      };
    },
    connection: async () => {
      const connection = { name: "Judge", provider: "openai", model: "judge-1", apiKey: "of-no-provider" };
      const id = await made("/v0/model-connections", connection);
      return {
        path: `/settings/models/${id}`,
        type: edited("Name", "Mine"),
        changed: [`/v0/model-connections/${id}`, { name: "Theirs", provider: "openai", model: "judge-1" }],
        field: "Name",
        versions: ["Mine", "Theirs"],
      };
    },
    "review queue": async () => {
      const { data: people } = await call("GET", "/v0/users?limit=100");
      const [ann, ben, cleo] = people as { id: string; name: string }[];
      const topicId = await made("/v0/topics", { title: "Reviewed" });
      const id = await made("/v0/human-annotation-queues", { topicId, assigneeId: ann?.id });
      return {
        path: `/reviews/${id}`,
        type: async (page) => {
          await button(page, "Reassign").click();
          await inForm(page).getByRole("combobox", { name: "Reviewer" }).click();
          await page
            .getByRole("option", { name: ben?.name ?? "" })
            .first()
            .click();
        },
        changed: [`/v0/human-annotation-queues/${id}`, { assigneeId: cleo?.id }],
        field: "Reviewer",
        versions: [expect.stringContaining(ben?.name ?? ""), expect.stringContaining(cleo?.name ?? "")],
      };
    },
    "evaluation settings": async () => {
      await call("PUT", "/v0/evaluation-settings", { votes: 1, kappaFloor: 0.4 });
      return {
        path: "/settings/evaluation",
        type: edited("Trust judges with kappa ≥", "0.5"),
        changed: ["/v0/evaluation-settings", { votes: 1, kappaFloor: 0.6 }],
        field: "Trust judges with kappa ≥",
        versions: ["0.5", "0.6"],
      };
    },
    "trace paths": async () => {
      await call("PUT", "/v0/ingest-settings", { redactions: [], question: "root.input" });
      return {
        path: "/settings/trace-paths",
        type: (page) => page.getByLabel("Question").fill("llm.input"),
        changed: ["/v0/ingest-settings", { redactions: [], question: "agent.input" }],
        field: "Question",
        versions: ["llm.input", "agent.input"],
      };
    },
    redaction: async () => {
      const rule = (replacement: string) => ({ redactions: [{ name: "card", pattern: "\\d{16}", replacement }] });
      await call("PUT", "/v0/ingest-settings", rule("[card]"));
      return {
        path: "/settings/redaction",
        type: (page) => page.getByLabel("Replacement").last().fill("[mine]"),
        changed: ["/v0/ingest-settings", rule("[theirs]")],
        field: "Rule: card",
        versions: [
          "Pattern: \\d{16}\nReplacement: [mine]\nEnabled",
          "Pattern: \\d{16}\nReplacement: [theirs]\nEnabled",
        ],
      };
    },
  };
}
