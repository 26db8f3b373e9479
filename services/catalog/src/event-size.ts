import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { writeJson } from "@ems/kit/json/write";

/** The outbox takes events of 128 KiB; this leaves room for what stands around the data. */
const dataBytesMax = 127 * 1024;

/** Whether an event can carry all of it. What hangs on a resource may grow beyond that; the resource itself may not. */
export function fitsEvent<Desc extends DescMessage>(desc: Desc, data: MessageInitShape<Desc>): boolean {
  return Buffer.byteLength(JSON.stringify(writeJson(desc, create(desc, data)))) <= dataBytesMax;
}
