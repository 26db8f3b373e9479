import { type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { invalidField } from "@ems/kit/errors";

/** The most that a page holds of what may be long, and that all versions of a document have: messages may have more. */
export const answerBytesMax = 3 * 1024 * 1024;

/** Throws when a page is larger than that. */
export function requirePageFits<Desc extends DescMessage>(desc: Desc, page: MessageShape<Desc>): void {
  if (toBinary(desc, page).length > answerBytesMax) throw pageTooLarge();
}

export function pageTooLarge() {
  return invalidField(["limit"], "This page is larger than 3 MiB, ask for fewer at once");
}
