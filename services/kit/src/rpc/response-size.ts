// Responses larger than a message may be: an error that names a page limit that fits.

import type { DescMessage, DescMethod, Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { sizeText } from "@ems/proto/limits";
import { type ConnectError, invalidField, tooLarge } from "../errors.ts";
import { messageBytesMax } from "../limits/sizes.ts";
import { messageBytes } from "../message-bytes.ts";

/** Tag and length of each row. */
const frameBytes = 8;
/** Room for the other fields. */
const otherFieldsBytes = 1024;

/** A message has less than six times the bytes of its JSON: small numbers grow most. */
const growthMax = 6;

/** Throws when `response` is larger than a message may be; the in-process transport has not serialized it. */
export function assertResponseFits({ input, output }: DescMethod, response: Message, json: string): void {
  if (json.length * growthMax <= messageBytesMax) return;
  if (messageBytes(output, response) > messageBytesMax) throw responseTooLarge(input, output, response);
}

/** The error in place of a response that is larger than a message may be. */
export function responseTooLarge(input: DescMessage, output: DescMessage, response: Message): ConnectError {
  const fits = rowsThatFit(input, output, response, messageBytesMax);
  if (fits === 0) return tooLarge(`The answer is larger than ${sizeText(messageBytesMax)}`);
  return invalidField(["limit"], pageTooLargeText(messageBytesMax, fits));
}

/** The same where gRPC's clients take `bytesMax`: the request is valid, its answer is not to be had so. */
export function answerTooLarge({ input, output }: DescMethod, response: Message, bytesMax: number): ConnectError {
  const fits = rowsThatFit(input, output, response, bytesMax);
  return tooLarge(fits === 0 ? `The answer is larger than ${sizeText(bytesMax)}` : pageTooLargeText(bytesMax, fits));
}

function pageTooLargeText(bytesMax: number, fits: number): string {
  return `This page is larger than ${sizeText(bytesMax)}, a limit of ${fits} fits`;
}

function rowsThatFit(input: DescMessage, output: DescMessage, response: Message, bytesMax: number): number {
  if (input.field.limit === undefined) return 0;
  const field = output.fields.find((one) => one.fieldKind === "list" && one.listKind === "message");
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
