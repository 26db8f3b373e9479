import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { writeJson } from "@ems/kit/json/write";
import { resourceBytesMax } from "@ems/proto/limits";

export { assertPageFits, pageTooLarge } from "@ems/kit/answer-size";

/** Maximum size of event data without unlimited fields; the rest is reserved for the envelope. */
const dataBytesMax = resourceBytesMax - 1024;

/** Builds an event's data; `truncated` replaces fields of unlimited size if the data exceeds the event limit. */
export function eventData<Desc extends DescMessage, Data extends MessageInitShape<Desc>>(
  desc: Desc,
  data: Data,
  truncated: Partial<Data>,
): Data {
  const bytes = Buffer.byteLength(JSON.stringify(writeJson(desc, create(desc, data))));
  return bytes <= dataBytesMax ? data : { ...data, ...truncated };
}
