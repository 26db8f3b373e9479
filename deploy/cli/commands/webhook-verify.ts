// `ems webhook verify`: whether a delivery was signed with a secret. Asks nobody.

import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { Webhook } from "standardwebhooks";
import { answer, type Cli } from "../cli.ts";
import { Failure, usage } from "../failure.ts";

interface VerifyOptions {
  readonly secret?: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
  readonly anyAge?: boolean;
}

export function addVerify(webhook: Command, cli: Cli): void {
  webhook
    .command("verify")
    .description("tell offline whether a delivery's signature is right; exit 1 when it is not")
    .option("--secret <whsec>", "the webhook's secret; EMS_WEBHOOK_SECRET when omitted")
    .requiredOption("--id <id>", "the header webhook-id")
    .requiredOption("--timestamp <seconds>", "the header webhook-timestamp")
    .requiredOption("--signature <signatures>", "the header webhook-signature")
    .option("--body <file>", "the body as it came, byte for byte; - is stdin", "-")
    .option("--any-age", "do not mind that the delivery is older than five minutes")
    .action(async (options: VerifyOptions, command: Command) => {
      const secret = options.secret ?? cli.env.EMS_WEBHOOK_SECRET;
      if (!secret) throw usage("Which secret? Set EMS_WEBHOOK_SECRET, or --secret.");
      const body = await (options.body === "-" ? text(process.stdin) : readFile(options.body, "utf8"));
      const reason = faultOf(signerOf(secret), options, body);
      answer(cli, command, { valid: reason === undefined, reason: reason ?? null }, () => reason ?? "Valid.");
      if (reason !== undefined) throw new Failure("The signature is not valid.");
    });
}

function signerOf(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    throw usage("The secret must be whsec_ and base64");
  }
}

/** Why the delivery is not to be believed; undefined when it is. */
function faultOf(
  signer: Webhook,
  { id, timestamp, signature, anyAge }: VerifyOptions,
  body: string,
): string | undefined {
  const seconds = Number(timestamp);
  if (!Number.isInteger(seconds)) return "The timestamp is not a whole number of seconds.";
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  if (anyAge) {
    const expected = signer.sign(id, new Date(seconds * 1_000), body);
    return signature.split(" ").includes(expected) ? undefined : "No matching signature found";
  }
  try {
    signer.verify(body, headers, { jsonParse: false });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
