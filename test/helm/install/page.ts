// Commands and values of the page "Install" in the chart's README.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chart } from "../render.ts";

/** Values that a reader inserts for the page's placeholders. */
export interface Reader {
  /** Administrator's URL of an empty PostgreSQL, including the name of the database. */
  readonly adminUrl: string;
  readonly natsUrl: string;
}

export function installPage({ adminUrl, natsUrl }: Reader): { readonly script: string; readonly values: string } {
  const [, section = ""] = /\n## Install\n([\s\S]*?)\n## /.exec(readFileSync(join(chart, "README.md"), "utf8")) ?? [];
  const block = (language: string) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(section)?.[1] ?? "";
  const server = new URL(adminUrl);
  const script = block("sh")
    .replace("postgres://postgres:…@postgres.example.com:5432/ems?sslmode=verify-full", server.href)
    .replace("postgres.example.com:5432/ems?sslmode=verify-full", `${server.host}${server.pathname}`)
    .replace("tls://ems:…@nats.example.com:4222", natsUrl);
  if (/(postgres|nats)\.example\.com|…/.test(script))
    throw new Error(`the page names what a reader cannot replace:\n${script}`);
  return { script, values: block("yaml") };
}
