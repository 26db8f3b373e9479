import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { writeJson } from "@ems/kit/json/write";
import { resourceBytesMax } from "@ems/proto/limits";

export { assertPageFits, pageTooLarge } from "@ems/kit/answer-size";

/** Maximum size of an event's data without fields of unlimited length; the rest is reserved for the envelope. */
const dataBytesMax = resourceBytesMax - 1024;

/** Builds the data of an event; if it exceeds the event limit, `truncated` replaces the fields of unlimited length. */
export function eventData<Desc extends DescMessage, Data extends MessageInitShape<Desc>>(
  desc: Desc,
  data: Data,
  truncated: Partial<Data>,
): Data {
  const bytes = Buffer.byteLength(JSON.stringify(writeJson(desc, create(desc, data))));
  return bytes <= dataBytesMax ? data : { ...data, ...truncated };
}
