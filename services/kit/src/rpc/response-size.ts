// Answers that no message can carry: told in our own words, with a limit that fits where one was asked for.

import { type DescMessage, type DescMethod, type Message, toBinary } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { type ConnectError, invalidField, tooLarge } from "../errors.ts";
import { maxMessageBytes } from "./wire.ts";

const mebibytes = maxMessageBytes / 1024 ** 2;
/** Around each row: its tag and its length. And room for what stands beside the rows. */
const frameBytes = 8;
const besideBytes = 1024;

/** As a message, a text of JSON is less than six times as long: of all values, small numbers grow most. */
const growthMax = 6;

/** Throws when `answer`, which is `json` as text, is larger than a message may be: in one process it has not been one. */
export function assertResponseFits({ input, output }: DescMethod, answer: Message, json: string): void {
  if (json.length * growthMax <= maxMessageBytes) return;
  if (toBinary(output, answer).length > maxMessageBytes) throw responseTooLarge(input, output, answer);
}

/** What the caller is told in place of `answer`, which is larger than a message may be. */
export function responseTooLarge(input: DescMessage, output: DescMessage, answer: Message): ConnectError {
  const fits = input.field.limit === undefined ? 0 : rowsThatFit(output, answer);
  if (fits === 0) return tooLarge(`The answer is larger than ${mebibytes} MiB`);
  return invalidField(["limit"], `This page is larger than ${mebibytes} MiB, a limit of ${fits} fits`);
}

function rowsThatFit(output: DescMessage, answer: Message): number {
  const field = output.fields.find((one) => one.fieldKind === "list" && one.listKind === "message");
  if (field?.fieldKind !== "list" || field.listKind !== "message") return 0;
  let leftBytes = maxMessageBytes - besideBytes;
  let fits = 0;
  for (const row of reflect(output, answer).get(field)) {
    // A list of messages has messages.
    leftBytes -= toBinary(field.message, (row as { message: Message }).message).length + frameBytes;
    if (leftBytes < 0) break;
    fits += 1;
  }
  return fits;
}
