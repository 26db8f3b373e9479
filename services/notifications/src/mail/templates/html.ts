/** HTML that is whole and safe: made by `html` only. */
export class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** HTML whose holes hold text, which is escaped, or more of such HTML. */
export function html(parts: TemplateStringsArray, ...holes: (string | number | Html | readonly Html[])[]): Html {
  return new Html(parts.reduce((made, part, at) => made + sourceOf(holes[at - 1] ?? "") + part));
}

function sourceOf(hole: string | number | Html | readonly Html[]): string {
  if (hole instanceof Html) return hole.source;
  if (typeof hole === "string" || typeof hole === "number") return escapeHtml(String(hole));
  return hole.map(({ source }) => source).join("");
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as it stands in HTML, between tags or in a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);
}
