// A mail relay for products under test. It runs next to the product; tests in other processes read
// the mails from files.

import { mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "@ems/kit/id";
import { type ReceivedMail, startSmtpServer } from "@ems/test-support/smtp-server";
import { inject, vi } from "vitest";

/** The team that receives feedback in tests. */
export const team = "team@example.com";

export interface MailServer {
  /** Directory of received mails. */
  readonly dir: string;
  /** Settings of a product that sends its mail here. */
  readonly env: Record<string, string>;
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const dir = await mkdtemp(join(tmpdir(), "ems-test-mails-"));
  const relay = await startSmtpServer({
    onMail: async (mail) => {
      const file = join(dir, newId());
      await writeFile(file, JSON.stringify(mail));
      await rename(file, `${file}.json`);
    },
  });
  return {
    dir,
    env: {
      SMTP_URL: relay.url,
      SMTP_CA_FILE: relay.caFile,
      MAIL_FROM: "Evaluations <ems@example.com>",
      FEEDBACK_TO: team,
    },
    async close() {
      await relay.close();
      await rm(dir, { recursive: true });
    },
  };
}

/** Waits for mails to `address` that contain `text`; returns them in order of arrival. */
export function mailsWith(address: string, text: string): Promise<ReceivedMail[]> {
  const dir = inject("mailDir");
  return vi.waitFor(
    async () => {
      const names = (await readdir(dir)).filter((name) => name.endsWith(".json")).sort();
      const mails = await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(dir, name), "utf8"))));
      const found = (mails as ReceivedMail[]).filter(
        ({ to, mail }) => to.includes(address) && mail.text?.includes(text) === true,
      );
      if (found.length === 0) throw new Error(`no mail to ${address} has come with ${JSON.stringify(text)}`);
      return found;
    },
    { timeout: 60_000, interval: 50 },
  );
}
