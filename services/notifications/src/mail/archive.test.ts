import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "@ems/kit/id";
import { capturedLog, fixedClock } from "@ems/test-support";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type MailArchive, mailArchive } from "./archive.ts";
import { mailPage } from "./pages.ts";

let dir: string;
let mails: MailArchive;
const clock = fixedClock();
const { log, text: logged } = capturedLog();
const from = { name: "", address: "ems@example.com" };
const mail = { to: "ada@example.com", subject: "First & <last>", text: "A text\n", html: '<p title="x">A text</p>' };

beforeEach(async () => {
  dir = join(await mkdtemp(join(tmpdir(), "ems-test-kept-")), "mail");
  mails = await mailArchive({ dir, from, clock, newId, log });
});
afterEach(async () => {
  await rm(join(dir, ".."), { recursive: true });
  expect(logged()).not.toMatch(/ada@|A text/);
});

test("a mail is archived, readable by its owner only, and counts as not sent", async () => {
  expect(await mails.send(mail)).toEqual({ isSent: false, fault: "KEPT", isPermanent: true });
  const [name = ""] = await readdir(dir);
  expect(name).toMatch(/\.eml$/);
  expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
  expect((await stat(dir)).mode & 0o777).toBe(0o700);
  const raw = (await mails.read(name))?.toString();
  expect(raw).toMatch(/^To: ada@example\.com\r$/m);
  expect(raw).toMatch(/^Date: Thu, 15 Jan 2026 12:00:00/m);
});

test("the newest 500 are archived", async () => {
  for (let at = 0; at < 498; at++) await writeFile(join(dir, `20250101T000000000Z-${newId()}.eml`), "");
  for (let at = 0; at < 4; at++) {
    await mails.send({ ...mail, subject: `Number ${at}` });
    clock.advance(1);
  }
  const names = await mails.names();
  expect(names).toHaveLength(500);
  const newest = await Promise.all(names.slice(0, 4).map(async (name) => (await mails.read(name))?.toString()));
  for (const [at, raw] of newest.entries()) expect(raw).toContain(`Subject: Number ${3 - at}`);
});

test("an unwritable folder loses the mail without throwing", async () => {
  await rm(dir, { recursive: true });
  expect(await mails.send(mail)).toMatchObject({ isSent: false, fault: "OTHER", isPermanent: false });
  expect(logged()).toContain("could not be archived");
  await mailArchive({ dir, from, clock, newId, log });
});

test("the page lists mails, newest first, and displays one with escaped text and HTML in a sandboxed frame", async () => {
  const page = mailPage(mails);
  expect(await page.show("/mail")).toContain("No mail yet");
  await mails.send({ ...mail, subject: "Older" });
  clock.advance(1);
  await mails.send({ ...mail, replyTo: "ben@example.com" });
  const list = (await page.show("/mail")) ?? "";
  expect(list).toContain("First &amp; &lt;last&gt;");
  expect(list.indexOf("First")).toBeLessThan(list.indexOf("Older"));
  const [name] = await mails.names();
  const html = (await page.show(`/mail/${name}`)) ?? "";
  expect(html).toContain("<td>ben@example.com</td>");
  expect(html).toContain("<pre>A text");
  expect(html).toContain('<iframe sandbox srcdoc="&lt;p title=&quot;x&quot;&gt;A text&lt;/p&gt;');
  expect(html).not.toContain("<p title");
});

test.each([
  "/mail/none.eml",
  "/mail/../kept.test.ts",
  "/mail/..%2f..%2fsecrets.json",
  "/mail/20260115T120000000Z-../../../../etc/passwd",
  "/mail/20260115T120000000Z-01.eml/x",
  "/mail/20260115T120000000Z-01.eml",
])("%s is not found", async (path) => {
  expect(await mailPage(mails).show(path)).toBeUndefined();
});
