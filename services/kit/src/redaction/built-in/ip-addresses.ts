import { isIPv6 } from "node:net";
import { findRanges, start } from "./matches.ts";
import type { Range } from "./range.ts";

const octet = String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)`;
const four = new RegExp(String.raw`${start}(?<!\d\.)(?:${octet}\.){3}${octet}(?!\w|\.\d)`, "g");
const six =
  /(?:(?<![\w:.])|(?<=\\[nrt]))(?:(?:[\da-fA-F]{0,4}:){2,7}(?:\d{1,3}\.){3}\d{1,3}|[\da-fA-F]{0,4}:[\da-fA-F:]{1,38})(?!\w)/g;

export function ipAddresses(text: string): Range[] {
  return [
    ...(/\d\.\d/.test(text) ? findRanges(text, four) : []),
    ...(/:[\da-fA-F]{0,4}:/.test(text) ? Array.from(sixes(text)) : []),
  ];
}

function* sixes(text: string): Generator<Range> {
  for (const { index, 0: found } of text.matchAll(six)) {
    // A colon after an address is punctuation. A match without a digit is a name such as `Add::Face`, not an address.
    const address = /[^:]:$/.test(found) ? found.slice(0, -1) : found;
    if (isIPv6(address) && /\d/.test(address)) yield [index, index + address.length];
  }
}
