// The console is in English, so its dates are, too, with the viewer's order of day and month and the viewer's clock.
// Numbers are always `1,234.5`.

/** Returns the locale for dates: the viewer's English, or the English of Europe, which has the day first and 24 hours. */
export function chooseLocale(languages: readonly string[]): string {
  // Browsers report POSIX names, too, such as en-US@posix.
  const first = languages[0]?.match(/^[a-z]{2,3}(-[a-z\d]{2,8})*/i)?.[0] ?? "en-US";
  if (/^en\b/i.test(first)) return first;
  return /-(us|ph|pr)$/i.test(first) ? "en-US" : "en-GB";
}

export const locale = chooseLocale(typeof navigator === "undefined" ? [] : (navigator.languages ?? []));

/** Returns a format for dates in the calendar that the numbers and the API use. */
export const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { calendar: "gregory", numberingSystem: "latn", ...options });

/** Time zone in which the console displays times. */
export const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
