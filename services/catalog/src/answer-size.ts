import { type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { invalidField } from "@ems/kit/errors";
import { answerBytesMax } from "./document-sql.ts";

/** Throws when a page is too large for a message between services. */
export function requirePageFits<Desc extends DescMessage>(desc: Desc, page: MessageShape<Desc>): void {
  if (toBinary(desc, page).length > answerBytesMax) throw pageTooLarge();
}

export function pageTooLarge() {
  return invalidField(["limit"], "This page is larger than 3 MiB, ask for fewer at once");
}
