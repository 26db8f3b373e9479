// Mail archive: if there is no mail relay, the newest 500 mails are stored as files.

import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@ems/kit/clock";
import type { NewId } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import type { Mailbox } from "./address.ts";
import type { MailTransport } from "./mail.ts";
import { toMessage } from "./transport.ts";

const filesMax = 500;
const mailName = /^[0-9TZ]+-[0-9a-f-]+\.eml$/;

export interface MailArchive extends MailTransport {
  /** Returns the file names, newest first. */
  names(): Promise<string[]>;
  /** Returns the content of a file; undefined if it does not exist. */
  read(name: string): Promise<Buffer | undefined>;
}

export interface MailArchiveOptions {
  readonly dir: string;
  readonly from: Mailbox;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Logger;
}

/** Stores mails in `dir` instead of sending them; only the owner can read the files. */
export async function mailArchive({ dir, from, clock, newId, log }: MailArchiveOptions): Promise<MailArchive> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const names = async () =>
    (await readdir(dir))
      .filter((name) => mailName.test(name))
      .sort()
      .reverse();
  return {
    async send(mail) {
      try {
        const writer = await openWriter();
        const { message } = await writer.sendMail({ ...toMessage(mail, from), date: clock.now() });
        const name = `${clock.now().toISOString().replace(/[-:.]/g, "")}-${newId()}.eml`;
        // The rename is atomic, so that readers of the folder see only complete mails.
        const draft = join(dir, `${name}.draft`);
        await writeFile(draft, message, { mode: 0o600 });
        await rename(draft, join(dir, name));
        const excess = (await names()).slice(filesMax);
        await Promise.all(excess.map((old) => rm(join(dir, old), { force: true })));
        return { isSent: false, fault: "KEPT", isPermanent: true };
      } catch (error) {
        log.error({ err: error }, "a mail could not be archived");
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

/** Loads the library with the first mail, because most processes never archive any. */
async function openWriter() {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    streamTransport: true,
    buffer: true,
    newline: "windows",
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
