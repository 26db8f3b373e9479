// Finds start and end tags of XML in one scan, to count them before a library builds objects.

import { UnreadableText } from "./budget.ts";

export interface XmlTag {
  /** Name without its namespace prefix. */
  readonly name: string;
  readonly isEnd: boolean;
  /** True for a self-closing tag: `<c/>`. */
  readonly isEmpty: boolean;
  /** Index of the first byte after the name, and after the tag. */
  readonly attributesStart: number;
  readonly end: number;
}

const [lessThan, greaterThan, slash, colon, exclamation, question] = [60, 62, 47, 58, 33, 63];
const [space, doubleQuote, singleQuote] = [32, 34, 39];
/** Maximum bytes of one tag: libraries that read in chunks restart a tag with each chunk. */
const tagBytesMax = 1024 * 1024;

/**
 * Yields tags in order, without comments, CDATA and declarations. Throws if the text does not consist of complete tags.
 */
export function* xmlTags(xml: Buffer): Generator<XmlTag> {
  let start = xml.indexOf(lessThan);
  while (start !== -1) {
    const first = xml[start + 1];
    if (first === exclamation || first === question) {
      start = xml.indexOf(lessThan, endOfMarkup(xml, start));
      continue;
    }
    const isEnd = first === slash;
    const nameStart = start + (isEnd ? 2 : 1);
    const nameEnd = endOfName(xml, nameStart);
    const end = endOfTag(xml, nameEnd);
    if (nameEnd === nameStart || end - start > tagBytesMax) throw broken();
    const local = xml.subarray(nameStart, nameEnd);
    const name = local.toString("latin1", local.indexOf(colon) + 1);
    yield { name, isEnd, isEmpty: xml[end - 2] === slash, attributesStart: nameEnd, end };
    start = xml.indexOf(lessThan, end);
  }
}

function endOfMarkup(xml: Buffer, start: number): number {
  const opens = (text: string) => xml.toString("latin1", start, start + text.length) === text;
  const closing = opens("<!--") ? "-->" : opens("<![CDATA[") ? "]]>" : ">";
  const end = xml.indexOf(closing, start + 2);
  if (end === -1) throw broken();
  return end + closing.length;
}

function endOfName(xml: Buffer, start: number): number {
  let end = start;
  while (end < xml.length && (xml[end] ?? 0) > space && xml[end] !== greaterThan && xml[end] !== slash) {
    if (xml[end] === lessThan) throw broken();
    end++;
  }
  return end;
}

/** Quoted attributes may contain `>`, but not `<`. */
function endOfTag(xml: Buffer, start: number): number {
  let quote = 0;
  for (let at = start; at < xml.length; at++) {
    const byte = xml[at] ?? 0;
    if (byte === lessThan) throw broken();
    if (quote !== 0) {
      if (byte === quote) quote = 0;
    } else if (byte === doubleQuote || byte === singleQuote) quote = byte;
    else if (byte === greaterThan) return at + 1;
  }
  throw broken();
}

function broken(): UnreadableText {
  return new UnreadableText("The XML of the file is broken");
}
