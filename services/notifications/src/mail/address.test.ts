import { expect, test } from "vitest";
import { mailAddress, mailbox } from "./address.ts";

test.each([
  ["ada@example.com", "ada@example.com"],
  ["Ada.Lovelace+ems@Example.COM", "Ada.Lovelace+ems@example.com"],
  ["o'neill_1&co=x~y-z@sub.bank.example", "o'neill_1&co=x~y-z@sub.bank.example"],
  ["a@xn--bcher-kva.example", "a@xn--bcher-kva.example"],
  ["a@bücher.example", "a@xn--bcher-kva.example"],
  ["a@BÜCHER.example", "a@xn--bcher-kva.example"],
  ["a@почта.рф", "a@xn--80a1acny.xn--p1ai"],
  [`${"l".repeat(64)}@example.com`, `${"l".repeat(64)}@example.com`],
])("%s is an address", (text, address) => {
  expect(mailAddress(text)).toBe(address);
});

test.each([
  ["an empty text", ""],
  ["no domain", "ada"],
  ["an empty local part", "@example.com"],
  ["an empty domain", "ada@"],
  ["a second @", "ada@example.com@evil.example"],
  ["a trailing header", "ada@example.com\r\nBcc: eve@evil.example"],
  ["a line feed at the end", "ada@example.com\n"],
  ["a carriage return", "ada\r@example.com"],
  ["a tab", "ada\t@example.com"],
  ["a NUL", "ada\0@example.com"],
  ["a Unicode next line", "ada\u0085@example.com"],
  ["a line separator", "ada\u2028@example.com"],
  ["an encoded line feed", "ada%0a@example.com"],
  ["an encoded word", "=?utf-8?q?a=0D=0A?=@example.com"],
  ["a list", "ada@example.com,eve@evil.example"],
  ["a semicolon-separated list", "ada@example.com;eve@evil.example"],
  ["a group", "people:ada@example.com;"],
  ["a name", "Ada <ada@example.com>"],
  ["brackets", "<ada@example.com>"],
  ["a comment", "ada(comment)@example.com"],
  ["a comment in the domain", "ada@example(.evil).com"],
  ["a quoted local part", '"ada lovelace"@example.com'],
  ["an escaped quote", '"a\\"b"@example.com'],
  ["a space", "ada @example.com"],
  ["a space at the start", " ada@example.com"],
  ["a dot at the start", ".ada@example.com"],
  ["a dot at the end", "ada.@example.com"],
  ["two dots", "ada..l@example.com"],
  ["a pipe", "|sh@example.com"],
  ["a route", "@relay.example:ada@example.com"],
  ["a percent route", "ada%evil.example@example.com"],
  ["a bang path", "relay!ada@example.com"],
  ["a slash", "a/b@example.com"],
  ["non-ASCII letters in the local part", "ädä@example.com"],
  ["a literal IPv4 address", "ada@[127.0.0.1]"],
  ["a bare IPv4 address", "ada@127.0.0.1"],
  ["a literal IPv6 address", "ada@[IPv6:::1]"],
  ["one label", "root@localhost"],
  ["an empty label", "ada@example..com"],
  ["a trailing dot", "ada@example.com."],
  ["a label with a hyphen first", "ada@-example.com"],
  ["a label with a hyphen last", "ada@example-.com"],
  ["an underscore in the domain", "ada@my_host.com"],
  ["a port", "ada@example.com:25"],
  ["an ideographic full stop", "ada@example。com"],
  ["full-width letters", "ada@ｅxample.com"],
  ["a full-width @", "ada＠example.com"],
  ["a compatibility character with a slash", "ada@example.c℀m"],
  ["an invisible letter", "ada@exam\u200bple.com"],
  ["a right-to-left override", "ada@\u202eelpmaxe.com"],
  ["a label of 64", `ada@${"d".repeat(64)}.com`],
  ["a local part of 65", `${"l".repeat(65)}@example.com`],
])("%s is not an address", (_, text) => {
  expect(mailAddress(text)).toBeUndefined();
});

test("an address has at most 254 characters", () => {
  const domain = [63, 63, 57].map((length) => "d".repeat(length)).join(".");
  const longest = `${"l".repeat(64)}@${domain}.com`;
  expect(mailAddress(longest)).toHaveLength(254);
  expect(mailAddress(longest.replace(".com", "d.com"))).toBeUndefined();
});

test("a mailbox is an address, with or without a name", () => {
  expect(mailbox("ems@example.com")).toEqual({ name: "", address: "ems@example.com" });
  expect(mailbox("Evaluation Service <ems@example.com>")).toEqual({
    name: "Evaluation Service",
    address: "ems@example.com",
  });
  for (const text of [
    "a\nb <ems@example.com>",
    'a" <ems@example.com>',
    "a, b <ems@example.com>",
    "a <b> <c@d.example>",
  ]) {
    expect(mailbox(text)).toBeUndefined();
  }
});
