// Size limit of pages whose rows have long texts.

import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { answerBytesMax, sizeText } from "@ems/proto/limits";
import { oversizedPage } from "./errors.ts";
import { messageBytes } from "./message-bytes.ts";

/** Throws unless the page, a response of type `desc`, is within the limit. */
export function assertPageFits<Desc extends DescMessage>(desc: Desc, page: MessageShape<Desc>): void {
  if (messageBytes(desc, page) > answerBytesMax) throw pageTooLarge();
}

export function pageTooLarge() {
  return oversizedPage(`This page is larger than ${sizeText(answerBytesMax)}: request fewer items per page`);
}
