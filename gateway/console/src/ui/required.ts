// Finds required fields that are empty, before a form is sent.

/** Returns messages by the path of the field in the draft, which `@mantine/form` writes into the page. */
export function findMissing(form: HTMLFormElement): Record<string, string> {
  const fields = [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")];
  const missing = fields.filter(
    ({ required, disabled, value, dataset }) =>
      required && !disabled && dataset.path !== undefined && value.trim() === "",
  );
  return Object.fromEntries(
    missing.map((field) => [field.dataset.path ?? "", formatMissing(getLabel(field), isChosen(field))]),
  );
}

const isChosen = (field: HTMLElement) => field.getAttribute("aria-haspopup") === "listbox";

const getLabel = (field: HTMLInputElement | HTMLTextAreaElement) =>
  (field.getAttribute("aria-label") ?? field.labels?.[0]?.textContent ?? "value").replace(/\s*\*$/, "");

/** Formats "Enter a title", "Choose a topic", "Enter an API key". */
export function formatMissing(label: string, isToChoose: boolean): string {
  const [first = "", ...rest] = label.replace(/\s*\(.*\)$/, "").split(" ");
  const isAcronym = first.length > 1 && first === first.toUpperCase();
  const noun = [isAcronym ? first : first.toLowerCase(), ...rest].join(" ");
  const isPlural = /[^s]s$/.test(noun);
  const article = isPlural ? "" : /^([aeio]|u(?!se|ni|rl)|[AEFHILMNORSX][A-Z])/.test(noun) ? "an " : "a ";
  return `${isToChoose ? "Choose" : "Enter"} ${article}${noun}`;
}
