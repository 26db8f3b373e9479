// E-mail addresses, found from each `@`, also if it is escaped in a URL, so that text without one costs nothing.

import type { Range } from "./range.ts";

const localMax = 64;
const domainMax = 253;
const localPart = /[\p{L}\p{N}._%+'-]/u;
const domain = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+(?:xn--[a-z\d-]{2,59}|\p{L}{2,63})/iu;

export function emails(text: string): Range[] {
  return [...at(text, "@"), ...at(text, "%40")];
}

function* at(text: string, sign: string): Generator<Range> {
  for (let index = text.indexOf(sign); index !== -1; index = text.indexOf(sign, index + sign.length)) {
    let start = index;
    while (start > 0 && index - start < localMax && localPart.test(text.charAt(start - 1))) start--;
    // Quotes, dots and signs around an address are not part of it.
    while (start < index && !/[\p{L}\p{N}_]/u.test(text.charAt(start))) start++;
    const host = domain.exec(text.slice(index + sign.length, index + sign.length + domainMax))?.[0];
    if (start < index && host !== undefined) yield [start, index + sign.length + host.length];
  }
}
