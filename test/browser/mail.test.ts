// Tests the page of stored mails in a real browser: it displays a mail's HTML, which can run and load nothing.

import { once } from "node:events";
import { createServer } from "node:net";
import { startAdmin } from "@ems/kit/admin";
import { Health } from "@ems/kit/health";
import { createLog } from "@ems/kit/log";
import { mailPage } from "@ems/notifications/mail";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningChromium, startChromium } from "./chromium.ts";

// Server that counts requests. The HTML of the mail tries to load something from it.
let requests = 0;
const other = createServer((socket) => {
  requests++;
  socket.destroy();
}).listen(0, "127.0.0.1");
await once(other, "listening");
const address = other.address();
const elsewhere = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
const body = `<style>p { color: red }</style><p>Hello</p><img src="${elsewhere}/pixel.png">
<script>document.body.innerHTML = "taken over"</script><img src=x onerror="document.body.innerHTML = 'taken over'">
<meta http-equiv="refresh" content="0;url=${elsewhere}/away"><iframe src="${elsewhere}/frame"></iframe>
<form action="${elsewhere}/form"><button>Go</button></form><a href="${elsewhere}/link" target="_top">Out</a>`;
const head = "From: a@example.com\r\nTo: b@example.com\r\nSubject: <script>alert(1)</script>\r\n";
const eml = `${head}Content-Type: text/html\r\n\r\n${body}`;

let chromium: RunningChromium;
let admin: Awaited<ReturnType<typeof startAdmin>>;
beforeAll(async () => {
  const page = mailPage({ names: async () => ["1-1.eml"], read: async () => Buffer.from(eml) });
  admin = await startAdmin(
    { ADMIN_HOST: "127.0.0.1", ADMIN_PORT: 0, ADMIN_HOSTS: [] },
    new Health(async () => undefined),
    createLog("test", "silent"),
    [page],
  );
  chromium = await startChromium();
});
afterAll(async () => {
  await chromium?.close();
  await admin?.close();
  other.close();
});

test("a hostile mail is displayed in its frame, runs nothing, loads nothing and leads nowhere", async () => {
  const page = await chromium.browser.newPage();
  await page.goto(`${admin.url}/mail`);
  await page.getByRole("link", { name: "<script>alert(1)</script>" }).click();
  const frame = page.frameLocator("iframe");
  expect(await frame.locator("p").textContent()).toBe("Hello");
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("<script>alert(1)</script>");
  await frame.getByText("Out").click();
  await frame.getByText("Go").click();
  expect(await frame.locator("p").textContent()).toBe("Hello");
  expect(page.url()).toBe(`${admin.url}/mail/1-1.eml`);
  expect(requests).toBe(0);
  // Check that the browser can reach the server at all.
  await page.goto(elsewhere).catch(() => undefined);
  expect(requests).toBeGreaterThan(0);
  await page.close();
});
