// People sign in at a real OpenID Connect provider: invited, with a role, in applications that they switch between and make.

import { freePort } from "@ems/dev/free-port";
import { startOidcProvider } from "@ems/test-support/oidc-provider";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { openConsole, watchedPage } from "./open-console.ts";

const port = await freePort();
const publicUrl = `http://127.0.0.1:${port}`;
const provider = await startOidcProvider(publicUrl, {
  ada: { email: "ada@example.com", email_verified: true, name: "Ada Lovelace" },
  grace: { email: "Grace@example.com", email_verified: true, name: "Grace Hopper" },
});
const opened = await openConsole({ ...provider.env, PORT: String(port), OIDC_OWNERS: "ada@example.com" });
afterAll(async () => {
  await opened.close();
  await provider.stop();
});
const { browser, facts, call } = opened;

async function personsPage() {
  const context = await browser.newContext();
  const { page, complaints } = await watchedPage(context, { ...facts, baseUrl: publicUrl });
  // The way to the provider and back.
  const ours = () => complaints.filter((complaint) => !complaint.startsWith(`asked ${provider.issuer}/`));
  return { context, page, ours };
}

async function signIn(page: Page, person: string, path = "/") {
  await page.goto(`${publicUrl}${path}`);
  await page.getByRole("link", { name: "Sign in with Acme" }).click();
  await page.getByLabel("Who are you?").fill(person);
  await page.getByRole("button", { name: "Sign in" }).click();
}

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

test("an owner signs in, invites a reviewer and makes an application; the reviewer sees what the role allows, until removed", async () => {
  const [ada, grace] = [await personsPage(), await personsPage()];
  await signIn(ada.page, "ada", "/settings/members");
  await heading(ada.page, "Members");
  await ada.page.getByText("Ada Lovelace (you)").waitFor();
  await ada.page.getByRole("button", { name: "Invite" }).click();
  const dialog = ada.page.getByRole("dialog");
  await dialog.getByLabel("E-mail address").fill("grace@example.com");
  await dialog.getByRole("combobox", { name: "Role" }).click();
  await ada.page.getByRole("option", { name: /^Reviewer/ }).click();
  await dialog.getByRole("button", { name: "Invite" }).click();
  await ada.page.getByRole("heading", { name: "Invitations" }).waitFor();

  await signIn(grace.page, "grace");
  await heading(grace.page, "Overview");
  await grace.page.goto(`${publicUrl}/settings/members`);
  await heading(grace.page, "Members");
  await grace.page.getByText("Grace Hopper (you)").waitFor();
  expect(await grace.page.getByRole("button", { name: "Invite" }).count()).toBe(0);
  // What she does has her name, and not a key's owner's.
  const note = await grace.page.evaluate(async (applicationId) => {
    const headers = { "content-type": "application/json", "x-application-id": applicationId };
    const body = JSON.stringify({ title: "Release of Monday" });
    const send = (path: string) => fetch(`/console/api${path}`, { method: "POST", headers, body });
    const [annotation, topic] = [await send("/v0/annotations"), await send("/v0/topics")];
    return {
      status: annotation.status,
      id: ((await annotation.json()) as { data: { id: string } }).data.id,
      topic: topic.status,
    };
  }, facts.applicationId);
  expect([note.status, note.topic]).toEqual([201, 403]);
  const users = (await call("GET", "/v0/users?search=grace")).data as { id: string; name: string }[];
  const entries = (await call("GET", `/v0/audit-log?entityId=${note.id}`)).data as Record<string, unknown>[];
  expect(entries[0]).toMatchObject({ userId: users[0]?.id, keyId: null, action: "CREATED" });

  await ada.page.reload();
  await ada.page.getByRole("button", { name: "Remove Grace Hopper" }).click();
  await ada.page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await ada.page.getByRole("button", { name: "Remove Grace Hopper" }).waitFor({ state: "detached" });
  await grace.page.goto(`${publicUrl}/topics`);
  await heading(grace.page, "Sign in");

  await ada.page.getByRole("button", { name: "Demo application" }).click();
  await ada.page.getByRole("menuitem", { name: "New application" }).click();
  await ada.page.getByLabel("Title").fill("Second assistant");
  await ada.page.getByRole("button", { name: "Create" }).click();
  await ada.page.getByRole("button", { name: "Second assistant" }).waitFor();
  await ada.page.getByRole("button", { name: "Second assistant" }).click();
  await ada.page.getByRole("menuitem", { name: /^Demo application/ }).click();
  await ada.page.getByRole("button", { name: "Demo application" }).waitFor();
  expect([...ada.ours(), ...grace.ours()]).toEqual([]);
  await Promise.all([ada.context.close(), grace.context.close()]);
}, 120_000);

test("a stranger is told what to do, and a key still signs in", async () => {
  const { page, context } = await personsPage();
  await signIn(page, "nobody");
  await page.getByText("You are no member of an application here.").waitFor();
  await page.getByRole("button", { name: "Sign in with an API key" }).click();
  await page.getByLabel("API key").fill(facts.apiKey ?? "");
  await page.getByLabel("Application").fill(facts.applicationId);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await heading(page, "Overview");
  await context.close();
});
