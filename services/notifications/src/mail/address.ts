// Addresses that may stand in a mail's header and envelope. Far fewer than the standards allow: those that people have, and
// none that a mail program, a relay or a header could read in two ways.

import { domainToASCII, domainToUnicode } from "node:url";

const addressMax = 254;
const localMax = 64;
// An atom of RFC 5322 without what relays and shells give a meaning of their own, with single dots between.
const localPart = /^[A-Za-z0-9_'+&~=-]+(?:\.[A-Za-z0-9_'+&~=-]+)*$/;
const domainLabel = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/**
 * `text` as an address of one mailbox, `local@domain` in ASCII, the domain in lower case and, where it has other letters,
 * in its ASCII form; undefined for anything else: lists, names, comments, quoted parts, literal IP addresses, spaces.
 */
export function mailAddress(text: string): string | undefined {
  const at = text.indexOf("@");
  if (at < 1 || at !== text.lastIndexOf("@")) return undefined;
  const [local, domain] = [text.slice(0, at), asciiDomain(text.slice(at + 1))];
  if (local.length > localMax || !localPart.test(local) || domain === undefined) return undefined;
  const address = `${local}@${domain}`;
  return address.length <= addressMax ? address : undefined;
}

/** Only a domain that is written the usual way: no letter that is a dot, a slash or another letter in disguise. */
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

/** `Name <address>` or an address alone; undefined for anything else. The name is letters, digits, spaces and `.'-`. */
export function mailbox(text: string): Mailbox | undefined {
  const [, name = "", bracketed] = /^([\p{L}\p{N} .'-]*) <([^<>]+)>$/u.exec(text) ?? [];
  const address = mailAddress(bracketed ?? text);
  return address === undefined ? undefined : { name, address };
}
