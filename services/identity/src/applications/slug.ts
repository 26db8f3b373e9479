/** As the API's rule on slugs. */
const slugLengthMax = 256;

/** The slug that a title makes: "Retail bank: support" → "retail-bank-support". Empty when nothing of it can stand in one. */
export function slugOf(title: string): string {
  return (
    title
      .normalize("NFKD")
      // What is left of accents, so that "é" becomes "e" and not "e-".
      .replaceAll(/\p{M}/gu, "")
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-+/g, "")
      .slice(0, slugLengthMax)
      .replaceAll(/-+$/g, "")
  );
}
