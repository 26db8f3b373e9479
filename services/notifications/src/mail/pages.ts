import type { AdminPage } from "@ems/kit/admin";
import type { Address, Email } from "postal-mime";
import type { MailArchive } from "./archive.ts";
import { type Html, html } from "./templates/html.ts";

const path = "/mail";

/** Web pages for the archive: `/mail` lists the mails, newest first; `/mail/<name>` displays one mail. */
export function mailPage(mails: Pick<MailArchive, "names" | "read">): AdminPage {
  return {
    path,
    show: async (at) => (at === path || at === `${path}/` ? list(mails) : renderMail(mails, at.slice(path.length + 1))),
  };
}

async function list({ names, read }: Pick<MailArchive, "names" | "read">): Promise<string> {
  const rows = await Promise.all(
    (await names()).map(async (name) => {
      const { date, to, subject } = await parsed((await read(name)) ?? "");
      return html`<tr><td>${date ?? ""}</td><td>${addresses(to)}</td><td><a href="${path}/${name}">${subject ?? ""}</a></td></tr>
`;
    }),
  );
  const table = html`<table>
<tr><th>When</th><th>To</th><th>Subject</th></tr>
${rows}</table>`;
  return page(
    "Mails",
    rows.length === 0 ? html`<p>No mail yet. Without a relay (SMTP_URL) mails are kept here.</p>` : table,
  );
}

async function renderMail({ read }: Pick<MailArchive, "read">, name: string): Promise<string | undefined> {
  const file = await read(name);
  if (file === undefined) return undefined;
  const mail = await parsed(file);
  const fields = [
    ["From", addresses(mail.from === undefined ? [] : [mail.from])],
    ["To", addresses(mail.to)],
    ["Reply to", addresses(mail.replyTo)],
    ["When", mail.date ?? ""],
  ] as const;
  return page(
    mail.subject ?? "",
    html`<p><a href="${path}">All mails</a></p>
<table>
${fields.map(([field, value]) => html`<tr><th>${field}</th><td>${value}</td></tr>\n`)}</table>
<h2>Text</h2>
<pre>${mail.text ?? ""}</pre>
<h2>HTML</h2>
<iframe sandbox srcdoc="${mail.html ?? ""}" title="The mail as HTML"></iframe>`,
  );
}

async function parsed(file: Buffer | ""): Promise<Email> {
  // Loaded with the first mail that is displayed, because few processes display any.
  const { default: PostalMime } = await import("postal-mime");
  return PostalMime.parse(file);
}

function addresses(found: readonly Address[] = []): string {
  return found.map(({ name, address = "" }) => (name ? `${name} <${address}>` : address)).join(", ");
}

function page(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; margin: 24px; max-width: 1000px }
th { text-align: left; padding-right: 16px; vertical-align: top }
td { padding-right: 16px; overflow-wrap: anywhere }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid; padding: 12px }
iframe { width: 100%; height: 400px; border: 1px solid }
</style>
</head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`.source;
}
