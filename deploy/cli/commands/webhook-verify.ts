// `ems webhook verify`: verifies a delivery's signature offline.

import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { Webhook } from "standardwebhooks";
import { type Cli, printResult } from "../cli.ts";
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
    .description("verify a delivery's signature offline; exit 1 when it is invalid")
    .option("--secret <whsec>", "the webhook's secret; default EMS_WEBHOOK_SECRET")
    .requiredOption("--id <id>", "value of the header webhook-id")
    .requiredOption("--timestamp <seconds>", "value of the header webhook-timestamp")
    .requiredOption("--signature <signatures>", "value of the header webhook-signature")
    .option("--body <file>", "file with the exact bytes of the body; - is stdin", "-")
    .option("--any-age", "accept any timestamp, not only the last five minutes")
    .action(async (options: VerifyOptions, command: Command) => {
      const secret = options.secret ?? cli.env.EMS_WEBHOOK_SECRET;
      if (!secret) throw usage("Secret missing: set EMS_WEBHOOK_SECRET or --secret.");
      const body = await (options.body === "-" ? text(cli.stdin) : readFile(options.body, "utf8"));
      const reason = invalidReason(createSigner(secret), options, body);
      printResult(cli, command, { valid: reason === undefined, reason: reason ?? null }, () => reason ?? "Valid.");
      if (reason !== undefined) throw new Failure("The signature is not valid.");
    });
}

function createSigner(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    throw usage("The secret must be whsec_ followed by base64");
  }
}

/** Returns the reason why the signature is invalid; undefined if it is valid. */
function invalidReason(
  signer: Webhook,
  { id, timestamp, signature, anyAge }: VerifyOptions,
  body: string,
): string | undefined {
  const seconds = Number(timestamp);
  if (!Number.isInteger(seconds)) return "The timestamp is not an integer number of seconds.";
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
