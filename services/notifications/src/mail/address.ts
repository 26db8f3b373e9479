// Parses addresses for headers and envelopes: a strict subset of the standards, without forms that parsers may misread.

import { domainToASCII, domainToUnicode } from "node:url";

const addressMax = 254;
const localMax = 64;
// Dot-atom as in RFC 5322, without characters that relays or shells interpret.
const localPart = /^[A-Za-z0-9_'+&~=-]+(?:\.[A-Za-z0-9_'+&~=-]+)*$/;
const domainLabel = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/**
 * Returns `text` as `local@domain` in ASCII, with the domain in lower case. Undefined for lists, names, comments,
 * quotes and IP literals.
 */
export function mailAddress(text: string): string | undefined {
  const at = text.indexOf("@");
  if (at < 1 || at !== text.lastIndexOf("@")) return undefined;
  const [local, domain] = [text.slice(0, at), asciiDomain(text.slice(at + 1))];
  if (local.length > localMax || !localPart.test(local) || domain === undefined) return undefined;
  const address = `${local}@${domain}`;
  return address.length <= addressMax ? address : undefined;
}

/** Returns the ASCII form; undefined if it does not convert back, as for lookalikes of dots, slashes and letters. */
function asciiDomain(text: string): string | undefined {
  const domain = text.toLowerCase();
  const ascii = /^[a-z0-9.-]+$/.test(domain) ? domain : domainToASCII(domain);
  if (ascii !== domain && domainToUnicode(ascii) !== domain) return undefined;
  const labels = ascii.split(".");
  const isName = labels.length > 1 && labels.every((label) => domainLabel.test(label));
  return isName && /[a-z]/.test(labels.at(-1) ?? "") ? ascii : undefined;
}

export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/**
 * Parses `Name <address>` or only an address; undefined for anything else. The name may have letters, digits, spaces
 * and `.'-`.
 */
export function mailbox(text: string): Mailbox | undefined {
  const [, name = "", bracketed] = /^([\p{L}\p{N} .'-]*) <([^<>]+)>$/u.exec(text) ?? [];
  const address = mailAddress(bracketed ?? text);
  return address === undefined ? undefined : { name, address };
}
