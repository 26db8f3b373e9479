/** Well-formed, escaped HTML; only `html` creates it. */
export class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** Template tag: escapes text and inserts `Html` unchanged. */
export function html(parts: TemplateStringsArray, ...values: (string | number | Html | readonly Html[])[]): Html {
  return new Html(parts.reduce((made, part, at) => made + toSource(values[at - 1] ?? "") + part));
}

function toSource(value: string | number | Html | readonly Html[]): string {
  if (value instanceof Html) return value.source;
  if (typeof value === "string" || typeof value === "number") return escapeHtml(String(value));
  return value.map(({ source }) => source).join("");
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for use between tags or in a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);
}
