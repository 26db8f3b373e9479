import { expect, test } from "vitest";
import { chooseLocale } from "./locale.ts";

test.each([
  [["en-US", "de"], "en-US"],
  [["en-IN"], "en-IN"],
  [["en-US@posix"], "en-US"],
  [["de-DE", "en-US"], "en-GB"],
  [["fa-IR"], "en-GB"],
  [["th"], "en-GB"],
  [["es-US"], "en-US"],
  [[], "en-US"],
])("dates for %j are in %s", (languages, expected) => {
  expect(chooseLocale(languages)).toBe(expected);
});

test("dates of all viewers are in the Gregorian calendar and in Latin digits", () => {
  for (const locale of ["en-GB", "en-US"]) {
    const format = new Intl.DateTimeFormat(locale, {
      calendar: "gregory",
      numberingSystem: "latn",
      dateStyle: "medium",
    });
    expect(format.format(Date.UTC(2026, 10, 28))).toMatch(/28.*2026/);
  }
});
