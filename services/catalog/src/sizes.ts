import { create, type DescMessage, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { invalidField } from "@ems/kit/errors";
import { writeJson } from "@ems/kit/json/write";
import { messageBytes } from "@ems/kit/message-bytes";
import { answerBytesMax, resourceBytesMax, sizeText } from "@ems/proto/limits";

/** The size of event data without unlimited fields; the rest is for the envelope. */
const dataBytesMax = resourceBytesMax - 1024;

export function assertPageFits<Desc extends DescMessage>(desc: Desc, page: MessageShape<Desc>): void {
  if (messageBytes(desc, page) > answerBytesMax) throw pageTooLarge();
}

export function pageTooLarge() {
  return invalidField(["limit"], `This page is larger than ${sizeText(answerBytesMax)}, ask for fewer at once`);
}

/** An event's data; `truncated` replaces fields without a limit when the data exceeds an event. */
export function eventData<Desc extends DescMessage, Data extends MessageInitShape<Desc>>(
  desc: Desc,
  data: Data,
  truncated: Partial<Data>,
): Data {
  const bytes = Buffer.byteLength(JSON.stringify(writeJson(desc, create(desc, data))));
  return bytes <= dataBytesMax ? data : { ...data, ...truncated };
}
