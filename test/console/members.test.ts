// Tests sign-in with a real OpenID Connect provider: invitations, roles, and creating and switching applications.

import { freePort } from "@ems/dev/free-port";
import { startOidcProvider } from "@ems/test-support/oidc-provider";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { sample } from "../harness/sample.ts";
import { axe, brokenRules } from "./axe.ts";
import { byKeyboard } from "./by-keyboard.ts";
import { findOffers, show } from "./offers.ts";
import { openConsole, watchedPage, whenLoaded } from "./open-console.ts";
import { samplePages } from "./sample-pages.ts";

const hostile = "<img src=x onerror=\"document.title='ran'\"> [a](javascript:alert(1)) \u202Egnitirw\u202C";
const port = await freePort();
const publicUrl = `http://127.0.0.1:${port}`;
const provider = await startOidcProvider(publicUrl, {
  ada: { email: "ada@example.com", email_verified: true, name: "Ada Lovelace" },
  grace: { email: "Grace@example.com", email_verified: true, name: "Grace Hopper" },
  vera: { email: "vera@example.com", email_verified: true, name: "Vera Rubin" },
  rosa: { email: "rosa@example.com", email_verified: true, name: "Rosa Parks" },
  henry: { email: "henry@example.com", email_verified: true, name: "Henry" },
  mallory: { email: "mallory@example.com", email_verified: true, name: hostile },
});
const opened = await openConsole({ ...provider.env, PORT: String(port), OIDC_OWNERS: "ada@example.com" });
afterAll(async () => {
  await opened.close();
  await provider.stop();
});
const { browser, facts, call } = opened;
const pages = await samplePages(opened);

async function personsPage(options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  const { page, complaints } = await watchedPage(context, { ...facts, baseUrl: publicUrl });
  // Ignore requests to the provider, which the browser sends during sign-in.
  const ours = () => complaints.filter((complaint) => !complaint.startsWith(`asked ${provider.issuer}/`));
  return { context, page, ours };
}

async function signIn(page: Page, person: string, path = "/") {
  await page.goto(`${publicUrl}${path}`);
  await page.getByRole("link", { name: "Sign in with Acme" }).click();
  await page.getByLabel("Who are you?").fill(person);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Invites a person with the role and signs them in. */
async function signInAs(person: string, role: string) {
  // Ignore a failure, because the member already exists if the test is retried.
  await call("POST", "/v0/invitations", { email: `${person}@example.com`, role }).catch(() => undefined);
  const watched = await personsPage();
  await signIn(watched.page, person);
  await heading(watched.page, "Overview");
  return watched;
}

async function signInByKey(scopes: readonly string[], options?: BrowserContextOptions) {
  const key = (await call("POST", "/v0/api-keys", { name: "limited", scopes })).data as { key: string };
  const watched = await personsPage(options);
  await watched.page.goto(`${publicUrl}/sign-in`);
  await enterKey(watched.page, key.key);
  await heading(watched.page, "Overview");
  return watched;
}

async function enterKey(page: Page, key: string) {
  await page.getByRole("button", { name: "Sign in with an API key" }).click();
  await page.getByLabel("API key").fill(key);
  await page.getByLabel("Application").fill(facts.applicationId);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

test("an owner invites a reviewer and creates an application; the reviewer has only the role's permissions, until removed", async () => {
  const [ada, grace] = [await personsPage(), await personsPage()];
  await signIn(ada.page, "ada", "/settings/members");
  await heading(ada.page, "Members");
  await ada.page.getByText("Ada Lovelace (you)").waitFor();
  await ada.page.getByRole("button", { name: "Invite" }).click();
  const dialog = ada.page.getByRole("dialog");
  await dialog.getByLabel("Email address").fill("grace@example.com");
  await dialog.getByRole("combobox", { name: "Role" }).click();
  await ada.page.getByRole("option", { name: /^Reviewer/ }).click();
  await dialog.getByRole("button", { name: "Invite" }).click();
  await ada.page.getByRole("heading", { name: "Invitations" }).waitFor();

  await signIn(grace.page, "grace");
  await heading(grace.page, "Overview");
  await grace.page.goto(`${publicUrl}/settings/members`);
  await heading(grace.page, "Members");
  await grace.page.getByText("Grace Hopper (you)").waitFor();
  await grace.page.locator("button[aria-disabled=true]", { hasText: "Invite" }).waitFor();
  // Her changes have her own name, not the name of an API key's owner.
  const note = await grace.page.evaluate(async (applicationId) => {
    const headers = { "content-type": "application/json", "x-application-id": applicationId };
    const body = JSON.stringify({ title: "Release of Monday" });
    const send = (path: string) => fetch(`/console/api${path}`, { method: "POST", headers, body });
    const [annotation, topic] = [await send("/v0/annotations"), await send("/v0/topics")];
    const { data } = (await annotation.json()) as { data: { id: string; author: { name: string } } };
    return { status: annotation.status, id: data.id, author: data.author.name, topic: topic.status };
  }, facts.applicationId);
  expect([note.status, note.author, note.topic]).toEqual([201, "Grace Hopper", 403]);
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

test("members are invited, changed and removed, and applications created and switched, by keyboard alone", async () => {
  await (await signInAs("henry", "VIEWER")).context.close();
  const { page, context, ours } = await personsPage();
  const { press, type, choose } = byKeyboard({ page });
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const inDialog = page.getByRole("dialog");
  const chooseReviewer = async () => {
    const role = inDialog.getByRole("combobox", { name: "Role" });
    await press(role, "ArrowDown");
    const reviewer = page.getByRole("option", { name: /^Reviewer/ });
    await reviewer.waitFor();
    await choose(reviewer, { highlighted: "[data-combobox-selected]" });
    await expect.poll(() => role.inputValue()).toMatch(/^Reviewer/);
  };
  await page.goto(`${publicUrl}/settings/members`);
  await press(page.getByRole("link", { name: "Sign in with Acme" }));
  await page.getByLabel("Who are you?").fill("ada");
  await page.getByRole("button", { name: "Sign in" }).click();
  await heading(page, "Members");

  await press(button("Invite"));
  await type(inDialog.getByLabel("Email address"), "ida@example.com");
  await chooseReviewer();
  await press(inDialog.getByRole("button", { name: "Invite" }));
  await press(button("Revoke invitation of ida@example.com"));
  await button("Revoke invitation of ida@example.com").waitFor({ state: "detached" });

  await press(button("Change the role of Henry"));
  await chooseReviewer();
  await press(inDialog.getByRole("button", { name: "Save" }));
  await inDialog.waitFor({ state: "detached" });
  await page.getByRole("row").filter({ hasText: "Henry" }).getByText("Reviewer").waitFor();
  await press(button("Remove Henry"));
  await press(inDialog.getByRole("button", { name: "Remove" }));
  await button("Remove Henry").waitFor({ state: "detached" });

  await press(button("Demo application"));
  await choose(page.getByRole("menuitem", { name: "New application" }));
  await type(page.getByRole("textbox", { name: "Title" }), "By keyboard");
  await page.keyboard.press("Enter");
  await press(button("By keyboard"));
  await choose(page.getByRole("menuitem", { name: /^Demo application/ }));
  await button("Demo application").waitFor();
  expect(ours()).toEqual([]);
  await context.close();
}, 120_000);

test("markup in names of members and applications has no effect", async () => {
  await (await signInAs("mallory", "VIEWER")).context.close();
  const { page, context, ours } = await personsPage();
  await signIn(page, "ada", "/settings/members");
  await heading(page, "Members");
  await page.getByRole("button", { name: `Change the role of ${hostile}` }).click();
  await page.getByRole("dialog").getByText(`Role of ${hostile}`).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: `Remove ${hostile}` }).click();
  await page.getByRole("dialog").getByText(`Remove ${hostile}?`).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Demo application" }).click();
  await page.getByRole("menuitem", { name: "New application" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill(hostile);
  await page.getByRole("button", { name: "Create" }).click();
  await heading(page, "Overview");
  await page.getByRole("button", { name: hostile, exact: true }).click();
  await page.getByRole("menuitem", { name: hostile }).waitFor();
  await whenLoaded(page);
  expect(await page.title()).toMatch(/ · EMS$/);
  expect(await page.locator("body img[onerror], body a[href^='javascript' i]").count()).toBe(0);
  expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
  await page.setViewportSize({ width: 380, height: 900 });
  expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
  expect(ours()).toEqual([]);
  await context.close();
}, 120_000);

test("a person without membership gets instructions, and can sign in with a key", async () => {
  const { page, context } = await personsPage();
  await signIn(page, "nobody");
  await page.getByText("You are not a member of any application.").waitFor();
  await enterKey(page, facts.apiKey ?? "");
  await heading(page, "Overview");
  await context.close();
});

test("a viewer sees every page with all changing controls disabled, each with a reason", async () => {
  const { page, ours, context } = await signInAs("vera", "VIEWER");
  expect(
    await findOffers(page, sample(Object.values(pages), 3), "Your role (viewer) does not allow this. Required: "),
  ).toEqual([]);
  expect(await page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Webhook" }).count()).toBe(0);
  await show(page, "/webhook");
  await page.getByRole("alert").getByText("Your role, viewer, lacks the scope webhook:read").waitFor();
  expect(ours()).toEqual([]);
  await context.close();
}, 120_000);

test("a read-only key sees accessible pages with disabled controls, and secrets hidden from viewers", async () => {
  const { page, ours, context } = await signInByKey(["read"], { bypassCSP: true, reducedMotion: "reduce" });
  await page.evaluate(axe);
  const { webhook, delivery, keys, model, links, document, review, contradictions } = pages;
  const seen = [webhook, delivery, keys, model, links, document, review, contradictions].map((path) => path ?? "");
  expect(await findOffers(page, sample(seen, 2), "Your API key lacks the scope ", () => brokenRules(page))).toEqual([]);
  expect(ours()).toEqual([]);
  await context.close();
});

test("a key with one scope finds only its page, and other pages name the missing scope", async () => {
  const { page, context } = await signInByKey(["topic:read"]);
  const menu = page.getByRole("navigation", { name: "Menu" }).getByRole("link");
  expect(await menu.allTextContents()).toEqual(["Overview", "Topics"]);
  await page.keyboard.press("g");
  await page.keyboard.press("k");
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByRole("row").filter({ hasText: "Topics" }).waitFor();
  expect(await page.getByRole("dialog").getByRole("row").count()).toBe(5);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Go to" }).fill("webhook");
  await page.getByText("Nothing found").waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  expect(new URL(page.url()).pathname).toBe("/");
  await show(page, "/tasks");
  await page.getByRole("heading", { name: "Access denied" }).waitFor();
  await page.getByText("The API key lacks the scope task:read").waitFor();
  await context.close();
});

test("a reviewer reviews traces and contradictions by keyboard, and owners' controls explain why they are disabled", async () => {
  const { page, ours, context } = await signInAs("rosa", "REVIEWER");
  await show(page, pages.contradictions ?? "");
  const decided = page.waitForResponse((response) => response.request().method() === "PUT");
  await page.keyboard.press("r");
  expect((await decided).status()).toBe(200);
  await show(page, pages.review ?? "");
  const judged = page.waitForResponse((response) => response.url().endsWith("/v0/human-annotations"));
  await page.keyboard.press("p");
  const { data } = (await (await judged).json()) as { data: { annotatorId: string; annotator: object } };
  expect(data.annotator).toMatchObject({ id: data.annotatorId, name: "Rosa Parks", email: "rosa@example.com" });
  await show(page, `${pages.review}?completion=COMPLETED`);
  await page.getByRole("region", { name: "People and judges" }).getByText("Rosa Parks").waitFor();
  await show(page, "/settings/keys");
  const create = page.getByRole("button", { name: "New key" });
  await create.focus();
  await page.getByRole("tooltip", { name: "Your role (reviewer) does not allow this. Required: owner." }).waitFor();
  await page.keyboard.press("Enter");
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(ours()).toEqual([]);
  await context.close();
});
