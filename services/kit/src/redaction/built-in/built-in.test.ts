import { expect, test } from "vitest";
import { type BuiltInName, builtIns } from "../rule.ts";

const found = (name: BuiltInName, text: string) => builtIns[name](text).map(([start, end]) => text.slice(start, end));

const finds: readonly [BuiltInName, string, readonly string[]][] = [
  [
    "EMAIL",
    "Mail jane.doe+x@mail.example.co.uk, or <o'neill@example.com>.",
    ["jane.doe+x@mail.example.co.uk", "o'neill@example.com"],
  ],
  [
    "EMAIL",
    "'a@b.de' https://x.test/?to=a%40b.de müller@bücher.example",
    ["a@b.de", "müller@bücher.example", "a%40b.de"],
  ],
  ["EMAIL", "@", []],
  ["EMAIL", "name @handle me@localhost a@b@", []],
  ["PHONE", "call +49 30 1234567 or +1 (555) 123-4567", ["+49 30 1234567", "+1 (555) 123-4567"]],
  ["PHONE", "call +4915112345678.", ["+4915112345678"]],
  [
    "PHONE",
    "(212) 555-0123, 212-555-0123, 1-212-555-0123, 212.555.0123",
    ["(212) 555-0123", "212-555-0123", "1-212-555-0123", "212.555.0123"],
  ],
  ["PHONE", "2026-11-26 10:00, 1+12345678 is 12345679, ids 2125550123 and 1764123456789, +123, a+4915112345678", []],
  [
    "CREDIT_CARD",
    "4111 1111 1111 1111, 5555555555554444, 3782-822463-10005",
    ["4111 1111 1111 1111", "5555555555554444", "3782-822463-10005"],
  ],
  ["CREDIT_CARD", "order 12 4111 1111 1111 1111 12/26", ["4111 1111 1111 1111"]],
  ["CREDIT_CARD", "\\n4111111111111111\\n", ["4111111111111111"]],
  [
    "CREDIT_CARD",
    "4111111111111112 0.4111111111111111 x4111111111111111 4111111111111111x 1764123456789 1764123456789000000",
    [],
  ],
  [
    "IBAN",
    "DE89 3704 0044 0532 0130 00, gb29nwbk60161331926819",
    ["DE89 3704 0044 0532 0130 00", "gb29nwbk60161331926819"],
  ],
  ["IBAN", "DE88 3704 0044 0532 0130 00 de12 words that are long enough XX12345678901234567 DE8937040044053201300", []],
  [
    "IP_ADDRESS",
    "from 192.168.1.10 to 2001:db8::1, ::1 and ::ffff:10.0.0.1: yes",
    ["192.168.1.10", "10.0.0.1", "2001:db8::1", "::1", "::ffff:10.0.0.1"],
  ],
  ["IP_ADDRESS", "1.2.3 1.2.3.4.5 256.1.1.1 12:30:45 Add::Face std::vector x1.2.3.4", []],
  ["API_KEY", "sk-proj-aaaaaaaaaaaaaaaaaaaaaaaa", ["sk-proj-aaaaaaaaaaaaaaaaaaaaaaaa"]],
  [
    "API_KEY",
    `AKIA${"A".repeat(16)} ghp_${"a".repeat(36)} xoxb-${"1".repeat(12)}`,
    [`AKIA${"A".repeat(16)}`, `ghp_${"a".repeat(36)}`, `xoxb-${"1".repeat(12)}`],
  ],
  [
    "API_KEY",
    `Bearer eyJ${"a".repeat(10)}.eyJ${"b".repeat(10)}.c-d_e`,
    [`eyJ${"a".repeat(10)}.eyJ${"b".repeat(10)}.c-d_e`],
  ],
  ["API_KEY", "task-aaaaaaaaaaaaaaaaaaaaaaaa sk-short risk-aaaaaaaaaaaaaaaaaaaaaaaaaa", []],
];

test.each(finds)("%s of %j: %j", (name, text, expected) => {
  expect(found(name, text)).toEqual(expected);
});

test.each([
  ["a", "a"],
  ["@", "@"],
  ["a@", "a@"],
  ["a@a.", "a@a."],
  ["1 ", "1 "],
  ["+1", "+1"],
  ["4-", "4-"],
  ["de12", "de12"],
  ["de12 ", "de12 "],
  ["1.", "1."],
  ["a:", "a:"],
  ["::", "::"],
  ["eyJ", "eyJ"],
  ["-eyJ", "-eyJ"],
  ["eyJaaaaaaaa.", "eyJaaaaaaaa."],
  ["sk-", "sk-"],
  ["\\n", "\\n"],
])("time is linear in the length of %j", (_, part) => {
  const text = part.repeat(1_000_000 / part.length);
  for (const find of Object.values(builtIns)) {
    const startMs = performance.now();
    find(text);
    expect(performance.now() - startMs).toBeLessThan(3_000);
  }
});
