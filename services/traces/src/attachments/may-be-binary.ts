// Pure: finds texts that can contain binary content, so that others are not parsed. Each text of each step is searched, so
// it begins with native searches for fixed texts, which are faster than a regular expression with alternatives.

import { isStructure } from "@ems/kit/readers";

/** Shorter texts have no room for a data URL or a message part. */
const lengthMin = 16;
/** Length of a text in Base64 that is examined without a sign. */
const runMin = 200;

export function mayBeBinary(text: string): boolean {
  if (text.length < lengthMin) return false;
  return text.includes("base64") || (isStructure(text) && hasBinaryField(text)) || hasLongRun(text);
}

const typeNames = /inline_?[dD]ata|(?:mime|media)_?[tT]ype/;

/** Returns true if the JSON may have a message part with binary content. */
function hasBinaryField(json: string): boolean {
  if (json.includes('"blob"') || json.includes('"bytes"')) return true;
  return (json.includes("mime") || json.includes("media") || json.includes("inline")) && typeNames.test(json);
}

/** Returns true if the text has a run of Base64's digits: each run of this length contains one of the examined places. */
function hasLongRun(text: string): boolean {
  for (let at = runMin - 1; at < text.length; at += runMin) {
    let start = at;
    while (start >= 0 && at - start < runMin && isDigit(text.charCodeAt(start))) start--;
    let end = at + 1;
    while (end < text.length && end - start <= runMin && isDigit(text.charCodeAt(end))) end++;
    if (end - start - 1 >= runMin) return true;
  }
  return false;
}

const digits = Uint8Array.from({ length: 128 }, (_, code) => Number(/[A-Za-z0-9+/_-]/.test(String.fromCharCode(code))));

function isDigit(code: number): boolean {
  return digits[code] === 1;
}
