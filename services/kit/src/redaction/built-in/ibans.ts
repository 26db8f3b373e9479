// International bank account numbers: with a country's length and a valid checksum (ISO 7064, mod 97-10).

import { start } from "./matches.ts";
import type { Range } from "./range.ts";

/** Lengths from the IBAN registry. */
const lengths = new Map(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 " +
    "GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 " +
    "MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 " +
    "TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
  )
    .split(" ")
    .map((country) => [country.slice(0, 2), Number(country.slice(2))]),
);

const candidates = new RegExp(String.raw`${start}[A-Za-z]{2}\d{2}(?=[A-Za-z\d ]{11})`, "g");

export function ibans(text: string): Range[] {
  const ranges: Range[] = [];
  for (const { index, 0: head } of text.matchAll(candidates)) {
    const length = lengths.get(head.slice(0, 2).toUpperCase());
    const end = length === undefined ? undefined : findEnd(text, index, length);
    if (end !== undefined && isValid(text.slice(index, end))) ranges.push([index, end]);
  }
  return ranges;
}

/**
 * Returns the end of a number with that many letters and digits and single spaces between them; undefined if it is
 * longer or shorter.
 */
function findEnd(text: string, from: number, length: number): number | undefined {
  let at = from;
  for (let count = 0; count < length; count++) {
    if (text.charAt(at) === " ") at++;
    if (!/[A-Za-z\d]/.test(text.charAt(at))) return undefined;
    at++;
  }
  return /\w/.test(text.charAt(at)) ? undefined : at;
}

function isValid(text: string): boolean {
  const iban = text.replaceAll(" ", "").toUpperCase();
  let rest = 0;
  for (const sign of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
