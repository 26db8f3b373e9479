// Mails of an installation without a relay: files that any mail program opens, the newest few hundred of them.

import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@ems/kit/clock";
import type { NewId } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import { createTransport } from "nodemailer";
import type { Mailbox } from "./address.ts";
import type { MailTransport } from "./mail.ts";
import { messageOf } from "./transport.ts";

const keptMax = 500;
const mailName = /^[0-9TZ]+-[0-9a-f-]+\.eml$/;

export interface KeptMails extends MailTransport {
  /** The names of the files, the newest first. */
  names(): Promise<string[]>;
  /** What is in the file of that name; undefined when there is none. */
  read(name: string): Promise<Buffer | undefined>;
}

export interface KeptMailsOptions {
  readonly dir: string;
  readonly from: Mailbox;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Logger;
}

/** Keeps mails in `dir` instead of sending them; only its owner may read them. */
export async function keptMails({ dir, from, clock, newId, log }: KeptMailsOptions): Promise<KeptMails> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const writer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: "windows",
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const names = async () =>
    (await readdir(dir))
      .filter((name) => mailName.test(name))
      .sort()
      .reverse();
  return {
    async send(mail) {
      try {
        const { message } = await writer.sendMail({ ...messageOf(mail, from), date: clock.now() });
        const name = `${clock.now().toISOString().replace(/[-:.]/g, "")}-${newId()}.eml`;
        // Whoever lists the folder sees whole mails only.
        const draft = join(dir, `${name}.draft`);
        await writeFile(draft, message, { mode: 0o600 });
        await rename(draft, join(dir, name));
        const tooManyRequests = (await names()).slice(keptMax);
        await Promise.all(tooManyRequests.map((old) => rm(join(dir, old), { force: true })));
        return { isSent: false, fault: "KEPT", isPermanent: true };
      } catch (error) {
        log.error({ err: error }, "a mail could not be kept");
        return { isSent: false, fault: "OTHER", isPermanent: false };
      }
    },
    close: () => undefined,
    names,
    async read(name) {
      if (!mailName.test(name)) return undefined;
      return readFile(join(dir, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      });
    },
  };
}
