/** Formats a time as the value of an input for date and time, in the viewer's time zone. */
export const toLocalInput = (at: Date) =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

export const validateSince = ({ since }: { readonly since: string }): Record<string, string> =>
  Number.isNaN(Date.parse(since)) ? { since: "Enter a date and a time" } : {};
