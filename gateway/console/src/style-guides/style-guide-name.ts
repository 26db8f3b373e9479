import { plural } from "../ui/format.ts";

interface Guide {
  readonly content: readonly { readonly heading: string }[];
}

const headingsMax = 2;

/** Returns the first section headings as the name, because style guides have no name. */
export function formatStyleGuideName({ content }: Guide): string {
  const headings = content.map(({ heading }) => heading.trim()).filter((heading) => heading !== "");
  if (headings.length === 0) return content.length === 0 ? "Empty style guide" : plural(content.length, "section");
  const more = content.length - Math.min(headings.length, headingsMax);
  return `${headings.slice(0, headingsMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
