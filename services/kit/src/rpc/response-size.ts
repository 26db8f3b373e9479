// Responses larger than a message may be: creates an error that contains a page limit that fits.

import type { DescMessage, DescMethod, Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { sizeText } from "@ems/proto/limits";
import { type ConnectError, failure, oversizedPage } from "../errors.ts";
import { messageBytesMax } from "../limits/sizes.ts";
import { messageBytes } from "../message-bytes.ts";

/** Bytes for the tag and the length of each row. */
const frameBytes = 8;
/** Bytes reserved for the other fields. */
const otherFieldsBytes = 1024;

/** A message has less than six times the bytes of its JSON: small numbers grow most. */
const growthMax = 6;

/** Throws if `response` is larger than a message may be, which the in-process transport does not check. */
export function assertResponseFits({ input, output }: DescMethod, response: Message, json: string): void {
  if (json.length * growthMax <= messageBytesMax) return;
  if (messageBytes(output, response) > messageBytesMax)
    throw answerTooLarge({ input, output }, response, messageBytesMax);
}

/** Creates the error that replaces a response larger than `bytesMax`; for a page, it contains a limit that fits. */
export function answerTooLarge(
  { input, output }: Pick<DescMethod, "input" | "output">,
  response: Message,
  bytesMax: number,
): ConnectError {
  const fits = rowsThatFit(input, output, response, bytesMax);
  if (fits === 0) return failure("ANSWER_TOO_LARGE", `The answer is larger than ${sizeText(bytesMax)}`);
  return oversizedPage(`This page is larger than ${sizeText(bytesMax)}, a limit of ${fits} fits`, fits);
}

function rowsThatFit(input: DescMessage, output: DescMessage, response: Message, bytesMax: number): number {
  if (input.field.limit === undefined) return 0;
  const field = output.fields.find((candidate) => candidate.fieldKind === "list" && candidate.listKind === "message");
  if (field?.fieldKind !== "list" || field.listKind !== "message") return 0;
  let remainingBytes = bytesMax - otherFieldsBytes;
  let fits = 0;
  for (const row of reflect(output, response).get(field)) {
    remainingBytes -= messageBytes(field.message, (row as { message: Message }).message) + frameBytes;
    if (remainingBytes < 0) break;
    fits += 1;
  }
  return fits;
}
