import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { writeJson } from "@ems/kit/json/write";
import { resourceBytesMax } from "@ems/proto/limits";

export { assertPageFits, pageTooLarge } from "@ems/kit/answer-size";

/** The size of event data without unlimited fields; the rest is for the envelope. */
const dataBytesMax = resourceBytesMax - 1024;

/** An event's data; `truncated` replaces fields without a limit when the data exceeds an event. */
export function eventData<Desc extends DescMessage, Data extends MessageInitShape<Desc>>(
  desc: Desc,
  data: Data,
  truncated: Partial<Data>,
): Data {
  const bytes = Buffer.byteLength(JSON.stringify(writeJson(desc, create(desc, data))));
  return bytes <= dataBytesMax ? data : { ...data, ...truncated };
}
